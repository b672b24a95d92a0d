// A ladder of strength levels that calibrates itself: the strongest level at full strength, each
// other one as much weaker than the next as the settings say.
//
// Levels lie on one path of knobs from `weakest` to `strongest`, at strengths in [0, 1]. Rounds of
// games follow one another, each planned from the games of all rounds before it: a survey of
// probes, adjustments until the gaps are known well enough, then a confirmation on fresh games,
// again and again until every gap's interval lies inside its bounds or the rounds are used up. What
// is reported is the last round's alone, by maximum likelihood without a prior. A last round plays
// the first level against a random mover and a one-ply taker.
//
// A run is one store; the plan of a round is written into it before the round's first game. The
// games are a function of settings and seed: the same for any number of threads, in one go or
// resumed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "selfplay/adjudication.h"
#include "selfplay/engine_config.h"
#include "selfplay/ladder_plan.h"
#include "selfplay/level_profile.h"
#include "selfplay/levels.h"
#include "selfplay/openings.h"
#include "selfplay/rating_checks.h"
#include "selfplay/ratings.h"
#include "selfplay/run_control.h"
#include "selfplay/settings.h"

namespace cannonade {

// A ladder file.
struct LadderSettings {
  Ruleset rules = rulesets().front();
  std::filesystem::path engine;  // whose weights are played; empty: the built-in ones
  std::uint64_t seed = 1;
  Skill weakest;
  Skill strongest;
  double careless_below = 0.1;
  int levels = 12;
  double gap = 100;
  double gap_low = 70;
  double gap_high = 130;
  DrawModel draws = DrawModel::kHalfEach;

  int probes = 9;
  std::uint64_t survey_games = 100;
  std::uint64_t round_games = 600;
  std::uint64_t confirm_games = 2000;
  double skip_share = 0.25;
  double ready_error = 20;
  int rounds = 6;
  std::uint64_t yardstick_games = 100;
  std::uint64_t profile_games = 20;
  std::uint64_t profile_nodes = 1000;

  std::filesystem::path levels_file;
  int power_loss_games = 100;
  OpeningSettings openings;
  AdjudicationSettings adjudication;

  LadderSettings();
};
void declare(SettingsTable& table, LadderSettings& settings);
// Of these, all but rules, engine, seed and levels_file: how the ladder is made.
void declare_calibration(SettingsTable& table, LadderSettings& settings);

struct LadderPlan {
  LadderSettings settings;
  EngineConfig engine;  // weights and hash; its skill and limits are not used
  std::string command;  // noted in the levels file
};
// Reads the engine file.
[[nodiscard]] LadderPlan make_ladder_plan(const LadderSettings& settings);

// What a round showed; survey and yardstick rounds have no ratings.
struct RoundResult {
  LadderRound round;
  std::optional<RatingFit> fit;
  std::vector<Skill> skills;
  bool inside = false;  // every gap's interval lies inside its bounds

  [[nodiscard]] const Ratings& ratings() const { return fit->sandwich; }
};

struct Yardstick {
  std::string name;
  Trinomial games;  // the first level's
};

struct LadderResult {
  std::string rules;
  Game game = Game::kJanggi;
  std::string run_id;
  double gap = 0, gap_low = 0, gap_high = 0;
  std::vector<RoundResult> rounds;  // played to their end, in order
  // Of the last adjusting or confirming round.
  std::vector<Level> levels;
  std::uint64_t level_games = 0;
  Estimate end_to_end;
  std::optional<Estimate> first_move;
  std::optional<FitTest> fit_test;  // of the next neighbours' games; needs three levels
  std::optional<CycleCheck> cycles;
  bool confirmed = false;
  std::vector<Yardstick> yardsticks;
  std::vector<LevelProfile> profiles;  // by level
  std::filesystem::path levels_file;   // written; empty when it was not

  std::uint64_t stored = 0;
  std::uint64_t played = 0;  // in this session
  double seconds = 0;        // of this session
  bool complete = false;     // nothing is left to be played
};

// Plays what `out` lacks and, at the end, writes the levels file. A raised stop is no error: the
// result is not complete. User errors as in PreparedTournament and Store::create_or_resume; a
// shard; a ladder whose levels never score against each other.
[[nodiscard]] LadderResult run_ladder(const LadderPlan& plan, const std::filesystem::path& out,
                                      const RunControl& control);

// As the levels file has it.
[[nodiscard]] Levels make_levels(const LadderPlan& plan, const LadderResult& result,
                                 const std::string& run);

// Keys rules, levels [{name, elo, low, high, gap, gap_low, gap_high, skill}], confirmed,
// end_to_end, fit_test, cycle_check, rounds, yardsticks, profiles, levels_file, games, and more.
[[nodiscard]] nlohmann::ordered_json to_json(const LadderResult& result);
// The final table.
[[nodiscard]] std::vector<std::string> to_lines(const LadderResult& result);

}  // namespace cannonade
