#include "selfplay/compare_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "selfplay/page_text.h"
#include "selfplay/report_cells.h"

namespace cannonade {
namespace {

constexpr std::string_view kNoDifference = "not distinguishable at this number of games";
constexpr double kNeverWorthIt = 1e9;  // so many pairs nobody plays

std::string nodes_words(const StrengthComparison& strength) {
  return format_count(strength.nodes) + " nodes a turn";
}

double scale_of(Measure measure) {
  return is_share(measure) ? 100 : 1;
}

std::string value_words(Measure measure, double value) {
  return is_share(measure) ? format_percent(value, 1) : format_number(value, 1);
}

// "+1.2 (−0.3 to 2.7)", percentage points of shares.
std::string difference_words(Measure measure, const PairedDifference& difference) {
  const double scale = scale_of(measure);
  std::string text = format_signed(scale * difference.difference, 2);
  if (difference.spread) {
    const Interval& interval = difference.spread->interval;
    text += " (" + format_interval(scale * interval.low, scale * interval.high, 2) + ")";
  }
  return text;
}

std::string verdict_words(const PairedDifference& difference) {
  if (difference.distinguishable()) return "differs";
  std::string text(kNoDifference);
  const auto needed = difference.values_needed();
  if (needed && static_cast<double>(*needed) < kNeverWorthIt) {
    text += fmt::format("; about {} pairs would be needed", format_count(*needed));
  }
  return text;
}

Cell difference_cell(Measure measure, const PairedDifference& difference) {
  Cell cell(difference_words(measure, difference), difference.difference);
  if (difference.distinguishable()) cell.tone = Tone::kNote;
  return cell;
}

std::string p_words(double p) {
  return p < 0.0001 ? "< 0.0001" : format_number(p, 4);
}

std::string share_words(std::uint64_t part, std::uint64_t whole) {
  return percent_with(share(part, whole), wilson_interval(part, whole));
}

Cell share_cell(std::uint64_t part, std::uint64_t whole) {
  return {share_words(part, whole), share(part, whole)};
}

// The differences of one strength.
void add_differences(Section& section, const StrengthComparison& strength) {
  Table table;
  table.title = nodes_words(strength);
  table.columns = {{"", "", false},
                   {"KJA", "", true},
                   {"Point count", "", true},
                   {"Difference", "95 % interval", true},
                   {"p", "paired test", true},
                   {"", "", false}};
  for (std::size_t i = 0; i < kMeasures; ++i) {
    const auto measure = static_cast<Measure>(i);
    const PairedFigure& figure = strength.figures[i];
    table.rows.push_back(
        {Cell(std::string(measure_words(measure))),
         Cell(value_words(measure, figure.difference.first), figure.difference.first),
         Cell(value_words(measure, figure.difference.second), figure.difference.second),
         difference_cell(measure, figure.difference), Cell(p_words(figure.p()), figure.p()),
         Cell(verdict_words(figure.difference))});
  }
  table.note = fmt::format(
      "{} pairs from {} openings. Intervals from drawing the openings again; p of McNemar's test "
      "(mid-p) for what is yes or no, of the sign test for score and length.",
      format_count(strength.figures[0].difference.values),
      format_count(strength.figures[0].difference.openings));
  section.add(std::move(table));
  const auto part = [](const char* words, const PairedDifference& difference) {
    return std::string(words) + difference_words(Measure::kScore, difference);
  };
  section.add(Paragraph{"Of the difference in Cho's score, in percentage points, " +
                        part("the same games scored again give ", strength.by_rule) +
                        " and other play " + difference_words(Measure::kScore, strength.by_play) +
                        "."});
}

void add_trend(Section& section, const Comparison& comparison) {
  if (!comparison.trend) return;
  Chart chart;
  chart.title = "The difference by strength";
  chart.note = "Point count less KJA, with 95 % intervals.";
  chart.x_label = "nodes a turn";
  chart.y_label = "percentage points";
  chart.log_x = true;
  chart.decimals = 2;
  for (const Measure measure : {Measure::kScore, Measure::kDraws, Measure::kMates}) {
    ChartSeries series{std::string(measure_words(measure)), {}};
    for (const StrengthComparison& strength : comparison.strengths) {
      const PairedDifference& d = strength.figures[static_cast<std::size_t>(measure)].difference;
      ChartPoint point;
      point.x = static_cast<double>(strength.nodes);
      point.y = 100 * d.difference;
      if (d.spread) {
        point.low = 100 * d.spread->interval.low;
        point.high = 100 * d.spread->interval.high;
      }
      series.points.push_back(point);
    }
    chart.series.push_back(std::move(series));
  }
  chart.references.push_back({ReferenceLine::Axis::kY, 0, "no difference"});
  section.add(std::move(chart));
  Table table;
  table.title = fmt::format("Trend from {} to {}", format_count(comparison.strengths[0].nodes),
                            nodes_words(comparison.last()));
  table.columns = {{"", "", false},
                   {"Difference at first", "", true},
                   {"at last", "", true},
                   {"Change", "95 % interval", true},
                   {"", "", false}};
  for (std::size_t i = 0; i < kMeasures; ++i) {
    const auto measure = static_cast<Measure>(i);
    const PairedDifference& change = (*comparison.trend)[i];
    const double scale = scale_of(measure);
    table.rows.push_back({Cell(std::string(measure_words(measure))),
                          Cell(format_signed(scale * change.first, 2), change.first),
                          Cell(format_signed(scale * change.second, 2), change.second),
                          difference_cell(measure, change), Cell(verdict_words(change))});
  }
  section.add(std::move(table));
}

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

void add_endings_of(Section& section, const StrengthComparison& strength) {
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

void add_winners(Section& section, const CompareResult& result, const StrengthComparison& strength,
                 std::size_t place, NamedGames& named) {
  const WinnerChanges& w = strength.winners;
  Table table;
  table.title = nodes_words(strength);
  table.columns = {{"", "", false}, {"Pairs", "", true}, {"Share", "95 % interval", true}};
  const auto row = [&](const char* words, std::uint64_t count) {
    table.rows.push_back({Cell(words), count_cell(count), share_cell(count, w.games)});
  };
  row("Another winner under point count", w.changed);
  row("\u2026 re-scored: KJA's very game counted has that winner", w.explained);
  row("\u2026 play changed", w.changed - w.explained);
  row("KJA's very game counted has another winner", w.rescored);
  row("\u2026 but other play brought KJA's back", w.undone);
  row("Other play changes the winner of the game as counted", w.by_play);
  row("The same game turn by turn", w.same_play);
  section.add(std::move(table));
  if (strength.changed_rows.empty()) return;
  const auto columns = static_cast<std::uint64_t>(result.comparison.arms.size());
  const auto column = [&](Preset preset) {
    for (std::uint64_t i = 0; i < columns; ++i) {
      const Arm& arm = result.comparison.arms[i];
      if (arm.kind == Arm::Kind::kMain && arm.strength == place && arm.preset == preset) return i;
    }
    return columns;
  };
  Table shown;
  shown.title = "Some of these pairs";
  shown.columns = {{"Under KJA", "game", true}, {"Under point count", "game", true}};
  for (const std::uint64_t at : strength.changed_rows) {
    shown.rows.push_back({game_cell(at * columns + column(Preset::kKja), named),
                          game_cell(at * columns + column(Preset::kPointCount), named)});
  }
  section.add(std::move(shown));
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

void add_crossed(Section& section, const StrengthComparison& strength) {
  const CrossedFigures& crossed = *strength.crossed;
  Table table;
  table.title = nodes_words(strength);
  table.columns = {{"Change", "", false},
                   {"Cho's score", "95 % interval", true},
                   {"Drawn", "95 % interval", true},
                   {"Length", "95 % interval", true}};
  const auto row = [&](const char* words, const Differences& differences) {
    std::vector<Cell> cells{Cell(words)};
    for (const Measure measure : {Measure::kScore, Measure::kDraws, Measure::kPlies}) {
      cells.push_back(difference_cell(measure, differences[static_cast<std::size_t>(measure)]));
    }
    table.rows.push_back(std::move(cells));
  };
  row("the rules, KJA's weights playing", crossed.rules_for_kja_players);
  row("the rules, the count's weights playing", crossed.rules_for_count_players);
  row("the players, under KJA", crossed.players_under_kja);
  row("the players, under point count", crossed.players_under_count);
  table.note = "KJA to point count; shares in percentage points, length in turns.";
  section.add(std::move(table));
}

}  // namespace

std::vector<std::string> compare_sentences(const CompareResult& result) {
  const Comparison& comparison = result.comparison;
  if (comparison.rows == 0) return {"No pair of games is whole yet, so nothing can be compared."};
  const StrengthComparison& last = comparison.last();
  std::vector<std::string> sentences;
  const auto compared = [&](Measure measure, const std::string& what) {
    const PairedDifference& d = last.figures[static_cast<std::size_t>(measure)].difference;
    return fmt::format(
        "{} {} under KJA and {} under point count: {} points (95\u00a0% interval), "
        "{}.",
        what, value_words(measure, d.first), value_words(measure, d.second),
        difference_words(measure, d), d.distinguishable() ? "a real difference" : verdict_words(d));
  };
  sentences.push_back(
      fmt::format("At {}, {} pairs: ", nodes_words(last), format_count(comparison.rows)) +
      compared(Measure::kScore, "Cho scores"));
  sentences.push_back(compared(Measure::kDraws, "Drawn are"));
  sentences.push_back(fmt::format(
      "The winner is another in {} of the pairs: in {} the very same game counted says so, in {} "
      "play changed.",
      share_words(last.winners.changed, last.winners.games), format_count(last.winners.explained),
      format_count(last.winners.changed - last.winners.explained)));
  sentences.push_back(bonus_sentence(last.bonus));
  for (const SetUpFigures& setups : comparison.setups) {
    if (setups.game) sentences.push_back(setups_sentence(setups));
  }
  return sentences;
}

std::vector<KeyFigure> compare_figures(const CompareResult& result) {
  const Comparison& comparison = result.comparison;
  if (comparison.rows == 0) return {};
  const StrengthComparison& last = comparison.last();
  std::vector<KeyFigure> figures;
  for (const ArmFigures* arm : {&last.kja, &last.point_count}) {
    const Interval interval = score_interval(arm->cho);
    figures.push_back(
        {"Cho's score", format_percent(arm->cho.score(), 1), "",
         format_interval(100 * interval.low, 100 * interval.high, 1) + ", " + arm->rules.id,
         Tone::kPlain});
  }
  const PairedDifference& draws =
      last.figures[static_cast<std::size_t>(Measure::kDraws)].difference;
  figures.push_back({"Drawn",
                     format_percent(draws.first, 1) + " \u2192 " + format_percent(draws.second, 1),
                     "", "KJA \u2192 point count", Tone::kPlain});
  if (const FairBonus* bonus = last.bonus.answer(); bonus != nullptr && bonus->crossing) {
    figures.push_back({"Fair bonus", format_number(bonus->crossing->value, 1),
                       format_error(kNormal95 * bonus->crossing->error, 1),
                       "points for Han; the rule has 1.5", Tone::kPlain});
  }
  return figures;
}

void add_comparison(Page& page, const CompareResult& result, NamedGames& named) {
  const Comparison& comparison = result.comparison;
  if (comparison.rows == 0) return;
  const auto each = [&](Section& section, const auto& add) {
    for (std::size_t i = comparison.strengths.size(); i-- > 0;) {
      add(section, comparison.strengths[i], i);
    }
  };
  Section& differences = page.add_section("What the count changes");
  each(differences, [](Section& section, const StrengthComparison& strength, std::size_t) {
    add_differences(section, strength);
  });
  add_trend(differences, comparison);
  if (comparison.void_rows > 0) {
    differences.add(Paragraph{format_count(comparison.void_rows) +
                                  " rows have a game without a result and are not counted.",
                              Tone::kNote});
  }
  if (comparison.last().crossed) {
    Section& crossed = page.add_section("The rules or the players");
    each(crossed, [](Section& section, const StrengthComparison& strength, std::size_t) {
      add_crossed(section, strength);
    });
  }
  each(page.add_section("How games end"), [](Section& section, const StrengthComparison& strength,
                                             std::size_t) { add_endings_of(section, strength); });
  each(page.add_section("Games that change their winner"),
       [&](Section& section, const StrengthComparison& strength, std::size_t place) {
         add_winners(section, result, strength, place, named);
       });
  each(page.add_section("Level endings"),
       [](Section& section, const StrengthComparison& strength, std::size_t) {
         add_level_endings(section, strength);
       });
  Section& bonus = page.add_section("The fair bonus");
  bonus.add(Paragraph{bonus_sentence(comparison.last().bonus)});
  each(bonus, [](Section& section, const StrengthComparison& strength, std::size_t) {
    add_fair_bonus(section, strength);
  });
  for (const SetUpFigures& setups : comparison.setups) {
    add_set_up_game(page.add_section("Set-ups under " + rules_of(setups.rules).id), setups);
  }
}

}  // namespace cannonade
