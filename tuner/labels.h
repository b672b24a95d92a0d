// From typed outcomes to what is fitted: a label in [0, 1] (the first mover's expected result) and
// a weight for every sample, pooled to one of each for every row.
//
// What always holds: a row's weight is the sum of its samples' weights and its label their weighted
// mean, so cross-entropy over rows has the gradient of cross-entropy over samples.
#pragma once

#include <cstdint>
#include <vector>

#include "tuner/dataset.h"

namespace cannonade {

enum class DuplicateWeight : std::uint8_t {
  kSum,   // a position that n games visited counts n times
  kOnce,  // it counts once, with the mean outcome
};

struct LabelSettings {
  // label = lambda * result + (1 - lambda) * sigmoid(K * search score); a sample without a search
  // score is labelled by its result.
  double lambda = 1;
  double k = 0;  // K, per centipawn; needed where lambda < 1
  double draw_label = 0.5;
  double draw_weight = 1;                  // factor for samples of drawn games
  std::vector<double> source_weight = {};  // factor by source; sources past its end have 1
  DuplicateWeight duplicates = DuplicateWeight::kSum;
};

struct Targets {
  std::vector<float> label, weight;                // one a row
  std::vector<float> sample_label, sample_weight;  // one a sample, weights as they enter the row's
  double total_weight = 0;
};

// Throws a user error if a setting is out of range (lambda and draw_label in [0, 1], weights finite
// and not negative, K positive where it is used).
[[nodiscard]] Targets make_targets(const Dataset& data, const LabelSettings& settings);

}  // namespace cannonade
