// UCI move lists: one game a line, `position startpos moves ...`, `position fen F moves ...` or
// bare moves; a result may follow. Lines that begin with # or % are comments.
//
// Ranks are 1 to 10; engines of the UCCI family write 0 to 9. Which of the two a whole file uses is
// recognised: by a rank that only one of them has, or by its games being legal in only one.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/board/ruleset.h"
#include "core/notation/told_game.h"

namespace cannonade {

enum class RankBase : std::uint8_t { kRecognise, kOne, kZero };

// `rules` must outlive the call. A file that fits both is read with ranks from 1, and a remark says
// so (line 0).
ImportCounts read_uci_list(std::string_view text, const Ruleset& rules, RankBase base,
                           const GameSink& sink);

// "h2e2" with ranks from 0: two letters a-i, two digits 0-9.
[[nodiscard]] std::optional<Move> parse_zero_based(std::string_view word);

}  // namespace cannonade
