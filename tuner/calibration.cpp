#include "tuner/calibration.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tuner/clusters.h"

namespace cannonade {
namespace {

// Of one sample, at its own label.
double loss_at(const ObjectiveSettings& settings, double score, double label) {
  const double x = settings.k * score;
  if (settings.loss == LossKind::kSquaredError) {
    const double miss = 1 / (1 + std::exp(-x)) - label;
    return miss * miss;
  }
  return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))) - label * x;  // softplus(x) - y x
}

}  // namespace

Rounding round_weights(const Loss& loss, const Eigen::VectorXd& weights) {
  Rounding result;
  result.weights = weights.unaryExpr([](double w) { return std::round(w); });
  if (!(loss.total_weight() > 0)) return result;
  result.loss_before = loss.evaluate(weights, nullptr) / loss.total_weight();
  result.loss_after = loss.evaluate(result.weights, nullptr) / loss.total_weight();
  return result;
}

LossChange loss_change(const Objective& objective, const Eigen::VectorXd& before,
                       const Eigen::VectorXd& after) {
  LossChange change;
  const double total = objective.total_weight();
  if (!(total > 0)) return change;
  change.before = objective.evaluate(before, nullptr) / total;
  change.after = objective.evaluate(after, nullptr) / total;
  // The ratio estimator of a mean over clusters of different sizes (Cochran, Sampling Techniques,
  // 6.3): the spread of each pair's change around what its weight alone would give it.
  const Clusters clusters(objective);
  if (clusters.count() < 2) return change;
  const Targets& targets = objective.targets();
  const std::vector<double> old_scores = objective.scores(before);
  const std::vector<double> new_scores = objective.scores(after);
  const double mean = change.after - change.before;
  double squares = 0;
  for (std::size_t cluster = 0; cluster < clusters.count(); ++cluster) {
    double deviation = 0;
    for (const Clusters::Member& m : clusters.members(cluster)) {
      const double label{targets.sample_label[m.sample]};
      const double moved = loss_at(objective.settings(), new_scores[m.row], label) -
                           loss_at(objective.settings(), old_scores[m.row], label);
      deviation += double{targets.sample_weight[m.sample]} * (moved - mean);
    }
    squares += deviation * deviation;
  }
  const auto count = static_cast<double>(clusters.count());
  change.standard_error = std::sqrt(squares * count / (count - 1)) / total;
  return change;
}

std::vector<CalibrationBucket> calibration(const Objective& objective,
                                           const Eigen::VectorXd& weights, int buckets) {
  if (buckets < 1 || buckets > 1000) {
    throw user_error(fmt::format("{} calibration buckets, allowed are 1..1000", buckets));
  }
  const Clusters clusters(objective);
  const std::vector<double> predicted = objective.predictions(weights);
  const Targets& targets = objective.targets();
  const auto count = static_cast<std::size_t>(buckets);
  const auto bucket_of = [&](std::uint32_t row) {
    const auto bucket = static_cast<std::size_t>(predicted[row] * buckets);
    return std::min(bucket, count - 1);
  };
  std::vector<CalibrationBucket> table(count);
  for (std::size_t b = 0; b < count; ++b) {
    table[b].low = static_cast<double>(b) / buckets;
    table[b].high = static_cast<double>(b + 1) / buckets;
  }
  for (std::size_t cluster = 0; cluster < clusters.count(); ++cluster) {
    for (const Clusters::Member& m : clusters.members(cluster)) {
      CalibrationBucket& bucket = table[bucket_of(m.row)];
      const double weight = double{targets.sample_weight[m.sample]};
      bucket.weight += weight;
      bucket.predicted += weight * predicted[m.row];
      bucket.actual += weight * double{targets.sample_label[m.sample]};
    }
  }
  for (CalibrationBucket& bucket : table) {
    if (bucket.weight == 0) continue;
    bucket.predicted /= bucket.weight;
    bucket.actual /= bucket.weight;
  }
  // The variance of a weighted mean, from the clusters' sums of deviations.
  std::vector<double> squares(count);
  std::vector<double> deviation(count);
  std::vector<std::size_t> touched;
  for (std::size_t cluster = 0; cluster < clusters.count(); ++cluster) {
    touched.clear();
    for (const Clusters::Member& m : clusters.members(cluster)) {
      const std::size_t b = bucket_of(m.row);
      touched.push_back(b);
      const double weight{targets.sample_weight[m.sample]};
      const double label{targets.sample_label[m.sample]};
      deviation[b] += weight * (label - table[b].actual);
    }
    for (const std::size_t b : touched) {
      squares[b] += deviation[b] * deviation[b];  // zero from the second time on
      deviation[b] = 0;
    }
  }
  for (std::size_t b = 0; b < count; ++b) {
    if (table[b].weight > 0) table[b].standard_error = std::sqrt(squares[b]) / table[b].weight;
  }
  return table;
}

}  // namespace cannonade
