// Static exchange evaluation: what a series of captures on one point gains.
#pragma once

#include "core/board/position.h"

namespace cannonade {

// Exchange values in centipawns; the general's is beyond all others.
[[nodiscard]] int see_value(Game game, PieceKind kind);

// All pieces of both sides that attack `square` when `occupied` stand on the board and, in janggi,
// `target_is_cannon` tells whether a cannon stands on it (cannons do not take cannons, J13).
[[nodiscard]] Bitboard attackers_to(const Position& position, Square square, Bitboard occupied,
                                    bool target_is_cannon);

// Whether the capture (or quiet turn) wins at least `threshold` centipawns when both sides go on
// taking on its target with their least valuable pieces. Pins are not looked at.
[[nodiscard]] bool see_at_least(const Position& position, Move move, int threshold);

}  // namespace cannonade
