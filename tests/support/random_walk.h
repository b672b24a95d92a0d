// Positions for comparing two ways of working something out: random games of the fast core that do
// not stop at drawn positions, from all 16 set-ups of janggi or xiangqi's start in turn, and
// between them from thin positions of random_games.h, where checks and bound pieces are dense.
#pragma once

#include <cstdint>
#include <functional>

#include "core/base/rng.h"
#include "core/board/position.h"

namespace cannonade::support {

// The environment variable's positive number, `ordinary` when it is not set: how the nightly run
// asks for more. Throws when it is anything else.
[[nodiscard]] int from_environment(const char* variable, int ordinary);

// How many positions a property is tried on: 10 000, or CANNONADE_TEST_POSITIONS. Under a sanitizer
// a tenth: what it finds, it finds in few.
[[nodiscard]] inline int positions_to_try() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  constexpr int kOrdinary = 1'000;
#else
  constexpr int kOrdinary = 10'000;
#endif
  return from_environment("CANNONADE_TEST_POSITIONS", kOrdinary);
}

// Calls `visit` on exactly `positions` positions; the second argument may be drawn from. Turns are
// drawn alike for the same seed, whatever `visit` draws.
void walk_positions(const Ruleset& rules, int positions, std::uint64_t seed,
                    const std::function<void(Position&, Rng&)>& visit);

}  // namespace cannonade::support
