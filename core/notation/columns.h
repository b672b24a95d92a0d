// Turns in the field's own letters: Korean for janggi (core/notation/korean_columns.h), Chinese or
// WXF for xiangqi (core/notation/xiangqi_columns.h); and the reader of any way to write a turn.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/board/position.h"
#include "core/board/types.h"

namespace cannonade {

enum class MoveStyle : std::uint8_t {
  kUci,
  kColumns,  // Korean or Chinese, as the game has it
  kWxf,      // xiangqi; Korean in janggi
};
// The text of a legal turn of `position`.
[[nodiscard]] std::string to_text(const Position& position, Move move, MoveStyle style);

// A turn in UCI words, columns, ICCS ("H2-E2") or algebraic letters ("Nc3", "Cbxe3+", "c5"). Fails
// when it is none of these or names no piece there, or no or several legal turns; where the text
// itself says from and to, whether the turn is legal is movegen's to say.
[[nodiscard]] Expected<Move> parse_any_turn(const Position& position, std::string_view text);

}  // namespace cannonade
