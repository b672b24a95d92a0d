#include "selfplay/report_cells.h"

#include "selfplay/page_text.h"

namespace cannonade {

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::string percent_with(double fraction, const Interval& interval) {
  return format_percent(fraction, 1) + " (" +
         format_interval(100 * interval.low, 100 * interval.high, 1) + ")";
}

std::string share_words(std::uint64_t part, std::uint64_t whole) {
  return percent_with(share(part, whole), wilson_interval(part, whole));
}

Cell count_cell(std::uint64_t count) {
  return {format_count(count), static_cast<double>(count)};
}

Cell percent_cell(double fraction) {
  return {format_percent(fraction, 1), fraction};
}

Cell share_cell(std::uint64_t part, std::uint64_t whole) {
  return {share_words(part, whole), share(part, whole)};
}

Cell score_cell(const Trinomial& counts) {
  if (counts.games() == 0) return {"\u2013"};
  return {percent_with(counts.score(), score_interval(counts)), counts.score()};
}

}  // namespace cannonade
