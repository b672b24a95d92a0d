// The bootstrap: how a figure spreads when the openings it was measured on are drawn again. Pure:
// replicate i draws from stream i of the seed, so the answer is the same on every machine.
//
// Source: B. Efron, R. Tibshirani, "An Introduction to the Bootstrap" (percentile intervals). With
// fewer than some twenty clusters the intervals are too narrow; who has so few asks for a higher
// level (paired.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "selfplay/intervals.h"

namespace cannonade {

// The values between which the middle `level` of them lies, interpolated between neighbours. Throws
// Error(kInternal) without values or with a level outside (0, 1).
[[nodiscard]] Interval percentile_interval(std::vector<double> values, double level = 0.95);

struct BootstrapFigure {
  double error = 0;  // standard deviation over the replicates
  Interval interval;
};

// Draws as many of the `clusters` as there are, with replacement, `replicates` times. `figures`
// gets how often each cluster was drawn and gives the figures to study, always as many. Throws
// Error(kInternal) without clusters or with fewer than two replicates.
[[nodiscard]] std::vector<BootstrapFigure> cluster_bootstrap(
    std::size_t clusters, int replicates, std::uint64_t seed,
    const std::function<std::vector<double>(std::span<const std::uint32_t> times_drawn)>& figures,
    double level = 0.95);

}  // namespace cannonade
