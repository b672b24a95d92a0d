// PGN for janggi and xiangqi.
//
// Tags that we write beside the usual seven: Variant (Janggi, Xiangqi), Rules (our id), FEN and
// SetUp "1" when the start is not the usual one, Termination (our reason), DecidedBy "points",
// WhiteHash and BlackHash, OpeningPlies. White is the first mover. A score follows its turn as
// {+0.35} in soldiers from the mover's view, a mate in n plies as {+M7}.
#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/board/ruleset.h"
#include "core/notation/columns.h"
#include "core/notation/told_game.h"

namespace cannonade {

struct PgnOptions {
  std::string event = "?";
  MoveStyle style = MoveStyle::kUci;
  bool scores = true;
};

// The game with an empty line after it. Fails for a record whose start or turns are not legal under
// `rules`.
[[nodiscard]] Expected<std::string> to_pgn(const GameRecord& game, const Ruleset& rules,
                                           const PgnOptions& options = {});

// Reads any number of games; `rules` must outlive the call. Turns may be written in every way that
// parse_any_turn() knows. Variations and NAGs are ignored; comments that are no score are counted.
// A game of the other variant is left out; one of another rule set of the same game is judged by
// `rules`.
ImportCounts read_pgn(std::string_view utf8, const Ruleset& rules, const GameSink& sink);

}  // namespace cannonade
