// What a front end says, as text: lines of UCI and UCCI, and boards for people.
#pragma once

#include <string>

#include "core/game/game_state.h"
#include "core/search/search_types.h"
#include "selfplay/engine_config.h"

namespace cannonade {

// "cp 34"; "mate 3" when the side to move mates with its third turn from here, "mate -2" when it is
// mated after two of its own. A win by the count of points is no mate: it shows as centipawns
// (about 20000).
[[nodiscard]] std::string score_text(Score score);

// `info depth 9 seldepth 14 multipv 1 score cp 34 ...`. UCCI knows one kind of score and no
// multipv.
[[nodiscard]] std::string info_line(const SearchInfo& info, Protocol protocol);
// `bestmove h3e3 ponder h10g8`; without a legal turn `bestmove (none)`, in UCCI `nobestmove`.
[[nodiscard]] std::string bestmove_line(const SearchResult& result, Protocol protocol);

// A line of free text: `info string ...`, in UCCI `info message ...`.
[[nodiscard]] std::string message_line(const std::string& text, Protocol protocol);

// The board with its ranks and files, and what the rules say of it; several lines.
[[nodiscard]] std::string board_text(const GameState& game);

}  // namespace cannonade
