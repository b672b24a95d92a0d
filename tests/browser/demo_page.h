// A page with every element there is, hostile names included, for tests and for looking at.
#pragma once

#include <cstdint>
#include <string>

#include "core/game/game_record.h"
#include "selfplay/page.h"

namespace cannonade {

// Text that would run as a script if it were not escaped.
inline constexpr const char* kHostileName =
    "</script><img src=x onerror=\"console.error('escaped')\"><!-- \xE2\x80\xA8 'q' \"q\" & \xFF";

// A game of random legal turns by two made-up players, with made-up scores; ends as the rules say,
// or drawn by agreement after `max_plies`.
[[nodiscard]] GameRecord demo_game(const std::string& rules, std::uint64_t id, int max_plies);

[[nodiscard]] Page demo_page();

}  // namespace cannonade
