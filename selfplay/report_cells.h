// Cells of report tables: a number's text and what it sorts by.
#pragma once

#include <cstdint>
#include <string>

#include "selfplay/intervals.h"
#include "selfplay/page.h"

namespace cannonade {

// A part of a whole; 0 of nothing.
[[nodiscard]] double share(std::uint64_t part, std::uint64_t whole);
// "52.1 % (50.3 to 53.9)"; everything is a fraction.
[[nodiscard]] std::string percent_with(double fraction, const Interval& interval);
// The same of a part of a whole, with its 95 % interval.
[[nodiscard]] std::string share_words(std::uint64_t part, std::uint64_t whole);

[[nodiscard]] Cell count_cell(std::uint64_t count);
[[nodiscard]] Cell percent_cell(double fraction);
[[nodiscard]] Cell share_cell(std::uint64_t part, std::uint64_t whole);
// The score with its 95 % interval; a dash without games.
[[nodiscard]] Cell score_cell(const Trinomial& counts);

}  // namespace cannonade
