// The pull toward the starting weights: with changes d = w - start,
//     1/2 sum_j strength_j d_j^2 + 1/2 sum_features tie_f (d_f,mg - d_f,eg)^2.
// In the units of Loss (a sum over positions) a strength is the precision of a Gaussian prior:
// 1 / (10 centipawns)^2 says that changes of about 10 centipawns are expected.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "tuner/dataset.h"

namespace cannonade {

struct AnchorSettings {
  double strength = 0;                    // 1 / centipawns^2
  double tie = 1;                         // middle game to end game, in multiples of strength
  std::vector<double> group_factor = {};  // multiplies both, one a group; 1 where absent
};

class Anchor {
 public:
  // Throws a user error if a strength is negative or not finite, or sizes differ.
  Anchor(Eigen::VectorXd start, Eigen::VectorXd strength, Eigen::VectorXd tie);
  Anchor(const FeatureList& features, Eigen::VectorXd start, const AnchorSettings& settings);

  // No pull at all.
  [[nodiscard]] static Anchor none(const Eigen::VectorXd& start);

  [[nodiscard]] const Eigen::VectorXd& start() const { return start_; }
  // The same pull toward another place.
  [[nodiscard]] Anchor moved_to(const Eigen::VectorXd& start) const;
  // All strengths multiplied.
  [[nodiscard]] Anchor scaled(double factor) const;

  // The value at `weights`; adds the gradient where asked for.
  double add_to(const Eigen::VectorXd& weights, Eigen::VectorXd* gradient) const;
  void add_to(Eigen::MatrixXd& hessian) const;

  // The variance that the anchor alone gives each of the parameters `free` while all others are
  // held; infinity where it does not pull.
  [[nodiscard]] Eigen::VectorXd prior_variances(const std::vector<Eigen::Index>& free) const;

 private:
  Eigen::VectorXd start_;     // 2n, as FeatureList orders weights
  Eigen::VectorXd strength_;  // 2n
  Eigen::VectorXd tie_;       // n
};

}  // namespace cannonade
