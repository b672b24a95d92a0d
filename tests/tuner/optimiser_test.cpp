#include "tuner/optimiser.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <memory>

#include "core/base/rng.h"
#include "tests/support/with_threads.h"
#include "tests/tuner/synthetic.h"
#include "tuner/certificate.h"
#include "tuner/objective.h"

namespace cannonade {
namespace {

// The reference: plain gradient descent with a step below 2 / (largest eigenvalue), thousands of
// passes.
Eigen::VectorXd slow_minimum(const Loss& loss, const Anchor& anchor, Eigen::VectorXd weights) {
  Eigen::MatrixXd hessian;
  loss.hessian(Eigen::VectorXd::Zero(weights.size()), hessian, 1);  // steepest where q = 1/2
  anchor.add_to(hessian);
  double largest = 0;
  for (const double row : hessian.cwiseAbs().rowwise().sum()) largest = std::max(largest, row);
  Eigen::VectorXd gradient;
  Eigen::VectorXd velocity = Eigen::VectorXd::Zero(weights.size());
  for (int pass = 0; pass < 3000; ++pass) {
    loss.evaluate(weights, &gradient);
    anchor.add_to(weights, &gradient);
    velocity = 0.95 * velocity - gradient / largest;
    weights += velocity;
  }
  return weights;
}

TEST(Optimiser, NewtonFindsTheMinimumOfASlowReference) {
  const Dataset data =
      simulate({.features = 6, .active = 4, .pairs = 50, .plies = 10}, random_weights(6, 80, 1));
  const Objective objective(data, targets_of(data), {.k = 0.006});
  const Anchor anchor(data.features(), Eigen::VectorXd::Constant(12, 5),
                      {.strength = 1 / (200.0 * 200.0)});
  const Eigen::VectorXd reference = slow_minimum(objective, anchor, anchor.start());
  for (const Method method : {Method::kNewton, Method::kLbfgs}) {
    const OptimiserResult fit = minimise({objective, anchor, kNothingPinned}, anchor.start(),
                                         {.method = method, .tolerance = 1e-4});
    EXPECT_TRUE(fit.converged);
    EXPECT_LT((fit.weights - reference).cwiseAbs().maxCoeff(), 1e-2);
    EXPECT_GT((fit.weights - anchor.start()).cwiseAbs().maxCoeff(), 20);
  }
}

// From far away: all weights zero, the truth in the hundreds. The end point is judged by an
// unhurried fit to a thousandth of a centipawn.
TEST(Optimiser, ReachesHalfACentipawnWithin25GradientPasses) {
  const Eigen::VectorXd truth = random_weights(40, 150, 1);
  const Dataset data = simulate({.features = 40, .active = 15, .pairs = 1000}, truth);
  for (const LossKind kind : {LossKind::kCrossEntropy, LossKind::kSquaredError}) {
    const Objective objective(data, targets_of(data), {.k = 0.006, .loss = kind});
    const Anchor anchor(data.features(), Eigen::VectorXd::Zero(80), {.strength = 1e-6});
    const Problem problem{objective, anchor, kNothingPinned};
    const OptimiserResult exact = minimise(problem, anchor.start(), {.tolerance = 1e-3});
    ASSERT_TRUE(exact.converged);
    for (const Method method : {Method::kNewton, Method::kLbfgs}) {
      const OptimiserResult fit =
          minimise(problem, anchor.start(), {.method = method, .max_gradient_passes = 25});
      EXPECT_TRUE(fit.converged);
      EXPECT_LE(fit.gradient_passes, 25);
      EXPECT_LT((fit.weights - exact.weights).cwiseAbs().maxCoeff(), 0.5);
    }
  }
}

TEST(Optimiser, KeepsPinnedParameters) {
  const Dataset data = simulate({.pairs = 100}, random_weights(10, 80, 1));
  const Objective objective(data, targets_of(data), {.k = 0.006});
  Eigen::VectorXd start = random_weights(10, 10, 3);
  start[4] = 100;
  const Anchor anchor = Anchor::none(start);
  const std::vector<Eigen::Index> pinned{4, 17};
  const Problem problem{objective, anchor, pinned};
  for (const Method method : {Method::kNewton, Method::kLbfgs}) {
    const OptimiserResult fit = minimise(problem, start, {.method = method});
    EXPECT_TRUE(fit.converged);
    EXPECT_EQ(fit.weights[4], 100);
    EXPECT_EQ(fit.weights[17], start[17]);
    EXPECT_GT(std::abs(fit.weights[5] - start[5]), 1);
    // The rest is at its minimum given these.
    Eigen::VectorXd gradient;
    objective.evaluate(fit.weights, &gradient);
    gradient[4] = gradient[17] = 0;
    EXPECT_LT(gradient.norm() / objective.total_weight(), 1e-5);
  }
}

TEST(Optimiser, AStrongAnchorHoldsAndATieMovesBothWeightsAlike) {
  const Dataset data = simulate({.pairs = 100}, random_weights(10, 80, 1));
  const Objective objective(data, targets_of(data), {.k = 0.006});
  const Eigen::VectorXd start = random_weights(10, 30, 3);
  const auto fit = [&](const AnchorSettings& settings) {
    const Anchor anchor(data.features(), start, settings);
    return minimise({objective, anchor, kNothingPinned}, start, {}).weights;
  };
  EXPECT_LT((fit({.strength = 1e4}) - start).cwiseAbs().maxCoeff(), 0.01);
  const Eigen::VectorXd tied = fit({.strength = 1e-7, .tie = 1e9}) - start;
  EXPECT_LT((tied.head(10) - tied.tail(10)).cwiseAbs().maxCoeff(), 0.1);
  EXPECT_GT(tied.cwiseAbs().maxCoeff(), 10);
  // A factor for a group: "pieces" (features 0-4) held, "squares" free.
  const Eigen::VectorXd grouped =
      fit({.strength = 1e-6, .tie = 0, .group_factor = {1e9, 1}}) - start;
  EXPECT_LT(grouped.head(5).cwiseAbs().maxCoeff(), 0.1);
  EXPECT_GT(grouped.segment(5, 5).cwiseAbs().maxCoeff(), 10);
}

TEST(Optimiser, TheCallbackSeesTheLossFallAndCanStop) {
  const Dataset data = simulate({.pairs = 200}, random_weights(10, 120, 1));
  const Objective objective(data, targets_of(data), {.k = 0.006});
  const Anchor anchor = Anchor::none(Eigen::VectorXd::Zero(20));
  const Problem problem{objective, anchor, kNothingPinned};
  std::vector<Progress> seen;
  OptimiserSettings settings;
  settings.progress = [&](const Progress& p) {
    seen.push_back(p);
    return true;
  };
  const OptimiserResult whole = minimise(problem, anchor.start(), settings);
  ASSERT_GE(seen.size(), 3U);
  EXPECT_NEAR(seen.front().loss, std::log(2.0), 0.01);  // level scores but for small offsets
  for (std::size_t i = 1; i < seen.size(); ++i) {
    EXPECT_LE(seen[i].objective, seen[i - 1].objective * (1 + 1e-12));
    EXPECT_GT(seen[i].gradient_passes, seen[i - 1].gradient_passes);
  }
  EXPECT_EQ(seen.back().gradient_passes, whole.gradient_passes);
  EXPECT_FALSE(whole.stopped);

  settings.progress = [](const Progress& p) { return p.gradient_passes < 2; };
  const OptimiserResult stopped = minimise(problem, anchor.start(), settings);
  EXPECT_TRUE(stopped.stopped);
  EXPECT_FALSE(stopped.converged);
  EXPECT_EQ(stopped.gradient_passes, 2);
  EXPECT_LT(stopped.objective, seen.front().objective);  // the best so far
  EXPECT_GE(stopped.objective, whole.objective);
}

TEST(Optimiser, GivesTheSameBytesForAnyNumberOfThreads) {
  const Dataset data =
      simulate({.features = 40, .active = 15, .pairs = 600}, random_weights(40, 80, 1));
  const Objective objective(data, targets_of(data), {.k = 0.006});
  const Anchor anchor(data.features(), Eigen::VectorXd::Zero(80), {.strength = 1e-5});
  for (const Method method : {Method::kNewton, Method::kLbfgs}) {
    const auto run = [&](int threads) {
      return with_threads(threads, [&] {
        return minimise({objective, anchor, kNothingPinned}, anchor.start(), {.method = method})
            .weights;
      });
    };
    const Eigen::VectorXd one = run(1);
    for (const int threads : {2, 4}) {
      const Eigen::VectorXd more = run(threads);
      EXPECT_EQ(0, std::memcmp(one.data(), more.data(),
                               sizeof(double) * static_cast<std::size_t>(one.size())));
    }
  }
}

TEST(Optimiser, RefusesBadSettingsAndStarts) {
  const Dataset data = simulate({.pairs = 10}, random_weights(10, 80, 1));
  const Objective objective(data, targets_of(data), {.k = 0.006});
  const Anchor anchor = Anchor::none(Eigen::VectorXd::Zero(20));
  const Problem problem{objective, anchor, kNothingPinned};
  const std::vector<Eigen::Index> outside{20};
  EXPECT_THROW((void)minimise(problem, Eigen::VectorXd::Zero(19), {}), Error);
  EXPECT_THROW((void)minimise(problem, Eigen::VectorXd::Constant(20, std::nan("")), {}), Error);
  EXPECT_THROW((void)minimise(problem, anchor.start(), {.max_gradient_passes = 0}), Error);
  EXPECT_THROW((void)minimise({objective, anchor, outside}, anchor.start(), {}), Error);
  EXPECT_THROW(Anchor(data.features(), anchor.start(), {.strength = -1}), Error);
}

// One feature twice, and one that no position has.
Dataset with_a_twin() {
  DatasetBuilder builder(some_features(5), 10, "");
  RowBatch batch;
  Rng rng(3);
  for (std::uint16_t ply = 0; ply < 4000; ++ply) {
    const auto value = [&] {
      return static_cast<std::int16_t>(static_cast<int>(rng.below(5)) - 2);
    };
    const std::int16_t twin = value();
    SampleInfo sample;
    sample.game = ply / 20U;
    sample.pair = ply / 40U;
    sample.ply = ply;
    sample.result = rng.unit() < 1 / (1 + std::exp(-0.3 * twin)) ? SampleResult::kFirstWon
                                                                 : SampleResult::kFirstLost;
    RowInfo row;
    row.phase = static_cast<std::uint16_t>(rng.below(11));
    batch.add(row, sample,
              std::vector<RowCoefficient>{{0, value()}, {1, twin}, {2, value()}, {3, twin}});
  }
  builder.add(std::move(batch));
  return std::move(builder).finish();
}

TEST(Certificate, NamesNullDirectionsAndUntouchedWeights) {
  const Dataset data = with_a_twin();
  const Objective objective(data, targets_of(data), {.k = 0.006});
  const Anchor anchor = Anchor::none(Eigen::VectorXd::Constant(10, 7));
  const Problem problem{objective, anchor, kNothingPinned};
  const OptimiserResult fit = minimise(problem, anchor.start(), {});
  EXPECT_TRUE(fit.converged);
  Eigen::MatrixXd hessian;
  objective.hessian(fit.weights, hessian, 1);
  const Certificate c = certify(problem, fit.weights, hessian);
  EXPECT_EQ(c.untouched, (std::vector<Eigen::Index>{4, 9}));
  ASSERT_EQ(c.null_directions.size(), 2U);
  std::vector<std::string> names;
  for (const NullDirection& d : c.null_directions) names.push_back(describe(d, data.features()));
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names,
            (std::vector<std::string>{"feature1.eg - feature3.eg", "feature1.mg - feature3.mg"}));
  EXPECT_LT(c.largest_step, 0.05);
  EXPECT_LT(c.gradient_norm, 1e-5);
  // What the data do not say stays: the untouched weight, and the twins' difference.
  EXPECT_EQ(fit.weights[4], 7);
  EXPECT_NEAR(fit.weights[1], fit.weights[3], 1e-3);
  EXPECT_GT(fit.weights[1], 15);
}

TEST(Certificate, TellsAnUnfinishedFit) {
  const Dataset data = simulate({.pairs = 200}, random_weights(10, 80, 1));
  const Objective objective(data, targets_of(data), {.k = 0.006});
  const Anchor anchor = Anchor::none(Eigen::VectorXd::Zero(20));
  const Problem problem{objective, anchor, kNothingPinned};
  Eigen::VectorXd weights = minimise(problem, anchor.start(), {.tolerance = 1e-3}).weights;
  weights[3] += 2;
  Eigen::MatrixXd hessian;
  objective.hessian(weights, hessian, 1);
  const Certificate c = certify(problem, weights, hessian);
  EXPECT_NEAR(c.largest_step, 2, 0.05);
  EXPECT_EQ(c.largest_step_parameter, 3);
  EXPECT_TRUE(c.null_directions.empty());
  EXPECT_GT(c.condition, 1);
  EXPECT_LT(c.condition, 100);
}

TEST(Factor, SolvesInvertsAndTellsTheCondition) {
  Eigen::MatrixXd m(3, 3);
  m << 4e6, 1000, 0, 1000, 1, 0, 0, 0, 9;
  const Factor factor(m, 0);
  const Eigen::VectorXd right = Eigen::Vector3d(1, 2, 3);
  EXPECT_LT((m * factor.solve(right) - right).norm(), 1e-9);
  EXPECT_LT((m * factor.inverse() - Eigen::MatrixXd::Identity(3, 3)).norm(), 1e-9);
  // Scaled: [[1, .5], [.5, 1]] and 1; its 1-norm condition is 1.5 * 2, estimated from below.
  EXPECT_LE(factor.condition(), 3 + 1e-9);
  EXPECT_GE(factor.condition(), 2);
}

// Two dependent columns hidden among random ones, in units that differ a millionfold.
TEST(Factor, FindsNullDirectionsWhateverTheUnits) {
  Rng rng(8);
  Eigen::MatrixXd x(200, 12);
  for (Eigen::Index i = 0; i < x.size(); ++i) x.data()[i] = rng.unit() - 0.5;
  x.col(5) = x.col(2) - 3 * x.col(9);
  x.col(0) = x.col(7) + x.col(11);
  x.col(3).setZero();
  x.col(2) *= 1e3;
  x.col(9) *= 1e-3;
  const Eigen::MatrixXd m = x.transpose() * x;
  const Eigen::MatrixXd v = null_directions(m, 1e-9);
  ASSERT_EQ(v.cols(), 2);
  EXPECT_LT((x * v).cwiseAbs().maxCoeff(), 1e-9 * v.cwiseAbs().maxCoeff());
  EXPECT_EQ(v.row(3).cwiseAbs().maxCoeff(), 0);
  EXPECT_EQ(null_directions(m.topLeftCorner(5, 5), 1e-9).cols(), 0);
  EXPECT_EQ(null_directions(Eigen::MatrixXd(0, 0), 1e-9).cols(), 0);
}

// Large enough for the blocked ways: several panels, and LLT in place of LDLT.
TEST(Factor, LargeMatricesGoTheBlockedWay) {
  const Eigen::Index n = 1100;
  Rng rng(9);
  Eigen::MatrixXd x(1300, n);
  for (Eigen::Index i = 0; i < x.size(); ++i) x.data()[i] = rng.unit() - 0.5;
  Eigen::VectorXd right(n);
  for (double& r : right) r = rng.unit();
  const Eigen::MatrixXd regular = x.transpose() * x;
  const Factor factor(regular, 0);
  EXPECT_LT((regular * factor.solve(right) - right).norm(), 1e-7);
  const Eigen::MatrixXd product = regular.topRows(3) * factor.inverse();
  EXPECT_LT((product - Eigen::MatrixXd::Identity(n, n).topRows(3)).cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_GT(factor.condition(), 100);
  EXPECT_EQ(null_directions(regular, 1e-9).cols(), 0);

  for (Eigen::Index j = 0; j < 70; ++j) x.col(15 * j + 7) = x.col(15 * j) - 2 * x.col(15 * j + 3);
  const Eigen::MatrixXd singular = x.transpose() * x;
  const Eigen::MatrixXd v = null_directions(singular, 1e-9);
  ASSERT_EQ(v.cols(), 70);
  EXPECT_LT((x * v).cwiseAbs().maxCoeff(), 1e-8);
  // Each names its own three columns and no others.
  for (Eigen::Index d = 0; d < v.cols(); ++d) {
    EXPECT_EQ((v.col(d).array().abs() > 1e-6).count(), 3);
  }
  // With the floor, the part of a solution that the matrix determines is right.
  const Eigen::VectorXd consistent = singular * right;
  EXPECT_LT((singular * Factor(singular).solve(consistent) - consistent).norm(),
            1e-6 * consistent.norm());
}

}  // namespace
}  // namespace cannonade
