// How long to think on a clock.
#pragma once

#include <algorithm>
#include <chrono>

#include "core/search/limits.h"

namespace cannonade {

using SearchClock = std::chrono::steady_clock;

struct TimeBudget {
  bool limited = false;
  SearchClock::time_point soft;  // begin no new iteration after
  SearchClock::time_point hard;  // stop wherever the search is
};

// `overhead` is kept back for the way to the referee.
[[nodiscard]] inline TimeBudget time_budget(
    const SearchLimits& limits, Side side, SearchClock::time_point start,
    std::chrono::milliseconds overhead = std::chrono::milliseconds(10)) {
  using std::chrono::milliseconds;
  TimeBudget budget;
  const auto index = static_cast<std::size_t>(index_of(side));
  if (limits.movetime.count() > 0) {
    budget.limited = true;
    budget.soft = budget.hard =
        start + std::max(limits.movetime - milliseconds(2), milliseconds(1));
  } else if (limits.remaining[index].count() > 0) {
    budget.limited = true;
    const milliseconds left = std::max(limits.remaining[index] - overhead, milliseconds(1));
    const milliseconds add = limits.increment[index];
    const int moves = limits.moves_to_go > 0 ? std::min(limits.moves_to_go, 40) : 40;
    const auto share = left / moves + add * 3 / 4;
    budget.soft = start + std::min(share * 7 / 10, left / 3);
    budget.hard = start + std::min(share * 4, left * 6 / 10);
  }
  return budget;
}

}  // namespace cannonade
