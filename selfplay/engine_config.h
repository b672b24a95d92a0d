// An engine's file: who plays, with which weights or which command. One format for our engine and
// for outside ones; a `command` makes it an outside engine.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/board/ruleset.h"
#include "eval/weights.h"
#include "selfplay/move_limits.h"
#include "selfplay/player.h"
#include "selfplay/settings.h"
#include "selfplay/skill.h"

namespace cannonade {

enum class Protocol : std::uint8_t { kUci, kUcci };

// Who our engine is: the search, or one of the yardsticks that do not search.
enum class EngineKind : std::uint8_t { kSearch, kRandom, kTaker };

// How a game counts in which an engine broke down (crash, hang, garbage). An illegal turn always
// loses (J28).
enum class FailurePolicy : std::uint8_t {
  kLoss,
  kDraw,
  kVoid,  // the game has no result, and its pair leaves the statistics
};

struct EngineConfig {
  std::string name;  // the file's name without its ending, when none is given

  // Our engine.
  EngineKind kind = EngineKind::kSearch;
  std::string weights = "default";  // "material", "default" (compiled in), or a file
  int hash_mb = 16;
  std::string level;               // a level's name; empty: as strong as `skill` lets it be
  std::string levels = "default";  // the ladder of `level`: "default" (compiled in), or a file
  Skill skill;
  std::vector<std::string> without;  // terms of the search left out, by name

  // An outside engine.
  std::vector<std::string> command;  // program and its words; run without a shell
  Protocol protocol = Protocol::kUci;
  std::map<std::string, std::string> options;
  std::map<std::string, std::string> variants;  // rule set id -> the engine's name for it
  double handshake_seconds = 10;
  double hang_seconds = 60;  // silence this long beyond its own time is a hang
  FailurePolicy on_failure = FailurePolicy::kLoss;

  // Instead of the run's limits, where not empty.
  MoveLimits limits;

  std::filesystem::path file;  // where it was read from

  [[nodiscard]] bool outside() const { return !command.empty(); }
  // Whether its turns end without a limit from outside.
  [[nodiscard]] bool bounded() const {
    return !limits.empty() || skill.bounded() || kind != EngineKind::kSearch;
  }
};

void declare(SettingsTable& table, EngineConfig& config);

// Throws a user error with every fault of the file.
[[nodiscard]] EngineConfig read_engine_config(const std::filesystem::path& file);

// Several files; one user error has the faults of all.
[[nodiscard]] std::vector<EngineConfig> read_engine_configs(
    const std::vector<std::filesystem::path>& files);
// Those that can be read; the faults of the others are added to `faults`.
[[nodiscard]] std::vector<EngineConfig> read_engine_configs(
    const std::vector<std::filesystem::path>& files, std::vector<std::string>& faults);

// `path` with {rules} replaced by the rule set's id (the preset's part of it).
[[nodiscard]] std::string with_rules_id(std::string path, const Ruleset& rules);

// The weights file for `rules`: {rules} replaced by the rule set's id, relative to the engine's
// file. Only for weights that are a file.
[[nodiscard]] std::filesystem::path weights_file(const EngineConfig& config, const Ruleset& rules);

// The weights that `weights` names. User error when a file is not there or does not fit the rule
// set.
[[nodiscard]] Weights load_weights(const EngineConfig& config, const Ruleset& rules);

// The same with the level that it names put in as its skill, and the skill's bounds as limits where
// the file gives none: a level plays the same whatever a run's limits are. Where the ladder does
// not hold for these weights and rules, a line is added to `warnings`. User error: no such level or
// ladder.
[[nodiscard]] EngineConfig with_level(EngineConfig config, const Ruleset& rules,
                                      std::vector<std::string>* warnings);

// The program that the command names: a path with a slash is taken from the engine file's folder,
// a bare word is searched in PATH and then /usr/games, where Debian puts engines. User error when
// there is no such program.
[[nodiscard]] std::filesystem::path find_program(const EngineConfig& config);

// A player of its own, ready for new_game. User errors: weights that do not fit the rule set, a
// program that is not there. An outside engine is started by its first game.
[[nodiscard]] std::unique_ptr<Player> make_player(const EngineConfig& config, const Ruleset& rules);

}  // namespace cannonade
