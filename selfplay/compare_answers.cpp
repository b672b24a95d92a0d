// The fair bonus and the choice of set-ups, as parts of a comparison's report.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "selfplay/compare_report.h"
#include "selfplay/page_text.h"
#include "selfplay/report_cells.h"

namespace cannonade {
namespace {

std::string set_up_words(const std::vector<std::size_t>& set_ups) {
  std::vector<std::string> words;
  words.reserve(set_ups.size());
  for (const std::size_t set_up : set_ups) words.push_back(set_up_word(set_up));
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string mix_words(const std::vector<double>& mix) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < mix.size(); ++i) {
    if (mix[i] > 0) words.push_back(set_up_word(i) + " " + format_percent(mix[i], 0));
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string score_words(const BonusScore& score) {
  return percent_with(score.score, score.interval);
}

// "2.1 (95 %: 1.2 to 3.4)".
std::string crossing_words(const BonusCurve& bonus) {
  return (bonus.crossing ? format_number(bonus.crossing->value, 2)
                         : std::string("nowhere on the curve")) +
         " (" + crossing_interval(bonus) + ")";
}

ChartSeries curve_of(const std::string& name, const FairBonus& bonus) {
  ChartSeries series{name, {}};
  for (const BonusScore& score : bonus.curve) {
    series.points.push_back({score.rule.bonus(), 100 * score.score, 100 * score.interval.low,
                             100 * score.interval.high, score.rule.name()});
  }
  return series;
}

std::string honest_words(const Estimate& estimate) {
  const Interval interval = estimate.interval();
  return percent_with(estimate.value, {std::max(interval.low, 0.0), std::min(interval.high, 1.0)});
}

}  // namespace

std::string crossing_interval(const BonusCurve& bonus) {
  const auto& low = bonus.crossing_low;
  const auto& high = bonus.crossing_high;
  std::string interval = "anywhere, on the curve or beyond";
  if (low && high) interval = format_interval(*low, *high, 1);
  if (low && !high) interval = "above " + format_number(*low, 1);
  if (!low && high) interval = "below " + format_number(*high, 1);
  return "95\u00a0%: " + interval;
}

std::string bonus_sentence(const BonusFigures& figures) {
  const BonusCurve* bonus = figures.answer();
  if (bonus == nullptr) return "There are no games to tell the fair bonus from.";
  const BonusScore& fair = bonus->curve[bonus->fair];
  std::string text = fmt::format(
      "The fairest bonus for Han is {} ({}): Cho scores {} there", fair.rule.name(),
      figures.by_replay() ? "played with the engines knowing it" : "the count's games scored again",
      score_words(fair));
  if (bonus->fair > 0) {
    const BonusScore& below = bonus->curve[bonus->fair - 1];
    text += fmt::format(", {} with {}", score_words(below), below.rule.name());
  }
  if (bonus->fair + 1 < bonus->curve.size()) {
    const BonusScore& above = bonus->curve[bonus->fair + 1];
    text += fmt::format(", {} with {}", score_words(above), above.rule.name());
  }
  return text + fmt::format(". Interpolated, the game is even at {}.", crossing_words(*bonus));
}

void add_fair_bonus(Section& section, const StrengthComparison& strength) {
  const BonusFigures& figures = strength.bonus;
  if (figures.answer() == nullptr) return;
  Chart chart;
  chart.title = "Cho's score by Han's bonus, " + format_count(strength.nodes) + " nodes a turn";
  chart.note =
      "All bonuses strictly between two whole numbers are one rule, drawn at the middle; a whole "
      "one makes ties. 95 % intervals.";
  chart.x_label = "Han's bonus in points";
  chart.y_label = "Cho's score, %";
  chart.decimals = 2;
  Table table;
  table.title = "Even at, " + format_count(strength.nodes) + " nodes a turn";
  table.columns = {{"How", "", false},
                   {"Games", "", true},
                   {"Fairest class", "", false},
                   {"Cho's score there", "95 % interval", true},
                   {"Crossing", "95 % interval", false}};
  const auto add = [&](const std::string& name, const std::optional<BonusCurve>& bonus) {
    if (!bonus) return;
    chart.series.push_back(curve_of(name, *bonus));
    const BonusScore& fair = bonus->curve[bonus->fair];
    std::uint64_t games = 0;
    for (const BonusScore& score : bonus->curve) games = std::max(games, score.cho.games());
    table.rows.push_back({Cell(name), count_cell(games), Cell(fair.rule.name()),
                          Cell(score_words(fair), fair.score), Cell(crossing_words(*bonus))});
  };
  add("played, engines knowing", figures.replayed);
  add("count's games scored again", figures.rescored_point_count);
  add("KJA's games scored again", figures.rescored_kja);
  table.note =
      "Games a class; scored again, every class has the same games. Crossings: straight between "
      "classes; their interval from drawing the openings again.";
  chart.references.push_back({ReferenceLine::Axis::kY, 50, "even"});
  chart.references.push_back({ReferenceLine::Axis::kX, 1.5, "the rule"});
  section.add(std::move(chart));
  section.add(std::move(table));
  if (!figures.replayed) return;
  Table played;
  played.title = "Classes played, " + format_count(strength.nodes) + " nodes a turn";
  played.columns = {{"Bonus", "", false},
                    {"Cho's score", "played", true},
                    {"Scored again", "95 % interval", true}};
  for (const BonusScore& score : figures.replayed->curve) {
    std::string again;
    for (const BonusScore& other : figures.rescored_point_count->curve) {
      if (other.rule == score.rule) again = score_words(other);
    }
    played.rows.push_back({Cell(score.rule.name(), score.rule.bonus()),
                           Cell(score_words(score), score.score), Cell(again)});
  }
  section.add(std::move(played));
}

std::string setups_sentence(const SetUpFigures& setups) {
  const SetupGame& game = *setups.game;
  std::string text =
      fmt::format("Set-ups under {}: Han does best to declare {}, Cho then answers {}: {} for Cho",
                  rules_of(setups.rules).id, set_up_word(game.han_first.declaration),
                  set_up_word(game.han_first.answers[game.han_first.declaration]),
                  format_percent(game.han_first.value, 1));
  if (setups.honest) {
    text += fmt::format(" ({} when chosen on one half of the games and told by the other)",
                        honest_words(setups.honest->han_first));
  }
  return text + fmt::format("; not excluded for Han: {}.", set_up_words(setups.han_left));
}

void add_set_up_game(Section& section, const SetUpFigures& setups) {
  HeatMap heat;
  heat.title = "Cho's score by set-up";
  heat.row_title = "Han declares";
  heat.column_title = "Cho answers";
  heat.middle = 50;
  heat.unit = "\u00a0%";
  HeatMap pooled = heat;
  pooled.title = "The same, mirrored cells together";
  for (std::size_t han = 0; han < kSetUps; ++han) {
    heat.rows.push_back(set_up_word(han));
    heat.columns.push_back(set_up_word(han));
    for (std::size_t cho = 0; cho < kSetUps; ++cho) {
      const auto fill = [&](HeatMap& map, const SetupCells& cells) {
        const Trinomial& cell = cells.at(han, cho);
        const Interval interval = score_interval(cell);
        map.values.push_back(cell.games() > 0 ? 100 * cell.score() : kNoValue);
        map.errors.push_back(cell.games() > 0 ? fmt::format("{}; {} games",
                                                            format_interval(100 * interval.low,
                                                                            100 * interval.high, 1),
                                                            format_count(cell.games()))
                                              : "");
      };
      fill(heat, setups.cells);
      fill(pooled, setups.pooled);
    }
  }
  pooled.rows = heat.rows;
  pooled.columns = heat.columns;
  heat.note = "Blue: above 50 %; orange: below. 95 % intervals and games underneath.";
  pooled.note =
      "Seen in a mirror a start is another of the sixteen, and the same game: ten classes.";
  section.add(std::move(heat));
  section.add(std::move(pooled));
  if (setups.mirror.degrees > 0) {
    section.add(Paragraph{
        fmt::format("Mirrored cells agree but for chance? \u03c7\u00b2 {} with {} degrees of "
                    "freedom, p {}{}",
                    format_number(setups.mirror.chi_squared, 1), setups.mirror.degrees,
                    format_number(setups.mirror.p, 3),
                    setups.mirror.p < 0.01 ? ": they do not, something is wrong." : ": yes."),
        setups.mirror.p < 0.01 ? Tone::kBad : Tone::kPlain});
  }
  if (!setups.game) {
    section.add(Paragraph{"Not all of the ten classes have games, so the choice is not solved.",
                          Tone::kNote});
    return;
  }
  const SetupGame& game = *setups.game;
  section.add(Paragraph{setups_sentence(setups)});

  Table answers;
  answers.title = "Best answers";
  answers.columns = {{"Set-up", "", false},
                     {"Cho answers", "Han declares it", false},
                     {"Cho's score", "95 % interval", true},
                     {"Not excluded", "of Cho's answers", false},
                     {"Han answers", "Cho declares it", false},
                     {"Cho's score", "95 % interval", true}};
  for (std::size_t i = 0; i < kSetUps; ++i) {
    const std::size_t cho = game.han_first.answers[i];
    const std::size_t han = game.cho_first.answers[i];
    answers.rows.push_back({Cell(set_up_word(i)), Cell(set_up_word(cho)),
                            score_cell(setups.pooled.at(i, cho)),
                            Cell(set_up_words(setups.answers_left[i])), Cell(set_up_word(han)),
                            score_cell(setups.pooled.at(han, i))});
  }
  answers.note = "The best of several cells is partly luck: these scores flatter whoever chose.";
  section.add(std::move(answers));

  Table values;
  values.title = "What the choice is worth to Cho";
  values.columns = {{"", "", false},
                    {"All games", "flattered", true},
                    {"Chosen on one half, told by the other", "95 % interval", true},
                    {"Best", "", false},
                    {"Not excluded at 95 %", "", false}};
  const auto honest = [&](Estimate CrossedReport::*which) {
    if (!setups.honest) return Cell("\u2013");
    const Estimate& estimate = (*setups.honest).*which;
    return Cell(honest_words(estimate), estimate.value);
  };
  values.rows.push_back({Cell("as it is played: Han first"), percent_cell(game.han_first.value),
                         honest(&CrossedReport::han_first),
                         Cell("Han " + set_up_word(game.han_first.declaration)),
                         Cell("Han " + set_up_words(setups.han_left))});
  values.rows.push_back({Cell("Cho first"), percent_cell(game.cho_first.value),
                         honest(&CrossedReport::cho_first),
                         Cell("Cho " + set_up_word(game.cho_first.declaration)),
                         Cell("Cho " + set_up_words(setups.cho_left))});
  values.rows.push_back({Cell("both at once"), percent_cell(game.simultaneous.value),
                         honest(&CrossedReport::simultaneous),
                         Cell("Han " + mix_words(game.simultaneous.rows) + "; Cho " +
                              mix_words(game.simultaneous.columns)),
                         Cell("")});
  values.note = fmt::format(
      "Choosing last, against both at once, is worth {} points of the score to Cho and {} to Han.",
      format_signed(100 * game.cho_gains_by_last(), 2),
      format_signed(100 * game.han_gains_by_last(), 2));
  section.add(std::move(values));
}

}  // namespace cannonade
