// Strength levels to play against: a ladder as `selfplay ladder` measured it, with the engine,
// weights and rules that it holds for. configs/levels has one file a rule set; those are compiled
// in, too.
//
// File format (TOML), format 1: head keys as in declare(SettingsTable&, Levels&), then a table
// [[levels]] for each level, weakest first, with the keys of a Skill and what was measured. Elo is
// the difference to the first level: ladders of different rule sets do not share a scale.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/board/ruleset.h"
#include "eval/weights.h"
#include "selfplay/settings.h"
#include "selfplay/skill.h"

namespace cannonade {

struct Level {
  std::string name;
  Skill skill;
  // With 95 % limits: above the first level, and above the level before (0 for the first).
  double elo = 0, elo_low = 0, elo_high = 0;
  double gap = 0, gap_low = 0, gap_high = 0;
};
void declare(SettingsTable& table, Level& level);

struct Levels {
  int format = 1;
  std::string rules;
  // What they hold for.
  std::string engine_hash;   // engine_signature
  std::string weights_hash;  // Weights::hash
  std::string rules_hash;    // rules_signature
  // How they were measured.
  std::string run;  // of the store
  std::uint64_t seed = 0;
  std::uint64_t games = 0;  // of the last round, which these figures are from
  bool confirmed = false;   // every gap's interval lies where it should, on fresh games
  std::string revision;
  std::string command;
  std::vector<Level> levels;
};
void declare(SettingsTable& table, Levels& levels);

[[nodiscard]] std::string to_toml(const Levels& levels);
// `source` names the text in messages. User error: what read_toml says, another rule set, no level,
// names that are given twice, Elo that does not rise.
[[nodiscard]] Levels parse_levels(std::string_view text, const std::filesystem::path& source,
                                  const Ruleset& rules);
[[nodiscard]] Levels load_levels(const std::filesystem::path& file, const Ruleset& rules);
// The ladder compiled in from configs/levels/; user error where none is shipped.
[[nodiscard]] Levels shipped_levels(const Ruleset& rules);
[[nodiscard]] bool has_shipped_levels(const Ruleset& rules);

// How our engine plays under these rules whatever the weights: the answers of small fixed searches,
// at full strength and below. Takes a moment the first time.
[[nodiscard]] std::string engine_signature(const Ruleset& rules);
// Of everything that a preset may set, whatever its name.
[[nodiscard]] std::string rules_signature(const Ruleset& rules);
// Why the ladder does not hold here, in words; nothing when it does.
[[nodiscard]] std::optional<std::string> stale_reason(const Levels& levels, const Weights& weights,
                                                      const Ruleset& rules);

// By name; the failure lists the names.
[[nodiscard]] Expected<Level> find_level(const Levels& levels, std::string_view name);
// The skill at `elo`, between the two levels around it; the first or last level beyond the ends.
[[nodiscard]] Skill skill_at_elo(const Levels& levels, double elo);
// The skill at `place` in [0, 1] along the ladder, by Elo.
[[nodiscard]] Skill skill_at_place(const Levels& levels, double place);

}  // namespace cannonade
