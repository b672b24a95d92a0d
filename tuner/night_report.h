// The morning's page and its summary in lines.
#pragma once

#include <string>
#include <vector>

#include "selfplay/page.h"
#include "tuner/night.h"

namespace cannonade {

// Needs only what has happened so far: an unfinished night has a page too.
[[nodiscard]] Page night_page(const NightOutcome& outcome);

// The same in a few lines for the terminal.
[[nodiscard]] std::vector<std::string> night_lines(const NightOutcome& outcome);

}  // namespace cannonade
