#include "selfplay/strength_curve.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/base/error.h"
#include "core/base/rng.h"

namespace cannonade {
namespace {

// A path on which strength tells more at its upper end.
double true_elo(double s) {
  return 600 * s + 600 * s * s;
}

std::vector<GapObservation> exact(int players, double error) {
  std::vector<GapObservation> seen;
  for (int i = 1; i < players; ++i) {
    const double low = static_cast<double>(i - 1) / (players - 1);
    const double high = static_cast<double>(i) / (players - 1);
    seen.push_back({low, high, true_elo(high) - true_elo(low), error});
  }
  return seen;
}

TEST(StrengthCurve, FollowsExactGaps) {
  const StrengthCurve curve(exact(13, 2));
  for (const double s : {0.1, 0.25, 0.5, 0.75, 1.0}) EXPECT_NEAR(curve.elo(s), true_elo(s), 8) << s;
  for (const double elo : {50.0, 400.0, 1100.0}) {
    EXPECT_NEAR(curve.elo(curve.strength_at(elo)), elo, 1e-6);
  }
  EXPECT_EQ(curve.strength_at(5000), 1);
  EXPECT_EQ(curve.strength_at(-5), 0);
}

TEST(StrengthCurve, ErrorsShrinkAsGamesAreAdded) {
  std::vector<GapObservation> seen = exact(13, 30);
  const double before = StrengthCurve(seen).gap_error(0.5, 0.6);
  for (int i = 0; i < 3; ++i) seen.push_back({0.5, 0.6, true_elo(0.6) - true_elo(0.5), 30});
  const double after = StrengthCurve(seen).gap_error(0.5, 0.6);
  EXPECT_LT(after, 0.75 * before);
  EXPECT_GT(after, 10);
}

TEST(StrengthCurve, NoisyGapsAreEstimatedWithinTheirErrors) {
  // Sums of four uniform draws stand for normal ones.
  int outside = 0;
  for (std::uint64_t run = 0; run < 40; ++run) {
    Rng rng(11, run);
    std::vector<GapObservation> seen = exact(13, 20);
    for (GapObservation& each : seen) {
      double sum = 0;
      for (int i = 0; i < 12; ++i) sum += rng.unit() - 0.5;
      each.gap += each.error * sum;
    }
    const StrengthCurve curve(seen);
    const double wrong = curve.elo(0.6) - curve.elo(0.4) - (true_elo(0.6) - true_elo(0.4));
    outside += std::abs(wrong) > 2 * curve.gap_error(0.4, 0.6) ? 1 : 0;
  }
  EXPECT_LE(outside, 6);  // 5 % are to be expected
}

TEST(StrengthCurve, AScoreOfEverythingIsStillAGap) {
  const GapObservation all = observe_gap(0, 1, 50, 50);
  EXPECT_NEAR(all.gap, 400 * std::log10(50.5 / 0.5), 1e-9);
  EXPECT_GT(all.error, 200);
  // 64 % is 100 Elo.
  EXPECT_NEAR(observe_gap(0, 1, 640'000, 1'000'000).gap, 100, 0.1);
}

TEST(StrengthCurve, LevelsLieAGapApartFromTheTop) {
  const StrengthCurve curve(exact(25, 1));
  const std::vector<double> levels = place_levels(curve, 100, 50);
  ASSERT_GE(levels.size(), 12U);
  EXPECT_EQ(levels.back(), 1);
  for (std::size_t i = 1; i < levels.size(); ++i) {
    EXPECT_NEAR(curve.elo(levels[i]) - curve.elo(levels[i - 1]), 100, 1e-6);
  }
  EXPECT_EQ(place_levels(curve, 100, 5).size(), 5U);
  const std::vector<double> two = place_levels(curve, 5000, 5);
  ASSERT_EQ(two.size(), 2U);
  EXPECT_EQ(two.front(), 0);
}

TEST(StrengthCurve, RefusesWhatCannotBe) {
  EXPECT_THROW(StrengthCurve({}), Error);
  EXPECT_THROW(StrengthCurve({{0.5, 0.5, 10, 1}}), Error);
  EXPECT_THROW(StrengthCurve({{0.2, 1.5, 10, 1}}), Error);
  EXPECT_THROW(StrengthCurve({{0.2, 0.5, 10, 0}}), Error);
}

}  // namespace
}  // namespace cannonade
