// Rule sets with another bonus for the second player than their preset has (J30). Such a rule set's
// id says so, "janggi-point-count:han_bonus=2", and find_ruleset takes it: a stored game names all
// of the rules that it was played by, and whoever replays it sees the bonus.
#pragma once

#include <string_view>

#include "core/board/ruleset.h"

namespace cannonade {

inline constexpr int kMaxBonusHalves = 144;  // a whole army's points (J29)

// The preset's part of an id, or the whole id: whose weights fit, what an outside engine calls it.
[[nodiscard]] std::string_view preset_id(std::string_view rules_id);

// The rule set with Han's bonus, in half points; with the preset's own it is the preset. Throws
// Error(kInternal) for rules without a count or a bonus outside 0 to kMaxBonusHalves.
[[nodiscard]] Ruleset with_bonus(const Ruleset& rules, int half_points);

}  // namespace cannonade
