#include "selfplay/ladder.h"

#include <gtest/gtest.h>

#include <atomic>
#include <fstream>

#include "core/base/files.h"
#include "selfplay/ladder_games.h"
#include "selfplay/ladder_report.h"
#include "selfplay/match.h"
#include "selfplay/run_report.h"
#include "selfplay/store.h"
#include "tests/selfplay/stored_games.h"
#include "tests/support/rulesets.h"

namespace cannonade {
namespace {

// A path of a few hundred Elo, played in a moment.
LadderSettings tiny() {
  LadderSettings settings;
  settings.rules = kCasual;
  settings.seed = 5;
  settings.levels = 3;
  settings.probes = 3;
  settings.survey_games = 12;
  settings.round_games = 10;
  settings.confirm_games = 14;
  settings.rounds = 2;
  settings.yardstick_games = 4;
  settings.profile_games = 2;
  settings.profile_nodes = 100;
  settings.weakest.nodes = 5;
  settings.strongest.nodes = 60;
  return settings;
}

LadderPlan plan_of(const LadderSettings& settings) {
  LadderPlan plan = make_ladder_plan(settings);
  plan.engine.weights = "material";
  plan.engine.hash_mb = 1;
  return plan;
}

LadderResult run(const LadderPlan& plan, const std::filesystem::path& out, int threads,
                 const std::atomic<bool>* stop = nullptr,
                 std::function<void(const ProgressState&)> on_progress = {}) {
  RunControl control;
  control.threads = threads;
  control.stop = stop;
  control.on_progress = std::move(on_progress);
  return run_ladder(plan, out, control);
}

// Everything that a rerun must give again.
std::string games_of(const std::filesystem::path& path) {
  std::string text;
  Store::open_read_only(path).for_each([&](const GameRecord& game) {
    text += fmt::format("{} {} {} {}:", game.id, game.players[0], game.players[1], game.start_fen);
    for (const Move move : game.moves) text += fmt::format(" {}", move.raw());
    text += '\n';
  });
  return text;
}

TEST(Ladder, IsTheSameForAnyThreadsAndAfterAnyKill) {
  const TempFolder folder;
  const LadderPlan plan = plan_of(tiny());
  const LadderResult one = run(plan, folder / "one.db", 1);
  EXPECT_TRUE(one.complete);
  const LadderResult three = run(plan, folder / "three.db", 3);
  // Stopped again and again, in every round.
  int sessions = 0;
  LadderResult last;
  do {
    std::atomic<bool> stop{false};
    last = run(plan, folder / "torn.db", 2, &stop, [&](const ProgressState& state) {
      if (state.played >= 11) stop = true;
    });
  } while (!last.complete && ++sessions < 100);
  EXPECT_GE(sessions, 2);
  ASSERT_TRUE(last.complete);
  const std::string games = games_of(folder / "one.db");
  EXPECT_EQ(games, games_of(folder / "three.db"));
  EXPECT_EQ(games, games_of(folder / "torn.db"));
  for (const LadderResult* other : {&three, static_cast<const LadderResult*>(&last)}) {
    EXPECT_EQ(to_json(*other)["levels"].dump(), to_json(one)["levels"].dump());
    EXPECT_EQ(to_json(*other)["profiles"].dump(), to_json(one)["profiles"].dump());
    EXPECT_EQ(to_json(*other)["fit_test"].dump(), to_json(one)["fit_test"].dump());
  }
  // Once more: there is nothing to do, and the answer is the same.
  const LadderResult again = run(plan, folder / "one.db", 1);
  EXPECT_EQ(again.played, 0U);
  EXPECT_EQ(to_json(again)["levels"].dump(), to_json(one)["levels"].dump());
}

TEST(Ladder, ReportsLevelsInOrderAndWritesThemDown) {
  const TempFolder folder;
  LadderSettings settings = tiny();
  settings.levels_file = folder / "levels.toml";
  LadderPlan plan = plan_of(settings);
  plan.command = "selfplay ladder ...";
  const LadderResult result = run(plan, folder / "a.db", 2);
  const auto json = to_json(result);
  ASSERT_GE(json["levels"].size(), 2U);
  EXPECT_EQ(json["levels"][0]["elo"], 0.0);
  for (const auto& level : json["levels"]) {
    EXPECT_LE(level["low"].get<double>(), level["elo"].get<double>());
    EXPECT_GE(level["high"].get<double>(), level["elo"].get<double>());
  }
  EXPECT_EQ(result.levels.back().skill, settings.strongest) << "the top is at full strength";
  // Some seventy games prove nothing about gaps of 100 Elo, and are not taken to.
  EXPECT_FALSE(result.confirmed);
  EXPECT_NEAR(result.end_to_end.value, result.levels.back().elo, 1e-9);
  ASSERT_EQ(result.yardsticks.size(), 2U);
  EXPECT_EQ(result.yardsticks[0].name, "random mover");
  EXPECT_EQ(result.yardsticks[0].games.games(), 4U);
  EXPECT_GE(result.yardsticks[0].games.score(), 0.75);
  ASSERT_EQ(result.profiles.size(), result.levels.size());
  for (const LevelProfile& profile : result.profiles) {
    EXPECT_GT(profile.moves, 0U);
    EXPECT_GT(profile.played, 0U);
  }
  // The last round is fresh: none of its openings was played before.
  const LadderRound& last = result.rounds[result.rounds.size() - 2].round;
  EXPECT_EQ(last.kind, RoundKind::kConfirm);

  const Levels written = load_levels(folder / "levels.toml", kCasual);
  EXPECT_EQ(written.levels.size(), result.levels.size());
  EXPECT_EQ(written.run, result.run_id);
  EXPECT_FALSE(stale_reason(written, material_weights(kCasual), kCasual).has_value());
  EXPECT_FALSE(to_lines(result).empty());
}

TEST(Ladder, ItsReportTellsHowFarLevelsAreApartAndHowTheyErr) {
  const TempFolder folder;
  const LadderResult result = run(plan_of(tiny()), folder / "a.db", 2);
  const Page page = run_report(Store::open_read_only(folder / "a.db"));
  const std::string html = render(page);
  for (const char* words :
       {"Strength levels", "Elo by level", "How levels err", "Loss per turn",
        "Blunders by what punishes them", "Recaptures missed", "Mates in one missed",
        "Won endings won", "Repeated games", "one-ply taker"}) {
    EXPECT_NE(html.find(words), std::string::npos) << words;
  }
  Page again;
  add_ladder(again, to_json(result).dump());
  EXPECT_NE(again.summary.at(0).find("levels span"), std::string::npos);
  EXPECT_NE(again.summary.at(1).find("Not confirmed"), std::string::npos);
  for (const char* bad : {"", "{}", "[1]", R"({"levels":[{}],"end_to_end":{},"gap":{}})"}) {
    EXPECT_NE(error_of([&] { add_ladder(again, bad); }).find("cannot be read"), std::string::npos)
        << bad;
  }
}

TEST(Ladder, CanBeGoneOnWithWhenMoreRoundsAreAskedFor) {
  const TempFolder folder;
  LadderSettings settings = tiny();
  settings.rounds = 1;
  const LadderResult short_one = run(plan_of(settings), folder / "a.db", 2);
  ASSERT_TRUE(short_one.complete);
  settings.rounds = 2;
  const LadderResult longer = run(plan_of(settings), folder / "a.db", 2);
  EXPECT_TRUE(longer.complete);
  EXPECT_GT(longer.played, 0U);
  EXPECT_EQ(longer.rounds.size(), short_one.rounds.size() + 2) << "a round, and its yardsticks";
  EXPECT_EQ(longer.yardsticks.size(), 2U);
}

TEST(Ladder, AnotherLadderIsNotGoneOnWith) {
  const TempFolder folder;
  LadderSettings settings = tiny();
  settings.rounds = 1;
  settings.yardstick_games = 0;
  settings.profile_games = 0;
  (void)run(plan_of(settings), folder / "a.db", 2);
  const std::string before = games_of(folder / "a.db");
  settings.strongest.nodes = 61;
  EXPECT_NE(error_of([&] { (void)run(plan_of(settings), folder / "a.db", 2); }).find("strongest"),
            std::string::npos);
  EXPECT_EQ(games_of(folder / "a.db"), before);
}

TEST(Ladder, RefusesWhatCannotBeALadder) {
  const TempFolder folder;
  const auto fault = [&](const std::string& text) {
    const std::filesystem::path file = folder / "ladder.toml";
    std::ofstream(file) << "rules = 'xiangqi-casual'\n" << text;
    return error_of([&] {
      LadderSettings settings;
      SettingsTable table;
      declare(table, settings);
      read_toml(file, table);
    });
  };
  EXPECT_EQ(fault(""), "");
  EXPECT_NE(fault("gap = 140").find("rising order"), std::string::npos);
  EXPECT_NE(fault("levels = 1").find("2 to 100"), std::string::npos);
  EXPECT_NE(fault("knobs = 1").find("unknown key"), std::string::npos);
  EXPECT_NE(fault("[strongest]\nnodes = 0").find("same on every machine"), std::string::npos);
  EXPECT_NE(fault("[weakest]\ncareless = true").find("careless_below"), std::string::npos);
  EXPECT_NE(fault("[weakest]\nnodes = 9\nnoise = 0\noverlook = 0\n[strongest]\nnodes = 9")
                .find("no path"),
            std::string::npos);

  LadderSettings settings = tiny();
  settings.engine = folder / "engine.toml";
  std::ofstream(settings.engine) << "kind = 'taker'";
  EXPECT_NE(error_of([&] { (void)make_ladder_plan(settings); }).find("full strength"),
            std::string::npos);
  RunControl control;
  control.shard = {1, 2};
  EXPECT_NE(error_of([&] {
              (void)run_ladder(plan_of(tiny()), folder / "s.db", control);
            }).find("no shards"),
            std::string::npos);
}

TEST(Ladder, AStrongerLevelScoresHigher) {
  // Far enough apart on the path that forty games show it.
  const TempFolder folder;
  LadderSettings settings = tiny();
  const LadderPlan plan = plan_of(settings);
  LadderRound round;
  round.strengths = {0.0, 0.7};
  round.kind = RoundKind::kAdjust;
  round.pairings = {{0, 1, 40}};
  MatchPlan match;
  match.tournament.command = "match";
  match.tournament.rules = kCasual;
  match.tournament.games = 40;
  match.tournament.openings.plies = 4;
  set_opponents(match.tournament, round_player(plan, round, 1), round_player(plan, round, 0));
  RunControl control;
  control.threads = 2;
  const MatchResult result = run_match(std::move(match), {}, control);
  EXPECT_GT(result.statistics.score, 0.65);
}

}  // namespace
}  // namespace cannonade
