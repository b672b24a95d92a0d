// Material points as janggi's count has them (J29, J30), in half points so that Han's 1.5 is whole.
#pragma once

#include <array>
#include <string>

#include "core/board/position.h"

namespace cannonade {

struct Points {
  int first_halves = 0;
  int second_halves = 0;  // the second mover's bonus included

  // Positive when the first mover leads.
  [[nodiscard]] int lead_halves() const { return first_halves - second_halves; }
};

// Points of both sides under the position's rule set; a rule set without a count has no bonus.
[[nodiscard]] Points count_points(const Position& position);

// "72" or "73.5".
[[nodiscard]] std::string format_halves(int halves);

}  // namespace cannonade
