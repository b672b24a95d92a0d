// Tail probabilities and confidence intervals for counts. Every function is pure, finite for every
// input that it accepts, and throws Error(kInternal) for a level or a count outside its range.
#pragma once

#include <cstdint>

namespace cannonade {

// 97.5 % quantile of the standard normal: half the width of a two-sided 95 % interval.
inline constexpr double kNormal95 = 1.959963984540054;

struct Interval {
  double low = 0;
  double high = 0;
  [[nodiscard]] bool covers(double x) const { return low <= x && x <= high; }
};

// Outcomes of games counted for one of the players.
struct Trinomial {
  std::uint64_t wins = 0;
  std::uint64_t draws = 0;
  std::uint64_t losses = 0;
  [[nodiscard]] std::uint64_t games() const { return wins + draws + losses; }
  // Points a game in [0, 1]; one half when there are no games.
  [[nodiscard]] double score() const;
  // How far the points of one game spread: their variance in the sample, no correction.
  [[nodiscard]] double variance() const;
  Trinomial& operator+=(const Trinomial& other);
  bool operator==(const Trinomial&) const = default;
};

// P(Z <= z), and its inverse for 0 < p < 1, of the standard normal.
[[nodiscard]] double normal_cdf(double z);
[[nodiscard]] double normal_quantile(double p);

// Two-sided p-value of a standard normal deviate.
[[nodiscard]] double two_sided_p(double z);

// P(X >= x) for chi-squared with `degrees` > 0 degrees of freedom.
[[nodiscard]] double chi_squared_tail(double x, int degrees);

// Two-sided exact binomial p-value for `successes` of `trials` at probability one half: twice the
// smaller tail, at most 1; 1 without trials.
[[nodiscard]] double binomial_half_p(std::uint64_t successes, std::uint64_t trials);

// Wilson's score interval for a proportion (J. Am. Stat. Assoc. 22, 1927). No trials: [0, 1].
[[nodiscard]] Interval wilson_interval(std::uint64_t successes, std::uint64_t trials,
                                       double level = 0.95);

// The score interval for the mean points of a game: all means whose score test, with the variance
// that the trinomial has when its likelihood is maximal under that mean, does not reject (Tango,
// Statistics in Medicine 17, 1998). Without draws it is Wilson's interval; it stays sensible with
// draws only or one outcome only. No games: [0, 1].
[[nodiscard]] Interval score_interval(const Trinomial& games, double level = 0.95);

}  // namespace cannonade
