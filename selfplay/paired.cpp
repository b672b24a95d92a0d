#include "selfplay/paired.h"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <map>
#include <vector>

namespace cannonade {
namespace {

// The level of percentiles of `n` clusters' bootstrap that has the width of Student's interval.
double expanded_level(double level, std::size_t n) {
  const double count = static_cast<double>(n);
  const boost::math::students_t_distribution<double> student(count - 1);
  const double reach =
      boost::math::quantile(student, 0.5 + level / 2) * std::sqrt(count / (count - 1));
  return std::min(2 * normal_cdf(reach) - 1, 1 - 1e-9);
}

}  // namespace

bool PairedDifference::distinguishable() const {
  return spread && openings >= kFewestOpenings && !spread->interval.covers(0);
}

std::optional<std::uint64_t> PairedDifference::values_needed(double level) const {
  if (!spread || difference == 0 || spread->error == 0) return std::nullopt;
  const double z = normal_quantile(0.5 + level / 2);
  // The error falls with the square root of the number of values.
  const double by_error = static_cast<double>(values) * std::pow(z * spread->error / difference, 2);
  const double by_openings =
      static_cast<double>(kFewestOpenings * values) / static_cast<double>(openings);
  const double needed = std::max(by_error, by_openings);
  constexpr double kMost = 1e18;
  return static_cast<std::uint64_t>(std::ceil(std::min(needed, kMost)));
}

PairedDifference compare_paired(std::span<const PairedValue> values, int replicates,
                                std::uint64_t seed, double level) {
  struct Sums {
    double n = 0, first = 0, second = 0;
  };
  // In the order of the openings' numbers, so that the order of the values changes nothing.
  std::map<std::uint64_t, Sums> by_opening;
  Sums all;
  for (const PairedValue& value : values) {
    Sums& sums = by_opening[value.opening];
    sums.n += 1;
    sums.first += value.first;
    sums.second += value.second;
  }
  PairedDifference result;
  result.values = values.size();
  result.openings = by_opening.size();
  if (values.empty()) return result;
  std::vector<Sums> openings;
  for (const auto& [opening, sums] : by_opening) {
    openings.push_back(sums);
    all.n += sums.n;
    all.first += sums.first;
    all.second += sums.second;
  }
  result.first = all.first / all.n;
  result.second = all.second / all.n;
  result.difference = (all.second - all.first) / all.n;
  if (openings.size() < 2) return result;
  result.spread = cluster_bootstrap(
                      openings.size(), replicates, seed,
                      [&](std::span<const std::uint32_t> times) {
                        double n = 0;
                        double sum = 0;
                        for (std::size_t i = 0; i < openings.size(); ++i) {
                          n += times[i] * openings[i].n;
                          sum += times[i] * (openings[i].second - openings[i].first);
                        }
                        return std::vector{sum / n};
                      },
                      expanded_level(level, openings.size()))
                      .front();
  return result;
}

McNemarTest mcnemar_test(std::uint64_t only_first, std::uint64_t only_second) {
  McNemarTest test{only_first, only_second};
  const std::uint64_t discordant = only_first + only_second;
  if (discordant == 0) return test;
  const double difference = static_cast<double>(only_first) - static_cast<double>(only_second);
  test.chi_squared = difference * difference / static_cast<double>(discordant);
  test.exact_p = binomial_half_p(only_first, discordant);
  const boost::math::binomial law(static_cast<double>(discordant), 0.5);
  const double seen = boost::math::pdf(law, static_cast<double>(std::min(only_first, only_second)));
  // Equal counts: all there is less half of what was seen.
  test.mid_p = only_first == only_second ? 1 - seen / 2 : test.exact_p - seen;
  return test;
}

SignTest sign_test(std::span<const PairedValue> values) {
  SignTest test;
  for (const PairedValue& value : values) {
    if (value.second > value.first) ++test.positive;
    if (value.second < value.first) ++test.negative;
    if (value.second == value.first) ++test.zero;
  }
  test.p = binomial_half_p(test.positive, test.positive + test.negative);
  return test;
}

}  // namespace cannonade
