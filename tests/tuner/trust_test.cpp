#include "tuner/trust.h"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include <cmath>
#include <cstring>
#include <map>
#include <memory>

#include "core/base/rng.h"
#include "tests/support/with_threads.h"
#include "tests/tuner/synthetic.h"
#include "tuner/calibration.h"
#include "tuner/split.h"

namespace cannonade {
namespace {

struct Fitted {
  Eigen::VectorXd weights;
  TrustReport trust;
};

Fitted fit(const Objective& objective, const Anchor& anchor,
           const std::vector<Eigen::Index>& pinned = kNothingPinned,
           const TrustSettings& settings = {}) {
  OptimiserSettings precise;
  precise.tolerance = 1e-3;
  const OptimiserResult result = minimise({objective, anchor, pinned}, anchor.start(), precise);
  EXPECT_TRUE(result.converged);
  Eigen::MatrixXd hessian;
  objective.hessian(result.weights, hessian, 1);
  return {result.weights, assess(objective, anchor, pinned, result.weights, hessian, settings)};
}

// Games whose positions look alike and share their luck: the case that naive errors get wrong.
SimulationSettings clustered(std::uint64_t seed) {
  return {.features = 8,
          .active = 5,
          .pairs = 250,
          .plies = 16,
          .seed = seed,
          .game_share = 0.9,
          .pair_share = 0.2,
          .persistence = 0.95};
}

TEST(Trust, KnownWeightsLieInTheirIntervalsAsOftenAsStated) {
  const Eigen::VectorXd truth = random_weights(8, 60, 1);
  int inside = 0;
  int naive_inside = 0;
  int all = 0;
  double ratio = 0;
  constexpr int kRuns = 100;
  for (int run = 0; run < kRuns; ++run) {
    const Dataset data = simulate(clustered(static_cast<std::uint64_t>(run) + 1000), truth);
    const Objective objective(data, targets_of(data), {.k = 0.006});
    // The truth lies off the start, and the anchor is too weak to matter.
    const Anchor anchor(data.features(), Eigen::VectorXd::Zero(16), {.strength = 1e-8});
    const Fitted fitted = fit(objective, anchor);
    ratio += fitted.trust.median_error_ratio / kRuns;
    for (const WeightTrust& w : fitted.trust.weights) {
      const double miss = std::abs(w.value - truth[w.parameter]);
      inside += miss < 1.96 * w.standard_error;
      naive_inside += miss < 1.96 * w.naive_error;
      ++all;
      EXPECT_TRUE(w.determined);
    }
  }
  // 1600 intervals, those of a run dependent: a standard deviation of about 1 %.
  EXPECT_GE(inside, 0.90 * all) << 100.0 * inside / all << " %";
  EXPECT_LE(inside, 0.98 * all) << 100.0 * inside / all << " %";
  EXPECT_LT(naive_inside, 0.80 * all) << 100.0 * naive_inside / all << " %";
  EXPECT_GT(ratio, 1.5);
}

TEST(Trust, WithoutClusteringBothErrorsAgree) {
  SimulationSettings settings = clustered(3);
  settings.game_share = 0;
  settings.pairs = 800;
  const Dataset data = simulate(settings, random_weights(8, 60, 1));
  const Objective objective(data, targets_of(data), {.k = 0.006});
  const Fitted fitted = fit(objective, Anchor::none(Eigen::VectorXd::Zero(16)));
  for (const WeightTrust& w : fitted.trust.weights) {
    EXPECT_NEAR(w.standard_error / w.naive_error, 1, 0.15);
  }
}

// The estimator from its definition, with dense rows.
TEST(Trust, StandardErrorsAreTheSandwichOfTheDefinition) {
  const Dataset data = simulate({.pairs = 40}, random_weights(10, 60, 1));
  const auto targets = targets_of(data);
  for (const LossKind kind : {LossKind::kCrossEntropy, LossKind::kSquaredError}) {
    const ObjectiveSettings settings{.k = 0.006, .loss = kind};
    const Objective objective(data, targets, settings);
    const Anchor anchor(data.features(), random_weights(10, 20, 3), {.strength = 1e-4});
    const std::vector<Eigen::Index> pinned{2};
    const Fitted fitted = fit(objective, anchor, pinned);
    std::map<std::uint32_t, Eigen::VectorXd> gradients;
    for (std::size_t row = 0; row < data.rows(); ++row) {
      const double q = 1 / (1 + std::exp(-0.006 * naive_score(data, row, fitted.weights)));
      const double miss = 0.006 * (q - double{targets->label[row]});
      const double slope = kind == LossKind::kCrossEntropy ? miss : 2 * miss * q * (1 - q);
      auto& u = gradients.try_emplace(data.samples_of(row)[0].pair, Eigen::VectorXd::Zero(20))
                    .first->second;
      u += slope * naive_gradient(data, row);
    }
    Eigen::VectorXd mean = Eigen::VectorXd::Zero(20);
    for (const auto& [pair, u] : gradients) mean += u / 40;
    Eigen::MatrixXd scatter = Eigen::MatrixXd::Zero(20, 20);
    for (const auto& [pair, u] : gradients)
      scatter += (u - mean) * (u - mean).transpose() * 40 / 39;
    Eigen::MatrixXd curvature;
    objective.hessian(fitted.weights, curvature, 1);
    anchor.add_to(curvature);
    std::vector<Eigen::Index> free;
    for (Eigen::Index j = 0; j < 20; ++j) {
      if (j != 2) free.push_back(j);
    }
    const Eigen::MatrixXd inverse = Eigen::MatrixXd(curvature(free, free)).inverse();
    const Eigen::MatrixXd covariance = inverse * scatter(free, free) * inverse;
    for (std::size_t i = 0; i < free.size(); ++i) {
      const WeightTrust& w = fitted.trust.weights[static_cast<std::size_t>(free[i])];
      const auto k = static_cast<Eigen::Index>(i);
      EXPECT_NEAR(w.standard_error, std::sqrt(covariance(k, k)), 1e-6 * w.standard_error);
      EXPECT_NEAR(w.z, w.change / w.standard_error, 1e-9);
    }
    EXPECT_TRUE(fitted.trust.weights[2].pinned);
    EXPECT_EQ(fitted.trust.weights[2].standard_error, 0);
    EXPECT_EQ(fitted.trust.weights[2].change, 0);
    EXPECT_EQ(fitted.trust.clusters, 40U);
  }
}

TEST(Trust, MergedDuplicatesKeepTheErrorsOfSingleRows) {
  // Every position of a pool of 300, visited by games of many pairs.
  DatasetBuilder builder(some_features(4), 10, "");
  RowBatch batch;
  Rng rng(5);
  for (std::uint32_t game = 0; game < 200; ++game) {
    for (std::uint16_t ply = 0; ply < 10; ++ply) {
      Rng position(77, rng.below(300));
      RowInfo row;
      row.key = position.next();
      row.phase = static_cast<std::uint16_t>(position.below(11));
      std::vector<RowCoefficient> c;
      for (std::uint16_t j = 0; j < 4; ++j) {
        c.push_back({j, static_cast<std::int16_t>(static_cast<int>(position.below(7)) - 3)});
      }
      SampleInfo sample;
      sample.game = game;
      sample.pair = game / 2;
      sample.ply = ply;
      sample.result = static_cast<SampleResult>(rng.below(3));
      batch.add(row, sample, c);
    }
  }
  builder.add(std::move(batch));
  const Dataset single = std::move(builder).finish();
  const Split split = split_by_pair(single, {.validation_share = 0, .folds = 1});
  const Dataset& merged = split.train;
  ASSERT_LE(merged.rows(), 300U);
  const Anchor anchor = Anchor::none(Eigen::VectorXd::Zero(8));
  const Fitted a = fit(Objective(single, targets_of(single), {.k = 0.006}), anchor);
  const Fitted b = fit(Objective(merged, targets_of(merged), {.k = 0.006}), anchor);
  EXPECT_LT((a.weights - b.weights).cwiseAbs().maxCoeff(), 1e-2);
  for (std::size_t j = 0; j < 8; ++j) {
    EXPECT_NEAR(a.trust.weights[j].standard_error, b.trust.weights[j].standard_error, 1e-3);
    EXPECT_EQ(a.trust.weights[j].pairs, b.trust.weights[j].pairs);
  }
}

// Feature 0 and 1 always together; 2 in three pairs only; 3 never; 4 only at full phase; 5
// everywhere.
Dataset with_gaps() {
  DatasetBuilder builder(some_features(6), 10, "");
  RowBatch batch;
  Rng rng(11);
  for (std::uint16_t ply = 0; ply < 6000; ++ply) {
    const std::uint32_t pair = ply / 40U;
    RowInfo row;
    row.phase = static_cast<std::uint16_t>(rng.below(11));
    const auto value = [&] {
      return static_cast<std::int16_t>(static_cast<int>(rng.below(3)) - 1);
    };
    const std::int16_t twin = value();
    std::vector<RowCoefficient> c{{0, twin}, {1, twin}, {5, value()}};
    if (pair < 3) c.push_back({2, 1});
    if (row.phase == 10) c.push_back({4, value()});
    SampleInfo sample;
    sample.game = ply / 20U;
    sample.pair = pair;
    sample.ply = ply;
    sample.result = rng.unit() < 1 / (1 + std::exp(-0.5 * twin)) ? SampleResult::kFirstWon
                                                                 : SampleResult::kFirstLost;
    batch.add(row, sample, c);
  }
  builder.add(std::move(batch));
  return std::move(builder).finish();
}

TEST(Trust, WeightsThatTheDataDoNotDetermineStayAndAreMarked) {
  const Dataset data = with_gaps();
  const Objective objective(data, targets_of(data), {.k = 0.006});
  const Eigen::VectorXd start = Eigen::VectorXd::Constant(12, 13);
  const Anchor anchor(data.features(), start, {.strength = 1e-6, .tie = 0});
  const std::vector<Eigen::Index> rare = rarely_seen(objective, 8);
  EXPECT_EQ(rare, (std::vector<Eigen::Index>{2, 3, 8, 9, 10}));
  const Fitted fitted = fit(objective, anchor, rare);
  for (const Eigen::Index j : rare) EXPECT_EQ(fitted.weights[j], 13);
  const auto& w = fitted.trust.weights;
  for (const Eigen::Index j : rare) EXPECT_FALSE(w[static_cast<std::size_t>(j)].determined);
  EXPECT_EQ(w[2].pairs, 3U);
  EXPECT_EQ(w[3].positions, 0U);
  EXPECT_EQ(w[10].positions, 0U);  // feature 4 in the end game
  EXPECT_TRUE(w[4].determined);
  EXPECT_TRUE(w[5].determined);
  EXPECT_GT(w[5].data_share, 0.9);
  // Of the twins the data know the sum: half of each.
  EXPECT_NEAR(w[0].data_share, 0.5, 0.01);
  EXPECT_NEAR(fitted.weights[0], fitted.weights[1], 1e-6);
  EXPECT_EQ(fitted.trust.collinear, (std::vector<std::vector<Eigen::Index>>{{0, 1}, {6, 7}}));
  EXPECT_EQ(w[0].collinear_group, 0);
  EXPECT_EQ(w[7].collinear_group, 1);
  EXPECT_EQ(w[5].collinear_group, -1);
}

TEST(Trust, AnAnchorThatHoldsLeavesTheDataNoShare) {
  const Dataset data = with_gaps();
  const Objective objective(data, targets_of(data), {.k = 0.006});
  const Anchor anchor(data.features(), Eigen::VectorXd::Zero(12), {.strength = 10});
  const Fitted fitted = fit(objective, anchor);
  EXPECT_EQ(undetermined(fitted.trust).size(), 12U);
  const Fitted loose = fit(objective, Anchor::none(Eigen::VectorXd::Zero(12)));
  EXPECT_EQ(loose.trust.weights[5].data_share, 1);
  EXPECT_EQ(loose.trust.weights[0].data_share, 0);  // no anchor tells the twins apart
}

TEST(Trust, GivesTheSameBytesForAnyNumberOfThreads) {
  const Dataset data = simulate({.features = 120, .active = 12, .pairs = 700, .plies = 8},
                                random_weights(120, 60, 1));
  const Objective objective(data, targets_of(data), {.k = 0.006});
  const Anchor anchor(data.features(), Eigen::VectorXd::Zero(240), {.strength = 1e-5});
  const Eigen::VectorXd weights = random_weights(120, 60, 1);
  Eigen::MatrixXd hessian;
  objective.hessian(weights, hessian, 1);
  const auto run = [&](int threads) {
    return with_threads(threads, [&] {
      std::vector<double> numbers;
      for (const WeightTrust& w :
           assess(objective, anchor, kNothingPinned, weights, hessian).weights) {
        numbers.insert(numbers.end(), {w.standard_error, w.naive_error, w.data_share,
                                       static_cast<double>(w.pairs)});
      }
      return numbers;
    });
  };
  const auto one = run(1);
  EXPECT_EQ(one, run(2));
  EXPECT_EQ(one, run(4));
}

TEST(Trust, NeedsTwoPairs) {
  const Dataset data = simulate({.pairs = 1}, random_weights(10, 60, 1));
  const Objective objective(data, targets_of(data), {.k = 0.006});
  const Eigen::MatrixXd hessian = Eigen::MatrixXd::Identity(20, 20);
  const Eigen::VectorXd weights = Eigen::VectorXd::Zero(20);
  EXPECT_THROW((void)assess(objective, Anchor::none(weights), kNothingPinned, weights, hessian),
               Error);
}

TEST(Rounding, SaysWhatIntegersCost) {
  const Dataset data = simulate({.pairs = 100}, random_weights(10, 60, 1));
  const Objective objective(data, targets_of(data), {.k = 0.006});
  const Fitted fitted = fit(objective, Anchor::none(Eigen::VectorXd::Zero(20)));
  const Rounding rounding = round_weights(objective, fitted.weights);
  for (Eigen::Index j = 0; j < 20; ++j) {
    EXPECT_EQ(rounding.weights[j], std::round(fitted.weights[j]));
  }
  EXPECT_GT(rounding.loss_after, rounding.loss_before);
  EXPECT_LT(rounding.loss_after, rounding.loss_before + 1e-5);
  EXPECT_NEAR(rounding.loss_after,
              objective.evaluate(rounding.weights, nullptr) / objective.total_weight(), 1e-12);
}

// Three pairs of one, one and two positions at scores 1 and 2 under the weights before and after.
TEST(LossChange, MatchesAHandCount) {
  DatasetBuilder builder(some_features(1), 1, "");
  RowBatch batch;
  const int pair_of[] = {0, 1, 2, 2};
  const SampleResult results[] = {SampleResult::kFirstWon, SampleResult::kFirstLost,
                                  SampleResult::kFirstWon, SampleResult::kFirstLost};
  for (std::uint16_t i = 0; i < 4; ++i) {
    SampleInfo sample;
    sample.game = sample.pair = static_cast<std::uint32_t>(pair_of[i]);
    sample.ply = i;
    sample.result = results[i];
    batch.add({}, sample, std::vector<RowCoefficient>{{0, 1}});
  }
  builder.add(std::move(batch));
  const Dataset data = std::move(builder).finish();
  const Eigen::VectorXd before = Eigen::VectorXd::Constant(2, 1);
  const Eigen::VectorXd after = Eigen::VectorXd::Constant(2, 2);
  const double q1 = 1 / (1 + std::exp(-1.0));
  const double q2 = 1 / (1 + std::exp(-2.0));
  for (const LossKind kind : {LossKind::kCrossEntropy, LossKind::kSquaredError}) {
    const Objective objective(data, targets_of(data), {.k = 1, .loss = kind});
    const bool squared = kind == LossKind::kSquaredError;
    const double won = squared ? (1 - q2) * (1 - q2) - (1 - q1) * (1 - q1) : std::log(q1 / q2);
    const double lost = squared ? q2 * q2 - q1 * q1 : std::log((1 - q1) / (1 - q2));
    const LossChange change = loss_change(objective, before, after);
    const double mean = (won + lost) / 2;
    EXPECT_NEAR(change.after - change.before, mean, 1e-9);
    // Pair sums of what is beside the mean: won - mean, lost - mean, and nothing.
    const double squares = (won - mean) * (won - mean) + (lost - mean) * (lost - mean);
    EXPECT_NEAR(change.standard_error, std::sqrt(squares * 3 / 2) / 4, 1e-9);
  }
}

// How far the change on a few games is from that on very many, in its own errors.
TEST(LossChange, ItsErrorIsThatOfChance) {
  const Eigen::VectorXd truth = random_weights(10, 60, 1);
  const Eigen::VectorXd near = truth + random_weights(10, 15, 2);
  const auto change_on = [&](int pairs, std::uint64_t seed) {
    const Dataset data = simulate({.pairs = pairs, .seed = seed, .game_share = 0.8}, truth);
    return loss_change(Objective(data, targets_of(data), {.k = 0.006}), near, truth);
  };
  const LossChange many = change_on(5'000, 99);
  ASSERT_LT(many.after, many.before);
  int covered = 0;
  constexpr int kRuns = 200;
  for (int i = 0; i < kRuns; ++i) {
    const LossChange few = change_on(60, 100 + static_cast<std::uint64_t>(i));
    const double miss = (few.after - few.before) - (many.after - many.before);
    covered += std::abs(miss) < 1.96 * few.standard_error;
  }
  EXPECT_GE(covered, 0.9 * kRuns);
  EXPECT_LE(covered, 0.98 * kRuns);
}

TEST(Calibration, TrueWeightsAreCalibratedAndExaggeratedOnesAreNot) {
  const Eigen::VectorXd truth = random_weights(10, 60, 1);
  const Dataset data = simulate({.pairs = 800, .game_share = 0.5}, truth);
  const Objective objective(data, targets_of(data), {.k = 0.006});
  const auto far_off = [&](const Eigen::VectorXd& weights) {
    double total = 0;
    int misses = 0;
    for (const CalibrationBucket& b : calibration(objective, weights, 10)) {
      total += b.weight;
      if (b.weight == 0) continue;
      EXPECT_GE(b.predicted, b.low);
      EXPECT_LT(b.predicted, b.high);
      misses += std::abs(b.actual - b.predicted) > 3.5 * b.standard_error;
    }
    EXPECT_DOUBLE_EQ(total, objective.total_weight());
    return misses;
  };
  EXPECT_EQ(far_off(truth), 0);
  EXPECT_GE(far_off(2 * truth), 5);
}

// Ten pairs of two positions at the same score; results by hand.
TEST(Calibration, MatchesAHandCount) {
  DatasetBuilder builder(some_features(1), 1, "");
  RowBatch batch;
  for (std::uint16_t i = 0; i < 20; ++i) {
    SampleInfo sample;
    sample.game = i / 2U;
    sample.pair = i / 2U;
    sample.ply = i;
    sample.result = i / 2 < 7 ? SampleResult::kFirstWon : SampleResult::kFirstLost;
    batch.add({}, sample, std::vector<RowCoefficient>{{0, 1}});
  }
  builder.add(std::move(batch));
  const Dataset data = std::move(builder).finish();
  const Objective objective(data, targets_of(data), {.k = 1});
  const auto table = calibration(objective, Eigen::VectorXd::Constant(2, 0.5), 4);
  ASSERT_EQ(table.size(), 4U);
  EXPECT_EQ(table[0].weight, 0);
  EXPECT_EQ(table[2].weight, 20);
  EXPECT_DOUBLE_EQ(table[2].low, 0.5);
  EXPECT_NEAR(table[2].predicted, 1 / (1 + std::exp(-0.5)), 1e-12);
  EXPECT_DOUBLE_EQ(table[2].actual, 0.7);
  // Pair sums of deviations: 7 times 2 * 0.3, 3 times 2 * -0.7.
  EXPECT_NEAR(table[2].standard_error, std::sqrt(7 * 0.36 + 3 * 1.96) / 20, 1e-12);
  EXPECT_THROW((void)calibration(objective, Eigen::VectorXd::Zero(2), 0), Error);
}

}  // namespace
}  // namespace cannonade
