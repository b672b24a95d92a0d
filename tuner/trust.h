// What a fitted weight is worth: its standard error, and whether the data determine it at all.
//
// Standard errors come from the sandwich estimator clustered by game pair (White, Econometrica 50,
// 1982; Liang and Zeger, Biometrika 73, 1986): with the loss's Hessian H, the anchor's A, and the
// covariance M of the clusters' gradients, the weights' covariance is (H + A)^-1 M (H + A)^-1. They
// describe how the weights would scatter over other games, not the pull of the anchor.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <string>
#include <vector>

#include "tuner/certificate.h"
#include "tuner/clusters.h"
#include "tuner/objective.h"
#include "tuner/optimiser.h"

namespace cannonade {

struct TrustSettings {
  // A weight that fewer pairs see is undetermined whatever they say.
  std::uint64_t min_pairs = 8;
  // So is one of which the data determine a smaller share than this; the rest is the anchor's.
  double min_share = 0.1;
  // Weights in a direction whose scaled pivot is below this are collinear: the data see their sum.
  double collinear_tolerance = 1e-4;
};

struct WeightTrust {
  Eigen::Index parameter = 0;
  double value = 0;           // centipawns, as the next three
  double change = 0;          // from the anchor's start
  double standard_error = 0;  // clustered; 0 where pinned
  double naive_error = 0;     // as if positions were independent
  double z = 0;               // change / standard_error; 0 where that is 0
  // 1 - (variance under data and anchor) / (variance under the anchor alone): 1 where the data
  // determine the weight, 0 where the anchor does.
  double data_share = 0;
  std::uint64_t positions = 0;  // that see it
  std::uint64_t pairs = 0;
  bool pinned = false;
  bool determined = false;
  int collinear_group = -1;  // index into TrustReport::collinear
};

struct TrustReport {
  std::vector<WeightTrust> weights;                  // one a parameter
  std::vector<std::vector<Eigen::Index>> collinear;  // groups of parameters, each ascending
  std::size_t clusters = 0;
  double median_error_ratio = 0;  // standard_error / naive_error, of determined weights
};

// At the minimum `weights` of the problem, whose loss is `objective`; `hessian` of that loss over
// all parameters. Throws a user error if there are fewer than two pairs.
[[nodiscard]] TrustReport assess(const Objective& objective, const Anchor& anchor,
                                 const std::vector<Eigen::Index>& pinned,
                                 const Eigen::VectorXd& weights, const Eigen::MatrixXd& hessian,
                                 const TrustSettings& settings = {});

// Parameters that fewer than min_pairs pairs see: pin them, and they stay at their anchor.
[[nodiscard]] std::vector<Eigen::Index> rarely_seen(const Objective& objective,
                                                    std::uint64_t min_pairs);

// Parameters that an assessment calls undetermined, pinned ones aside: pin them and fit again.
[[nodiscard]] std::vector<Eigen::Index> undetermined(const TrustReport& report);

}  // namespace cannonade
