// Finds the minimum of a loss with an anchor: damped Newton with LDLT up to a few thousand weights,
// above that L-BFGS preconditioned with a Hessian of a sample of the rows.
//
// What always holds: the objective never rises from one accepted point to the next, so stopping at
// any pass leaves the best so far; the result is the same bytes for any number of threads; pinned
// parameters do not move.
//
// Passes over the data are what costs, so they are counted: a gradient pass gives value and
// gradient together; Newton keeps a factored Hessian for as long as its steps shrink well.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <vector>

#include "tuner/anchor.h"
#include "tuner/factor.h"
#include "tuner/loss.h"

namespace cannonade {

struct Progress {
  int gradient_passes = 0;
  int hessian_passes = 0;
  double loss = 0;           // mean over positions, without the anchor
  double objective = 0;      // with it
  double gradient_norm = 0;  // of the objective, free parameters only
  double largest_step = 0;   // centipawns: what the next step would move the farthest weight by
  double seconds = 0;        // since the start
  double eta_seconds = -1;   // from the rate at which steps shrink; -1: not known yet
};

// Called at the start and after every step; false stops the fit.
using ProgressCallback = std::function<bool(const Progress&)>;

enum class Method : std::uint8_t { kAuto, kNewton, kLbfgs };

struct OptimiserSettings {
  Method method = Method::kAuto;
  Eigen::Index newton_limit = 4096;  // kAuto takes Newton up to this many free parameters
  int max_gradient_passes = 100;
  double tolerance = 0.02;  // centipawns: done when the largest remaining step is below
  ProgressCallback progress = {};
};

struct OptimiserResult {
  Eigen::VectorXd weights;
  double loss = 0;       // mean, without the anchor
  double objective = 0;  // mean, with it
  int gradient_passes = 0;
  int hessian_passes = 0;  // of a sample or the whole
  double largest_step = 0;
  bool converged = false;
  bool stopped = false;  // by the callback
};

// What is minimised: loss + anchor over the parameters that are not pinned (which keep their value
// in `start`). All must outlive the call.
struct Problem {
  const Loss& loss;
  const Anchor& anchor;
  const std::vector<Eigen::Index>& pinned;
};

// The parameters that are not pinned, ascending. Throws a user error if a pinned one does not
// exist.
[[nodiscard]] std::vector<Eigen::Index> free_parameters(const Problem& problem);

// Throws a user error on bad settings or a start that is not all numbers, an internal error if the
// loss is not finite at the start.
[[nodiscard]] OptimiserResult minimise(const Problem& problem, const Eigen::VectorXd& start,
                                       const OptimiserSettings& settings);

// L-BFGS with a given inverse metric over the free parameters, for a series of similar problems.
[[nodiscard]] OptimiserResult minimise_with(const Problem& problem, const Eigen::VectorXd& start,
                                            const Factor& metric,
                                            const OptimiserSettings& settings);

}  // namespace cannonade
