// From stores of games to rows of a data set: replays every game, keeps the quiet positions,
// extracts the evaluation's coefficients.
//
// Always holds: what comes out does not depend on the number of threads; a row's coefficients times
// the starting weights are the evaluation of its position, checked for every row.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/game/ending.h"
#include "eval/weights.h"
#include "selfplay/settings.h"
#include "tuner/dataset.h"

namespace cannonade {

// Which positions are kept.
struct FilterSettings {
  int skip_plies = 8;        // from the start of a game (the opening's turns never count as kept)
  int quiet_bound = 60;      // centipawns between static evaluation and quiescence
  int score_bound = 1500;    // a position beyond is decided and teaches nothing
  int max_per_game = 200;    // spread evenly over the game
  int adjudicated_tail = 0;  // plies left out before an adjudicated end
};
void declare(SettingsTable& table, FilterSettings& settings);

struct SourceCount {
  std::string store;
  std::uint64_t games = 0;
  std::uint64_t positions = 0;
  std::array<std::uint64_t, 3> results{};  // first mover lost, drawn, won
};

struct ReplayReport {
  std::uint64_t games = 0;
  std::uint64_t without_result = 0;  // imported games that nobody won or drew
  std::uint64_t seen = 0;            // positions looked at
  std::uint64_t in_check = 0;        // left out, by reason
  std::uint64_t not_quiet = 0;
  std::uint64_t decided = 0;
  std::uint64_t thinned = 0;
  std::uint64_t kept = 0;
  std::array<std::uint64_t, kReasons> endings{};
  std::vector<SourceCount> sources;
};

struct ReplayProgress {
  std::uint64_t games = 0;
  std::uint64_t of = 0;
};

// All features, numbered as the evaluation does, for a data set. Those that a rule set does not
// have are never seen in its games; so the presets of a variant share one list and can be fitted
// together.
[[nodiscard]] FeatureList feature_list();

// What the rows depend on, in words: rule set, starting weights, filter, stores and their games.
[[nodiscard]] std::string rows_origin(const std::vector<std::filesystem::path>& stores,
                                      const Ruleset& rules, const Weights& start,
                                      const FilterSettings& filter);

[[nodiscard]] nlohmann::ordered_json to_json(const ReplayReport& report);
[[nodiscard]] ReplayReport replay_report_from_json(const nlohmann::ordered_json& json);

// Throws a user error for a store of another rule set, or a game whose moves do not replay, naming
// store, game and ply. `progress` returning false ends the replay with a user error.
[[nodiscard]] Dataset replay_stores(
    const std::vector<std::filesystem::path>& stores, const Ruleset& rules, const Weights& start,
    const FilterSettings& filter, ReplayReport& report,
    const std::function<bool(const ReplayProgress&)>& progress = {});

}  // namespace cannonade
