#include "selfplay/intervals.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>
#include <cmath>

#include "core/base/error.h"

namespace cannonade {
namespace {

double two_sided_quantile(double level) {
  if (!(level > 0 && level < 1)) {
    throw internal_error(fmt::format("confidence level {} is not between 0 and 1", level));
  }
  return normal_quantile(0.5 + level / 2);
}

// Variance of wins minus losses a game when the trinomial likelihood is maximal under
// P(win) - P(loss) = delta >= 0. P(loss) solves
// 2 N u^2 - ((W + L)(1 - delta) - 2 (L + D) delta) u - L delta (1 - delta) = 0.
double constrained_variance(double wins, double draws, double losses, double delta) {
  const double n = wins + draws + losses;
  const double b = (wins + losses) * (1 - delta) - 2 * (losses + draws) * delta;
  const double root = std::sqrt(b * b + 8 * n * losses * delta * (1 - delta));
  // The form of the solution that does not cancel.
  const double u = b > 0 ? (b + root) / (4 * n)
                         : (losses > 0 ? 2 * losses * delta * (1 - delta) / (root - b) : 0);
  return std::max(0.0, 2 * u + delta - delta * delta);
}

}  // namespace

double Trinomial::score() const {
  const auto n = static_cast<double>(games());
  return n > 0 ? (static_cast<double>(wins) + 0.5 * static_cast<double>(draws)) / n : 0.5;
}

double Trinomial::variance() const {
  const auto n = static_cast<double>(games());
  if (n == 0) return 0;
  const double mean = score();
  return (static_cast<double>(wins) * (1 - mean) * (1 - mean) +
          static_cast<double>(draws) * (0.5 - mean) * (0.5 - mean) +
          static_cast<double>(losses) * mean * mean) /
         n;
}

Trinomial& Trinomial::operator+=(const Trinomial& other) {
  wins += other.wins;
  draws += other.draws;
  losses += other.losses;
  return *this;
}

double normal_cdf(double z) {
  return 0.5 * std::erfc(-z / std::sqrt(2.0));
}

double normal_quantile(double p) {
  if (!(p > 0 && p < 1)) {
    throw internal_error(fmt::format("probability {} has no finite normal quantile", p));
  }
  return boost::math::quantile(boost::math::normal(), p);
}

double two_sided_p(double z) {
  return std::erfc(std::abs(z) / std::sqrt(2.0));
}

double chi_squared_tail(double x, int degrees) {
  if (degrees <= 0) throw internal_error("a chi-squared test needs a degree of freedom");
  if (x <= 0) return 1;
  return boost::math::cdf(
      boost::math::complement(boost::math::chi_squared(static_cast<double>(degrees)), x));
}

double binomial_half_p(std::uint64_t successes, std::uint64_t trials) {
  if (successes > trials) throw internal_error("more successes than trials");
  if (trials == 0) return 1;
  const auto fewer = static_cast<double>(std::min(successes, trials - successes));
  const boost::math::binomial law(static_cast<double>(trials), 0.5);
  return std::min(1.0, 2 * boost::math::cdf(law, fewer));
}

Interval wilson_interval(std::uint64_t successes, std::uint64_t trials, double level) {
  const double z = two_sided_quantile(level);
  if (successes > trials) throw internal_error("more successes than trials");
  if (trials == 0) return {0, 1};
  const auto n = static_cast<double>(trials);
  const double p = static_cast<double>(successes) / n;
  const double centre = (p + z * z / (2 * n)) / (1 + z * z / n);
  const double half = z / (1 + z * z / n) * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
  // Rounding must not push the ends past the sample's own extreme.
  return {successes == 0 ? 0.0 : std::max(0.0, centre - half),
          successes == trials ? 1.0 : std::min(1.0, centre + half)};
}

Interval score_interval(const Trinomial& games, double level) {
  const double z = two_sided_quantile(level);
  const auto n = static_cast<double>(games.games());
  if (n == 0) return {0, 1};
  const auto wins = static_cast<double>(games.wins);
  const auto draws = static_cast<double>(games.draws);
  const auto losses = static_cast<double>(games.losses);
  const double observed = (wins - losses) / n;
  const auto rejects = [&](double delta) {
    const double variance = delta >= 0 ? constrained_variance(wins, draws, losses, delta)
                                       : constrained_variance(losses, draws, wins, -delta);
    return (observed - delta) * (observed - delta) * n > z * z * variance;
  };
  // Bisection between the estimate, never rejected, and the extreme.
  const auto end = [&](double extreme) {
    if (!rejects(extreme)) return extreme;
    double inside = observed;
    double outside = extreme;
    for (int i = 0; i < 60; ++i) {
      const double middle = 0.5 * (inside + outside);
      (rejects(middle) ? outside : inside) = middle;
    }
    return inside;
  };
  return {0.5 * (1 + end(-1.0)), 0.5 * (1 + end(1.0))};
}

}  // namespace cannonade
