// EPD: one position a line, a FEN and operations, each a name, operands and a semicolon.
//
//   <fen> c9 "1-0"; id "7"; sm h3e3;
//
// `c9` is the game's result, `id` the game, `sm` the turn that was played from the position. The
// first line of a game that we write also carries c0 (the reason), c1 and c2 (the players), c3 and
// c4 (their hashes), c5 "points" where the count decided, and c6 (how many turns the opening gave),
// so that the lines of one game read back as that game. Scores are not kept. Lines from elsewhere
// have a result in c9 or bare at the end (1-0, 1/2-1/2, [0.5]) and become games without turns.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/board/ruleset.h"
#include "core/notation/told_game.h"

namespace cannonade {

struct EpdLine {
  std::string fen;                                // as written, not checked
  std::map<std::string, std::string> operations;  // operands without quotes
  std::string result;                             // the bare result at the end, if there is one
};
// A line that is neither empty nor a comment. Fails for text without a board and a side to move.
[[nodiscard]] Expected<EpdLine> parse_epd_line(std::string_view line);
[[nodiscard]] bool is_epd_comment(std::string_view line);  // begins with #, % or //

// One line for every turn (and one for a game without turns). Fails for a record whose start or
// turns are not legal under `rules`.
[[nodiscard]] Expected<std::string> to_epd(const GameRecord& game, const Ruleset& rules);

// `rules` must outlive the call. Comment lines are counted; lines that are no position or have no
// result are left out with a remark.
ImportCounts read_epd(std::string_view utf8, const Ruleset& rules, const GameSink& sink);

}  // namespace cannonade
