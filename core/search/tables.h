// What a search learns about turns as it goes: history scores, by which they are tried, reduced and
// pruned. All of it is per search object and forgotten with a new game.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "core/board/position.h"

namespace cannonade {

// A score in [-kLimit, kLimit] that new evidence pulls toward its own sign, the more the further it
// is from there.
class HistoryScore {
 public:
  static constexpr int kLimit = 8192;
  operator int() const { return value_; }  // NOLINT(google-explicit-constructor)
  void update(int bonus) {
    const int bounded = std::clamp(bonus, -kLimit, kLimit);
    value_ = static_cast<std::int16_t>(value_ + bounded - value_ * std::abs(bounded) / kLimit);
  }

 private:
  std::int16_t value_ = 0;
};

// Of a turn that follows one given turn: by the follower's kind and target.
using Continuation = std::array<std::array<HistoryScore, kSquares>, kPieceKinds>;

struct SearchTables {
  std::array<std::array<std::array<HistoryScore, kSquares>, kSquares>, 2>
      butterfly;  // side, from, to
  std::array<std::array<std::array<HistoryScore, kPieceKinds>, kSquares>, 16> capture;
  // By the piece and target of the earlier turn; row 0 stands for "none" (a null move, the root).
  std::array<std::array<Continuation, kSquares>, 16> continuation;
};

}  // namespace cannonade
