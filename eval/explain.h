// A position's evaluation as a person reads it: by group of features, what either side gets from
// it.
#pragma once

#include <string>
#include <vector>

#include "core/board/position.h"
#include "eval/weights.h"

namespace cannonade {

// Centipawns after blending middle game and end game, before the scale; each side's own view.
struct GroupScore {
  FeatureGroup group;
  double first = 0;
  double second = 0;
  [[nodiscard]] double net() const { return first - second; }
};

struct FeatureScore {
  int feature = 0;
  int first = 0;  // how often active for either side
  int second = 0;
  double value = 0;  // centipawns in all, first mover's view
};

struct Explanation {
  int phase = 0;                       // of kFullPhase
  int scale = 0;                       // of kFullScale
  Score score = 0;                     // the evaluation, first mover's view
  std::vector<GroupScore> groups;      // of groups that are active, in the table's order
  std::vector<FeatureScore> features;  // active ones, the largest effect first
};

[[nodiscard]] Explanation explain(const Position& position, const Weights& weights);

// The explanation as a table, without an end of line: groups, then the `features` largest single
// features.
[[nodiscard]] std::string explanation_text(const Explanation& told, Game game, int features);

}  // namespace cannonade
