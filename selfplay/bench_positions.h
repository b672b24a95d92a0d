// Positions of the fixed search: the start, middle games and endings of either game.
#pragma once

#include <span>
#include <string_view>

#include "core/board/types.h"

namespace cannonade {

[[nodiscard]] std::span<const std::string_view> bench_positions(Game game);

}  // namespace cannonade
