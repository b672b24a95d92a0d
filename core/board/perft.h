// Counting the tree of legal turns, passes included; drawn positions do not cut it ("Counting
// moves" in RULES.md).
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/board/position.h"

namespace cannonade {

// How the last ply is counted.
enum class PerftLeaves {
  kListed,   // every last move is written to a list and the list's length taken
  kCounted,  // popcounts of target masks; nothing is written
  kMade,     // every last move is made and unmade
};

[[nodiscard]] std::uint64_t perft(Position& position, int depth,
                                  PerftLeaves leaves = PerftLeaves::kListed);

// The same split by first move.
[[nodiscard]] std::vector<std::pair<Move, std::uint64_t>> perft_divide(
    Position& position, int depth, PerftLeaves leaves = PerftLeaves::kListed);

}  // namespace cannonade
