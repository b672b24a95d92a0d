// How games of a comparison end, as parts of its report.
#include <fmt/format.h>

#include <algorithm>

#include "selfplay/compare_report.h"
#include "selfplay/page_text.h"
#include "selfplay/report_cells.h"

namespace cannonade {
namespace {

std::vector<Reason> reasons_of(const StrengthComparison& strength) {
  std::vector<Reason> reasons;
  for (int i = 0; i < kReasons; ++i) {
    const auto reason = static_cast<Reason>(i);
    if (strength.kja.ending(reason) + strength.point_count.ending(reason) > 0) {
      reasons.push_back(reason);
    }
  }
  return reasons;
}

}  // namespace

std::string nodes_words(const StrengthComparison& strength) {
  return format_count(strength.nodes) + " nodes a turn";
}

void add_compared_endings(Section& section, const StrengthComparison& strength) {
  const std::vector<Reason> reasons = reasons_of(strength);
  const std::uint64_t games = strength.kja.games();
  Chart chart;
  chart.kind = ChartKind::kBar;
  chart.title = "How games ended, " + nodes_words(strength);
  chart.y_label = "share of games, %";
  chart.decimals = 1;
  chart.series = {{"KJA", {}}, {"Point count", {}}};
  Table cross;
  cross.title = "Under KJA (rows), under point count (columns), " + nodes_words(strength);
  cross.columns.push_back({"", "", false});
  for (const Reason reason : reasons) {
    const std::string words = in_words(reason_name(reason));
    chart.categories.push_back(words);
    cross.columns.push_back({words, "", true});
    std::size_t series = 0;
    for (const ArmFigures* arm : {&strength.kja, &strength.point_count}) {
      const Interval interval = wilson_interval(arm->ending(reason), games);
      ChartPoint point;
      point.y = 100 * share(arm->ending(reason), games);
      point.low = 100 * interval.low;
      point.high = 100 * interval.high;
      chart.series[series++].points.push_back(point);
    }
  }
  cross.columns.push_back({"all", "", true});
  for (const Reason row : reasons) {
    std::vector<Cell> cells{Cell(in_words(reason_name(row)))};
    for (const Reason column : reasons) {
      cells.push_back(count_cell(
          strength.endings[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)]));
    }
    cells.push_back(count_cell(strength.kja.ending(row)));
    cross.rows.push_back(std::move(cells));
  }
  cross.note = "Pairs of games: the same opening, seed and engines.";
  section.add(std::move(chart));
  section.add(std::move(cross));

  Table wins;
  wins.title = "Mate wins and point wins, " + nodes_words(strength);
  wins.columns = {{"", "", false},
                  {"Cho mates", "share", true},
                  {"Han mates", "share", true},
                  {"Cho on points", "share", true},
                  {"Han on points", "share", true},
                  {"Drawn", "share", true}};
  for (const ArmFigures* arm : {&strength.kja, &strength.point_count}) {
    wins.rows.push_back({Cell(arm->rules.id), share_cell(arm->mates[0], games),
                         share_cell(arm->mates[1], games), share_cell(arm->point_wins[0], games),
                         share_cell(arm->point_wins[1], games), share_cell(arm->cho.draws, games)});
  }
  section.add(std::move(wins));
}

void add_level_endings(Section& section, const StrengthComparison& strength) {
  Table table;
  table.title = "Level endings that become wins, " + nodes_words(strength);
  table.columns = {
      {"", "", false},          {"Level endings", "", true},           {"Cho's", "share", true},
      {"Han's", "share", true}, {"by the bonus alone", "share", true}, {"Still level", "", true}};
  const auto row = [&](const char* words, const LevelEndings& level) {
    table.rows.push_back({Cell(words), count_cell(level.games), share_cell(level.cho, level.games),
                          share_cell(level.han, level.games),
                          share_cell(level.by_bonus, level.games), count_cell(level.level)});
  };
  row("KJA's games, counted", strength.level_rescored);
  row("as played under point count", strength.level_played);
  table.note =
      "Repetition, double pass and no progress; bikjang and too little material stay drawn. By the "
      "bonus alone: Han is not ahead without it.";
  section.add(std::move(table));

  const auto& kja = strength.kja.margins.margins;
  const auto& count = strength.point_count.margins.margins;
  if (kja.empty() && count.empty()) return;
  Chart chart;
  chart.kind = ChartKind::kBar;
  chart.title = "Margins at level endings";
  chart.note = "Han's bonus of 1.5 wins all of 1 and less.";
  chart.x_label = "Cho's points less Han's, no bonus";
  chart.y_label = "games";
  chart.decimals = 0;
  chart.series = {{"KJA", {}}, {"Point count", {}}};
  constexpr int kReach = 15;  // what lies beyond is told together
  for (int margin = -kReach; margin <= kReach; ++margin) {
    chart.categories.push_back(margin == -kReach  ? fmt::format("\u2264 \u2212{}", kReach)
                               : margin == kReach ? fmt::format("\u2265 {}", kReach)
                                                  : format_number(margin, 0));
    std::size_t series = 0;
    for (const auto* margins : {&kja, &count}) {
      ChartPoint point;
      for (const auto& [value, games] : *margins) {
        if (std::clamp(value, -kReach, kReach) == margin) point.y += static_cast<double>(games);
      }
      chart.series[series++].points.push_back(point);
    }
  }
  section.add(std::move(chart));
}

}  // namespace cannonade
