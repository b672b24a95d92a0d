// Do ratings on one line describe the games at all? A test of fit on chosen pairings (a ladder's
// next neighbours, whose results its ratings must foretell) and a search for cycles. Pure.
#pragma once

#include <utility>
#include <vector>

#include "selfplay/ratings.h"

namespace cannonade {

// How far the games of two players are from what the ratings say.
struct PairingFit {
  int a = 0;  // the lower number
  int b = 0;
  std::uint64_t games = 0;
  double score = 0;           // a's, a game
  double expected_score = 0;  // by the ratings
  // What one would have to add to the rating difference a - b in these games alone, in Elo, to
  // first order; its error allows for the ratings' own and for pairs of games not being
  // independent.
  Estimate excess;
};

struct FitTest {
  std::vector<PairingFit> pairings;
  // Score test of all excesses at once with the empirical variance (D. Boos, Am. Stat. 46, 1992).
  double chi_squared = 0;
  int degrees = 0;  // 0: the games cannot contradict the ratings, p is 1
  double p = 1;
};
// `tested` names pairings by their players, in any order. Fails as fit_ratings does, or when two
// players tested have no games.
[[nodiscard]] Expected<FitTest> test_fit(const RatingData& data, const RatingOptions& options,
                                         const std::vector<std::pair<int, int>>& tested);

// Three players who all met: the sum of the direct differences a - b, b - c and c - a is 0 when
// strength is a number.
struct Cycle {
  int a = 0, b = 0, c = 0;
  Estimate sum;  // Elo
  double z = 0;
};
struct CycleCheck {
  std::vector<Cycle> cycles;  // all triangles, the largest |z| first
  double p = 1;               // of the largest |z|, Bonferroni over all
};
// A direct difference is the one that explains the two players' score against each other, given the
// fit's side and draw terms; half a point to either side keeps it finite.
[[nodiscard]] Expected<CycleCheck> check_cycles(const RatingData& data,
                                                const RatingOptions& options);

}  // namespace cannonade
