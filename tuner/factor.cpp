#include "tuner/factor.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "selfplay/parallel_loop.h"

namespace cannonade {
namespace {

constexpr Eigen::Index kSmall = 1024;
constexpr Eigen::Index kPanel = 64;  // columns that a blocked step takes together

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
  if (scaled.rows() > kSmall) {
    Eigen::LLT<Eigen::MatrixXd> blocked(scaled);
    if (blocked.info() == Eigen::Success) {
      factor_ = std::move(blocked);
      return;
    }
  }
  factor_ = Eigen::LDLT<Eigen::MatrixXd>(scaled);
}

Eigen::VectorXd Factor::solve(const Eigen::VectorXd& right) const {
  const Eigen::VectorXd scaled = scale_.cwiseProduct(right);
  const Eigen::VectorXd solution = std::visit(
      [&](const auto& factor) -> Eigen::VectorXd { return factor.solve(scaled); }, factor_);
  return scale_.cwiseProduct(solution);
}

double Factor::condition() const {
  return 1 / std::visit([](const auto& factor) { return factor.rcond(); }, factor_);
}

Eigen::MatrixXd Factor::inverse() const {
  const Eigen::Index n = scale_.size();
  Eigen::MatrixXd result(n, n);
  parallel_loop(Eigen::Index{0}, (n + kPanel - 1) / kPanel, [&](Eigen::Index task) {
    const Eigen::Index first = task * kPanel;
    const Eigen::Index count = std::min(kPanel, n - first);
    Eigen::MatrixXd right = Eigen::MatrixXd::Zero(n, count);
    for (Eigen::Index i = 0; i < count; ++i) right(first + i, i) = scale_[first + i];
    const Eigen::MatrixXd solution = std::visit(
        [&](const auto& factor) -> Eigen::MatrixXd { return factor.solve(right); }, factor_);
    result.middleCols(first, count) = scale_.asDiagonal() * solution;
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
  // What is left of the permuted matrix past the panels that are done; then, column by column, L.
  Eigen::MatrixXd lower = matrix(order, order);
  lower = scale(order).asDiagonal() * lower * scale(order).asDiagonal();
  Eigen::VectorXd left = Eigen::VectorXd::Ones(n);  // of the diagonal, after the steps so far
  Eigen::Index rank = 0;
  bool full = true;
  while (rank < n && full) {
    const Eigen::Index panel = rank;
    for (const Eigen::Index end = std::min(n, panel + kPanel); rank < end; ++rank) {
      Eigen::Index pivot = 0;
      full = left.tail(n - rank).maxCoeff(&pivot) >= tolerance;
      if (!full) break;
      pivot += rank;
      std::swap(order[static_cast<std::size_t>(rank)], order[static_cast<std::size_t>(pivot)]);
      std::swap(left[rank], left[pivot]);
      lower.row(rank).swap(lower.row(pivot));
      lower.col(rank).tail(n - panel).swap(lower.col(pivot).tail(n - panel));
      const double root = std::sqrt(left[rank]);
      const Eigen::Index below = n - rank - 1;
      const Eigen::Index done = rank - panel;
      Eigen::VectorXd column = lower.col(rank).tail(below);
      column.noalias() -= lower.block(rank + 1, panel, below, done) *
                          lower.row(rank).segment(panel, done).transpose();
      lower(rank, rank) = root;
      lower.col(rank).tail(below) = column / root;
      left.tail(below) -= lower.col(rank).tail(below).cwiseAbs2();
    }
    const Eigen::Index below = n - rank;
    const auto done = lower.block(rank, panel, below, rank - panel);
    parallel_loop(Eigen::Index{0}, (below + kPanel - 1) / kPanel, [&](Eigen::Index task) {
      const Eigen::Index first = task * kPanel;
      const Eigen::Index count = std::min(kPanel, below - first);
      lower.block(rank, rank + first, below, count).noalias() -=
          done * done.middleRows(first, count).transpose();
    });
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
