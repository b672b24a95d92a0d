// Turns as UCI words: from and to, files a-i and ranks 1-10 (`h3h10`); a pass is the general's
// square twice (`e2e2`).
#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/board/types.h"

namespace cannonade {

[[nodiscard]] std::string to_uci(Square square);
[[nodiscard]] std::string to_uci(Move move);

// The words only; whether the turn is legal is movegen's to say.
[[nodiscard]] Expected<Square> parse_square(std::string_view text);
[[nodiscard]] Expected<Move> parse_uci_move(std::string_view text);

}  // namespace cannonade
