// Checks of a fit from outside: what rounding to integers costs, what it gains on games that it did
// not see, and whether predicted results are what happens.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "tuner/objective.h"

namespace cannonade {

// Rounding to whole centipawns (halves away from zero), and what it costs (mean losses).
struct Rounding {
  Eigen::VectorXd weights;
  double loss_before = 0;
  double loss_after = 0;
};
[[nodiscard]] Rounding round_weights(const Loss& loss, const Eigen::VectorXd& weights);

// From one vector of weights to another: the change of the mean loss, and how far chance may have
// moved it. A few hundred games say little of a loss, so a change goes with its error.
struct LossChange {
  double before = 0;  // mean losses
  double after = 0;
  double standard_error = 0;  // of after - before, clustered by pair; 0 with fewer than two pairs
};
[[nodiscard]] LossChange loss_change(const Objective& objective, const Eigen::VectorXd& before,
                                     const Eigen::VectorXd& after);

// Predictions against outcomes in equal slices of predicted result.
struct CalibrationBucket {
  double low = 0;  // predicted results in [low, high)
  double high = 0;
  double weight = 0;     // of the positions in it
  double predicted = 0;  // means; 0 where nothing is
  double actual = 0;
  double standard_error = 0;  // of `actual`, clustered by pair
};
// Throws a user error if `buckets` is not in 1..1000.
[[nodiscard]] std::vector<CalibrationBucket> calibration(const Objective& objective,
                                                         const Eigen::VectorXd& weights,
                                                         int buckets = 20);

}  // namespace cannonade
