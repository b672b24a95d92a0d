#include "selfplay/paired.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/error.h"
#include "core/base/rng.h"

namespace cannonade {
namespace {

TEST(Bootstrap, PercentilesAreInterpolated) {
  std::vector<double> values;
  for (int i = 100; i >= 0; --i) values.push_back(i);
  const Interval interval = percentile_interval(values, 0.9);
  EXPECT_NEAR(interval.low, 5, 1e-9);
  EXPECT_NEAR(interval.high, 95, 1e-9);
  EXPECT_NEAR(percentile_interval({0, 1}, 0.5).low, 0.25, 1e-12);
  EXPECT_EQ(percentile_interval({7}).high, 7);
  EXPECT_THROW((void)percentile_interval({}), Error);
}

TEST(Bootstrap, EveryReplicateDrawsAsManyClustersAsThereAre) {
  double fewest = 1e9, most = 0;
  (void)cluster_bootstrap(37, 200, 1, [&](std::span<const std::uint32_t> times) {
    double sum = 0;
    for (const auto t : times) sum += t;
    EXPECT_EQ(sum, 37);
    fewest = std::min<double>(fewest, times[0]);
    most = std::max<double>(most, times[0]);
    return std::vector{sum};
  });
  EXPECT_EQ(fewest, 0);
  EXPECT_GE(most, 3);
}

// The error of a mean is the standard deviation over the square root of the number.
TEST(Bootstrap, ErrorOfAMeanIsTheTextbooks) {
  Rng rng(3);
  std::vector<double> x(400);
  double mean = 0, square = 0;
  for (double& value : x) {
    value = rng.unit() + rng.unit();
    mean += value / 400;
  }
  for (const double value : x) square += (value - mean) * (value - mean) / 400;
  const double error = std::sqrt(square / 400);
  const auto figures = cluster_bootstrap(400, 2000, 5, [&](std::span<const std::uint32_t> times) {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += times[i] * x[i];
    return std::vector{sum / 400, -sum};
  });
  ASSERT_EQ(figures.size(), 2U);
  EXPECT_NEAR(figures[0].error / error, 1, 0.06);
  EXPECT_NEAR(figures[0].interval.low, mean - kNormal95 * error, 0.2 * error);
  EXPECT_NEAR(figures[0].interval.high, mean + kNormal95 * error, 0.2 * error);
  EXPECT_NEAR(figures[1].error, 400 * figures[0].error, 1e-9);
}

std::vector<PairedValue> simulated(double shift, std::size_t openings, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<PairedValue> values;
  for (std::size_t opening = 0; opening < openings; ++opening) {
    const double common = rng.unit();
    for (int game = 0; game < 2; ++game) {
      values.push_back({opening, common + 0.3 * rng.unit(), common + 0.3 * rng.unit() + shift});
    }
  }
  return values;
}

TEST(Paired, WhatOpeningsHaveInCommonCancels) {
  const auto values = simulated(0.05, 400, 1);
  const PairedDifference found = compare_paired(values, 1000, 7);
  EXPECT_EQ(found.values, 800U);
  EXPECT_EQ(found.openings, 400U);
  EXPECT_NEAR(found.difference, found.second - found.first, 1e-12);
  // Two uniforms of width 0.3 a value: variance 2 * 0.09 / 12 over 800.
  EXPECT_NEAR(found.spread->error, std::sqrt(0.015 / 800), 0.1 * std::sqrt(0.015 / 800));
  EXPECT_TRUE(found.distinguishable());
  EXPECT_TRUE(found.spread->interval.covers(found.difference));
}

TEST(Paired, TheSameSeedAndValuesInAnyOrderGiveTheSameInterval) {
  auto values = simulated(0, 50, 2);
  const PairedDifference once = compare_paired(values, 300, 7);
  std::reverse(values.begin(), values.end());
  const PairedDifference again = compare_paired(values, 300, 7);
  EXPECT_NEAR(again.spread->interval.low, once.spread->interval.low, 1e-12);
  EXPECT_NEAR(again.spread->error, once.spread->error, 1e-12);
  EXPECT_NE(compare_paired(values, 300, 8).spread->interval.low, once.spread->interval.low);
}

TEST(Paired, IntervalsCoverTheTruthAsOftenAsTheySay) {
  int covered = 0;
  for (std::uint64_t round = 0; round < 400; ++round) {
    const auto found = compare_paired(simulated(0.02, 60, 100 + round), 300, round);
    covered += found.spread->interval.covers(0.02) ? 1 : 0;
  }
  EXPECT_GT(covered, 360);  // 380 expected, a little less for few openings
  EXPECT_LT(covered, 396);
}

TEST(Paired, TheNumberNeededIsWhatMakesTheIntervalLeaveOutZero) {
  PairedDifference found;
  found.values = 400;
  found.openings = 200;
  found.difference = 0.01;
  found.spread = BootstrapFigure{0.02, {-0.029, 0.049}};
  EXPECT_FALSE(found.distinguishable());
  // 1.96 * 0.02 / 0.01 times too wide: that squared times as many values.
  EXPECT_EQ(found.values_needed(),
            static_cast<std::uint64_t>(std::ceil(400 * std::pow(2 * kNormal95, 2))));
  found.difference = 0;
  EXPECT_FALSE(found.values_needed().has_value());
  found.difference = 1e-300;
  EXPECT_TRUE(found.values_needed().has_value());
}

// Outcomes such as draws, where a few pairs often all say the same.
TEST(Paired, FewOpeningsTellApartWhatIsAlikeAsSeldomAsTheySay) {
  for (const std::size_t openings : {2U, 3U, 5U, 6U, 8U, 12U, 20U, 40U}) {
    int told = 0;
    const int rounds = 600;
    for (int round = 0; round < rounds; ++round) {
      Rng rng(21, static_cast<std::uint64_t>(round));
      std::vector<PairedValue> values;
      for (std::size_t opening = 0; opening < openings; ++opening) {
        values.push_back({opening, rng.unit() < 0.4 ? 1.0 : 0.0, rng.unit() < 0.4 ? 1.0 : 0.0});
      }
      told += compare_paired(values, 200, static_cast<std::uint64_t>(round)).distinguishable();
    }
    EXPECT_LT(told, 0.07 * rounds) << openings;
    if (openings < PairedDifference::kFewestOpenings) {
      EXPECT_EQ(told, 0) << openings;
    }
    if (openings > 12) {
      EXPECT_GT(told, 0.02 * rounds) << openings;
    }
  }
}

TEST(Paired, TooLittleDataGivesNoInterval) {
  EXPECT_FALSE(compare_paired({}, 100, 1).spread.has_value());
  const std::vector<PairedValue> one = {{3, 0, 1}, {3, 0, 0}};
  const PairedDifference found = compare_paired(one, 100, 1);
  EXPECT_EQ(found.difference, 0.5);
  EXPECT_FALSE(found.spread.has_value());
  EXPECT_FALSE(found.distinguishable());
  EXPECT_FALSE(found.values_needed().has_value());
}

// M. Fagerland and others (2013): 1 and 7 discordant pairs: exact 0.070, mid-p 0.039, asymptotic
// 0.034.
TEST(Paired, McNemarGivesAPublishedExample) {
  const McNemarTest test = mcnemar_test(1, 7);
  EXPECT_NEAR(test.exact_p, 0.0703, 5e-5);
  EXPECT_NEAR(test.mid_p, 0.0391, 5e-5);
  EXPECT_NEAR(test.chi_squared, 4.5, 1e-12);
  EXPECT_NEAR(chi_squared_tail(test.chi_squared, 1), 0.0339, 5e-5);
  EXPECT_EQ(mcnemar_test(7, 1).mid_p, test.mid_p);
  EXPECT_EQ(mcnemar_test(0, 0).exact_p, 1);
  EXPECT_EQ(mcnemar_test(0, 0).mid_p, 1);
  EXPECT_NEAR(mcnemar_test(1, 1).mid_p, 0.75, 1e-12);
}

TEST(Paired, TheSignTestLeavesOutZeros) {
  std::vector<PairedValue> values;
  for (std::uint64_t i = 0; i < 9; ++i) values.push_back({i, 0, 1});
  values.push_back({9, 1, 0});
  for (std::uint64_t i = 10; i < 30; ++i) values.push_back({i, 1, 1});
  const SignTest test = sign_test(values);
  EXPECT_EQ(test.positive, 9U);
  EXPECT_EQ(test.negative, 1U);
  EXPECT_EQ(test.zero, 20U);
  EXPECT_NEAR(test.p, 22.0 / 1024, 1e-12);
  EXPECT_EQ(sign_test({}).p, 1);
}

}  // namespace
}  // namespace cannonade
