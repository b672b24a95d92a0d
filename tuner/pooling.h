// Fits of several presets of one variant, pooled partially: each preset's weights are pulled toward
// the variant's common ones, as far as the games of all others say that it should be.
//
// The common weights are fitted to the games of all presets together; a preset's then to its own
// games with the common weights as anchor. How strong that anchor is (one strength for all presets:
// a preset with few games is pulled farther by it anyway) is chosen by K-fold cross-validation, in
// which the common weights of a fold do not know the fold's games either.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tuner/anchor.h"
#include "tuner/cross_validation.h"
#include "tuner/loss.h"
#include "tuner/optimiser.h"

namespace cannonade {

struct PoolMember {
  std::string name;
  std::shared_ptr<const Loss> whole;  // the preset's training games
  std::vector<Fold> folds;            // of them; as many as every other member has
};

struct PoolingSettings {
  OptimiserSettings optimiser = OptimiserSettings();
  double quick_tolerance = 0.2;  // centipawns, of the fits of folds
  // How far a preset may be expected to lie from the common weights, in centipawns, nearest first;
  // 0: not at all.
  std::vector<double> deviations = {0, 1, 2, 4, 8, 16, 32, 64, 128};
};

struct Pooling {
  Eigen::VectorXd common;
  std::vector<Eigen::VectorXd> weights;  // one a member
  double deviation = 0;                  // the chosen one
  std::vector<CandidateLoss> curve;      // in the order of the deviations; strength 1 / deviation^2
  int gradient_passes = 0;               // over single members' data, the final fits' among them
  bool stopped = false;  // by the callback: weights are the common ones where not done
};

// `anchor`: pulls the common weights to where they start. `shape`: with unit strength, what the
// pull toward the common weights looks like (groups, ties). Throws a user error that names the
// member if one has other parameters, no games, or fewer than two or another number of folds.
[[nodiscard]] Pooling pool(std::span<const PoolMember> members, const Anchor& anchor,
                           const Anchor& shape, const std::vector<Eigen::Index>& pinned,
                           const PoolingSettings& settings);

}  // namespace cannonade
