// How strongly each group of weights should be held, relative to the others, and how strongly
// middle game and end game should be held together: a search over the anchor's factors by K-fold
// cross-validation, after its overall strength is chosen.
//
// What always holds: a factor changes only where the held-out loss falls by more than the standard
// error of the difference over the folds, so a group about which the folds disagree keeps the
// common strength.
#pragma once

#include <Eigen/Core>
#include <span>
#include <string>
#include <vector>

#include "tuner/cross_validation.h"

namespace cannonade {

struct GroupTrial {
  std::string what;  // a group's name, or "tie"
  double factor = 0;
  double gain = 0;            // fall of the held-out loss
  double standard_error = 0;  // of the gain
  bool taken = false;
};

struct GroupFactorChoice {
  AnchorSettings anchor;
  double loss_before = 0;  // held out, mean
  double loss_after = 0;
  std::vector<GroupTrial> trials;
  int gradient_passes = 0;
  bool stopped = false;  // by the callback; `anchor` is then the best so far
};

struct GroupFactorSettings {
  OptimiserSettings optimiser = quick_fits();
  std::vector<double> steps = {1.0 / 16,
                               16};  // factors tried for each group, relative to what it has
};

// One sweep over the tie and all groups with a free parameter, from `anchor`, whose strength must
// be positive. Throws a user error if a step is not positive or there are fewer than two folds.
[[nodiscard]] GroupFactorChoice choose_group_factors(std::span<const Fold> folds, const Loss& whole,
                                                     const FeatureList& features,
                                                     const Eigen::VectorXd& start,
                                                     const AnchorSettings& anchor,
                                                     const std::vector<Eigen::Index>& pinned,
                                                     const GroupFactorSettings& settings);

}  // namespace cannonade
