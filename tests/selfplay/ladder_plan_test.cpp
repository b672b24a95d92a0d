#include "selfplay/ladder_plan.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/base/error.h"

namespace cannonade {
namespace {

std::vector<double> even_ladder(int levels) {
  std::vector<double> elo;
  for (int i = 0; i < levels; ++i) elo.push_back(100.0 * i);
  return elo;
}

std::uint64_t sum(const std::vector<RoundPairing>& pairings, int step) {
  std::uint64_t games = 0;
  for (const RoundPairing& each : pairings) {
    if (each.b - each.a == step) games += each.games;
  }
  return games;
}

TEST(LadderPlan, AQuarterOfTheGamesIsBetweenNextNeighbours) {
  const auto pairings = allocate_games(even_ladder(8), 8000, 0.25);
  const std::uint64_t total = sum(pairings, 1) + sum(pairings, 2);
  EXPECT_LE(total, 8000U);
  EXPECT_GT(total, 7800U);
  EXPECT_NEAR(static_cast<double>(sum(pairings, 2)) / static_cast<double>(total), 0.25, 0.02);
  for (const RoundPairing& each : pairings) EXPECT_EQ(each.games % 2, 0U);
}

TEST(LadderPlan, TheGapThatIsHardestToMeasureGetsTheMostGames) {
  // Far apart tells little a game: p (1 - p) is small.
  const auto pairings = allocate_games({0, 100, 200, 500, 600, 700}, 6000, 0.25);
  std::uint64_t wide = 0;
  std::uint64_t usual = 0;
  for (const RoundPairing& each : pairings) {
    if (each.b != each.a + 1) continue;
    (each.a == 2 ? wide : usual) = std::max(each.a == 2 ? wide : usual, each.games);
  }
  EXPECT_GT(wide, usual);
}

TEST(LadderPlan, GapsThatAreEquallyHardGetEquallyManyGames) {
  const auto pairings = allocate_games(even_ladder(12), 14'600, 0.25);
  std::uint64_t least = 14'600;
  std::uint64_t most = 0;
  for (const RoundPairing& each : pairings) {
    // The outer ones have no skip on one side and need a little more.
    if (each.b != each.a + 1 || each.a == 0 || each.b == 11) continue;
    least = std::min(least, each.games);
    most = std::max(most, each.games);
  }
  EXPECT_LT(static_cast<double>(most), 1.25 * static_cast<double>(least));
}

TEST(LadderPlan, EveryTwoNeighboursMeetAndTwoPlayersHaveNoSkip) {
  const auto small = allocate_games(even_ladder(5), 8, 0.25);
  EXPECT_EQ(sum(small, 1), 8U);
  const auto two = allocate_games({0, 100}, 100, 0.25);
  ASSERT_EQ(two.size(), 1U);
  EXPECT_GE(two[0].games, 96U);
}

TEST(LadderPlan, ARoundSurvivesItsText) {
  LadderRound round;
  round.number = 3;
  round.kind = RoundKind::kConfirm;
  round.first_game = 120;
  round.strengths = {0.1, 0.123456789012345678, 1};
  round.pairings = {{0, 1, 40}, {1, 2, 44}, {0, 2, 20}};
  const LadderRound again = parse_round(to_text(round));
  EXPECT_EQ(again.number, 3);
  EXPECT_EQ(again.kind, RoundKind::kConfirm);
  EXPECT_EQ(again.first_game, 120U);
  EXPECT_EQ(again.strengths, round.strengths) << "to the last bit: games follow from them";
  EXPECT_EQ(again.pairings, round.pairings);
  EXPECT_EQ(again.end(), 224U);
}

TEST(LadderPlan, RefusesPlansThatCannotBe) {
  const auto refused = [](const char* text) {
    try {
      (void)parse_round(text);
      return false;
    } catch (const Error& fault) {
      return fault.kind() == ErrorKind::kUser;
    }
  };
  EXPECT_TRUE(refused(""));
  EXPECT_TRUE(refused("[]"));
  EXPECT_TRUE(refused(R"({"number":1,"kind":"other","first_game":0,"strengths":[0,1],)"
                      R"("pairings":[[0,1,2]]})"));
  EXPECT_TRUE(refused(R"({"number":1,"kind":"adjust","first_game":0,"strengths":[0,1],)"
                      R"("pairings":[[0,2,2]]})"));
  EXPECT_TRUE(refused(R"({"number":1,"kind":"adjust","first_game":0,"strengths":[0,1],)"
                      R"("pairings":[[0,1,3]]})"));
  EXPECT_TRUE(refused(R"({"number":1,"kind":"adjust","first_game":0,"strengths":[0,2],)"
                      R"("pairings":[[0,1,2]]})"));
  EXPECT_FALSE(refused(R"({"number":1,"kind":"adjust","first_game":0,"strengths":[0,1],)"
                       R"("pairings":[[0,1,2]]})"));
}

}  // namespace
}  // namespace cannonade
