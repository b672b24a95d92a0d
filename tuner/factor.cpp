#include "tuner/factor.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/base/error.h"

namespace cannonade {
namespace {

// 1 / sqrt(diagonal), 0 where that is 0.
Eigen::VectorXd unit_diagonal_scale(const Eigen::MatrixXd& matrix) {
  Eigen::VectorXd scale(matrix.rows());
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    scale[i] = matrix(i, i) > 0 ? 1 / std::sqrt(matrix(i, i)) : 0;
  }
  return scale;
}

}  // namespace

Factor::Factor(const Eigen::MatrixXd& matrix, double floor) : scale_(unit_diagonal_scale(matrix)) {
  Eigen::MatrixXd scaled = scale_.asDiagonal() * matrix * scale_.asDiagonal();
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    scaled(i, i) = scale_[i] > 0 ? 1 + floor : 1;
  }
  if (!scaled.allFinite()) throw internal_error("a matrix of curvatures is not finite");
  factor_.compute(scaled);
}

Eigen::VectorXd Factor::solve(const Eigen::VectorXd& right) const {
  return scale_.cwiseProduct(factor_.solve(scale_.cwiseProduct(right)));
}

Eigen::MatrixXd Factor::inverse() const {
  constexpr Eigen::Index kColumns = 64;
  const Eigen::Index n = scale_.size();
  Eigen::MatrixXd result(n, n);
  tbb::parallel_for(Eigen::Index{0}, (n + kColumns - 1) / kColumns, [&](Eigen::Index task) {
    const Eigen::Index first = task * kColumns;
    const Eigen::Index count = std::min(kColumns, n - first);
    Eigen::MatrixXd right = Eigen::MatrixXd::Zero(n, count);
    for (Eigen::Index i = 0; i < count; ++i) right(first + i, i) = scale_[first + i];
    result.middleCols(first, count) = scale_.asDiagonal() * factor_.solve(right);
  });
  return result;
}

Eigen::MatrixXd null_directions(const Eigen::MatrixXd& matrix, double tolerance) {
  const Eigen::VectorXd scale = unit_diagonal_scale(matrix);
  std::vector<Eigen::Index> order;  // parameters by pivot; those without curvature are left out
  for (Eigen::Index i = 0; i < scale.size(); ++i) {
    if (scale[i] > 0) order.push_back(i);
  }
  const auto n = static_cast<Eigen::Index>(order.size());
  Eigen::MatrixXd lower = Eigen::MatrixXd::Zero(n, n);
  Eigen::VectorXd left = Eigen::VectorXd::Ones(n);  // of the diagonal, after the steps so far
  Eigen::Index rank = 0;
  for (; rank < n; ++rank) {
    Eigen::Index pivot = 0;
    if (left.tail(n - rank).maxCoeff(&pivot) < tolerance) break;
    pivot += rank;
    std::swap(order[static_cast<std::size_t>(rank)], order[static_cast<std::size_t>(pivot)]);
    std::swap(left[rank], left[pivot]);
    lower.row(rank).head(rank).swap(lower.row(pivot).head(rank));
    const double root = std::sqrt(left[rank]);
    lower(rank, rank) = root;
    const Eigen::Index below = n - rank - 1;
    if (below == 0) continue;
    const std::vector<Eigen::Index> rest(order.begin() + rank + 1, order.end());
    const Eigen::Index row = order[static_cast<std::size_t>(rank)];
    Eigen::VectorXd column = matrix(rest, row).cwiseProduct(scale(rest)) * scale[row];
    column.noalias() -=
        lower.block(rank + 1, 0, below, rank) * lower.row(rank).head(rank).transpose();
    lower.col(rank).tail(below) = column / root;
    left.tail(below) -= lower.col(rank).tail(below).cwiseAbs2();
  }
  // With L = [L1; L2] of the permuted matrix, each parameter past the rank depends on the ones
  // before: v = (-L1^-T L2^T e, e).
  const Eigen::Index missing = n - rank;
  const Eigen::MatrixXd dependence = lower.topLeftCorner(rank, rank)
                                         .triangularView<Eigen::Lower>()
                                         .transpose()
                                         .solve(lower.bottomLeftCorner(missing, rank).transpose());
  Eigen::MatrixXd directions = Eigen::MatrixXd::Zero(scale.size(), missing);
  for (Eigen::Index i = 0; i < n; ++i) {
    const Eigen::Index parameter = order[static_cast<std::size_t>(i)];
    if (i < rank) {
      directions.row(parameter) = -scale[parameter] * dependence.row(i);
    } else {
      directions(parameter, i - rank) = scale[parameter];
    }
  }
  for (Eigen::Index d = 0; d < missing; ++d) {
    directions.col(d) /= scale[order[static_cast<std::size_t>(rank + d)]];
  }
  return directions;
}

}  // namespace cannonade
