// Xiangqi turns in columns, Chinese ("炮二平五") or WXF ("C2=5"): the piece, its file counted from
// the mover's right, the direction, and steps or the file arrived at. Of two pieces of a kind on
// one file 前 or 后 (+ or -) stands for the file, of three soldiers 前 中 后 (a b c), of more a
// number (a letter) from the front; where several files hold two soldiers or more they are numbered
// together, from the right.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/board/position.h"
#include "core/board/types.h"

namespace cannonade {

enum class XiangqiColumns : std::uint8_t { kChinese, kWxf };

// The text of a legal turn of `position`; its UCI word where two legal turns would have one text
// (boards with more pieces than a set has).
[[nodiscard]] std::string to_xiangqi_columns(const Position& position, Move move,
                                             XiangqiColumns style);

// The legal turn that a text in either style names (simplified or traditional, full-width digits
// too); fails when there is none, or more than one.
[[nodiscard]] Expected<Move> parse_xiangqi_columns(const Position& position, std::string_view text);

}  // namespace cannonade
