// A sequential match over shards, in rounds: the verdict of one machine, and no round too many.
#include "selfplay/match_rounds.h"

#include <gtest/gtest.h>

#include <fstream>

#include "selfplay/merge.h"
#include "tests/selfplay/child_program.h"
#include "tests/selfplay/stored_games.h"

namespace cannonade {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::uint64_t kMatchGames = 2000;

EngineConfig engine_of(const std::string& name, std::uint64_t nodes) {
  EngineConfig config;
  config.name = name;
  config.weights = "material";
  config.hash_mb = 1;
  config.limits.nodes = nodes;
  return config;
}

MatchPlan plan(std::uint64_t games = kMatchGames, std::uint64_t seed = 3) {
  MatchPlan result;
  Tournament& tournament = result.tournament;
  tournament.command = "match";
  // Under point count most games have a winner.
  tournament.rules = find_ruleset("janggi-point-count").value_or_throw();
  tournament.games = games;
  tournament.seed = seed;
  tournament.openings.plies = 40;
  set_opponents(tournament, engine_of("strong", 60), engine_of("weak", 4));
  result.sprt = SprtTest{};
  result.sprt->elo0 = -100;
  result.sprt->elo1 = 0;
  return result;
}

RunControl control(Shard shard = {}) {
  RunControl result;
  result.threads = 2;
  result.shard = shard;
  result.power_loss_games = 1000;
  return result;
}

TEST(Rounds, PlansGrowByTheRoundUpToTheWholeMatch) {
  EXPECT_EQ(games_through_round(2000, 600, 1), 600U);
  EXPECT_EQ(games_through_round(2000, 600, 3), 1800U);
  EXPECT_EQ(games_through_round(2000, 600, 4), 2000U);
  EXPECT_EQ(games_through_round(2000, 600, 1'000'000'000), 2000U);
  EXPECT_EQ(games_through_round(2000, 4000, 1), 2000U);
  EXPECT_EQ(games_through_round(2000, 2000, 1), 2000U);
  EXPECT_EQ(round_after(0, 600), 1U);
  EXPECT_EQ(round_after(599, 600), 1U);
  EXPECT_EQ(round_after(600, 600), 2U);
}

// Plays rounds until the judge has seen enough; what it saw, and how many rounds it took.
std::pair<MatchJudgement, std::uint64_t> play_rounds(const TempFolder& folder, int shards,
                                                     std::uint64_t round_games) {
  const std::string name = std::to_string(shards) + "-" + std::to_string(round_games) + "-";
  const fs::path merged = folder / (name + "all.db");
  for (std::uint64_t round = 1;; ++round) {
    MatchJudgement judgement = judge_match(plan(), merged);
    if (judgement.result.complete) return {judgement, round - 1};
    EXPECT_EQ(round_after(judgement.prefix, round_games), round);
    std::vector<fs::path> stores;
    for (int i = 1; i <= shards; ++i) {
      stores.push_back(folder / (name + std::to_string(i) + ".db"));
      const std::uint64_t games = games_through_round(kMatchGames, round_games, round);
      EXPECT_TRUE(run_match(plan(games), stores.back(), control({i, shards})).complete);
    }
    (void)merge_stores(merged, stores);
  }
}

TEST(Rounds, TheVerdictIsThatOfOneMachineWhateverTheRoundsAndShards) {
  const TempFolder folder;
  const MatchResult whole = run_match(plan(), folder / "whole.db", control());
  ASSERT_EQ(whole.sprt.verdict, Verdict::kH1);
  ASSERT_LT(whole.counts.games(), kMatchGames);
  for (const auto& [shards, round_games] :
       std::vector<std::pair<int, std::uint64_t>>{{1, 6}, {3, 10}, {4, 100}}) {
    const auto [judged, rounds] = play_rounds(folder, shards, round_games);
    EXPECT_EQ(judged.result.sprt.verdict, Verdict::kH1);
    EXPECT_EQ(judged.result.sprt.llr, whole.sprt.llr);
    EXPECT_EQ(judged.result.counts, whole.counts);
    EXPECT_EQ(judged.result.pentanomial, whole.pentanomial);
    EXPECT_EQ(judged.result.summary.plies(), whole.summary.plies());
    // The round that held the deciding pair was the last.
    EXPECT_EQ(rounds, (whole.counts.games() + round_games - 1) / round_games);
  }
}

TEST(Rounds, AShardThatIsMissingKeepsItsRoundOpen) {
  const TempFolder folder;
  MatchPlan patient = plan();
  patient.sprt.reset();
  for (int i = 1; i <= 2; ++i) {
    MatchPlan round = patient;
    round.tournament.games = 12;
    (void)run_match(round, folder / (std::to_string(i) + ".db"), control({i, 2}));
  }
  const std::vector<fs::path> one{folder / "1.db"};
  (void)merge_stores(folder / "all.db", one);
  MatchJudgement judged = judge_match(patient, folder / "all.db");
  EXPECT_FALSE(judged.result.complete);
  EXPECT_EQ(judged.prefix, 2U);  // the first shard's first pair
  EXPECT_EQ(judged.result.counts.games(), 2U);
  const std::vector<fs::path> other{folder / "2.db"};
  (void)merge_stores(folder / "all.db", other);
  judged = judge_match(patient, folder / "all.db");
  EXPECT_EQ(judged.prefix, 12U);
  EXPECT_FALSE(judged.result.complete) << "a round is not the match";
  EXPECT_EQ(judged.result.planned, kMatchGames);
  patient.tournament.games = 12;
  EXPECT_TRUE(judge_match(patient, folder / "all.db").result.complete) << "without a test";
}

TEST(Rounds, OtherMatchesAndSingleShardsAreNotJudged) {
  const TempFolder folder;
  (void)run_match(plan(4), folder / "shard.db", control({1, 2}));
  EXPECT_NE(error_of([&] { (void)judge_match(plan(), folder / "shard.db"); }).find("shard 1/2"),
            std::string::npos);
  EXPECT_NE(error_of([&] { (void)judge_match(plan(4, 8), folder / "shard.db"); }).find("seed is 3"),
            std::string::npos);
}

TEST(RoundsCommand, ExitCodesTellAScriptWhetherToGoOn) {
  const TempFolder folder;
  std::ofstream(folder / "a.toml") << "weights = 'material'\nhash_mb = 1\n[limits]\nnodes = 60\n";
  std::ofstream(folder / "b.toml") << "weights = 'material'\nhash_mb = 1\n[limits]\nnodes = 4\n";
  std::ofstream(folder / "match.toml")
      << "rules = 'janggi-point-count'\na = 'a.toml'\nb = 'b.toml'\ngames = 400\n"
         "round_games = 40\nsprt = '-300,-200'\n[openings]\nplies = 4\nmax_score = 0\n";
  const auto match = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"match", "--config", (folder / "match.toml").string(), "--json",
                                   "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    return run_program("selfplay", words, folder.path());
  };
  const std::string all = (folder / "all.db").string();

  ProgramResult judged = match({"--out", all, "--judge"});
  ASSERT_EQ(judged.code, 1) << judged.err;
  EXPECT_EQ(Json::parse(judged.out).at("next_round"), 1);
  EXPECT_NE(judged.err.find("round 1 is due"), std::string::npos) << judged.err;
  EXPECT_FALSE(fs::exists(all)) << "judging writes nothing";

  std::uint64_t round = 1;
  for (; judged.code == 1; ++round) {
    ASSERT_LE(round, 10U);
    std::vector<std::string> merge{"merge", "--out", all};
    for (const char* shard : {"1/2", "2/2"}) {
      merge.push_back((folder / (std::string(1, shard[0]) + ".db")).string());
      const ProgramResult played =
          match({"--out", merge.back(), "--shard", shard, "--round", std::to_string(round)});
      ASSERT_EQ(played.code, 0) << played.err;
      EXPECT_EQ(Json::parse(played.out).at("planned"), 20 * round);
    }
    ASSERT_EQ(run_program("selfplay", merge, folder.path()).code, 0);
    judged = match({"--out", all, "--judge"});
  }
  EXPECT_EQ(judged.code, 0);
  EXPECT_EQ(Json::parse(judged.out).at("verdict"), "H1");
  EXPECT_TRUE(Json::parse(judged.out).at("next_round").is_null());
  EXPECT_LT(round, 10U) << "the test decided, not the plan";

  for (const std::vector<std::string>& wrong : {std::vector<std::string>{"--judge"},
                                                {"--round", "1"},
                                                {"--out", all, "--round", "0"},
                                                {"--out", all, "--judge", "--seed", "9"},
                                                {"--out", all, "--round-games", "3"}}) {
    const ProgramResult refused = match(wrong);
    EXPECT_EQ(refused.code, 2);
    EXPECT_EQ(std::count(refused.err.begin(), refused.err.end(), '\n'), 1) << refused.err;
  }
}

}  // namespace
}  // namespace cannonade
