// The working estimate of a ladder's calibration: Elo as a function of a strength in [0, 1] along
// one path of knobs, from the results of players anywhere on it. It places levels; it is never
// reported as a rating.
//
// Elo rises piecewise linearly over equal cells. Weighted least squares on the gaps that were
// observed; where data are thin, neighbouring cells' slopes are drawn together. Pure.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace cannonade {

// Two players of strengths low < high: by how much the stronger one is better, Elo, with its
// standard error.
struct GapObservation {
  double low = 0;
  double high = 0;
  double gap = 0;
  double error = 0;
};
// From a score: half a point is lent to either side, so that it stays finite. `points` of `games`,
// the stronger player's.
[[nodiscard]] GapObservation observe_gap(double low, double high, double points, double games);

class StrengthCurve {
 public:
  // Throws Error(kInternal) for no observations, strengths not in order or outside [0, 1], errors
  // not above zero.
  explicit StrengthCurve(const std::vector<GapObservation>& observations);

  // Above strength 0.
  [[nodiscard]] double elo(double strength) const;
  [[nodiscard]] double range() const { return elo(1); }
  // The strength whose Elo is `elo`, in [0, 1].
  [[nodiscard]] double strength_at(double elo) const;
  // The standard error of elo(high) - elo(low).
  [[nodiscard]] double gap_error(double low, double high) const;

  static constexpr std::size_t kCells = 48;

 private:
  std::array<double, kCells> slope_{};  // Elo a unit of strength, positive
  std::array<std::array<double, kCells>, kCells> covariance_{};
};

// Strengths `gap` Elo apart, weakest first, the last one 1: as many as fit, at most `most` (at
// least 2: then the path is shorter than a gap and the first is 0).
[[nodiscard]] std::vector<double> place_levels(const StrengthCurve& curve, double gap,
                                               std::size_t most);

}  // namespace cannonade
