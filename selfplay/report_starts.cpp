// Where games started and how different they are: the sections of report_sections.h on openings.
#include <fmt/format.h>

#include <algorithm>

#include "core/notation/fen.h"
#include "selfplay/openings.h"
#include "selfplay/page_text.h"
#include "selfplay/report_cells.h"
#include "selfplay/report_sections.h"

namespace cannonade {
namespace {

constexpr std::size_t kListedStarts = 10;
constexpr std::size_t kListedDuplicates = 10;

void add_set_ups(Section& section, const RulesDigest& digest) {
  const auto& cells = digest.summary().set_ups();
  const auto played = std::count_if(cells.begin(), cells.end(),
                                    [](const Trinomial& cell) { return cell.games() > 0; });
  if (played < 2) return;
  HeatMap heat;
  heat.title = first_name(digest) + "'s score by set-up";
  heat.row_title = second_name(digest) + " declares";
  heat.column_title = first_name(digest) + " answers";
  heat.middle = 50;
  heat.unit = "\u00a0%";
  std::uint64_t least = UINT64_MAX;
  std::uint64_t most = 0;
  for (int han = 0; han < kSetUps; ++han) {
    heat.rows.emplace_back(set_up_name(static_cast<SetUp>(han)));
    heat.columns.emplace_back(set_up_name(static_cast<SetUp>(han)));
    for (int cho = 0; cho < kSetUps; ++cho) {
      const Trinomial& cell =
          cells[static_cast<std::size_t>(cho) * kSetUps + static_cast<std::size_t>(han)];
      if (cell.games() == 0) {
        heat.values.push_back(kNoValue);
        heat.errors.emplace_back();
        continue;
      }
      least = std::min(least, cell.games());
      most = std::max(most, cell.games());
      const Interval interval = score_interval(cell);
      heat.values.push_back(100 * cell.score());
      heat.errors.push_back(format_interval(100 * interval.low, 100 * interval.high, 1));
    }
  }
  heat.note = fmt::format(
      "Blue: above 50 %; orange: below. 95 % intervals underneath; {} games a cell. Sixteen cells "
      "are looked at at once, so the best and the worst of them look better and worse than they "
      "are.",
      least == most ? format_count(least) : format_count(least) + " to " + format_count(most));
  section.add(std::move(heat));
}

}  // namespace

std::string duplicates_sentence(std::uint64_t duplicates, std::uint64_t games) {
  if (duplicates == 0) return "No game is the same as another.";
  return fmt::format("{} of {} games ({}) are the same as an earlier one.",
                     format_count(duplicates), format_count(games),
                     format_percent(share(duplicates, games), 1));
}

void add_starts(Section& section, const RulesDigest& digest) {
  if (digest.starts().empty()) return;
  add_set_ups(section, digest);
  if (digest.starts().size() < 2) {
    section.add(Paragraph{"Every game began from the same position."});
    section.add(BoardFigure{digest.rules().id, digest.starts().begin()->first, "", kNoMove});
    return;
  }
  // The set-ups' own starts are told by the table above.
  if (std::all_of(digest.starts().begin(), digest.starts().end(),
                  [](const auto& start) { return set_ups_of(start.first).has_value(); })) {
    return;
  }
  std::vector<std::pair<std::string, Trinomial>> starts(digest.starts().begin(),
                                                        digest.starts().end());
  std::stable_sort(starts.begin(), starts.end(), [](const auto& a, const auto& b) {
    return a.second.games() > b.second.games();
  });
  Table table;
  table.title = fmt::format("Start positions ({})", format_count(starts.size()));
  table.columns = {{"Start", "", false},
                   {"Games", "", true},
                   {first_name(digest) + "'s score", "95 % interval", true}};
  table.shown_rows = kListedStarts;
  constexpr std::size_t kMost = 100;
  for (std::size_t i = 0; i < std::min(starts.size(), kMost); ++i) {
    const auto& [fen, counts] = starts[i];
    table.rows.push_back({Cell(fen), count_cell(counts.games()), score_cell(counts)});
  }
  if (starts.size() > kMost) table.note = fmt::format("The {} played most.", kMost);
  section.add(std::move(table));
}

void add_diversity(Section& section, const RulesDigest& digest, NamedGames& named) {
  const std::uint64_t games = digest.summary().games();
  if (games < 2) return;
  section.add(Paragraph{duplicates_sentence(digest.summary().duplicates(), games)});
  Chart chart;
  chart.title = "Different games, by turn";
  chart.note = "Of all games, cut after so many turns: how many are different.";
  chart.x_label = "turn";
  chart.y_label = "different games, %";
  chart.y_min = 0;
  chart.y_max = 100;
  chart.decimals = 1;
  ChartSeries series{digest.rules().id, {}};
  const auto distinct = digest.distinct();
  for (std::size_t i = 0; i < distinct.size(); ++i) {
    series.points.push_back({static_cast<double>(kDiversityTurns[i]),
                             100 * share(distinct[i], games),
                             kNoValue,
                             kNoValue,
                             {}});
  }
  chart.series.push_back(std::move(series));
  section.add(std::move(chart));

  const std::vector<DuplicateGroup> groups = digest.duplicates(kListedDuplicates);
  if (groups.empty()) return;
  Table table;
  table.title = "Games that were played more than once";
  table.columns = {{"First one", "", false}, {"Times played", "", true}};
  for (const DuplicateGroup& group : groups) {
    table.rows.push_back({game_cell(group.first_id, named), count_cell(group.games)});
  }
  table.note = fmt::format("The {} played most often.", groups.size());
  section.add(std::move(table));
}

}  // namespace cannonade
