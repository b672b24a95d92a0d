#include "tuner/objective.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numeric>

#include "core/base/rng.h"
#include "tests/support/with_threads.h"
#include "tests/tuner/synthetic.h"

namespace cannonade {
namespace {

// Soft labels and uneven weights, a few of them zero, so that nothing cancels by luck.
std::shared_ptr<const Targets> uneven_targets(const Dataset& data) {
  auto targets = std::make_shared<Targets>(make_targets(data, {}));
  targets->total_weight = 0;
  for (std::size_t row = 0; row < data.rows(); ++row) {
    targets->label[row] = static_cast<float>(row % 11) / 10;
    targets->weight[row] = static_cast<float>(row % 5) / 2;
    targets->total_weight += double{targets->weight[row]};
  }
  return targets;
}

ObjectiveSettings squared(Curvature curvature = Curvature::kGaussNewton) {
  return {.k = 0.006, .loss = LossKind::kSquaredError, .curvature = curvature};
}

double naive_value(const Dataset& data, const Targets& targets, const ObjectiveSettings& settings,
                   const Eigen::VectorXd& weights) {
  double value = 0;
  for (std::size_t row = 0; row < data.rows(); ++row) {
    const double q = 1 / (1 + std::exp(-settings.k * naive_score(data, row, weights)));
    const double y = double{targets.label[row]};
    value += double{targets.weight[row]} * (settings.loss == LossKind::kSquaredError
                                                ? (q - y) * (q - y)
                                                : -y * std::log(q) - (1 - y) * std::log(1 - q));
  }
  return value;
}

TEST(Objective, ScoresAreTheDefinitionsScores) {
  const Dataset data = simulate({.pairs = 40}, random_weights(10, 30, 1));
  const Eigen::VectorXd weights = random_weights(10, 80, 2);
  const Objective objective(data, targets_of(data), {});
  const std::vector<double> scores = objective.scores(weights);
  ASSERT_EQ(scores.size(), data.rows());
  for (std::size_t row = 0; row < data.rows(); ++row) {
    ASSERT_NEAR(scores[row], naive_score(data, row, weights), 1e-9);
  }
}

TEST(Objective, ValuesAreTheFormulas) {
  const Dataset data = simulate({.pairs = 40}, random_weights(10, 30, 1));
  const auto targets = uneven_targets(data);
  const Eigen::VectorXd weights = random_weights(10, 80, 2);
  for (const ObjectiveSettings& settings : {ObjectiveSettings{.k = 0.006}, squared()}) {
    const Objective objective(data, targets, settings);
    const double expected = naive_value(data, *targets, settings, weights);
    EXPECT_NEAR(objective.evaluate(weights, nullptr), expected, 1e-9 * expected);
    Eigen::VectorXd gradient;
    EXPECT_EQ(objective.evaluate(weights, &gradient), objective.evaluate(weights, nullptr));
  }
}

TEST(Objective, GradientMatchesFiniteDifferences) {
  const Dataset data = simulate({.pairs = 300}, random_weights(10, 30, 1));  // two chunks
  ASSERT_GT(data.rows(), 8192U);
  const Eigen::VectorXd weights = random_weights(10, 60, 2);
  for (const ObjectiveSettings& settings : {ObjectiveSettings{.k = 0.006}, squared()}) {
    const Objective objective(data, uneven_targets(data), settings);
    Eigen::VectorXd gradient;
    objective.evaluate(weights, &gradient);
    for (Eigen::Index j = 0; j < weights.size(); ++j) {
      const double h = 1e-2;
      Eigen::VectorXd up = weights;
      Eigen::VectorXd down = weights;
      up[j] += h;
      down[j] -= h;
      const double difference =
          (objective.evaluate(up, nullptr) - objective.evaluate(down, nullptr)) / (2 * h);
      EXPECT_NEAR(gradient[j], difference, 1e-6 * gradient.cwiseAbs().maxCoeff());
    }
  }
}

TEST(Objective, HessianMatchesFiniteDifferencesOfTheGradient) {
  const Dataset data = simulate({.pairs = 300}, random_weights(10, 30, 1));
  const Eigen::VectorXd weights = random_weights(10, 60, 2);
  for (const ObjectiveSettings& settings :
       {ObjectiveSettings{.k = 0.006}, squared(Curvature::kExact)}) {
    const Objective objective(data, uneven_targets(data), settings);
    Eigen::MatrixXd hessian;
    objective.hessian(weights, hessian, 1);
    ASSERT_EQ(hessian.rows(), 20);
    const double size = hessian.cwiseAbs().maxCoeff();
    for (Eigen::Index j = 0; j < weights.size(); ++j) {
      const double h = 1e-2;
      Eigen::VectorXd up = weights;
      Eigen::VectorXd down = weights;
      up[j] += h;
      down[j] -= h;
      Eigen::VectorXd above;
      Eigen::VectorXd below;
      objective.evaluate(up, &above);
      objective.evaluate(down, &below);
      const Eigen::VectorXd difference = (above - below) / (2 * h);
      EXPECT_LT((hessian.col(j) - difference).cwiseAbs().maxCoeff(), 1e-6 * size) << j;
    }
    EXPECT_EQ(hessian, Eigen::MatrixXd(hessian.transpose()));
  }
}

TEST(Objective, GaussNewtonCurvatureIsTheOuterProductOfSlopes) {
  const Dataset data = simulate({.pairs = 20}, random_weights(10, 30, 1));
  const auto targets = uneven_targets(data);
  const Eigen::VectorXd weights = random_weights(10, 60, 2);
  const ObjectiveSettings settings = squared();
  Eigen::MatrixXd expected = Eigen::MatrixXd::Zero(20, 20);
  for (std::size_t row = 0; row < data.rows(); ++row) {
    const double q = 1 / (1 + std::exp(-settings.k * naive_score(data, row, weights)));
    const Eigen::VectorXd slope = settings.k * q * (1 - q) * naive_gradient(data, row);
    expected += 2 * double{targets->weight[row]} * slope * slope.transpose();
  }
  Eigen::MatrixXd hessian;
  Objective(data, targets, settings).hessian(weights, hessian, 1);
  EXPECT_LT((hessian - expected).cwiseAbs().maxCoeff(), 1e-12 * expected.cwiseAbs().maxCoeff());
}

// Many features, so that there are many tasks, and rows of every length, empty ones among them.
TEST(Objective, HessianOfManyFeaturesIsTheSumOfOuterProducts) {
  const int n = 150;
  DatasetBuilder builder(some_features(n), 5, "");
  RowBatch batch;
  Rng rng(6);
  for (std::uint16_t ply = 0; ply < 700; ++ply) {
    std::vector<RowCoefficient> c;
    for (std::uint64_t k = rng.below(60); k > 0; --k) {
      c.push_back({static_cast<std::uint16_t>(rng.below(n)),
                   static_cast<std::int16_t>(static_cast<int>(rng.below(41)) - 20)});
    }
    SampleInfo sample;
    sample.ply = ply;
    RowInfo row;
    row.phase = static_cast<std::uint16_t>(rng.below(6));
    batch.add(row, sample, c);
  }
  builder.add(std::move(batch));
  const Dataset data = std::move(builder).finish();
  const auto targets = uneven_targets(data);
  const Eigen::VectorXd weights = random_weights(n, 20, 2);
  Eigen::MatrixXd expected = Eigen::MatrixXd::Zero(2 * n, 2 * n);
  for (std::size_t row = 0; row < data.rows(); ++row) {
    const double q = 1 / (1 + std::exp(-0.006 * naive_score(data, row, weights)));
    const Eigen::VectorXd x = naive_gradient(data, row);
    expected += 0.006 * 0.006 * q * (1 - q) * double{targets->weight[row]} * x * x.transpose();
  }
  Eigen::MatrixXd hessian;
  Objective(data, targets, {.k = 0.006}).hessian(weights, hessian, 1);
  EXPECT_LT((hessian - expected).cwiseAbs().maxCoeff(), 1e-12 * expected.cwiseAbs().maxCoeff());
}

// A feature may stand in several entries of a row when the dictionary is full.
TEST(Objective, TakesAFeatureWrittenAsSeveralAtoms) {
  DatasetColumns c;
  c.features = some_features(2);
  c.max_phase = 2;
  c.atoms = {{}, {}, {}, {0, 4}, {0, 1}, {1, 3}};
  c.entries = {3, 4, 5, 0};
  c.row_begin = {0, 1};
  c.phase_begin = {0, 0, 0, 1};
  c.key = {1};
  c.offset = {0};
  c.scale = {kScaleOne};
  c.sample_begin = {0, 1};
  c.samples.resize(1);
  const Dataset data = Dataset::make(c).value_or_throw();
  EXPECT_EQ(data.coefficients(0), (std::vector<RowCoefficient>{{0, 5}, {1, 3}}));
  Eigen::MatrixXd hessian;
  Objective(data, targets_of(data), {.k = 1}).hessian(Eigen::VectorXd::Zero(4), hessian, 1);
  EXPECT_DOUBLE_EQ(hessian(0, 0), 25 * 0.25);
  EXPECT_DOUBLE_EQ(hessian(1, 0), 15 * 0.25);
  EXPECT_DOUBLE_EQ(hessian(1, 1), 9 * 0.25);
  EXPECT_EQ(hessian.bottomRows(2).cwiseAbs().maxCoeff(), 0);
}

TEST(Objective, GivesTheSameBytesForAnyNumberOfThreads) {
  const Dataset data = simulate({.features = 60, .active = 20, .pairs = 1000, .plies = 20},
                                random_weights(60, 30, 1));
  const Eigen::VectorXd weights = random_weights(60, 60, 2);
  const Objective objective(data, targets_of(data), {});
  struct Result {
    double value = 0;
    Eigen::VectorXd gradient;
    Eigen::MatrixXd hessian;
    std::vector<double> scores;
  };
  const auto run = [&](int threads) {
    return with_threads(threads, [&] {
      Result r;
      r.value = objective.evaluate(weights, &r.gradient);
      objective.hessian(weights, r.hessian, 1);
      r.scores = objective.scores(weights);
      return r;
    });
  };
  const Result one = run(1);
  for (const int threads : {2, 4, 2, 4}) {
    const Result more = run(threads);
    EXPECT_EQ(one.value, more.value);
    EXPECT_EQ(one.scores, more.scores);
    EXPECT_EQ(0, std::memcmp(one.gradient.data(), more.gradient.data(),
                             sizeof(double) * static_cast<std::size_t>(one.gradient.size())));
    EXPECT_EQ(0, std::memcmp(one.hessian.data(), more.hessian.data(),
                             sizeof(double) * static_cast<std::size_t>(one.hessian.size())));
  }
}

TEST(Objective, ASampledHessianEstimatesTheWhole) {
  const Dataset data = simulate({.pairs = 1500}, random_weights(10, 30, 1));
  const Objective objective(data, targets_of(data), {});
  const Eigen::VectorXd weights = random_weights(10, 30, 1);
  Eigen::MatrixXd whole;
  Eigen::MatrixXd sampled;
  objective.hessian(weights, whole, 1);
  objective.hessian(weights, sampled, 7);
  const double difference = (whole - sampled).norm() / whole.norm();
  EXPECT_LT(difference, 0.05);
  EXPECT_GT(difference, 0);
}

TEST(Objective, StaysFiniteAtExtremeScores) {
  const Dataset data = simulate({.pairs = 20}, random_weights(10, 30, 1));
  for (const ObjectiveSettings& settings : {ObjectiveSettings{.k = 0.006}, squared()}) {
    const Objective objective(data, targets_of(data), settings);
    Eigen::VectorXd gradient;
    Eigen::MatrixXd hessian;
    const Eigen::VectorXd weights = random_weights(10, 1e7, 2);
    EXPECT_TRUE(std::isfinite(objective.evaluate(weights, &gradient)));
    objective.hessian(weights, hessian, 1);
    EXPECT_TRUE(gradient.allFinite());
    EXPECT_TRUE(hessian.allFinite());
  }
}

TEST(Objective, ASubsetAndTheRestAreTheWhole) {
  const Dataset data = simulate({.pairs = 50}, random_weights(10, 30, 1));
  const auto targets = uneven_targets(data);
  std::vector<std::uint8_t> part(data.rows());
  for (std::size_t row = 0; row < data.rows(); ++row) part[row] = row % 3;
  const Eigen::VectorXd weights = random_weights(10, 60, 2);
  const Objective whole(data, targets, {});
  const Objective a(data, targets, {}, {part, 1, true});
  const Objective b(data, targets, {}, {part, 1, false});
  Eigen::VectorXd g, ga, gb;
  EXPECT_NEAR(a.evaluate(weights, &ga) + b.evaluate(weights, &gb), whole.evaluate(weights, &g),
              1e-9);
  EXPECT_LT((ga + gb - g).norm(), 1e-12 * g.norm());
  Eigen::MatrixXd h, ha, hb;
  whole.hessian(weights, h, 1);
  a.hessian(weights, ha, 1);
  b.hessian(weights, hb, 1);
  EXPECT_LT((ha + hb - h).norm(), 1e-12 * h.norm());
  EXPECT_NEAR(a.total_weight() + b.total_weight(), whole.total_weight(), 1e-9);
  EXPECT_NEAR(a.total_weight(), whole.total_weight() / 3, 0.05 * whole.total_weight());
  EXPECT_EQ(a.scores(weights), whole.scores(weights));
}

TEST(Objective, RefusesWhatIsNotAScaleAndForeignTargets) {
  const Dataset data = simulate({.pairs = 2}, random_weights(10, 30, 1));
  const Dataset other = simulate({.pairs = 3}, random_weights(10, 30, 1));
  for (const double k : {0.0, -1.0, std::nan("")}) {
    EXPECT_THROW(Objective(data, targets_of(data), {.k = k}), Error);
  }
  EXPECT_THROW(Objective(data, targets_of(other), {}), Error);
  auto bad = std::make_shared<Targets>(make_targets(data, {}));
  bad->label[0] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THROW(Objective(data, bad, {}), Error);
}

TEST(SumLoss, AddsItsParts) {
  const Dataset a = simulate({.pairs = 20}, random_weights(10, 30, 1));
  const Dataset b = simulate({.pairs = 30, .seed = 2}, random_weights(10, 30, 1));
  const auto first = std::make_shared<Objective>(a, targets_of(a), ObjectiveSettings{});
  const auto second = std::make_shared<Objective>(b, targets_of(b), ObjectiveSettings{});
  const SumLoss sum({first, second});
  const Eigen::VectorXd weights = random_weights(10, 60, 2);
  Eigen::VectorXd g, ga, gb;
  EXPECT_DOUBLE_EQ(sum.evaluate(weights, &g),
                   first->evaluate(weights, &ga) + second->evaluate(weights, &gb));
  EXPECT_LT((g - ga - gb).norm(), 1e-12);
  Eigen::MatrixXd h, ha, hb;
  sum.hessian(weights, h, 1);
  first->hessian(weights, ha, 1);
  second->hessian(weights, hb, 1);
  EXPECT_LT((h - ha - hb).norm(), 1e-12);
  EXPECT_DOUBLE_EQ(sum.total_weight(), first->total_weight() + second->total_weight());
}

}  // namespace
}  // namespace cannonade
