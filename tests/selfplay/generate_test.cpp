// Runs of generate and match inside this process.
#include "selfplay/generate.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "selfplay/match.h"
#include "selfplay/merge.h"
#include "selfplay/run_report.h"
#include "selfplay/store.h"
#include "tests/selfplay/stored_games.h"

namespace cannonade {
namespace {

EngineConfig engine(const std::string& name, std::uint64_t nodes = 0) {
  EngineConfig config;
  config.name = name;
  config.weights = "material";
  config.hash_mb = 1;
  config.limits.nodes = nodes;
  return config;
}

Tournament small_run(std::uint64_t games, const std::string& rules = "janggi-kja") {
  Tournament tournament;
  tournament.command = "generate";
  tournament.rules = find_ruleset(rules).value_or_throw();
  tournament.games = games;
  tournament.engines = {engine("one")};
  tournament.pairings = make_pairings(PairingKind::kAll, 1);
  tournament.limits.nodes = 12;
  tournament.openings.plies = 6;
  tournament.adjudication.max_plies = 80;
  tournament.adjudication.play_out = 0;
  return tournament;
}

RunControl threads(int count) {
  RunControl control;
  control.threads = count;
  return control;
}

std::vector<GameRecord> games_of(const std::filesystem::path& path) {
  std::vector<GameRecord> games;
  Store::open_read_only(path).for_each([&](const GameRecord& game) {
    games.push_back(game);
    games.back().milliseconds = 0;  // the one thing that a rerun does not reproduce
  });
  return games;
}

void expect_same(const std::vector<GameRecord>& one, const std::vector<GameRecord>& two) {
  ASSERT_EQ(one.size(), two.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].id, two[i].id);
    EXPECT_EQ(one[i].pair, two[i].pair);
    EXPECT_EQ(one[i].start_fen, two[i].start_fen);
    EXPECT_EQ(one[i].opening_plies, two[i].opening_plies);
    EXPECT_EQ(one[i].players, two[i].players);
    EXPECT_EQ(one[i].moves, two[i].moves);
    EXPECT_EQ(one[i].scores, two[i].scores);
    EXPECT_EQ(one[i].outcome, two[i].outcome);
    EXPECT_EQ(one[i].points_halves, two[i].points_halves);
    EXPECT_EQ(one[i].nodes, two[i].nodes);
    EXPECT_EQ(one[i].note, two[i].note);
  }
}

TEST(Generate, TheGamesAreTheSameForAnyNumberOfThreads) {
  const TempFolder folder;
  for (const Ruleset& rules : rulesets()) {
    const auto one = folder / (rules.id + "1.db");
    const auto three = folder / (rules.id + "3.db");
    const GenerateResult result = run_generate(small_run(24, rules.id), one, threads(1));
    EXPECT_TRUE(result.complete);
    EXPECT_EQ(result.summary.games(), 24U);
    EXPECT_EQ(result.summary.duplicates(), 0U);
    EXPECT_TRUE(run_generate(small_run(24, rules.id), three, threads(3)).complete);
    expect_same(games_of(one), games_of(three));
  }
}

TEST(Generate, ShardsMergeToTheSameRun) {
  const TempFolder folder;
  (void)run_generate(small_run(22), folder / "whole.db", threads(2));
  std::vector<std::filesystem::path> shards;
  std::uint64_t games = 0;
  for (int index = 1; index <= 3; ++index) {
    shards.push_back(folder / ("shard" + std::to_string(index) + ".db"));
    RunControl control = threads(1);
    control.shard = {index, 3};
    const GenerateResult result = run_generate(small_run(22), shards.back(), control);
    EXPECT_TRUE(result.complete);
    EXPECT_EQ(result.planned, result.summary.games());
    games += result.planned;
  }
  EXPECT_EQ(games, 22U);
  EXPECT_EQ(merge_stores(folder / "merged.db", shards).missing, 0U);
  expect_same(games_of(folder / "merged.db"), games_of(folder / "whole.db"));
}

TEST(Generate, GoesOnWhereItWasStoppedAndWhenThePlanGrows) {
  const TempFolder folder;
  const auto path = folder / "run.db";
  std::atomic<bool> stop{false};
  RunControl control = threads(2);
  control.stop = &stop;
  control.on_progress = [&](const ProgressState& state) {
    if (state.done >= 5) stop = true;
  };
  const GenerateResult first = run_generate(small_run(400), path, control);
  EXPECT_FALSE(first.complete);
  EXPECT_LT(first.summary.games(), 400U);
  EXPECT_EQ(first.missing(), 400 - first.summary.games());
  EXPECT_FALSE(Store::open_read_only(path).complete());

  const GenerateResult second = run_generate(small_run(400), path, threads(2));
  EXPECT_TRUE(second.complete);
  EXPECT_EQ(second.played + first.played, 400U);
  EXPECT_TRUE(Store::open_read_only(path).complete());

  const GenerateResult third = run_generate(small_run(410), path, threads(2));
  EXPECT_EQ(third.played, 10U);
  EXPECT_EQ(third.summary.games(), 410U);

  (void)run_generate(small_run(410), folder / "whole.db", threads(2));
  expect_same(games_of(path), games_of(folder / "whole.db"));
}

TEST(Generate, RefusesAStoreOfOtherSettingsAndLeavesItAlone) {
  const TempFolder folder;
  const auto path = folder / "run.db";
  (void)run_generate(small_run(4), path, threads(1));
  Tournament other = small_run(4);
  other.limits.nodes = 13;
  EXPECT_NE(error_of([&] { (void)run_generate(other, path, threads(1)); }).find("nodes"),
            std::string::npos);
  EXPECT_EQ(games_of(path).size(), 4U);
}

TEST(Generate, ReportsProgress) {
  const TempFolder folder;
  ProgressState last;
  RunControl control = threads(2);
  control.on_progress = [&](const ProgressState& state) { last = state; };
  const GenerateResult result = run_generate(small_run(10), folder / "run.db", control);
  EXPECT_EQ(last.done, 10U);
  EXPECT_EQ(last.planned, 10U);
  EXPECT_EQ(last.counts, result.summary.first());
  EXPECT_GT(last.seconds, 0);
  const auto json = to_json(result);
  for (const char* key : {"games", "plies", "endings", "by_side", "duplicates", "seconds"}) {
    EXPECT_TRUE(json.contains(key)) << key;
  }
}

MatchPlan small_match(std::uint64_t games) {
  MatchPlan plan;
  // Under point count most games have a winner.
  plan.tournament = small_run(games, "janggi-point-count");
  plan.tournament.command = "match";
  plan.tournament.adjudication = {};
  plan.tournament.openings.plies = 40;  // uneven positions, so that not all games go one way
  set_opponents(plan.tournament, engine("strong", 100), engine("weak", 4));
  return plan;
}

// Counted again from the games themselves.
TEST(Match, FiguresAgreeWithTheGames) {
  const TempFolder folder;
  const auto path = folder / "match.db";
  MatchPlan plan = small_match(40);
  EngineConfig strong = engine("strong", 100);
  strong.weights = "default";
  set_opponents(plan.tournament, strong, engine("weak", 4));
  const MatchResult result = run_match(plan, path, threads(2));
  EXPECT_TRUE(result.complete);
  const auto games = games_of(path);
  ASSERT_EQ(games.size(), 40U);
  Trinomial counts;
  std::array<std::uint64_t, 5> pentanomial{};
  for (std::size_t i = 0; i < games.size(); i += 2) {
    EXPECT_EQ(games[i].players[0], "strong");
    EXPECT_EQ(games[i + 1].players[1], "strong");
    EXPECT_EQ(games[i].start_fen, games[i + 1].start_fen);
    EXPECT_EQ(games[i].pair, games[i + 1].pair);
    for (int k = 0; k < games[i].opening_plies; ++k) {
      EXPECT_EQ(games[i].moves[static_cast<std::size_t>(k)],
                games[i + 1].moves[static_cast<std::size_t>(k)]);
    }
    const int first = games[i].outcome.first_score_halves();
    const int second = 2 - games[i + 1].outcome.first_score_halves();
    ++pentanomial[static_cast<std::size_t>(first + second)];
    count_result(counts, first - 1);
    count_result(counts, second - 1);
  }
  EXPECT_EQ(result.counts, counts);
  EXPECT_EQ(result.pentanomial.counts, pentanomial);
  EXPECT_EQ(result.counts.games(), 40U);
  EXPECT_EQ(result.counts_by_side[0].games(), 20U);
  Trinomial sum = result.counts_by_side[0];
  sum += result.counts_by_side[1];
  EXPECT_EQ(sum, counts);
  EXPECT_GT(result.counts.wins, result.counts.losses);
  EXPECT_EQ(result.statistics.games, 40U);
  const auto json = to_json(result);
  for (const char* key : {"games", "pairs", "wins", "draws", "losses", "elo", "elo_error", "los",
                          "nelo", "nelo_error", "llr", "lower", "upper", "verdict", "pentanomial",
                          "by_side", "endings", "duplicates", "games_per_second"}) {
    EXPECT_TRUE(json.contains(key)) << key;
  }
  EXPECT_TRUE(json.at("verdict").is_null());
}

TEST(Match, TheTestStopsItAndTheResultIsTheSameForAnyThreadsOrResume) {
  const TempFolder folder;
  const auto plan = [] {
    MatchPlan result = small_match(2000);
    result.sprt = SprtTest{};
    result.sprt->elo0 = -100;
    result.sprt->elo1 = 0;
    return result;
  };
  const MatchResult one = run_match(plan(), folder / "one.db", threads(1));
  EXPECT_TRUE(one.complete);
  EXPECT_EQ(one.sprt.verdict, Verdict::kH1);
  EXPECT_LT(one.counts.games(), 2000U);
  const MatchResult three = run_match(plan(), folder / "three.db", threads(3));

  // Stopped by hand after some games, then gone on with.
  std::atomic<bool> stop{false};
  RunControl control = threads(2);
  control.stop = &stop;
  control.on_progress = [&](const ProgressState& state) {
    if (state.done >= 4) stop = true;
  };
  (void)run_match(plan(), folder / "resumed.db", control);
  const MatchResult resumed = run_match(plan(), folder / "resumed.db", threads(2));

  for (const MatchResult* other : {&three, &resumed}) {
    EXPECT_EQ(other->counts, one.counts);
    EXPECT_EQ(other->pentanomial, one.pentanomial);
    EXPECT_EQ(other->sprt.llr, one.sprt.llr);
    EXPECT_EQ(other->summary.plies(), one.summary.plies());
  }
  // Asked again, nothing is played.
  const MatchResult again = run_match(plan(), folder / "one.db", threads(2));
  EXPECT_EQ(again.played, 0U);
  EXPECT_EQ(again.counts, one.counts);
  const Store store = Store::open_read_only(folder / "one.db");
  EXPECT_EQ(store.ended(), "sprt: H1");
  // The report knows what was tested.
  EXPECT_NE(run_report(store).summary.at(1).find("\u2212100.0 against 0.0 Elo"), std::string::npos)
      << run_report(store).summary.at(1);
}

TEST(Match, AShardPlaysAllItsPairsAndGivesNoVerdict) {
  const TempFolder folder;
  MatchPlan plan = small_match(20);
  plan.sprt = SprtTest{};
  plan.sprt->elo0 = -300;
  plan.sprt->elo1 = -290;
  RunControl control = threads(2);
  control.shard = {2, 2};
  const MatchResult result = run_match(plan, folder / "shard.db", control);
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(result.counts.games(), 10U);
  EXPECT_TRUE(to_json(result).at("verdict").is_null());
}

TEST(Match, TwoIdenticalConfigurationsAreRefusedUnlessAskedFor) {
  MatchPlan plan = small_match(4);
  set_opponents(plan.tournament, engine("same"), engine("same"));
  EXPECT_NE(error_of([&] { (void)run_match(plan, {}, threads(1)); }).find("same configuration"),
            std::string::npos);
  plan.allow_identical = true;
  const MatchResult result = run_match(plan, {}, threads(1));
  EXPECT_EQ(result.counts.games(), 4U);
  EXPECT_EQ(result.counts.wins, result.counts.losses);  // every pair is the same game twice
  EXPECT_EQ(result.summary.duplicates(), 2U);
  // The same weights at other limits are another opponent.
  plan.allow_identical = false;
  set_opponents(plan.tournament, engine("more", 20), engine("less", 10));
  EXPECT_EQ(run_match(plan, {}, threads(1)).counts.games(), 4U);
}

TEST(Match, WithoutOutNothingIsLeftBehind) {
  // A place of its own: other tests use the common one at the same time.
  const TempFolder folder;
  ASSERT_EQ(::setenv("TMPDIR", folder.path().c_str(), 1), 0);
  (void)run_match(small_match(2), {}, threads(1));
  ::unsetenv("TMPDIR");
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

EngineConfig misbehaving(const std::string& mode, FailurePolicy policy) {
  EngineConfig config;
  config.name = mode;
  config.command = {std::string(CANNONADE_SOURCE_DIR) + "/tests/selfplay/misbehaving_engine.sh",
                    mode};
  config.hang_seconds = 5;
  config.on_failure = policy;
  config.limits.nodes = 1;
  return config;
}

TEST(Match, AnEngineThatBreaksDownIsScoredAsItsFileSaysAndShownApart) {
  MatchPlan plan = small_match(4);
  set_opponents(plan.tournament, engine("ours", 4), misbehaving("exit", FailurePolicy::kLoss));
  const MatchResult lost = run_match(plan, {}, threads(2));
  EXPECT_EQ(lost.counts, (Trinomial{4, 0, 0}));
  EXPECT_EQ(lost.summary.breakdowns().at("exit").failed, 4U);
  ASSERT_TRUE(lost.without_failures.has_value());
  EXPECT_EQ(lost.without_failures->games, 0U);
  EXPECT_EQ(to_json(lost).at("forfeits").at("exit").at("failed"), 4);

  set_opponents(plan.tournament, engine("ours", 4), misbehaving("exit", FailurePolicy::kDraw));
  EXPECT_EQ(run_match(plan, {}, threads(2)).counts, (Trinomial{0, 4, 0}));

  set_opponents(plan.tournament, engine("ours", 4), misbehaving("exit", FailurePolicy::kVoid));
  const MatchResult none = run_match(plan, {}, threads(2));
  EXPECT_EQ(none.counts.games(), 0U);
  EXPECT_EQ(none.pentanomial.pairs(), 0U);
  EXPECT_EQ(none.void_pairs, 2U);
  EXPECT_TRUE(none.complete);

  // An illegal turn always loses (J28).
  set_opponents(plan.tournament, engine("ours", 4), misbehaving("illegal", FailurePolicy::kVoid));
  const MatchResult illegal = run_match(plan, {}, threads(2));
  EXPECT_EQ(illegal.counts, (Trinomial{4, 0, 0}));
  EXPECT_EQ(illegal.summary.breakdowns().at("illegal").illegal, 4U);
}

TEST(Match, SettingsAreTakenFromAFile) {
  const TempFolder folder;
  std::ofstream(folder / "a.toml") << "weights = 'material'\n[limits]\nnodes = 9\n";
  std::ofstream(folder / "b.toml") << "weights = 'material'\n";
  std::ofstream(folder / "match.toml")
      << "rules = 'xiangqi'\na = 'a.toml'\nb = 'b.toml'\ngames = 6\nsprt = '0,10'\nnodes = 5\n"
         "sprt_model = 'normalized'\n[openings]\nplies = 3\nmax_score = 0\n";
  MatchSettings settings;
  SettingsTable table;
  declare(table, settings);
  read_toml(folder / "match.toml", table);
  const MatchPlan plan = make_match_plan(settings);
  EXPECT_EQ(plan.tournament.rules.id, "xiangqi-casual");
  EXPECT_EQ(plan.tournament.engines[0].limits.nodes, 9U);
  EXPECT_EQ(plan.tournament.engines[1].name, "b");
  ASSERT_TRUE(plan.sprt.has_value());
  EXPECT_EQ(plan.sprt->elo1, 10);
  EXPECT_EQ(plan.sprt->model, EloModel::kNormalized);

  std::ofstream(folder / "odd.toml")
      << "rules = 'xiangqi'\na = 'a.toml'\nb = 'b.toml'\ngames = 7\n";
  MatchSettings odd;
  SettingsTable odd_table;
  declare(odd_table, odd);
  EXPECT_NE(error_of([&] { read_toml(folder / "odd.toml", odd_table); }).find("games: 7 given"),
            std::string::npos);
}

TEST(Generate, TheShippedRunFilesReadAndNameEnginesThatAreThere) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(
           std::filesystem::path(CANNONADE_SOURCE_DIR) / "configs" / "runs")) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("generate-")) {
      GenerateSettings settings;
      SettingsTable table;
      declare(table, settings);
      read_toml(entry.path(), table);
      EXPECT_EQ(name, "generate-" + settings.rules.id + ".toml");
      EXPECT_FALSE(make_tournament(settings).engines.empty());
      ++files;
    } else if (name.starts_with("match-")) {
      MatchSettings settings;
      SettingsTable table;
      declare(table, settings);
      read_toml(entry.path(), table);
      EXPECT_EQ(make_match_plan(settings).tournament.engines.size(), 2U);
      ++files;
    }
  }
  EXPECT_GE(files, 5);
}

}  // namespace
}  // namespace cannonade
