#include "selfplay/intervals.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/base/error.h"

namespace cannonade {
namespace {

TEST(Intervals, NormalQuantilesArePublishedOnesAndInvertTheDistribution) {
  EXPECT_NEAR(normal_quantile(0.975), kNormal95, 1e-12);
  EXPECT_NEAR(normal_quantile(0.95), 1.644853626951473, 1e-12);
  EXPECT_NEAR(normal_cdf(normal_quantile(0.123)), 0.123, 1e-14);
  EXPECT_NEAR(two_sided_p(kNormal95), 0.05, 1e-12);
  EXPECT_THROW((void)normal_quantile(1), Error);
}

TEST(Intervals, ChiSquaredTailsArePublishedOnes) {
  EXPECT_NEAR(chi_squared_tail(3.841458820694124, 1), 0.05, 1e-12);
  EXPECT_NEAR(chi_squared_tail(11.07049769351635, 5), 0.05, 1e-12);
  EXPECT_EQ(chi_squared_tail(0, 3), 1);
  EXPECT_THROW((void)chi_squared_tail(1, 0), Error);
}

TEST(Intervals, BinomialPValueCountsTheTails) {
  EXPECT_NEAR(binomial_half_p(1, 8), 2 * 9 / 256.0, 1e-14);
  EXPECT_NEAR(binomial_half_p(7, 8), 2 * 9 / 256.0, 1e-14);
  EXPECT_EQ(binomial_half_p(4, 8), 1);
  EXPECT_EQ(binomial_half_p(0, 0), 1);
  EXPECT_THROW((void)binomial_half_p(3, 2), Error);
}

// R. Newcombe, Statistics in Medicine 17 (1998), 857: method 3 for 81/263, 15/148, 0/20, 1/29.
TEST(Intervals, WilsonGivesNewcombesExamples) {
  const struct {
    std::uint64_t successes, trials;
    double low, high;
  } examples[] = {{81, 263, 0.2553, 0.3662},
                  {15, 148, 0.0624, 0.1605},
                  {0, 20, 0.0, 0.1611},
                  {1, 29, 0.0061, 0.1718}};
  for (const auto& e : examples) {
    const Interval interval = wilson_interval(e.successes, e.trials);
    EXPECT_NEAR(interval.low, e.low, 5e-5) << e.successes;
    EXPECT_NEAR(interval.high, e.high, 5e-5) << e.successes;
  }
  EXPECT_EQ(wilson_interval(0, 0).high, 1);
  EXPECT_THROW((void)wilson_interval(2, 1), Error);
  EXPECT_THROW((void)wilson_interval(1, 2, 1.0), Error);
}

TEST(Intervals, ScoreIntervalIsWilsonsWithoutDraws) {
  for (const auto& [wins, losses] : {std::pair(81, 182), {0, 20}, {20, 0}, {1, 0}, {500, 500}}) {
    const Interval mine = score_interval({std::uint64_t(wins), 0, std::uint64_t(losses)});
    const Interval wilson = wilson_interval(std::uint64_t(wins), std::uint64_t(wins + losses));
    EXPECT_NEAR(mine.low, wilson.low, 1e-9);
    EXPECT_NEAR(mine.high, wilson.high, 1e-9);
  }
}

// The example of M. Fagerland, S. Lydersen, P. Laake, Statistics in Medicine 33 (2014), 2850:
// airway hyper-responsiveness of 21 children, 1 and 7 discordant; Tango's interval.
TEST(Intervals, ScoreIntervalGivesAPublishedDifferenceOfPairs) {
  const Interval interval = score_interval({1, 13, 7});
  EXPECT_NEAR(2 * interval.low - 1, -0.517, 5e-4);
  EXPECT_NEAR(2 * interval.high - 1, -0.026, 5e-4);
}

// At an end of the interval the score test is just at its limit, the variance taken where a scan
// finds the likelihood maximal.
TEST(Intervals, ScoreIntervalEndsWhereTheTestRejects) {
  const Trinomial examples[] = {{12, 36, 2}, {9, 2, 3}, {100, 900, 120}, {0, 10, 4}, {5, 1, 0}};
  for (const Trinomial& games : examples) {
    const Interval interval = score_interval(games);
    for (const double end : {interval.low, interval.high}) {
      const double delta = 2 * end - 1;
      double best = -1e300;
      double variance = 0;
      for (int i = 1; i < 200000; ++i) {
        const double loss = std::max(0.0, -delta) + (1 - std::abs(delta)) / 2 * i / 200000;
        const double win = loss + delta;
        const double draw = 1 - win - loss;
        const double likelihood = double(games.wins) * std::log(win) +
                                  double(games.draws) * std::log(draw) +
                                  double(games.losses) * std::log(loss);
        if (likelihood > best) {
          best = likelihood;
          variance = win + loss - delta * delta;
        }
      }
      const double z = (2 * games.score() - 1 - delta) /
                       std::sqrt(variance / static_cast<double>(games.games()));
      EXPECT_NEAR(std::abs(z), kNormal95, 1e-3) << games.wins << ' ' << games.draws;
    }
  }
}

// With n draws only, a mean 1/2 + d is rejected when d^2 > z^2 (d / 2 - d^2) / n.
TEST(Intervals, ScoreIntervalOfDrawsOnlyHasItsClosedForm) {
  const double n = 50;
  const double z2 = kNormal95 * kNormal95;
  const Interval interval = score_interval({0, 50, 0});
  EXPECT_NEAR(interval.high, 0.5 + z2 / (2 * (n + z2)), 1e-9);
  EXPECT_NEAR(interval.low, 0.5 - z2 / (2 * (n + z2)), 1e-9);
  EXPECT_EQ(score_interval({}).low, 0);
  EXPECT_EQ(score_interval({}).high, 1);
}

}  // namespace
}  // namespace cannonade
