#include "selfplay/engine_config.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "core/board/bonus.h"
#include "core/search/terms.h"
#include "selfplay/engine.h"
#include "selfplay/levels.h"
#include "selfplay/outside_engine.h"
#include "selfplay/simple_players.h"

namespace cannonade {
namespace {

constexpr int kMaxHashMegabytes = 65'536;
constexpr std::size_t kMaxNameBytes = 100;
constexpr std::string_view kRulesPlaceholder = "{rules}";

bool executable(const std::filesystem::path& path) {
  std::error_code fault;
  return std::filesystem::is_regular_file(path, fault) && ::access(path.c_str(), X_OK) == 0;
}

}  // namespace

void declare(SettingsTable& table, EngineConfig& config) {
  table.add("name", config.name, "how the engine is called; the file's name when not given")
      .not_fingerprinted();
  table.add("weights", config.weights,
            "\"material\", \"default\" or a file, relative to this one; {rules} in it becomes the "
            "rule set's id");
  table.add("hash_mb", config.hash_mb, 1, kMaxHashMegabytes, "transposition table, megabytes");
  table.add("kind", config.kind,
            {{"search", EngineKind::kSearch},
             {"random", EngineKind::kRandom},
             {"taker", EngineKind::kTaker}},
            "our engine; or a yardstick: any legal turn, or the most valuable piece to take");
  table.add("level", config.level, "play at this level of the ladder; empty: no level");
  table.add("levels", config.levels,
            "the ladder of that level: \"default\" or a file, relative to this one; {rules} in it "
            "becomes the rule set's id");
  table.add("without", config.without,
            "terms of the search to leave out, to measure what they are worth");
  table.add("command", config.command,
            "an outside engine: its program, or a list of program and words; no shell");
  table.add("protocol", config.protocol, {{"uci", Protocol::kUci}, {"ucci", Protocol::kUcci}},
            "what the outside engine speaks");
  table.add("handshake_seconds", config.handshake_seconds, 0.1, 3600.0,
            "how long an outside engine may take to get ready");
  table.add("hang_seconds", config.hang_seconds, 0.1, 86'400.0,
            "how long beyond its time an outside engine may be silent");
  table.add("on_failure", config.on_failure,
            {{"loss", FailurePolicy::kLoss},
             {"draw", FailurePolicy::kDraw},
             {"void", FailurePolicy::kVoid}},
            "how a game counts in which an outside engine crashes, hangs or answers garbage");
  table.add_free_table("options", config.options, "options to set in the outside engine");
  table.add_free_table("variants", config.variants,
                       "the outside engine's variant for a rule set's id");
  table.add_table("limits", config.limits, "limits of this engine, instead of the run's");
  table.add_table("skill", config.skill, "Playing below its strength, other than by a level.");
  table.check([&config]() -> std::optional<std::string> {
    for (const auto& [id, variant] : config.variants) {
      const Expected<Ruleset> rules = find_ruleset(id);
      if (!rules) return "variants." + id + ": " + rules.error();
      if (rules->id != id) return "variants." + id + ": write " + rules->id;
    }
    if (!config.command.empty() && config.command.front().empty()) {
      return "command: the program's name is empty";
    }
    for (const std::string& name : config.without) {
      const Expected<SearchTerm> term = find_search_term(name);
      if (!term) return "without: " + term.error();
    }
    const bool weakened = !config.level.empty() || config.skill != Skill{};
    if (!config.level.empty() && config.skill != Skill{}) {
      return "level: a level has a skill of its own: give one of level and [skill]";
    }
    if (config.outside() && (weakened || config.kind != EngineKind::kSearch)) {
      return "command: an outside engine has no kind, level or skill here";
    }
    if (!config.without.empty() &&
        (weakened || config.outside() || config.kind != EngineKind::kSearch)) {
      return "without: only our search at full strength can leave out terms";
    }
    if (weakened && config.kind != EngineKind::kSearch) {
      return "kind: only search has a level or a skill";
    }
    return std::nullopt;
  });
}

EngineConfig read_engine_config(const std::filesystem::path& file) {
  EngineConfig config;
  SettingsTable table;
  declare(table, config);
  read_toml(file, table);
  config.file = file;
  if (config.name.empty()) config.name = file.stem().string();
  // Names go to terminals, tables and file headers.
  const bool plain = std::none_of(config.name.begin(), config.name.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
  });
  if (config.name.size() > kMaxNameBytes || !plain) {
    throw user_error(fmt::format("{}: name: allowed: up to {} bytes without control characters",
                                 file.string(), kMaxNameBytes));
  }
  return config;
}

std::vector<EngineConfig> read_engine_configs(const std::vector<std::filesystem::path>& files,
                                              std::vector<std::string>& faults) {
  std::vector<EngineConfig> configs;
  for (const std::filesystem::path& file : files) {
    try {
      configs.push_back(read_engine_config(file));
    } catch (const Error& fault) {
      if (fault.kind() != ErrorKind::kUser) throw;
      faults.emplace_back(fault.what());
    }
  }
  return configs;
}

std::vector<EngineConfig> read_engine_configs(const std::vector<std::filesystem::path>& files) {
  std::vector<std::string> faults;
  std::vector<EngineConfig> configs = read_engine_configs(files, faults);
  if (!faults.empty()) throw user_error(fmt::format("{}", fmt::join(faults, "\n")));
  return configs;
}

std::string with_rules_id(std::string path, const Ruleset& rules) {
  const std::string_view id = preset_id(rules.id);
  for (std::size_t at = path.find(kRulesPlaceholder); at != std::string::npos;
       at = path.find(kRulesPlaceholder, at + id.size())) {
    path.replace(at, kRulesPlaceholder.size(), id);
  }
  return path;
}

namespace {

// Relative to the engine's file.
std::filesystem::path file_for(const EngineConfig& config, const std::string& path,
                               const Ruleset& rules) {
  return (config.file.parent_path() / with_rules_id(path, rules)).lexically_normal();
}

}  // namespace

std::filesystem::path weights_file(const EngineConfig& config, const Ruleset& rules) {
  return file_for(config, config.weights, rules);
}

Weights load_weights(const EngineConfig& config, const Ruleset& rules) {
  if (config.weights == "material") return material_weights(rules);
  if (config.weights == "default") return default_weights(rules);
  return Weights::load(weights_file(config, rules), rules).value_or_throw();
}

EngineConfig with_level(EngineConfig config, const Ruleset& rules,
                        std::vector<std::string>* warnings) {
  if (!config.level.empty()) {
    const Levels ladder = config.levels == "default"
                              ? shipped_levels(rules)
                              : load_levels(file_for(config, config.levels, rules), rules);
    config.skill = find_level(ladder, config.level).value_or_throw("engine " + config.name).skill;
    config.level.clear();
    if (const auto stale = stale_reason(ladder, load_weights(config, rules), rules)) {
      warnings->push_back(fmt::format("engine {}: {}", config.name, *stale));
    }
  }
  if (config.limits.empty()) {
    config.limits.nodes = config.skill.nodes;
    config.limits.depth = config.skill.depth;
  }
  return config;
}

std::filesystem::path find_program(const EngineConfig& config) {
  const std::string& name = config.command.front();
  if (name.find('/') != std::string::npos) {
    std::filesystem::path path = (config.file.parent_path() / name).lexically_normal();
    if (executable(path)) return path;
    throw user_error(fmt::format("engine {}: command: no program {}", config.name, path.string()));
  }
  const char* variable = std::getenv("PATH");
  const std::string folders = (variable == nullptr ? "" : std::string(variable)) + ":/usr/games";
  for (std::size_t at = 0; at <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', at), folders.size());
    const std::filesystem::path folder = folders.substr(at, end - at);
    if (!folder.empty() && executable(folder / name)) return folder / name;
    at = end + 1;
  }
  throw user_error(
      fmt::format("engine {}: command: no program '{}' in PATH or /usr/games", config.name, name));
}

std::unique_ptr<Player> make_player(const EngineConfig& config, const Ruleset& rules) {
  if (config.outside()) return std::make_unique<OutsideEngine>(config, rules);
  if (config.kind == EngineKind::kRandom) return std::make_unique<RandomMover>(config.name);
  if (config.kind == EngineKind::kTaker) return std::make_unique<Taker>(config.name);
  std::vector<std::string> unheard;
  const EngineConfig levelled = with_level(config, rules, &unheard);
  SearchTerms terms;
  for (const std::string& name : levelled.without) {
    terms.leave_out(find_search_term(name).value_or_throw());
  }
  return std::make_unique<Engine>(levelled.name, load_weights(levelled, rules),
                                  static_cast<std::size_t>(levelled.hash_mb), levelled.skill,
                                  terms);
}

}  // namespace cannonade
