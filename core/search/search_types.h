// What goes into and comes out of a search, without the search itself.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "core/board/types.h"
#include "core/search/limits.h"
#include "core/search/tt.h"

namespace cannonade {

constexpr int kMaxPly = 120;
// A game decided by the count of points is a win, but a mate is better.
constexpr Score kCountWin = 20000;
constexpr bool is_decided_score(Score score) {
  return score >= kCountWin - kMaxPly || score <= -(kCountWin - kMaxPly);
}

struct SearchLine {
  Score score = 0;
  std::vector<Move> moves;
};

// One finished iteration of one line.
struct SearchInfo {
  int depth = 0;
  int selective_depth = 0;
  int line = 1;  // of MultiPV
  Score score = 0;
  Bound bound = Bound::kExact;
  std::uint64_t nodes = 0;
  std::chrono::milliseconds time{0};
  int hashfull = 0;
  const std::vector<Move>* moves = nullptr;
};

struct SearchResult {
  Move move;    // kNoMove only when there is no legal turn
  Move ponder;  // the expected answer, or kNoMove
  Score score = 0;
  int depth = 0;
  std::uint64_t nodes = 0;
  std::vector<SearchLine> lines;
};

}  // namespace cannonade
