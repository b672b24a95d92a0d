// The proof that a fit is finished, and what the data could not say.
#pragma once

#include <Eigen/Core>
#include <string>
#include <utility>
#include <vector>

#include "tuner/optimiser.h"

namespace cannonade {

// A combination of weights that the data do not see: moving along it changes no score that matters.
struct NullDirection {
  // Parameters and their shares, the largest first, its share 1; small ones are left out.
  std::vector<std::pair<Eigen::Index, double>> parts;
};

struct Certificate {
  double gradient_norm = 0;  // of the mean objective, a centipawn, free parameters
  double largest_step = 0;   // centipawns: the largest move of a whole Newton step from here
  Eigen::Index largest_step_parameter = -1;
  double condition = 0;  // of the objective's Hessian scaled to unit diagonal, 1-norm estimate
  std::vector<NullDirection> null_directions;  // of the loss without the anchor
  std::vector<Eigen::Index> untouched;         // free parameters that no position sees
};

// The pivot, on the scaled Hessian, under which a direction counts as null: below it lies rounding.
inline constexpr double kNullTolerance = 1e-9;

// `hessian`: of problem.loss at `weights` over all parameters. Takes one gradient pass.
[[nodiscard]] Certificate certify(const Problem& problem, const Eigen::VectorXd& weights,
                                  const Eigen::MatrixXd& hessian);

// Directions in which the loss is flat to within `tolerance`, over the parameters `among`.
[[nodiscard]] std::vector<NullDirection> flat_directions(const Eigen::MatrixXd& hessian,
                                                         const std::vector<Eigen::Index>& among,
                                                         double tolerance);

// "a.mg + 0.5 b.eg - c.mg", at most `most` parts.
[[nodiscard]] std::string describe(const NullDirection& direction, const FeatureList& features,
                                   std::size_t most = 8);

}  // namespace cannonade
