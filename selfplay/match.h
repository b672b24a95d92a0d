// A match: engine A against engine B over pairs of games, each opening played twice with seats
// swapped, until the plan is played or a sequential test decides.
//
// Every figure is of the longest whole prefix of pairs in schedule order, up to the test's verdict:
// which games happened to finish first changes nothing, and the figures are the same for any number
// of threads, in one go or resumed.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "selfplay/run_control.h"
#include "selfplay/settings.h"
#include "selfplay/summary.h"
#include "selfplay/tournament.h"

namespace cannonade {

// A match file; `selfplay match` takes the same from its command line.
struct MatchSettings {
  Ruleset rules = rulesets().front();
  std::filesystem::path a;
  std::filesystem::path b;
  std::uint64_t games = 1000;
  std::uint64_t round_games = 1000;  // of a match over shards (selfplay/match_rounds.h)
  std::uint64_t seed = 1;
  std::optional<SprtTest> sprt;
  EloModel sprt_model = EloModel::kLogistic;
  double sprt_alpha = 0.05;
  double sprt_beta = 0.05;
  bool allow_identical = false;
  MoveLimits limits;
  int power_loss_games = 100;
  OpeningSettings openings;
  AdjudicationSettings adjudication;

  MatchSettings();
};
void declare(SettingsTable& table, MatchSettings& settings);

struct MatchPlan {
  Tournament tournament;  // two engines, A first
  std::optional<SprtTest> sprt;
  bool allow_identical = false;  // the same configuration on both sides
};
// Reads the engine files.
[[nodiscard]] MatchPlan make_match_plan(const MatchSettings& settings);
// The two engines' part of it, for callers that have configurations, not files.
void set_opponents(Tournament& tournament, EngineConfig a, EngineConfig b);

struct MatchResult {
  std::array<std::string, 2> names;
  Game game = Game::kJanggi;
  std::string rules;
  std::string run_id;

  Trinomial counts;                         // A's
  std::array<Trinomial, 2> counts_by_side;  // A's as first and as second mover
  Pentanomial pentanomial;
  std::uint64_t void_pairs = 0;  // in the prefix, without a result
  MatchStatistics statistics;
  // The same without pairs in which an engine broke down; only where there are some.
  std::optional<MatchStatistics> without_failures;
  std::optional<SprtTest> test;
  SprtResult sprt;  // meaningful with a test
  Summary summary;  // of the games that are counted

  std::uint64_t stored = 0;   // games in the store, those beyond the prefix included
  std::uint64_t planned = 0;  // of this shard
  std::uint64_t played = 0;   // in this session
  double seconds = 0;         // of this session
  bool complete = false;      // the plan is played or the test has decided
  std::vector<std::string> skipped_openings;
  std::vector<std::string> warnings;  // levels that do not hold here
};

// The store's fact under which a match keeps its test, for reports: to_json(SprtTest, SprtResult).
inline constexpr const char* kSprtFact = "sprt";

// Plays what `out` lacks; an empty path keeps the games in a temporary file that is gone
// afterwards. A shard plays all of its games, for only the merged prefix can be judged; its result
// has no verdict. User errors: as run_generate, and two identical configurations unless allowed.
[[nodiscard]] MatchResult run_match(MatchPlan plan, const std::filesystem::path& out,
                                    const RunControl& control);

// The result of the games that a store has.
class Store;
[[nodiscard]] MatchResult count_match(const Store& store, const std::optional<SprtTest>& test);

// Keys games, pairs, wins, draws, losses, score, elo, elo_error, los, nelo, nelo_error, llr, lower,
// upper, verdict (null without a test), pentanomial, by_side, a_by_side, endings, duplicates,
// games_per_second, and more.
[[nodiscard]] nlohmann::ordered_json to_json(const MatchResult& result);
// The final table.
[[nodiscard]] std::vector<std::string> to_lines(const MatchResult& result);

}  // namespace cannonade
