// The lines of UCI and UCCI between an engine and the program that drives it.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/game/game_state.h"
#include "core/search/limits.h"
#include "selfplay/engine_config.h"
#include "selfplay/player.h"

namespace cannonade {

// The move text of UCCI, which counts ranks from 0 (`h2e2`), and back.
[[nodiscard]] std::string to_ucci(Move move);
[[nodiscard]] Expected<Move> parse_ucci_move(std::string_view text);

// A turn as the protocol writes it: ranks 1-10 in UCI, 0-9 in UCCI.
[[nodiscard]] std::string move_text(Move move, Protocol protocol);
[[nodiscard]] Expected<Move> parse_move(std::string_view text, Protocol protocol);

// Takes over what an `info` line says; lines of bounds and of further variations are passed over.
void read_info(const std::vector<std::string>& words, MoveChoice* choice);

// Name and allowed values of an `option name ... type ... var ...` line (UCI) or `option NAME type
// ...` (UCCI).
[[nodiscard]] std::pair<std::string, std::vector<std::string>> read_option(
    const std::vector<std::string>& words);

// `position fen ...`: `start_fen` and the game's turns since.
[[nodiscard]] std::string position_line(const GameState& game, const std::string& start_fen,
                                        Protocol protocol);

// `go ...` for the side to move. UCCI takes one kind of limit at a time.
[[nodiscard]] std::string go_line(const SearchLimits& limits, Side side, Protocol protocol);

}  // namespace cannonade
