#include "tuner/pooling.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/with_threads.h"
#include "tests/tuner/synthetic.h"
#include "tuner/objective.h"
#include "tuner/split.h"

namespace cannonade {
namespace {

constexpr int kFeatures = 16;

// Presets whose weights lie about `spread` centipawns from common ones; each with its own games.
struct Variant {
  std::vector<Split> splits;
  std::vector<Eigen::VectorXd> truth;
  std::vector<PoolMember> members;

  Variant(double spread, const std::vector<int>& pairs) {
    const Eigen::VectorXd common = random_weights(kFeatures, 60, 1);
    for (std::size_t m = 0; m < pairs.size(); ++m) {
      truth.push_back(common + random_weights(kFeatures, spread, 10 + m));
      const Dataset data = simulate(
          {.features = kFeatures, .active = 8, .pairs = pairs[m], .seed = 50 + m}, truth[m]);
      splits.push_back(split_by_pair(data, {.validation_share = 0, .folds = 4}));
    }
    for (std::size_t m = 0; m < pairs.size(); ++m) {
      const Dataset& train = splits[m].train;
      const auto targets = std::make_shared<const Targets>(make_targets(train, {}));
      const ObjectiveSettings settings{.k = 0.006};
      members.push_back({"preset", std::make_shared<Objective>(train, targets, settings),
                         make_folds(train, splits[m].fold, targets, settings)});
    }
  }

  [[nodiscard]] Anchor anchor(double strength) const {
    return {splits[0].train.features(),
            Eigen::VectorXd::Zero(2 * kFeatures),
            {.strength = strength, .tie = 0}};
  }
  [[nodiscard]] Pooling pooled(const std::vector<double>& deviations) const {
    PoolingSettings settings;
    settings.deviations = deviations;
    return pooled(settings);
  }
  [[nodiscard]] Pooling pooled(const PoolingSettings& settings = PoolingSettings()) const {
    return pool(members, anchor(1e-6), anchor(1), kNothingPinned, settings);
  }
  // Root mean square error against the truth.
  [[nodiscard]] double error(const std::vector<Eigen::VectorXd>& weights) const {
    double sum = 0;
    for (std::size_t m = 0; m < truth.size(); ++m) {
      sum += (weights[m] - truth[m]).squaredNorm() / static_cast<double>(truth[m].size());
    }
    return std::sqrt(sum / static_cast<double>(truth.size()));
  }
};

TEST(Pooling, ComesNearerToTheTruthThanSingleFitsAndThanOneForAll) {
  const Variant variant(15, {60, 60, 60, 60});
  const Pooling pooling = variant.pooled();
  std::vector<Eigen::VectorXd> single;
  for (const PoolMember& member : variant.members) {
    const Anchor anchor = variant.anchor(1e-6);
    single.push_back(minimise({*member.whole, anchor, kNothingPinned}, anchor.start(), {}).weights);
  }
  const double error = variant.error(pooling.weights);
  EXPECT_LT(error, variant.error(single));
  EXPECT_LT(error, variant.error(std::vector(4, pooling.common)));
  EXPECT_GT(pooling.deviation, 0);
  EXPECT_LT(pooling.deviation, 128);
  EXPECT_EQ(pooling.curve.size(), 9U);
}

TEST(Pooling, EqualPresetsSharePlentyAndDifferentOnesLittle) {
  const Pooling equal = Variant(0, {80, 80, 80}).pooled();
  const Pooling different = Variant(80, {300, 300}).pooled();
  EXPECT_LE(equal.deviation, 4);
  EXPECT_GE(different.deviation, 16);
}

TEST(Pooling, APresetWithFewGamesIsPulledFarther) {
  const Variant variant(15, {400, 20});
  const Pooling pooling = variant.pooled(std::vector<double>{16});
  const double many = (pooling.weights[0] - pooling.common).norm();
  const double few = (pooling.weights[1] - pooling.common).norm();
  std::vector<Eigen::VectorXd> free;
  for (const PoolMember& member : variant.members) {
    const Anchor anchor = variant.anchor(1e-6).moved_to(pooling.common);
    free.push_back(minimise({*member.whole, anchor, kNothingPinned}, anchor.start(), {}).weights);
  }
  // Of the way to its own minimum.
  EXPECT_LT(few / (free[1] - pooling.common).norm(), many / (free[0] - pooling.common).norm());
}

TEST(Pooling, AtDeviationZeroAllHaveTheCommonWeights) {
  const Pooling pooling = Variant(15, {30, 30}).pooled(std::vector<double>{0});
  EXPECT_EQ(pooling.weights[0], pooling.common);
  EXPECT_EQ(pooling.weights[1], pooling.common);
}

TEST(Pooling, GivesTheSameBytesForAnyNumberOfThreadsAndCanBeStopped) {
  const Variant variant(15, {30, 30});
  const auto run = [&](int threads) {
    return with_threads(threads, [&] { return variant.pooled().weights[1]; });
  };
  const Eigen::VectorXd one = run(1);
  EXPECT_EQ(one, run(2));
  EXPECT_EQ(one, run(4));
  PoolingSettings settings;
  int calls = 0;
  settings.optimiser.progress = [&](const Progress&) { return ++calls < 30; };
  const Pooling stopped = variant.pooled(settings);
  EXPECT_TRUE(stopped.stopped);
  EXPECT_EQ(stopped.weights.size(), 2U);
  EXPECT_EQ(stopped.weights[0], stopped.common);
}

TEST(Pooling, RefusesMembersThatDoNotFit) {
  Variant variant(15, {30, 30});
  variant.members[1].folds.pop_back();
  EXPECT_THROW((void)variant.pooled(), Error);
  EXPECT_THROW(
      (void)pool({}, variant.anchor(1), variant.anchor(1), kNothingPinned, PoolingSettings()),
      Error);
  variant.members.pop_back();
  EXPECT_NO_THROW((void)variant.pooled(std::vector<double>{8}));
  EXPECT_THROW((void)variant.pooled(std::vector<double>{-8}), Error);
}

}  // namespace
}  // namespace cannonade
