#include "selfplay/compare_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "selfplay/page_text.h"
#include "selfplay/report_cells.h"

namespace cannonade {
namespace {

constexpr double kNeverWorthIt = 1e9;  // so many pairs nobody plays

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

constexpr std::string_view kVerdictNote =
    "Not distinguishable at this number of games: the interval covers zero, or there are fewer "
    "than six openings; pairs needed were the difference what it seems.";
// Two cells: whether it differs, and the pairs needed to tell.
void add_verdict(std::vector<Cell>& cells, const PairedDifference& difference) {
  const auto needed = difference.values_needed();
  const bool told = difference.distinguishable();
  cells.emplace_back(told ? "differs" : "not distinguishable");
  if (told || !needed || static_cast<double>(*needed) > kNeverWorthIt) {
    cells.emplace_back("\u2013");
  } else {
    cells.push_back(count_cell(*needed));
  }
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

// The differences of one strength.
void add_differences(Section& section, const StrengthComparison& strength) {
  Table table;
  table.title = nodes_words(strength);
  table.columns = {{"", "", false},
                   {"KJA", "", true},
                   {"Point count", "", true},
                   {"Difference", "95 % interval", true},
                   {"p", "paired test", true},
                   {"At this number", "of games", false},
                   {"Pairs needed", "", true}};
  for (std::size_t i = 0; i < kMeasures; ++i) {
    const auto measure = static_cast<Measure>(i);
    const PairedFigure& figure = strength.figures[i];
    std::vector<Cell> cells{
        Cell(std::string(measure_words(measure))),
        Cell(value_words(measure, figure.difference.first), figure.difference.first),
        Cell(value_words(measure, figure.difference.second), figure.difference.second),
        difference_cell(measure, figure.difference), Cell(p_words(figure.p()), figure.p())};
    add_verdict(cells, figure.difference);
    table.rows.push_back(std::move(cells));
  }
  table.note = fmt::format(
      "{} pairs from {} openings. Intervals from drawing the openings again; p of McNemar's test "
      "(mid-p) for what is yes or no, of the sign test for score and length. {}",
      format_count(strength.figures[0].difference.values),
      format_count(strength.figures[0].difference.openings), kVerdictNote);
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
                   {"At this number", "of games", false},
                   {"Pairs needed", "", true}};
  for (std::size_t i = 0; i < kMeasures; ++i) {
    const auto measure = static_cast<Measure>(i);
    const PairedDifference& change = (*comparison.trend)[i];
    const double scale = scale_of(measure);
    std::vector<Cell> cells{Cell(std::string(measure_words(measure))),
                            Cell(format_signed(scale * change.first, 2), change.first),
                            Cell(format_signed(scale * change.second, 2), change.second),
                            difference_cell(measure, change)};
    add_verdict(cells, change);
    table.rows.push_back(std::move(cells));
  }
  section.add(std::move(table));
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
  if (strength.changed.empty()) return;
  const std::vector<Arm>& arms = result.comparison.arms;
  const auto game = [&](std::uint64_t at_row, Preset preset) {
    const auto arm = std::find_if(arms.begin(), arms.end(), [&](const Arm& each) {
      return each.kind == Arm::Kind::kMain && each.strength == place && each.preset == preset;
    });
    return game_cell(at_row * arms.size() + static_cast<std::uint64_t>(arm - arms.begin()), named);
  };
  const auto words = [](const Outcome& outcome) {
    return Cell(outcome_words(Game::kJanggi, outcome));
  };
  Table shown;
  shown.title = "The first of these pairs";
  shown.columns = {{"KJA", "game", true},
                   {"Ended", "under KJA", false},
                   {"Counted", "the same game", false},
                   {"Point count", "game", true},
                   {"Ended", "under point count", false}};
  for (const ChangedPair& pair : strength.changed) {
    shown.rows.push_back({game(pair.row, Preset::kKja), words(pair.kja), words(pair.rescored),
                          game(pair.row, Preset::kPointCount), words(pair.point_count)});
  }
  section.add(std::move(shown));
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
  if (comparison.trend) {
    const PairedDifference& change = (*comparison.trend)[static_cast<std::size_t>(Measure::kScore)];
    sentences.push_back(
        fmt::format("From {} to {} the difference in Cho's score changes by {} points, {}.",
                    format_count(comparison.strengths.front().nodes), nodes_words(last),
                    difference_words(Measure::kScore, change),
                    change.distinguishable() ? "a real trend" : verdict_words(change)));
  }
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
  if (const BonusCurve* bonus = last.bonus.answer(); bonus != nullptr && bonus->crossing) {
    figures.push_back({"Fair bonus", format_number(bonus->crossing->value, 1), "",
                       "points for Han; " + crossing_interval(*bonus), Tone::kPlain});
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
  each(page.add_section("How games end"),
       [](Section& section, const StrengthComparison& strength, std::size_t) {
         add_compared_endings(section, strength);
       });
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
