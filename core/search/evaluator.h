// What the search asks of an evaluation. Core never names the evaluation itself: the search is
// generic.
#pragma once

#include <concepts>

#include "core/board/position.h"

namespace cannonade {

// The static value in centipawns from the side to move's view, well inside the range of decided
// games
// (|value| <= 15000). Must be a function of the position alone, its counters included.
template <class T>
concept Evaluator = requires(const T& evaluator, const Position& position) {
  { evaluator(position) } -> std::convertible_to<Score>;
};

}  // namespace cannonade
