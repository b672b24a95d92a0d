// Openings from a file: EPD or FEN, one a line, or PGN, the first turns of each game.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/board/ruleset.h"
#include "core/game/game_state.h"

namespace cannonade {

struct Opening {
  std::string start_fen;
  std::vector<Move> moves;  // legal from there; the game is not over after them
};

struct OpeningBook {
  std::vector<Opening> openings;    // in the file's order
  std::vector<std::string> faults;  // "file:line: why" of what gives no opening
};

// `plies`: how many turns of a PGN game to take; 0 takes all. User error for a file that cannot be
// read.
[[nodiscard]] OpeningBook read_opening_book(const std::filesystem::path& file, const Ruleset& rules,
                                            int plies);

// Why no game should begin from here: over, as good as over, or the generals face already. Empty
// when one can.
[[nodiscard]] std::string why_no_opening(const GameState& game);

}  // namespace cannonade
