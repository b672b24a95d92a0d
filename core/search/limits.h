// What bounds one search. Zero means "no such bound"; the first bound reached stops the search.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <vector>

#include "core/board/types.h"

namespace cannonade {

struct SearchLimits {
  int depth = 0;                 // plies of iterative deepening
  std::uint64_t nodes = 0;       // hard: the search stops on exactly this node
  std::uint64_t soft_nodes = 0;  // no new iteration is begun after so many nodes
  std::chrono::milliseconds movetime{0};
  // A clock: what is left to either side (by index_of(Side)) and what each move adds. Used when the
  // side to move has time left above zero.
  std::array<std::chrono::milliseconds, 2> remaining{};
  std::array<std::chrono::milliseconds, 2> increment{};
  int moves_to_go = 0;
  bool infinite = false;           // until told to stop
  std::vector<Move> search_moves;  // only these at the root, when not empty

  // Node and depth limits alone make a search the same every time.
  [[nodiscard]] bool deterministic() const {
    return movetime.count() == 0 && remaining[0].count() == 0 && remaining[1].count() == 0 &&
           !infinite;
  }
};

}  // namespace cannonade
