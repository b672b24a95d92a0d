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

// An evaluator may also stand for a player who overlooks turns: whether the side to move in
// `position`, after `last` (kNoMove: not known), does not think of `move`, which is legal. The
// search then plays as if the turn were not there; it does not ask about the turns at its root, nor
// about answers to a check. Must be a function of its arguments.
template <class T>
concept OverlookingEvaluator = Evaluator<T> &&
    requires(const T& evaluator, const Position& position, Move last, Move move) {
  { evaluator.overlooks(position, last, move) } -> std::convertible_to<bool>;
};

}  // namespace cannonade
