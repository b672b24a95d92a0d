// The phase of the game and the scale of the evaluation: what blends middle game and end game and
// what draws a score toward a level ending.
#pragma once

#include <algorithm>

#include "core/board/position.h"

namespace cannonade {

constexpr int kFullPhase = 256;
constexpr int kFullScale = 64;

// kFullPhase with every chariot, cannon and horse of both sides on the board, 0 with none.
[[nodiscard]] inline int game_phase(const Position& p) {
  int sum = 0;
  for (const Side side : {Side::kFirst, Side::kSecond}) {
    sum += 5 * p.count(side, PieceKind::kChariot) + 3 * p.count(side, PieceKind::kCannon) +
           2 * p.count(side, PieceKind::kHorse);
  }
  constexpr int kAll = 2 * (2 * 5 + 2 * 3 + 2 * 2);
  return std::min(sum, kAll) * kFullPhase / kAll;
}

// How much of a lead is worth something, in 64ths: a side without what it takes to mate cannot win,
// and a lead fades while nothing is taken for long, unless the count decides at the end (J29).
[[nodiscard]] inline int score_scale(const Position& p, Side leader) {
  const auto count = [&](PieceKind kind) { return p.count(leader, kind); };
  int scale = kFullScale;
  const int heavy = count(PieceKind::kChariot) + count(PieceKind::kCannon) +
                    count(PieceKind::kHorse) + count(PieceKind::kSoldier);
  if (p.game() == Game::kXiangqi) {
    if (heavy == 0) return 0;
  } else if (!p.rules().count_points && heavy + count(PieceKind::kElephant) <= 1) {
    scale = kFullScale / 8;  // J26's claim: one piece forces nothing
  }
  if (!p.rules().count_points) {
    constexpr int kPatience = 40;  // turns without a capture before a lead begins to fade
    const int limit = p.rules().no_capture_limit;
    const int past = p.no_capture() - std::min(kPatience, limit / 3);
    if (past > 0)
      scale = scale * std::max(limit - p.no_capture(), 0) /
              std::max(limit - std::min(kPatience, limit / 3), 1);
  }
  return scale;
}

}  // namespace cannonade
