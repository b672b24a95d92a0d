// The fair bonus from games of a comparison: inside of selfplay/comparison.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "selfplay/comparison.h"

namespace cannonade {

constexpr int kComparisonReplicates = 1000;  // of every bootstrap

// Of the games of `rows`, which have a result, at one strength.
[[nodiscard]] BonusFigures bonus_figures(const ComparedGames& games,
                                         const std::vector<std::uint64_t>& rows,
                                         std::size_t strength, std::uint64_t seed);

}  // namespace cannonade
