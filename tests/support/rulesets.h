// The rule sets under the names that tests use.
#pragma once

#include "core/board/ruleset.h"

namespace cannonade {

inline const Ruleset kKja = find_ruleset("janggi-kja").value_or_throw();
inline const Ruleset kPointCount = find_ruleset("janggi-point-count").value_or_throw();
inline const Ruleset kCasual = find_ruleset("xiangqi-casual").value_or_throw();

}  // namespace cannonade
