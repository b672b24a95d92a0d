#include "selfplay/statistics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/selfplay/tsv.h"

namespace cannonade {
namespace {

std::vector<std::uint64_t> counts_of(const std::string& text) {
  std::vector<std::uint64_t> counts;
  for (const auto& field : test::split(text, ',')) counts.push_back(std::stoull(field));
  return counts;
}

MatchStatistics statistics_of(const test::Row& row) {
  const auto c = counts_of(row[2]);
  if (row[1] == "pentanomial") return match_statistics(Pentanomial{{c[0], c[1], c[2], c[3], c[4]}});
  EXPECT_EQ(row[1], "trinomial_LDW");
  return match_statistics(Trinomial{.wins = c[2], .draws = c[1], .losses = c[0]});
}

TEST(Statistics, EveryWorkedExampleAgreesToSixDigits) {
  const auto rows = test::read_tsv("statistics.tsv");
  ASSERT_GE(rows.size(), 12U);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const test::Row& row = rows[i];
    SCOPED_TRACE(row[0]);
    const MatchStatistics s = statistics_of(row);
    EXPECT_NEAR(s.elo, std::stod(row[5]), 5.1e-7);
    EXPECT_NEAR(s.elo_error, std::stod(row[6]), 5.1e-7);
    EXPECT_NEAR(s.los, std::stod(row[7]), 5.1e-7);
    EXPECT_NEAR(s.nelo, std::stod(row[8]), 5.1e-7);
    EXPECT_NEAR(s.nelo_error, std::stod(row[9]), 5.1e-7);
    EXPECT_NEAR(0.5 * (s.elo_high - s.elo_low), s.elo_error, 1e-9);
    EXPECT_LT(s.elo_low, s.elo);
    EXPECT_GT(s.elo_high, s.elo);
  }
}

TEST(Statistics, EngineAAndEngineBSeeTheSameMatchMirrored) {
  const MatchStatistics a = match_statistics(Pentanomial{{3, 40, 100, 60, 15}});
  const MatchStatistics b = match_statistics(Pentanomial{{15, 60, 100, 40, 3}});
  EXPECT_NEAR(a.elo, -b.elo, 1e-9);
  EXPECT_NEAR(a.elo_low, -b.elo_high, 1e-9);
  EXPECT_NEAR(a.los, 1 - b.los, 1e-12);
  EXPECT_NEAR(a.nelo, -b.nelo, 1e-9);
  EXPECT_NEAR(a.score, 1 - b.score, 1e-12);
}

void expect_finite(const MatchStatistics& s) {
  for (const double x :
       {s.score, s.elo, s.elo_error, s.elo_low, s.elo_high, s.los, s.nelo, s.nelo_error}) {
    EXPECT_TRUE(std::isfinite(x));
  }
  EXPECT_GE(s.los, 0);
  EXPECT_LE(s.los, 1);
  EXPECT_GE(s.elo_error, 0);
}

TEST(Statistics, OneOutcomeOnlyIsFiniteAndPointsTheRightWay) {
  for (const std::uint64_t n : {1ULL, 50ULL, 1'000'000'000'000'000ULL}) {
    for (std::size_t outcome = 0; outcome < 5; ++outcome) {
      Pentanomial counts;
      counts.counts[outcome] = n;
      const MatchStatistics s = match_statistics(counts);
      expect_finite(s);
      EXPECT_EQ(s.games, 2 * n);
      EXPECT_TRUE(s.elo_error > 0.1 || n > 1'000'000);
      EXPECT_EQ(s.score, static_cast<double>(outcome) / 4);
      EXPECT_EQ(s.elo > 1e-9, outcome > 2);
      EXPECT_EQ(s.elo < -1e-9, outcome < 2);
    }
    expect_finite(match_statistics(Trinomial{.wins = n, .draws = 0, .losses = 0}));
    expect_finite(match_statistics(Trinomial{.wins = 0, .draws = n, .losses = 0}));
    expect_finite(match_statistics(Trinomial{.wins = 0, .draws = 0, .losses = n}));
  }
}

TEST(Statistics, NoGamesSayNothing) {
  for (const MatchStatistics& s :
       {match_statistics(Pentanomial{}), match_statistics(Trinomial{})}) {
    expect_finite(s);
    EXPECT_EQ(s.games, 0U);
    EXPECT_EQ(s.score, 0.5);
    EXPECT_NEAR(s.elo, 0, 1e-9);
    EXPECT_NEAR(s.los, 0.5, 1e-9);
    EXPECT_GT(s.elo_error, 1000);
  }
}

TEST(Statistics, EloAndScoreAreEachOthersInverse) {
  EXPECT_NEAR(elo_of_score(0.64), 99.951, 1e-3);
  EXPECT_NEAR(elo_of_score(10.0 / 11), 400, 1e-9);
  for (const double elo : {-700.0, -3.0, 0.0, 0.1, 250.0}) {
    EXPECT_NEAR(elo_of_score(score_of_elo(elo)), elo, 1e-9);
  }
  EXPECT_TRUE(std::isfinite(elo_of_score(0)));
  EXPECT_TRUE(std::isfinite(elo_of_score(1.5)));
}

// Independent games: a pair's points have half the variance a game, so both views agree.
TEST(Statistics, PairsOfIndependentGamesAgreeWithSingleGames) {
  const double w = 0.3, d = 0.5, l = 0.2, n = 1e6;
  const auto count = [&](double p) { return static_cast<std::uint64_t>(std::llround(n * p)); };
  const MatchStatistics pairs = match_statistics(Pentanomial{
      {count(l * l), count(2 * l * d), count(d * d + 2 * w * l), count(2 * d * w), count(w * w)}});
  const MatchStatistics games =
      match_statistics(Trinomial{count(2 * w), count(2 * d), count(2 * l)});
  EXPECT_EQ(pairs.games, games.games);
  EXPECT_NEAR(pairs.elo, games.elo, 1e-6);
  EXPECT_NEAR(pairs.elo_error, games.elo_error, 1e-6);
  EXPECT_NEAR(pairs.nelo, games.nelo, 1e-6);
  EXPECT_NEAR(pairs.nelo_error, games.nelo_error, 1e-6);
}

TEST(Statistics, JsonHasTheDocumentedKeys) {
  const nlohmann::json json = to_json(match_statistics(Pentanomial{{10, 40, 100, 60, 15}}));
  for (const char* key : {"games", "score", "elo", "elo_error", "los", "nelo", "nelo_error"}) {
    EXPECT_TRUE(json.at(key).is_number()) << key;
  }
}

}  // namespace
}  // namespace cannonade
