// The sigmoid's scale K: a centipawn's worth in log odds, solved once and then held fixed, so that
// the weights' own scale cannot run away.
#pragma once

#include <span>

#include "tuner/labels.h"
#include "tuner/objective.h"

namespace cannonade {

// K between a draw-like game in which 1000 centipawns say nothing and one in which a single one
// decides.
inline constexpr double kMinScale = 1e-5;
inline constexpr double kMaxScale = 1;

struct ScaleFit {
  double k = 0;           // per centipawn
  double loss = 0;        // mean, at k
  bool at_bound = false;  // the data have no best K between the bounds: k must not be trusted
};

// The K that minimises the loss of `scores` (centipawns, one a row) against the labels. A grid over
// log K finds the valley, Brent's method its bottom; nothing is assumed of the start. The same
// bytes for any number of threads. Throws a user error if no row weighs anything.
[[nodiscard]] ScaleFit solve_scale(std::span<const double> scores, const Targets& targets,
                                   LossKind loss);

}  // namespace cannonade
