// Which bonus for the second player is fair? Counted games are scored again under every bonus:
// piece points are whole, so all bonuses strictly between two whole numbers are one and the same
// rule, and a whole one adds level counts. Scores are Cho's, who moves first; Han gets the bonus
// (J30). Pure.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "selfplay/intervals.h"
#include "selfplay/ratings.h"

namespace cannonade {

// Games by how they were decided.
struct MarginCounts {
  // Without counting, so that no bonus changes them: mates, and games that stay drawn (J31).
  Trinomial played_out;
  // By Cho's points less Han's, no bonus: how many games.
  std::map<int, std::uint64_t> margins;

  [[nodiscard]] std::uint64_t games() const;
  MarginCounts& operator+=(const MarginCounts& other);
};

// A rule: exactly a whole bonus, or any strictly between two neighbouring whole ones. Bonuses in
// half points: even is whole.
struct BonusClass {
  int half_points = 0;
  [[nodiscard]] bool whole() const { return half_points % 2 == 0; }
  // The bonus itself, or the middle of the class.
  [[nodiscard]] double bonus() const { return half_points / 2.0; }
  // "2" or "between 1 and 2".
  [[nodiscard]] std::string name() const;
  bool operator==(const BonusClass&) const = default;
};

struct BonusScore {
  BonusClass rule;
  Trinomial cho;      // a level count is a draw
  double score = 0;   // Cho's points a game
  double error = 0;   // one standard error; positive
  Interval interval;  // 95 %
};
// From Cho's results in games played under the rule. No games: a score of one half that says
// nothing.
[[nodiscard]] BonusScore score_of_rule(BonusClass rule, const Trinomial& cho);
// From games scored again under the rule.
[[nodiscard]] BonusScore score_with_bonus(const MarginCounts& counts, BonusClass rule);

inline constexpr BonusClass kLeastBonus{0};
inline constexpr BonusClass kMostBonus{20};

struct FairBonus {
  std::vector<BonusScore> curve;  // by rising bonus
  // Where Cho's score is nearest to one half, with its neighbours beside it in the curve. Of a
  // curve that was made never to rise, so that chance alone does not move it away from the
  // crossing.
  std::size_t fair = 0;
  // Where the curve, straight between classes, crosses one half; its error is the fair class's
  // error over the curve's slope there. None when it does not cross within the curve.
  std::optional<Estimate> crossing;
  // The bonuses between which the curve's 95 % band holds one half; none: beyond the curve's end.
  std::optional<double> low;
  std::optional<double> high;
};
// Games scored again under every class from `least` to `most`. Fails without games. Throws
// Error(kInternal) when there are not two classes in order.
[[nodiscard]] Expected<FairBonus> find_fair_bonus(const MarginCounts& counts,
                                                  BonusClass least = kLeastBonus,
                                                  BonusClass most = kMostBonus);
// The same from a curve whose classes were each played, by rising bonus, at least two. Chance may
// make such a curve rise; for all but the curve itself it is first made never to (pool adjacent
// violators; M. Ayer and others, Ann. Math. Stat. 26, 1955).
[[nodiscard]] Expected<FairBonus> find_fair_bonus(std::vector<BonusScore> played);

}  // namespace cannonade
