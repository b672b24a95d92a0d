// A ladder as parts of a report page: how far levels are apart, and how each of them errs. It goes
// by the result that the run noted in its store at its end.
#pragma once

#include <string>
#include <string_view>

#include "selfplay/page.h"

namespace cannonade {

// The store's fact under which a ladder that is complete keeps to_json(LadderResult).
inline constexpr const char* kLadderFact = "ladder.result";

// The answer in words and numbers at the top of the page, then the sections. A user error for text
// that is not such a result.
void add_ladder(Page& page, std::string_view result);

}  // namespace cannonade
