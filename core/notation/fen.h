// FEN, in Fairy-Stockfish's letters: files a-i from the left, ranks from 10 down, upper case for
// the side that moves first. `E` and `H` are accepted for elephant and horse; the last two fields
// may be missing. The fifth field counts turns since the last capture.
#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/board/position.h"

namespace cannonade {

// The usual start (J5 with both sides inside; X3).
[[nodiscard]] std::string_view start_fen(Game game);

// `rules` must outlive the position. The failure says what is wrong with which field.
[[nodiscard]] Expected<Position> parse_fen(const Ruleset& rules, std::string_view fen);
Expected<Position> parse_fen(const Ruleset&&, std::string_view) = delete;
[[nodiscard]] std::string to_fen(const Position& position);

// The letter of a piece, upper case for the first mover.
[[nodiscard]] char piece_letter(Piece piece);

// The four ways to fill the points between chariots and guards (J6).
enum class SetUp : std::uint8_t { kInside, kOutside, kLeft, kRight };
constexpr int kSetUps = 4;
[[nodiscard]] std::string_view set_up_name(SetUp set_up);
[[nodiscard]] Expected<SetUp> parse_set_up(std::string_view name);
// One of janggi's 16 start positions.
[[nodiscard]] std::string set_up_fen(SetUp cho, SetUp han);

}  // namespace cannonade
