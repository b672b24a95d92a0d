// Text for people and for the page: the forms that numbers take on every report, and what makes
// text from outside safe to put into a page.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "core/board/types.h"
#include "core/game/ending.h"

namespace cannonade {

// "12,345".
[[nodiscard]] std::string format_count(std::uint64_t count);
// "1,234.5", "−0.3" (a true minus sign); a value that is not finite is an en dash. Never "−0.0".
[[nodiscard]] std::string format_number(double value, int decimals);
// As format_number, with a plus sign before what is above zero: "+12.3".
[[nodiscard]] std::string format_signed(double value, int decimals);
// "52.4 %" of the fraction 0.524.
[[nodiscard]] std::string format_percent(double fraction, int decimals);
// "± 7.2".
[[nodiscard]] std::string format_error(double half_width, int decimals);
// "−3.1 to 12.4".
[[nodiscard]] std::string format_interval(double low, double high, int decimals);
// "0.8 s", "42 s", "3 min 20 s", "2 h 13 min".
[[nodiscard]] std::string format_duration(double seconds);
// The reason of an ending in words: "no progress" of "no_progress".
[[nodiscard]] std::string in_words(std::string_view name);

// "Cho", "Black".
[[nodiscard]] std::string side_words(Game game, Side side);
// How a game ended, in words: "Cho won by checkmate", "Drawn by repetition", "Han won on points
// after no progress".
[[nodiscard]] std::string outcome_words(Game game, const Outcome& outcome);

// The same text as UTF-8 that every browser takes: bytes that are not UTF-8 become U+FFFD, control
// characters other than tab and line feed become spaces.
[[nodiscard]] std::string clean_text(std::string_view text);
// JSON for an HTML <script> element: nothing in it can end the element, whatever the strings hold
// (`</`, `<!--`, U+2028 and the rest are escapes; bytes that are not UTF-8 become U+FFFD).
[[nodiscard]] std::string json_for_script(const nlohmann::json& json);

}  // namespace cannonade
