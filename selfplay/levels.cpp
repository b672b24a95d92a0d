#include "selfplay/levels.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <set>

#include "core/base/files.h"
#include "core/notation/fen.h"
#include "core/notation/uci_move.h"
#include "selfplay/bench_positions.h"
#include "selfplay/default_levels.h"
#include "selfplay/engine.h"

namespace cannonade {
namespace {

constexpr int kFormat = 1;
constexpr std::size_t kMaxLevelsBytes = 1 << 20;
constexpr double kMostElo = 100'000;

std::string_view shipped_text(const Ruleset& rules) {
  const auto* const found = std::find_if(kDefaultLevels.begin(), kDefaultLevels.end(),
                                         [&](const auto& each) { return each.first == rules.id; });
  return found == kDefaultLevels.end() ? std::string_view() : found->second;
}

std::optional<std::string> fault_of(const Levels& levels) {
  if (levels.levels.empty()) return "no [[levels]]: a ladder has one level at least";
  std::set<std::string> names;
  for (std::size_t i = 0; i < levels.levels.size(); ++i) {
    const Level& level = levels.levels[i];
    if (level.name.empty()) return fmt::format("levels[{}].name: empty", i);
    if (!names.insert(level.name).second) {
      return fmt::format("levels[{}].name: {} is given twice", i, level.name);
    }
    if (i > 0 && level.elo <= levels.levels[i - 1].elo) {
      return fmt::format("levels[{}].elo: {} given; allowed: more than the level before has, {}", i,
                         level.elo, levels.levels[i - 1].elo);
    }
  }
  return std::nullopt;
}

std::string answers(const Ruleset& rules, const Skill& skill) {
  constexpr std::size_t kHash = 1;
  constexpr std::uint64_t kNodes = 1000;
  Engine engine("signature", material_weights(rules), kHash, skill);
  std::string text;
  for (const std::string_view fen : bench_positions(rules.game)) {
    const Position position = parse_fen(rules, fen).value_or_throw();
    engine.new_game(rules, 1);
    SearchLimits limits;
    limits.nodes = kNodes;
    const SearchResult result = engine.search(position, History(position), limits);
    text += fmt::format("{} {} {} ", to_uci(result.move), result.score, result.depth);
  }
  return text;
}

}  // namespace

void declare(SettingsTable& table, Level& level) {
  table.add("name", level.name, "how the level is called").required();
  declare(table, level.skill);
  table.add("elo", level.elo, -kMostElo, kMostElo, "Elo above the first level").required();
  table.add("elo_low", level.elo_low, -kMostElo, kMostElo, "its 95 % interval");
  table.add("elo_high", level.elo_high, -kMostElo, kMostElo, "its 95 % interval");
  table.add("gap", level.gap, -kMostElo, kMostElo, "Elo above the level before");
  table.add("gap_low", level.gap_low, -kMostElo, kMostElo, "its 95 % interval");
  table.add("gap_high", level.gap_high, -kMostElo, kMostElo, "its 95 % interval");
}

void declare(SettingsTable& table, Levels& levels) {
  table.add("format", levels.format, kFormat, kFormat, "of this file").required();
  table.add("rules", levels.rules, "rule set").required();
  table.add("engine_hash", levels.engine_hash, "how the engine searches that they hold for")
      .required();
  table.add("weights_hash", levels.weights_hash, "the weights that they hold for").required();
  table.add("rules_hash", levels.rules_hash, "the rules that they hold for").required();
  table.add("run", levels.run, "the run that measured them");
  table.add("seed", levels.seed, 0, INT64_MAX, "its seed");
  table.add("games", levels.games, 0, INT64_MAX, "games behind the figures");
  table.add("confirmed", levels.confirmed, "every gap is where it should be, on fresh games");
  table.add("revision", levels.revision, "the program that measured them");
  table.add("command", levels.command, "the command that measured them");
  table.add_tables("levels", levels.levels, "The levels, weakest first.");
}

std::string to_toml(const Levels& levels) {
  const auto text = [](const std::string& value) { return toml_text(SettingValue(value)); };
  std::string out = fmt::format(
      "# Strength levels, weakest first, as measured. Elo is above the first level.\n"
      "format = {}\nrules = {}\nengine_hash = {}\nweights_hash = {}\nrules_hash = {}\n"
      "run = {}\nseed = {}\ngames = {}\nconfirmed = {}\nrevision = {}\ncommand = {}\n",
      levels.format, text(levels.rules), text(levels.engine_hash), text(levels.weights_hash),
      text(levels.rules_hash), text(levels.run), levels.seed, levels.games, levels.confirmed,
      text(levels.revision), text(levels.command));
  for (const Level& level : levels.levels) {
    const Skill& skill = level.skill;
    out += fmt::format(
        "\n[[levels]]\nname = {}\nnodes = {}\ndepth = {}\nnoise = {}\noverlook = {}\n"
        "careless = {}\nelo = {:.1f}\nelo_low = {:.1f}\nelo_high = {:.1f}\n",
        text(level.name), skill.nodes, skill.depth, skill.noise, skill.overlook, skill.careless,
        level.elo, level.elo_low, level.elo_high);
    if (&level != &levels.levels.front()) {
      out += fmt::format("gap = {:.1f}\ngap_low = {:.1f}\ngap_high = {:.1f}\n", level.gap,
                         level.gap_low, level.gap_high);
    }
  }
  return out;
}

Levels parse_levels(std::string_view text, const std::filesystem::path& source,
                    const Ruleset& rules) {
  Levels levels;
  SettingsTable table;
  declare(table, levels);
  read_toml_text(text, source, table);
  if (levels.rules != rules.id) {
    throw user_error(fmt::format("{}: these levels are for {}, not for {}", source.string(),
                                 levels.rules, rules.id));
  }
  if (const auto fault = fault_of(levels)) {
    throw user_error(fmt::format("{}: {}", source.string(), *fault));
  }
  return levels;
}

Levels load_levels(const std::filesystem::path& file, const Ruleset& rules) {
  return parse_levels(read_file(file, kMaxLevelsBytes).value_or_throw(), file, rules);
}

bool has_shipped_levels(const Ruleset& rules) {
  return !shipped_text(rules).empty();
}

Levels shipped_levels(const Ruleset& rules) {
  const std::string_view text = shipped_text(rules);
  if (text.empty()) throw user_error("this version ships no levels for " + rules.id);
  return parse_levels(text, "configs/levels/" + rules.id + ".toml", rules);
}

std::string engine_signature(const Ruleset& rules) {
  static std::mutex mutex;
  static std::map<std::string, std::string> known;
  const std::string key = rules_signature(rules);
  const std::lock_guard lock(mutex);
  std::string& signature = known[key];
  if (signature.empty()) {
    Skill weak;
    weak.noise = 200;
    weak.overlook = 0.5;
    signature = fingerprint_hex(answers(rules, {}) + "\n" + answers(rules, weak));
  }
  return signature;
}

std::string rules_signature(const Ruleset& rules) {
  return fingerprint_hex(fmt::format(
      "game = {}, count_points = {}, second_bonus_halves = {}, no_capture_limit = {}, passing = "
      "{}, bikjang = {}, insufficient_material = {}",
      static_cast<int>(rules.game), rules.count_points, rules.second_bonus_halves,
      rules.no_capture_limit, rules.passing, rules.bikjang, rules.insufficient_material));
}

std::optional<std::string> stale_reason(const Levels& levels, const Weights& weights,
                                        const Ruleset& rules) {
  std::vector<std::string> changed;
  if (levels.rules_hash != rules_signature(rules)) changed.emplace_back("rules");
  if (levels.weights_hash != weights.hash()) changed.emplace_back("weights");
  if (levels.engine_hash != engine_signature(rules)) changed.emplace_back("engine");
  if (changed.empty()) return std::nullopt;
  return fmt::format(
      "the levels of {} were measured with other {}: their Elo does not hold here; selfplay ladder "
      "measures them anew",
      levels.rules, fmt::join(changed, ", "));
}

Expected<Level> find_level(const Levels& levels, std::string_view name) {
  std::vector<std::string> names;
  for (const Level& level : levels.levels) {
    if (level.name == name) return level;
    names.push_back(level.name);
  }
  return Failure{
      fmt::format("no level '{}' for {}; allowed: {}", name, levels.rules, fmt::join(names, ", "))};
}

Skill skill_at_elo(const Levels& levels, double elo) {
  const std::vector<Level>& all = levels.levels;
  if (elo <= all.front().elo) return all.front().skill;
  if (elo >= all.back().elo) return all.back().skill;
  const auto above =
      std::find_if(all.begin(), all.end(), [elo](const Level& level) { return level.elo > elo; });
  const Level& weak = *(above - 1);
  const double part = (elo - weak.elo) / (above->elo - weak.elo);
  if (part <= 0) return weak.skill;
  // Careless up to the middle of the gap.
  return skill_between(weak.skill, above->skill, part, weak.skill.careless ? 0.5 : 0.0);
}

Skill skill_at_place(const Levels& levels, double place) {
  const double low = levels.levels.front().elo;
  const double high = levels.levels.back().elo;
  return skill_at_elo(levels, low + (high - low) * std::clamp(place, 0.0, 1.0));
}

}  // namespace cannonade
