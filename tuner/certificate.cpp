#include "tuner/certificate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cannonade {
namespace {

constexpr double kSmallShare = 0.02;  // of the largest effect

}  // namespace

std::vector<NullDirection> flat_directions(const Eigen::MatrixXd& hessian,
                                           const std::vector<Eigen::Index>& among,
                                           double tolerance) {
  const Eigen::MatrixXd columns = null_directions(hessian(among, among), tolerance);
  std::vector<NullDirection> result;
  for (Eigen::Index d = 0; d < columns.cols(); ++d) {
    const Eigen::VectorXd column = columns.col(d) / columns.col(d).cwiseAbs().maxCoeff();
    // What a part does to the scores, not its number, says whether it matters.
    Eigen::VectorXd effect = column.cwiseAbs();
    for (Eigen::Index i = 0; i < column.size(); ++i) {
      const Eigen::Index j = among[static_cast<std::size_t>(i)];
      effect[i] *= std::sqrt(std::max(0.0, hessian(j, j)));
    }
    const double small = kSmallShare * effect.maxCoeff();
    NullDirection direction;
    for (Eigen::Index i = 0; i < column.size(); ++i) {
      if (effect[i] >= small && effect[i] > 0) {
        direction.parts.emplace_back(among[static_cast<std::size_t>(i)], column[i]);
      }
    }
    // Rounding must not decide the order of equal shares.
    const auto size = [](const auto& part) { return std::round(std::abs(part.second) * 1e6); };
    std::stable_sort(direction.parts.begin(), direction.parts.end(),
                     [&](const auto& a, const auto& b) { return size(a) > size(b); });
    if (direction.parts.front().second < 0) {
      for (auto& part : direction.parts) part.second = -part.second;
    }
    result.push_back(std::move(direction));
  }
  return result;
}

Certificate certify(const Problem& problem, const Eigen::VectorXd& weights,
                    const Eigen::MatrixXd& hessian) {
  const std::vector<Eigen::Index> free = free_parameters(problem);
  Certificate c;
  Eigen::VectorXd gradient;
  problem.loss.evaluate(weights, &gradient);
  problem.anchor.add_to(weights, &gradient);
  const Eigen::VectorXd free_gradient = gradient(free);
  c.gradient_norm = free_gradient.norm() / problem.loss.total_weight();
  Eigen::MatrixXd whole = hessian;
  problem.anchor.add_to(whole);
  const Factor factor(whole(free, free));
  c.condition = factor.condition();
  const Eigen::VectorXd step = factor.solve(free_gradient);
  if (step.size() > 0) {
    Eigen::Index place = 0;
    c.largest_step = step.cwiseAbs().maxCoeff(&place);
    c.largest_step_parameter = free[static_cast<std::size_t>(place)];
  }
  for (const Eigen::Index j : free) {
    if (!(hessian(j, j) > 0)) c.untouched.push_back(j);
  }
  c.null_directions = flat_directions(hessian, free, kNullTolerance);
  return c;
}

std::string describe(const NullDirection& direction, const FeatureList& features,
                     std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < direction.parts.size(); ++i) {
    if (i == most) return text + fmt::format(" and {} more", direction.parts.size() - most);
    const auto& [parameter, share] = direction.parts[i];
    const double size = std::abs(share);
    if (i > 0) text += share < 0 ? " - " : " + ";
    if (std::abs(size - 1) > 5e-3) text += fmt::format("{:.2g} ", size);
    text += features.parameter_name(parameter);
  }
  return text;
}

}  // namespace cannonade
