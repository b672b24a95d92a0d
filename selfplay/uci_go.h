// The words behind `go`, in both protocols.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/game/game_state.h"
#include "core/search/limits.h"
#include "selfplay/engine_config.h"

namespace cannonade {

struct GoCommand {
  SearchLimits limits;
  bool infinite = false;
  bool ponder = false;
  int mate = 0;
  std::vector<std::string> faults;  // what was passed over, and why
};

// `words` are those after `go`. A number beyond what a limit may be counts as the nearest allowed
// one (a clock that has run out leaves a millisecond); words that mean nothing are passed over.
// Without any limit the search is infinite; when limits were given but none can be used, it goes
// one ply deep, so that whoever waits gets an answer. `milliseconds`: the unit of UCCI's times,
// else seconds.
[[nodiscard]] GoCommand parse_go(std::span<const std::string_view> words, const GameState& game,
                                 Protocol protocol, bool milliseconds = true);

}  // namespace cannonade
