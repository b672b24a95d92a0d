#include "selfplay/move_limits.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace cannonade {
namespace {

constexpr double kMaxSeconds = 86'400;
constexpr std::uint64_t kMaxNodes = 1'000'000'000'000;
constexpr int kMaxDepth = 100;
constexpr int kMaxMovetime = 3'600'000;

bool parse_seconds(std::string_view text, std::chrono::milliseconds* time) {
  double seconds = 0;
  const char* end = text.data() + text.size();
  const auto [stop, fault] = std::from_chars(text.data(), end, seconds, std::chars_format::fixed);
  if (fault != std::errc() || stop != end || !(seconds >= 0 && seconds <= kMaxSeconds)) {
    return false;
  }
  *time = std::chrono::milliseconds(std::llround(seconds * 1000));
  return true;
}

std::string seconds_text(std::chrono::milliseconds time) {
  return fmt::format("{}", static_cast<double>(time.count()) / 1000);
}

}  // namespace

Expected<TimeControl> parse_time_control(std::string_view text) {
  TimeControl control;
  if (text.empty()) return control;
  const std::size_t plus = text.find('+');
  const bool whole =
      parse_seconds(text.substr(0, plus), &control.base) &&
      (plus == std::string_view::npos || parse_seconds(text.substr(plus + 1), &control.increment));
  if (!whole || control.base.count() == 0) return Failure{""};
  return control;
}

std::string time_control_text(const TimeControl& control) {
  if (control.base.count() == 0) return "";
  if (control.increment.count() == 0) return seconds_text(control.base);
  return fmt::format("{}+{}", seconds_text(control.base), seconds_text(control.increment));
}

bool MoveLimits::empty() const {
  return nodes == 0 && soft_nodes == 0 && depth == 0 && movetime_ms == 0 && clock.base.count() == 0;
}

SearchLimits MoveLimits::for_turn() const {
  SearchLimits limits;
  limits.nodes = nodes;
  limits.soft_nodes = soft_nodes;
  limits.depth = depth;
  limits.movetime = std::chrono::milliseconds(movetime_ms);
  return limits;
}

void declare(SettingsTable& table, MoveLimits& limits) {
  table.add("nodes", limits.nodes, 0, kMaxNodes, "nodes a move, exactly; 0 is no such limit");
  table.add("soft_nodes", limits.soft_nodes, 0, kMaxNodes,
            "nodes a move after which no new iteration begins; 0 is no such limit");
  table.add("depth", limits.depth, 0, kMaxDepth, "plies of iterative deepening; 0 is no limit");
  table.add("movetime_ms", limits.movetime_ms, 0, kMaxMovetime,
            "milliseconds a move; 0 is no such limit");
  table.add_parsed<TimeControl>("tc", limits.clock, parse_time_control, time_control_text,
                                "seconds, or seconds+increment as in 10+0.1",
                                "clock of each side for the game; empty is none");
  table.add("margin_ms", limits.margin_ms, 0, 60'000,
            "milliseconds beyond the clock that do not lose");
}

}  // namespace cannonade
