// Comparisons as they are played, stopped and gone on with.
#include "selfplay/compare.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <map>
#include <set>
#include <thread>

#include "core/board/bonus.h"
#include "core/notation/fen.h"
#include "selfplay/engine.h"
#include "selfplay/merge.h"
#include "selfplay/store.h"
#include "tests/selfplay/child_program.h"
#include "tests/selfplay/small_comparison.h"

namespace cannonade {
namespace {

using Json = nlohmann::ordered_json;

TEST(Compare, TheGamesAreTheSameForAnyNumberOfThreadsAndInShards) {
  const TempFolder folder;
  const CompareResult one = run_compare(small_plan(36), folder / "one.db", threads(1));
  EXPECT_TRUE(one.complete);
  EXPECT_EQ(one.stored, 36U);  // 9 columns, 4 rows
  EXPECT_EQ(one.comparison.rows, 4U);
  const CompareResult three = run_compare(small_plan(36), folder / "three.db", threads(3));
  expect_same(games_of(folder / "one.db"), games_of(folder / "three.db"));
  Json a = to_json(one);
  Json b = to_json(three);
  for (const char* key : {"seconds", "games_per_second"}) {
    a.erase(key);
    b.erase(key);
  }
  EXPECT_EQ(a, b);

  std::vector<std::filesystem::path> shards;
  for (int index = 1; index <= 2; ++index) {
    shards.push_back(folder / ("shard" + std::to_string(index) + ".db"));
    RunControl control = threads(1);
    control.shard = {index, 2};
    (void)run_compare(small_plan(36), shards.back(), control);
  }
  (void)merge_stores(folder / "merged.db", shards);
  expect_same(games_of(folder / "one.db"), games_of(folder / "merged.db"));
  EXPECT_EQ(count_compare(Store::open_read_only(folder / "merged.db")).comparison.rows, 4U);
}

TEST(Compare, GoesOnWhereItWasStoppedAndCountsWholeRoundsOnly) {
  const TempFolder folder;
  std::atomic<bool> stop{false};
  RunControl control = threads(2);
  control.stop = &stop;
  control.on_progress = [&](const ProgressState& state) {
    if (state.done >= 20) stop = true;
  };
  const CompareResult first = run_compare(small_plan(144), folder / "run.db", control);
  EXPECT_FALSE(first.complete);
  EXPECT_LT(first.stored, 144U);
  EXPECT_EQ(first.comparison.rows % 2, 0U);
  EXPECT_LE(first.comparison.rows * 9, first.stored);

  const CompareResult second = run_compare(small_plan(144), folder / "run.db", threads(2));
  EXPECT_TRUE(second.complete);
  EXPECT_EQ(second.played + first.stored, 144U);
  EXPECT_EQ(second.comparison.rows, 16U);
  (void)run_compare(small_plan(144), folder / "whole.db", threads(1));
  expect_same(games_of(folder / "run.db"), games_of(folder / "whole.db"));
}

TEST(Compare, JudgeAndPlayersGoByTheBonusAndTheStrength) {
  const TempFolder folder;
  ComparePlan plan = small_plan(180);
  plan.design.nodes = {8, 150};
  (void)run_compare(plan, folder / "run.db", threads(2));
  const CompareSchedule schedule(plan.design, {{0, 0}});
  std::array<std::uint64_t, 2> nodes{};
  std::array<std::uint64_t, 2> turns{};
  std::map<int, int> counted;
  int differing = 0;
  const auto games = games_of(folder / "run.db");
  for (const GameRecord& game : games) {
    const CompareSchedule::Place place = schedule.place_of(game.id);
    const Arm& arm = schedule.arms()[place.column];
    EXPECT_EQ(game.rules, arm.rules.id);
    EXPECT_EQ(find_ruleset(game.rules).value_or_throw(), arm.rules);
    nodes[arm.strength] += game.nodes;
    turns[arm.strength] += game.moves.size() - static_cast<std::size_t>(game.opening_plies);
    if (!arm.rules.count_points) continue;
    const int lead = game.points_halves[0] - game.points_halves[1];
    if (counted_ending(game.outcome.reason)) {
      ++counted[arm.rules.second_bonus_halves];
      EXPECT_EQ(game.outcome.winner, lead == 0  ? std::optional<Side>()
                                     : lead > 0 ? std::optional(Side::kFirst)
                                                : std::optional(Side::kSecond));
    }
    if (arm.kind == Arm::Kind::kReplay) {
      const GameRecord& main =
          games[schedule.id_of(place.row, schedule.main_column(arm.strength, Preset::kPointCount))];
      EXPECT_EQ(game.start_fen, main.start_fen);
      EXPECT_EQ(game.pair, main.pair);
      EXPECT_EQ(game.player_hashes, main.player_hashes);
      differing += game.moves != main.moves ? 1 : 0;
    }
  }
  EXPECT_GT(counted[0], 0);
  EXPECT_GT(counted[3], 0);
  EXPECT_GT(counted[20], 0);
  EXPECT_GT(differing, 20);
  EXPECT_LE(nodes[1], 150 * turns[1]);
  EXPECT_GT(nodes[1] * turns[0], 2 * nodes[0] * turns[1]);  // a turn

  // The players' evaluation itself: the lead is worth less to Cho the larger the bonus.
  Engine player("player", default_weights(rules_of(Preset::kPointCount)), 1);
  const Ruleset small = with_bonus(rules_of(Preset::kPointCount), 0);
  const Ruleset large = with_bonus(rules_of(Preset::kPointCount), 20);
  const std::string level = "r2k5/9/9/p8/9/9/P8/9/9/R4K3 w - - 100 80";
  EXPECT_GT(player.static_score(parse_fen(small, level).value_or_throw()),
            player.static_score(parse_fen(large, level).value_or_throw()));
}

TEST(Compare, CrossedWeightsPlayUnderTheOtherRules) {
  const TempFolder folder;
  ComparePlan plan = small_plan(1);
  plan.design.nodes = {8};
  plan.design.han_bonus = {};
  plan.design.setups.games = 0;
  plan.design.weights = CompareDesign::Weights::kBoth;
  const CompareResult result = run_compare(plan, folder / "both.db", threads(1));
  const auto games = games_of(folder / "both.db");
  ASSERT_EQ(games.size(), 8U);
  const std::string kja = Engine("", default_weights(rules_of(Preset::kKja)), 1).hash();
  const std::string count = Engine("", default_weights(rules_of(Preset::kPointCount)), 1).hash();
  ASSERT_NE(kja, count);
  EXPECT_EQ(games[0].player_hashes[0], kja);
  EXPECT_EQ(games[1].player_hashes[0], count);
  EXPECT_EQ(games[2].rules, "janggi-kja");
  EXPECT_EQ(games[2].player_hashes[0], count);
  EXPECT_EQ(games[3].rules, "janggi-point-count");
  EXPECT_EQ(games[3].player_hashes[1], kja);
  EXPECT_TRUE(result.comparison.last().crossed.has_value());
  EXPECT_TRUE(to_json(result).at("strengths").at(0).contains("crossed"));
}

TEST(Compare, JsonHasTheContractsKeys) {
  const TempFolder folder;
  const CompareResult result = run_compare(small_plan(180), folder / "run.db", threads(2));
  const Json json = to_json(result);
  for (const char* arm : {"kja", "point_count"}) {
    EXPECT_EQ(json.at(arm).at("games"), 20);
    EXPECT_TRUE(json.at(arm).at("first_score").is_number());
    EXPECT_TRUE(json.at(arm).at("draw_rate").is_number());
    std::uint64_t endings = 0;
    for (const auto& [reason, count] : json.at(arm).at("endings").items()) {
      EXPECT_TRUE(parse_reason(reason)) << reason;
      endings += count.get<std::uint64_t>();
    }
    EXPECT_EQ(endings, 20U);
  }
  const Json& score = json.at("difference").at("first_score");
  EXPECT_NEAR(score.at("difference").get<double>(),
              json.at("point_count").at("first_score").get<double>() -
                  json.at("kja").at("first_score").get<double>(),
              1e-12);
  EXPECT_LE(score.at("low").get<double>(), score.at("difference").get<double>());
  EXPECT_GE(score.at("high").get<double>(), score.at("difference").get<double>());
  EXPECT_TRUE(json.at("rescored").contains("winner_changes"));
  for (const char* key : {"value", "low", "high", "by", "replay", "rescoring"}) {
    EXPECT_TRUE(json.at("fair_bonus").contains(key)) << key;
  }
  EXPECT_EQ(json.at("fair_bonus").at("rescoring").at("curve").size(), 21U);
  EXPECT_EQ(json.at("fair_bonus").at("replay").at("curve").size(), 3U);  // 0, 1.5, 10
  EXPECT_EQ(json.at("setups").size(), 2U);
  EXPECT_EQ(json.at("setups").at(0).at("table").size(), 16U);
  EXPECT_EQ(json.at("strengths").size(), 2U);
  EXPECT_TRUE(json.at("complete").get<bool>());
  // The table of set-ups has the pairs and the set-up games of the last strength.
  std::uint64_t cells = 0;
  for (const Json& cell : json.at("setups").at(0).at("table")) {
    cells += cell.at("games").get<std::uint64_t>();
  }
  EXPECT_EQ(cells, 40U);
  EXPECT_FALSE(to_lines(result).empty());
}

TEST(Compare, RefusesWhatCannotBeCompared) {
  const TempFolder folder;
  ComparePlan plan = small_plan(18);
  EngineConfig outside = engine("outside");
  outside.command = {"fairy-stockfish"};
  EngineConfig limited = engine("limited");
  limited.limits.nodes = 5;
  EngineConfig levelled = engine("levelled");
  levelled.level = "1";
  plan.engines = {outside, limited, levelled, engine("same"), engine("same")};
  const std::string faults =
      error_of([&] { (void)run_compare(plan, folder / "run.db", threads(1)); });
  for (const char* word :
       {"outside program", "limits of its own", "at a level", "are called same"}) {
    EXPECT_NE(faults.find(word), std::string::npos) << faults;
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "run.db"));

  (void)run_compare(small_plan(18), folder / "run.db", threads(2));
  ComparePlan other = small_plan(18);
  other.design.han_bonus = {0};
  EXPECT_NE(
      error_of([&] { (void)run_compare(other, folder / "run.db", threads(1)); }).find("han_bonus"),
      std::string::npos);
  EXPECT_EQ(games_of(folder / "run.db").size(), 18U);
}

// Killed at some moment, twice, then gone on with: the same games as in one go.
TEST(CompareCommand, SurvivesItsDeath) {
  const TempFolder folder;
  std::ofstream(folder / "engine.toml") << "name = 'one'\nhash_mb = 1\n";
  std::ofstream(folder / "compare.toml")
      << "engines = 'engine.toml'\ngames = 144\nseed = 5\nnodes = [8, 20]\nhan_bonus = [0, 10]\n"
         "[openings]\nplies = 6\nmax_score = 0\n";
  const auto words = [&](const char* out) {
    return std::vector<std::string>{"compare",
                                    "--config",
                                    (folder / "compare.toml").string(),
                                    "--out",
                                    (folder / out).string(),
                                    "--threads",
                                    "2",
                                    "--json"};
  };
  for (int time = 0; time < 2; ++time) {
    ChildProgram child("selfplay", words("killed.db"), folder.path());
    for (int wait = 0; wait < 100 && !std::filesystem::exists(folder / "killed.db"); ++wait) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
    child.send(SIGKILL);
    (void)child.wait();
  }
  const ProgramResult ended = run_program("selfplay", words("killed.db"), folder.path());
  EXPECT_EQ(ended.code, 0) << ended.err;
  const ProgramResult whole = run_program("selfplay", words("whole.db"), folder.path());
  EXPECT_EQ(whole.code, 0) << whole.err;
  expect_same(games_of(folder / "killed.db"), games_of(folder / "whole.db"));
  const Json one = Json::parse(ended.out);
  const Json two = Json::parse(whole.out);
  EXPECT_EQ(one.at("difference"), two.at("difference"));
  EXPECT_EQ(one.at("setups"), two.at("setups"));
  EXPECT_EQ(one.at("run_id"), two.at("run_id"));
}

}  // namespace
}  // namespace cannonade
