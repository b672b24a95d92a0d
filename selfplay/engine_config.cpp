#include "selfplay/engine_config.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "selfplay/engine.h"
#include "selfplay/outside_engine.h"

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
  table.check([&config]() -> std::optional<std::string> {
    for (const auto& [id, variant] : config.variants) {
      const Expected<Ruleset> rules = find_ruleset(id);
      if (!rules) return "variants." + id + ": " + rules.error();
      if (rules->id != id) return "variants." + id + ": write " + rules->id;
    }
    if (!config.command.empty() && config.command.front().empty()) {
      return "command: the program's name is empty";
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

std::vector<EngineConfig> read_engine_configs(const std::vector<std::filesystem::path>& files) {
  std::vector<EngineConfig> configs;
  std::vector<std::string> faults;
  for (const std::filesystem::path& file : files) {
    try {
      configs.push_back(read_engine_config(file));
    } catch (const Error& fault) {
      if (fault.kind() != ErrorKind::kUser) throw;
      faults.emplace_back(fault.what());
    }
  }
  if (!faults.empty()) throw user_error(fmt::format("{}", fmt::join(faults, "\n")));
  return configs;
}

std::filesystem::path weights_file(const EngineConfig& config, const Ruleset& rules) {
  std::string path = config.weights;
  for (std::size_t at = path.find(kRulesPlaceholder); at != std::string::npos;
       at = path.find(kRulesPlaceholder, at + rules.id.size())) {
    path.replace(at, kRulesPlaceholder.size(), rules.id);
  }
  return (config.file.parent_path() / path).lexically_normal();
}

Weights load_weights(const EngineConfig& config, const Ruleset& rules) {
  if (config.weights == "material") return material_weights(rules);
  if (config.weights == "default") return default_weights(rules);
  return Weights::load(weights_file(config, rules), rules).value_or_throw();
}

std::filesystem::path find_program(const EngineConfig& config) {
  const std::string& name = config.command.front();
  if (name.find('/') != std::string::npos) {
    const std::filesystem::path path = (config.file.parent_path() / name).lexically_normal();
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
  return std::make_unique<Engine>(config.name, load_weights(config, rules),
                                  static_cast<std::size_t>(config.hash_mb));
}

}  // namespace cannonade
