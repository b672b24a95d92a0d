// What a comparison tells, for a terminal.
#include <fmt/format.h>

#include "selfplay/compare.h"

namespace cannonade {
namespace {

std::string difference_line(Measure measure, const PairedFigure& figure) {
  const PairedDifference& d = figure.difference;
  const double scale = is_share(measure) ? 100 : 1;
  std::string line = fmt::format("  {:<19}{:>7.2f} {:>7.2f}  {:>+7.2f}", measure_words(measure),
                                 scale * d.first, scale * d.second, scale * d.difference);
  if (!d.spread) return line;
  line += fmt::format("  ({:+.2f} to {:+.2f}), p {:.3g}", scale * d.spread->interval.low,
                      scale * d.spread->interval.high, figure.p());
  if (d.distinguishable()) return line;
  line += fmt::format(": {}", kNoDifference);
  if (const auto needed = d.values_needed())
    line += fmt::format(", about {} pairs needed", *needed);
  return line;
}

std::string bonus_line(const BonusCurve& bonus) {
  const BonusScore& fair = bonus.curve[bonus.fair];
  std::string line =
      fmt::format("{} (Cho scores {:.2f} %), even ", fair.rule.name(), 100 * fair.score);
  line += bonus.crossing ? fmt::format("at {:.2f}", bonus.crossing->value)
                         : std::string("nowhere on the curve");
  const auto& low = bonus.crossing_low;
  const auto& high = bonus.crossing_high;
  if (!low && !high) return line + " (95 %: anywhere, on the curve or beyond)";
  if (!low) return line + fmt::format(" (95 %: below {:.2f})", *high);
  if (!high) return line + fmt::format(" (95 %: above {:.2f})", *low);
  return line + fmt::format(" (95 %: {:.2f} to {:.2f})", *low, *high);
}

void add_setups(const SetUpFigures& setups, std::vector<std::string>& lines) {
  lines.push_back(fmt::format("set-ups under {}, Cho's score in % (rows Han, columns Cho):",
                              rules_of(setups.rules).id));
  std::string head = fmt::format("  {:<8}", "");
  for (std::size_t cho = 0; cho < kSetUps; ++cho) head += fmt::format("{:>16}", set_up_word(cho));
  lines.push_back(head);
  for (std::size_t han = 0; han < kSetUps; ++han) {
    std::string line = fmt::format("  {:<8}", set_up_word(han));
    for (std::size_t cho = 0; cho < kSetUps; ++cho) {
      const Trinomial& cell = setups.pooled.at(han, cho);
      const Interval interval = score_interval(cell);
      line += fmt::format("{:>16}", cell.games() == 0
                                        ? std::string("-")
                                        : fmt::format("{:.1f} +- {:.1f}", 100 * cell.score(),
                                                      50 * (interval.high - interval.low)));
    }
    lines.push_back(line);
  }
  if (!setups.game) return;
  const SetupGame& game = *setups.game;
  lines.push_back(
      fmt::format("  Han first: {}, worth {:.2f} %; Cho first: {}, {:.2f} %; both at once {:.2f} %",
                  set_up_word(game.han_first.declaration), 100 * game.han_first.value,
                  set_up_word(game.cho_first.declaration), 100 * game.cho_first.value,
                  100 * game.simultaneous.value));
  if (!setups.honest) return;
  const auto shown = [](const Estimate& estimate) {
    return fmt::format("{:.2f} +- {:.2f} %", 100 * estimate.value,
                       100 * kNormal95 * estimate.error);
  };
  lines.push_back(fmt::format("  chosen on one half of the games, told by the other: {}; {}; {}",
                              shown(setups.honest->han_first), shown(setups.honest->cho_first),
                              shown(setups.honest->simultaneous)));
}

}  // namespace

std::string set_up_word(std::size_t set_up) {
  return std::string(set_up_name(static_cast<SetUp>(set_up)));
}

std::vector<std::string> to_lines(const CompareResult& result) {
  std::vector<std::string> lines;
  const Comparison& comparison = result.comparison;
  for (const std::string& engine : result.engines) lines.push_back("player: " + engine);
  for (const StrengthComparison& strength : comparison.strengths) {
    lines.push_back(fmt::format("{} nodes a turn, {} pairs:", strength.nodes, comparison.rows));
    if (comparison.rows == 0) continue;
    lines.push_back("                         KJA   count  difference (95 %)");
    for (std::size_t i = 0; i < kMeasures; ++i) {
      lines.push_back(difference_line(static_cast<Measure>(i), strength.figures[i]));
    }
    lines.push_back(
        fmt::format("  mates: Cho {}, Han {} under KJA; Cho {}, Han {} under the count, and on "
                    "points {} and {}",
                    strength.kja.mates[0], strength.kja.mates[1], strength.point_count.mates[0],
                    strength.point_count.mates[1], strength.point_count.point_wins[0],
                    strength.point_count.point_wins[1]));
    const WinnerChanges& winners = strength.winners;
    lines.push_back(fmt::format(
        "  another winner in {} pairs: {} as the same game scored again, {} by other play",
        winners.changed, winners.explained, winners.changed - winners.explained));
    const LevelEndings& level = strength.level_rescored;
    lines.push_back(fmt::format(
        "  KJA's {} level endings scored again: Cho's {}, Han's {} ({} by the bonus alone)",
        level.games, level.cho, level.han, level.by_bonus));
    if (const BonusCurve* bonus = strength.bonus.answer()) {
      lines.push_back(fmt::format("  fair bonus by {}: {}",
                                  strength.bonus.by_replay() ? "replay" : "scoring again",
                                  bonus_line(*bonus)));
    }
  }
  if (comparison.rows > 0) {
    for (const SetUpFigures& setups : comparison.setups) add_setups(setups, lines);
  }
  return lines;
}

}  // namespace cannonade
