// What a player may spend on its turns, as settings give it: the same for every turn of a game
// (nodes, depth, time a move) or a clock.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/search/limits.h"
#include "selfplay/settings.h"

namespace cannonade {

struct TimeControl {
  std::chrono::milliseconds base{0};  // zero: no clock
  std::chrono::milliseconds increment{0};
  bool operator==(const TimeControl&) const = default;
};
// "10+0.1", in seconds; "10" has no increment; "" is no clock. At most a day.
[[nodiscard]] Expected<TimeControl> parse_time_control(std::string_view text);
[[nodiscard]] std::string time_control_text(const TimeControl& control);

struct MoveLimits {
  std::uint64_t nodes = 0;
  std::uint64_t soft_nodes = 0;
  int depth = 0;
  int movetime_ms = 0;
  TimeControl clock;
  int margin_ms = 100;  // so much beyond the clock is forgiven, for the referee's own delays

  // Nothing bounds a turn.
  [[nodiscard]] bool empty() const;
  // Nodes and depth alone: the same games on every machine.
  [[nodiscard]] bool deterministic() const { return movetime_ms == 0 && clock.base.count() == 0; }
  // For one turn, without the clock's state.
  [[nodiscard]] SearchLimits for_turn() const;
};
// Rows nodes, soft_nodes, depth, movetime_ms, tc, margin_ms; the last only matters for clocks.
void declare(SettingsTable& table, MoveLimits& limits);

}  // namespace cannonade
