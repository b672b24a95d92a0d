// A comparison of rule sets as parts of a report page. Intervals are 95 %.
#pragma once

#include <string>
#include <vector>

#include "selfplay/compare.h"
#include "selfplay/page.h"
#include "selfplay/report_sections.h"

namespace cannonade {

// The answers in words, for the top of the page.
[[nodiscard]] std::vector<std::string> compare_sentences(const CompareResult& result);
[[nodiscard]] std::vector<KeyFigure> compare_figures(const CompareResult& result);

// The sections, strongest play first: what the count changes, how games end, whose winner changes,
// level endings, the fair bonus, set-ups, and rules apart from players where both were crossed.
void add_comparison(Page& page, const CompareResult& result, NamedGames& named);

// Parts of the above.
[[nodiscard]] std::string nodes_words(const StrengthComparison& strength);  // "300 nodes a turn"
void add_compared_endings(Section& section, const StrengthComparison& strength);
void add_level_endings(Section& section, const StrengthComparison& strength);
// "95 %: 1.2 to 3.4".
[[nodiscard]] std::string crossing_interval(const BonusCurve& bonus);
[[nodiscard]] std::string bonus_sentence(const BonusFigures& bonus);
void add_fair_bonus(Section& section, const StrengthComparison& strength);
[[nodiscard]] std::string setups_sentence(const SetUpFigures& setups);
void add_set_up_game(Section& section, const SetUpFigures& setups);

}  // namespace cannonade
