// Games as CSV (RFC 4180): a line of column names, then a line a game. Columns that we write:
//   id pair rules first second first_hash second_hash start_fen opening_plies result reason
//   decided_by first_points second_points plies nodes moves scores note
// `moves` are UCI words; `scores` one number a turn, "-" for none, empty when no turn has one;
// `decided_by` is "points" or "". Nothing in a row depends on the clock.
#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/board/ruleset.h"
#include "core/notation/told_game.h"

namespace cannonade {

[[nodiscard]] std::string csv_header();
[[nodiscard]] std::string to_csv(const GameRecord& game);

// Columns are found by name, in any order; all but `moves` may be missing. Replayed and judged like
// any game from outside (nodes are kept, points counted afresh); `rules` must outlive the call.
// Throws a user error when the first line is no such header.
ImportCounts read_csv(std::string_view utf8, const Ruleset& rules, const GameSink& sink);

}  // namespace cannonade
