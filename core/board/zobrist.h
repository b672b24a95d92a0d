// Random keys for incremental hashing (Zobrist 1970). The same on every machine and in every build,
// so that keys may be stored.
#pragma once

#include <array>
#include <cstdint>

#include "core/base/rng.h"
#include "core/board/types.h"

namespace cannonade::zobrist {

struct Keys {
  std::array<std::array<std::uint64_t, kSquares>, 16> piece{};
  std::uint64_t second_to_move = 0;
};

inline constexpr Keys kKeys = [] {
  Keys keys;
  Rng rng(0xCA2203ADEULL);
  for (std::size_t code = 0; code < 16; ++code) {
    if (code % 8 == 0) continue;
    for (auto& key : keys.piece[code]) key = rng.next();
  }
  keys.second_to_move = rng.next();
  return keys;
}();

}  // namespace cannonade::zobrist
