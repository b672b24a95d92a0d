// The naive twin of the rules, part two: moves.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/naive_board.h"

namespace cannonade::naive {

// Every legal turn as a sorted list of words.
[[nodiscard]] std::vector<std::string> legal_moves(Rules rules, const Board& board);
[[nodiscard]] bool has_legal_move(Rules rules, const Board& board);

// Whether the general of the side is attacked; by default of the side to move.
[[nodiscard]] bool in_check(Rules rules, const Board& board, Side side);
[[nodiscard]] bool in_check(Rules rules, const Board& board);

// The pieces of `side` that may land on the point, their own general's safety not asked.
[[nodiscard]] std::vector<Point> takers_of(Rules rules, const Board& board, Point point, Side side);

// Leaves at `depth` turns; passes count, drawn positions do not cut the tree.
[[nodiscard]] std::uint64_t perft(Rules rules, const Board& board, int depth);

}  // namespace cannonade::naive
