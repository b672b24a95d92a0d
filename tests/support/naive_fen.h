// The naive twin of the rules, part three: positions from outside and start positions, as FENs.
#pragma once

#include <string>
#include <string_view>

#include "tests/support/naive_board.h"

namespace cannonade::naive {

// Reads a FEN of four to six fields and refuses what "Positions from outside" refuses.
[[nodiscard]] Expected<Board> parse_fen(Rules rules, std::string_view fen);
[[nodiscard]] std::string to_fen(const Board& board);

// The start FEN from the four ways of filling a wing (J6): "inside", "outside", "left", "right".
[[nodiscard]] Expected<std::string> start_fen(std::string_view cho, std::string_view han);

}  // namespace cannonade::naive
