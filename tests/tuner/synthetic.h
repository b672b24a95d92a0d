// Data sets with known answers for the tuner's tests: random rows, and games simulated from known
// weights. Naive reading of rows for tests to compare with.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <vector>

#include "tuner/dataset.h"
#include "tuner/labels.h"

namespace cannonade {

struct SimulationSettings {
  int features = 10;
  int active = 6;   // features a position has
  int pairs = 100;  // of games
  int plies = 20;   // positions a game
  int max_phase = 24;
  double k = 0.006;  // of the simulated outcomes
  std::uint64_t seed = 1;
  bool offsets = true;  // random offsets and scales
  // How much of a game's chance is one draw for the whole game, and of that for the whole pair: 0
  // makes all positions independent.
  double game_share = 0.6;
  double pair_share = 0.3;
  double persistence = 0.5;  // chance that a feature of a position is still there a ply later
};

// `count` features in groups "pieces" (the first half) and "squares".
[[nodiscard]] FeatureList some_features(int count);

// Positions of random games with outcomes drawn for each position with probability
// sigmoid(K * score(weights)), dependent within a game and a pair: the marginal model is exactly
// the logistic one, the rows are clustered.
[[nodiscard]] Dataset simulate(const SimulationSettings& settings, const Eigen::VectorXd& weights);

// sum_j c_j (mg_j p + eg_j (1 - p)) scale / 64 + offset, straight from the definition.
[[nodiscard]] double naive_score(const Dataset& data, std::size_t row,
                                 const Eigen::VectorXd& weights);
// d score / d weights.
[[nodiscard]] Eigen::VectorXd naive_gradient(const Dataset& data, std::size_t row);

[[nodiscard]] Eigen::VectorXd random_weights(int features, double size, std::uint64_t seed);

// Each row labelled by its result.
[[nodiscard]] std::shared_ptr<const Targets> targets_of(const Dataset& data);

// For fits in which every weight is free.
inline const std::vector<Eigen::Index> kNothingPinned;

}  // namespace cannonade
