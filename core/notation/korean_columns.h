// Janggi turns as Korean records write them: from, piece, to ("79졸78"). A point is row and file:
// row 1 is Han's back rank, row 0 (the tenth) Cho's; file 1 is a. A pass is 한수쉼.
#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/board/position.h"
#include "core/board/types.h"

namespace cannonade {

// The text of a legal turn of `position`.
[[nodiscard]] std::string to_korean(const Position& position, Move move);

// The turn that the text names. Chinese characters, a side's mark before the piece ("79楚卒78") and
// whatever follows the move (a captured piece, 장군) are taken too. Fails when the text is no turn,
// or when the board has not the mover's piece that it names at its start; whether the turn is legal
// is movegen's to say.
[[nodiscard]] Expected<Move> parse_korean_turn(const Position& position, std::string_view text);

}  // namespace cannonade
