#include "tuner/sigmoid_scale.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "core/base/rng.h"
#include "tests/support/with_threads.h"

namespace cannonade {
namespace {

struct Sample {
  std::vector<double> scores;
  Targets targets;
};

// Labels that are exactly sigmoid(k * score): then k is the minimum, to rounding.
Sample exact(double k) {
  Sample s;
  Rng rng(1);
  for (int i = 0; i < 20000; ++i) {
    s.scores.push_back(1200 * (rng.unit() - 0.5));
    s.targets.label.push_back(static_cast<float>(1 / (1 + std::exp(-k * s.scores.back()))));
    s.targets.weight.push_back(1 + static_cast<float>(i % 3));
  }
  s.targets.total_weight = std::accumulate(s.targets.weight.begin(), s.targets.weight.end(), 0.0);
  return s;
}

TEST(SigmoidScale, FindsTheScaleOfExactLabels) {
  for (const double k : {0.0007, 0.005, 0.03}) {
    const Sample s = exact(k);
    for (const LossKind loss : {LossKind::kCrossEntropy, LossKind::kSquaredError}) {
      const ScaleFit fit = solve_scale(s.scores, s.targets, loss);
      EXPECT_NEAR(fit.k / k, 1, 1e-4);
      EXPECT_FALSE(fit.at_bound);
    }
  }
}

TEST(SigmoidScale, SaysWhenTheDataHaveNoBestScale) {
  Sample s = exact(0.005);
  for (std::size_t i = 0; i < s.scores.size(); ++i) {  // whoever is ahead wins, always
    s.targets.label[i] = s.scores[i] > 0 ? 1.0F : 0.0F;
  }
  EXPECT_TRUE(solve_scale(s.scores, s.targets, LossKind::kCrossEntropy).at_bound);
  for (float& label : s.targets.label) label = 0.5F;  // all drawn
  const ScaleFit drawn = solve_scale(s.scores, s.targets, LossKind::kCrossEntropy);
  EXPECT_TRUE(drawn.at_bound);
  EXPECT_DOUBLE_EQ(drawn.k, kMinScale);
  for (float& weight : s.targets.weight) weight = 0;
  s.targets.total_weight = 0;
  EXPECT_THROW((void)solve_scale(s.scores, s.targets, LossKind::kCrossEntropy), Error);
}

TEST(SigmoidScale, GivesTheSameBytesForAnyNumberOfThreads) {
  const Sample s = exact(0.004);
  const auto run = [&](int threads) {
    return with_threads(
        threads, [&] { return solve_scale(s.scores, s.targets, LossKind::kCrossEntropy).k; });
  };
  const double one = run(1);
  EXPECT_EQ(one, run(2));
  EXPECT_EQ(one, run(4));
}

}  // namespace
}  // namespace cannonade
