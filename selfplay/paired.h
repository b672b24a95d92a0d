// Comparing two treatments of the same openings, such as two rule presets: differences of paired
// values, with intervals from drawing the openings again, and tests for paired outcomes. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "selfplay/bootstrap.h"
#include "selfplay/intervals.h"

namespace cannonade {

// One game, or pair of games, under either treatment: any number, such as Cho's points.
struct PairedValue {
  std::uint64_t opening = 0;  // values of one opening belong together
  double first = 0;
  double second = 0;
};

struct PairedDifference {
  std::size_t values = 0;
  std::size_t openings = 0;
  double first = 0;       // means
  double second = 0;      //
  double difference = 0;  // second less first
  // From the bootstrap over openings, the interval widened as few of them ask for; none with fewer
  // than two openings.
  std::optional<BootstrapFigure> spread;

  // Openings that could all agree by chance once in twenty: fewer never tell anything apart.
  static constexpr std::size_t kFewestOpenings = 6;
  // Whether the interval leaves out zero, and there are openings enough to say so.
  [[nodiscard]] bool distinguishable() const;
  // How many values in all would be needed to be distinguishable at `level`, were the difference
  // what it seems and the spread as measured; none when the difference or spread is 0.
  [[nodiscard]] std::optional<std::uint64_t> values_needed(double level = 0.95) const;
};
// The interval is the percentiles', expanded (T. Hesterberg, The American Statistician 69 (2015)):
// those of a level that gives Student's interval where the values are normal.
[[nodiscard]] PairedDifference compare_paired(std::span<const PairedValue> values, int replicates,
                                              std::uint64_t seed, double level = 0.95);

// For a yes-or-no outcome under two treatments, of which only the discordant cases tell.
struct McNemarTest {
  std::uint64_t only_first = 0;
  std::uint64_t only_second = 0;
  double chi_squared = 0;  // without continuity correction, one degree of freedom
  double exact_p = 1;      // two-sided binomial
  double mid_p = 1;        // exact, less half the probability of what was seen: not conservative
};
// Q. McNemar, Psychometrika 12 (1947); M. Fagerland, S. Lydersen, P. Laake, BMC Med. Res. Methodol.
// 13 (2013), for the mid-p test.
[[nodiscard]] McNemarTest mcnemar_test(std::uint64_t only_first, std::uint64_t only_second);

// Whether differences are positive as often as negative; zeros do not count.
struct SignTest {
  std::uint64_t positive = 0;
  std::uint64_t negative = 0;
  std::uint64_t zero = 0;
  double p = 1;  // exact, two-sided
};
[[nodiscard]] SignTest sign_test(std::span<const PairedValue> values);

}  // namespace cannonade
