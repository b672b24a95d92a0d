#include "tuner/trust.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/base/error.h"
#include "selfplay/parallel_loop.h"

namespace cannonade {
namespace {

constexpr Eigen::Index kColumns = 64;  // of a product: one task's share
// A weight without an anchor whose variance is inflated more than this by others is not determined.
constexpr double kInflation = 1e8;

// diag(a * b * a) of symmetric matrices.
Eigen::VectorXd sandwich_diagonal(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  Eigen::VectorXd result(a.rows());
  parallel_loop(Eigen::Index{0}, (a.cols() + kColumns - 1) / kColumns, [&](Eigen::Index task) {
    const Eigen::Index first = task * kColumns;
    const Eigen::Index count = std::min(kColumns, a.cols() - first);
    const Eigen::MatrixXd product = b * a.middleCols(first, count);
    for (Eigen::Index i = 0; i < count; ++i) {
      result[first + i] = product.col(i).dot(a.col(first + i));
    }
  });
  return result;
}

// Joins directions that share parameters; of each group the parameters, ascending.
std::vector<std::vector<Eigen::Index>> join(const std::vector<NullDirection>& directions,
                                            Eigen::Index parameters) {
  std::vector<Eigen::Index> root(static_cast<std::size_t>(parameters));
  std::iota(root.begin(), root.end(), Eigen::Index{0});
  const auto find = [&](Eigen::Index j) {
    while (root[static_cast<std::size_t>(j)] != j) j = root[static_cast<std::size_t>(j)];
    return j;
  };
  std::vector<std::uint8_t> inside(root.size());
  for (const NullDirection& direction : directions) {
    for (const auto& [parameter, share] : direction.parts) {
      inside[static_cast<std::size_t>(parameter)] = 1;
      const Eigen::Index a = find(parameter);
      const Eigen::Index b = find(direction.parts.front().first);
      root[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
    }
  }
  std::vector<std::vector<Eigen::Index>> groups;
  std::vector<int> group_of(root.size(), -1);
  for (Eigen::Index j = 0; j < parameters; ++j) {
    if (!inside[static_cast<std::size_t>(j)]) continue;
    int& group = group_of[static_cast<std::size_t>(find(j))];
    if (group < 0) {
      group = static_cast<int>(groups.size());
      groups.emplace_back();
    }
    groups[static_cast<std::size_t>(group)].push_back(j);
  }
  return groups;
}

}  // namespace

TrustReport assess(const Objective& objective, const Anchor& anchor,
                   const std::vector<Eigen::Index>& pinned, const Eigen::VectorXd& weights,
                   const Eigen::MatrixXd& hessian, const TrustSettings& settings) {
  const std::vector<Eigen::Index> free = free_parameters({objective, anchor, pinned});
  const Clusters clusters(objective);
  if (clusters.count() < 2) throw user_error("standard errors need games of at least two pairs");
  const Touches touches = count_touches(objective, clusters);

  Eigen::MatrixXd curvature = hessian;
  anchor.add_to(curvature);
  const Eigen::MatrixXd inverse = Factor(curvature(free, free)).inverse();
  const Eigen::MatrixXd scatter = cluster_covariance(objective, clusters, weights)(free, free);
  const Eigen::VectorXd variance = sandwich_diagonal(inverse, scatter);
  const Eigen::VectorXd prior = anchor.prior_variances(free);

  TrustReport report;
  report.clusters = clusters.count();
  report.weights.resize(static_cast<std::size_t>(weights.size()));
  for (Eigen::Index j = 0; j < weights.size(); ++j) {
    WeightTrust& w = report.weights[static_cast<std::size_t>(j)];
    w.parameter = j;
    w.value = weights[j];
    w.change = weights[j] - anchor.start()[j];
    w.positions = touches.positions[static_cast<std::size_t>(j)];
    w.pairs = touches.pairs[static_cast<std::size_t>(j)];
    w.pinned = true;
  }
  std::vector<double> ratios;
  Eigen::VectorXd column = Eigen::VectorXd::Zero(weights.size());
  for (std::size_t i = 0; i < free.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    WeightTrust& w = report.weights[static_cast<std::size_t>(free[i])];
    w.pinned = false;
    w.standard_error = std::sqrt(std::max(0.0, variance[k]));
    w.z = w.standard_error > 0 ? w.change / w.standard_error : 0;
    // (H + A)^-1 H (H + A)^-1 = B^-1 - B^-1 A B^-1, and the anchor's value is half its form.
    column(free) = inverse.col(k);
    const double pulled = 2 * anchor.add_to(anchor.start() + column, nullptr);
    w.naive_error = std::sqrt(std::max(0.0, inverse(k, k) - pulled));
    if (hessian(free[i], free[i]) > 0) {
      w.data_share = std::isfinite(prior[k])
                         ? std::clamp(1 - inverse(k, k) / prior[k], 0.0, 1.0)
                         : (inverse(k, k) * curvature(free[i], free[i]) < kInflation ? 1.0 : 0.0);
    }
    w.determined = w.pairs >= settings.min_pairs && w.data_share >= settings.min_share;
    if (w.determined && w.naive_error > 0) ratios.push_back(w.standard_error / w.naive_error);
  }
  if (!ratios.empty()) {
    const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
    std::nth_element(ratios.begin(), middle, ratios.end());
    report.median_error_ratio = *middle;
  }
  report.collinear =
      join(flat_directions(hessian, free, settings.collinear_tolerance), weights.size());
  for (std::size_t group = 0; group < report.collinear.size(); ++group) {
    for (const Eigen::Index j : report.collinear[group]) {
      report.weights[static_cast<std::size_t>(j)].collinear_group = static_cast<int>(group);
    }
  }
  return report;
}

std::vector<Eigen::Index> rarely_seen(const Objective& objective, std::uint64_t min_pairs) {
  const Touches touches = count_touches(objective, Clusters(objective));
  std::vector<Eigen::Index> result;
  for (std::size_t j = 0; j < touches.pairs.size(); ++j) {
    if (touches.pairs[j] < min_pairs) result.push_back(static_cast<Eigen::Index>(j));
  }
  return result;
}

std::vector<Eigen::Index> undetermined(const TrustReport& report) {
  std::vector<Eigen::Index> result;
  for (const WeightTrust& w : report.weights) {
    if (!w.pinned && !w.determined) result.push_back(w.parameter);
  }
  return result;
}

}  // namespace cannonade
