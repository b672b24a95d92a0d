// The report of a store: a page for any run, whichever command played it.
#pragma once

#include <cstddef>
#include <optional>

#include "selfplay/page.h"
#include "selfplay/sprt.h"
#include "selfplay/store.h"

namespace cannonade {

struct RunReportOptions {
  std::size_t viewer_games = 200;  // spread over the run; games that the page names come on top
  // The test of a match; none: what the store's fact "sprt" says, as to_json(SprtTest, ...) has it.
  std::optional<SprtTest> sprt;
};

// Who won, endings, lengths, starts, diversity, scores, players; for a match first how strong; then
// a viewer with a sample of the games and how they were made. The same store gives the same page.
// User error: a store without games, or with a game that cannot be (rule set, start or a turn).
[[nodiscard]] Page run_report(const Store& store, const RunReportOptions& options = {});

}  // namespace cannonade
