#include "selfplay/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "core/base/files.h"
#include "selfplay/comparison_bonus.h"
#include "selfplay/openings.h"
#include "selfplay/summary.h"

namespace cannonade {
namespace {

constexpr std::size_t kShownChanges = 8;
constexpr std::uint64_t kSetUpBlock = 16;  // openings in which every pair of set-ups comes once

std::size_t at(Reason reason) {
  return static_cast<std::size_t>(reason);
}

std::size_t winner_slot(const Outcome& outcome) {
  return !outcome.winner ? 2 : *outcome.winner == Side::kFirst ? 0 : 1;
}

double value_of(Measure measure, const ComparedGame& game, const Outcome& outcome) {
  const auto yes = [](bool truth) { return truth ? 1.0 : 0.0; };
  switch (measure) {
    case Measure::kScore:
      return outcome.first_score_halves() / 2.0;
    case Measure::kDraws:
      return yes(!outcome.winner);
    case Measure::kChoWins:
      return yes(outcome.winner == Side::kFirst);
    case Measure::kHanWins:
      return yes(outcome.winner == Side::kSecond);
    case Measure::kMates:
      return yes(outcome.reason == Reason::kCheckmate);
    case Measure::kPlies:
      return game.plies;
  }
  return 0;
}

bool yes_or_no(Measure measure) {
  return measure != Measure::kScore && measure != Measure::kPlies;
}

// The rows that count, and figures over them.
class Counter {
 public:
  Counter(const ComparedGames& games, const CompareDesign& design, std::uint64_t seed)
      : games_(games), design_(design), seed_(seed) {
    for (std::uint64_t row = 0; row < games.rows(); ++row) {
      bool known = true;
      for (std::size_t column = 0; column < games.arms().size(); ++column) {
        known = known && games.at(row, column).outcome.known();
      }
      if (known) rows_.push_back(row);
    }
  }

  Comparison count() const {
    Comparison result;
    result.arms = games_.arms();
    result.rows = rows_.size();
    result.void_rows = games_.rows() - rows_.size();
    for (std::size_t i = 0; i < design_.nodes.size(); ++i) result.strengths.push_back(strength(i));
    if (result.strengths.size() > 1) result.trend = trend();
    for (const Preset preset : {Preset::kKja, Preset::kPointCount}) {
      result.setups.push_back(set_ups(preset));
    }
    return result;
  }

 private:
  std::size_t main_column(std::size_t strength, Preset preset) const {
    return column(Arm::Kind::kMain, strength, preset).value();
  }
  std::optional<std::size_t> column(Arm::Kind kind, std::size_t strength, Preset preset) const {
    for (std::size_t i = 0; i < games_.arms().size(); ++i) {
      const Arm& arm = games_.arms()[i];
      if (arm.kind == kind && arm.strength == strength && arm.preset == preset) return i;
    }
    return std::nullopt;
  }

  ArmFigures arm(std::size_t column) const {
    ArmFigures figures;
    figures.rules = games_.arms()[column].rules;
    for (const std::uint64_t row : rows_) {
      const ComparedGame& game = games_.at(row, column);
      const Outcome& outcome = game.outcome;
      const std::size_t winner = winner_slot(outcome);
      count_result(figures.cho, outcome.first_score_halves() - 1);
      figures.plies += game.plies;
      ++figures.endings[at(outcome.reason)][winner];
      if (outcome.reason == Reason::kCheckmate && winner < 2) ++figures.mates[winner];
      if (outcome.by_points && winner < 2) ++figures.point_wins[winner];
      if (counted_ending(outcome.reason)) {
        ++figures.margins.margins[game.margin];
      } else {
        count_result(figures.margins.played_out, outcome.first_score_halves() - 1);
      }
    }
    return figures;
  }

  using Value = std::function<double(std::uint64_t row)>;
  std::vector<PairedValue> pairs(const Value& first, const Value& second) const {
    std::vector<PairedValue> values;
    values.reserve(rows_.size());
    for (const std::uint64_t row : rows_) {
      values.push_back({games_.at(row, 0).opening, first(row), second(row)});
    }
    return values;
  }
  Value value(Measure measure, std::size_t column) const {
    return [this, measure, column](std::uint64_t row) {
      const ComparedGame& game = games_.at(row, column);
      return value_of(measure, game, game.outcome);
    };
  }
  PairedDifference difference(const Value& first, const Value& second) const {
    return compare_paired(pairs(first, second), kComparisonReplicates, seed_);
  }
  Differences differences(std::size_t first, std::size_t second) const {
    Differences result;
    for (std::size_t i = 0; i < kMeasures; ++i) {
      const auto measure = static_cast<Measure>(i);
      result[i] = difference(value(measure, first), value(measure, second));
    }
    return result;
  }

  PairedFigures figures(std::size_t first, std::size_t second) const {
    PairedFigures result;
    for (std::size_t i = 0; i < kMeasures; ++i) {
      const auto measure = static_cast<Measure>(i);
      const auto values = pairs(value(measure, first), value(measure, second));
      result[i].difference = compare_paired(values, kComparisonReplicates, seed_);
      if (!yes_or_no(measure)) {
        result[i].signs = sign_test(values);
        continue;
      }
      std::uint64_t only_first = 0;
      std::uint64_t only_second = 0;
      for (const PairedValue& value : values) {
        only_first += value.first > value.second ? 1 : 0;
        only_second += value.first < value.second ? 1 : 0;
      }
      result[i].mcnemar = mcnemar_test(only_first, only_second);
    }
    return result;
  }

  Outcome rescored(std::uint64_t row, std::size_t kja) const {
    const ComparedGame& game = games_.at(row, kja);
    return rescore(game.outcome, game.margin, rules_of(Preset::kPointCount).second_bonus_halves);
  }

  StrengthComparison strength(std::size_t strength) const {
    const std::size_t kja = main_column(strength, Preset::kKja);
    const std::size_t count = main_column(strength, Preset::kPointCount);
    const int bonus = rules_of(Preset::kPointCount).second_bonus_halves;
    StrengthComparison result;
    result.nodes = design_.nodes[strength];
    result.kja = arm(kja);
    result.point_count = arm(count);
    result.figures = figures(kja, count);
    const Value again = [&](std::uint64_t row) {
      return rescored(row, kja).first_score_halves() / 2.0;
    };
    result.by_rule = difference(value(Measure::kScore, kja), again);
    result.by_play = difference(again, value(Measure::kScore, count));
    WinnerChanges& winners = result.winners;
    for (const std::uint64_t row : rows_) {
      const ComparedGame& k = games_.at(row, kja);
      const ComparedGame& p = games_.at(row, count);
      const Outcome r = rescored(row, kja);
      count_result(result.rescored, r.first_score_halves() - 1);
      ++result.endings[at(k.outcome.reason)][at(p.outcome.reason)];
      const bool changed = p.outcome.winner != k.outcome.winner;
      const bool by_rule = r.winner != k.outcome.winner;
      const bool by_play = p.outcome.winner != r.winner;
      ++winners.games;
      winners.changed += changed ? 1 : 0;
      winners.explained += changed && !by_play ? 1 : 0;
      winners.rescored += by_rule ? 1 : 0;
      winners.undone += by_rule && !changed ? 1 : 0;
      winners.by_play += by_play ? 1 : 0;
      winners.same_play += k.play == p.play ? 1 : 0;
      if (changed && result.changed.size() < kShownChanges) {
        result.changed.push_back({row, k.outcome, r, p.outcome});
      }
    }
    result.level_rescored = level_endings(result.kja.margins, bonus);
    result.level_played = level_endings(result.point_count.margins, bonus);
    result.bonus = bonus_figures(games_, rows_, strength, seed_);
    if (column(Arm::Kind::kCrossed, strength, Preset::kKja)) {
      const std::size_t kja_by_count = column(Arm::Kind::kCrossed, strength, Preset::kKja).value();
      const std::size_t count_by_kja =
          column(Arm::Kind::kCrossed, strength, Preset::kPointCount).value();
      result.crossed =
          CrossedFigures{differences(kja, count_by_kja), differences(kja_by_count, count),
                         differences(kja, kja_by_count), differences(count_by_kja, count)};
    }
    return result;
  }

  Differences trend() const {
    const std::size_t strongest = design_.nodes.size() - 1;
    Differences result;
    for (std::size_t i = 0; i < kMeasures; ++i) {
      const auto measure = static_cast<Measure>(i);
      const auto change = [&](std::size_t strength) -> Value {
        return [first = value(measure, main_column(strength, Preset::kKja)),
                second = value(measure, main_column(strength, Preset::kPointCount))](
                   std::uint64_t row) { return second(row) - first(row); };
      };
      result[i] = difference(change(0), change(strongest));
    }
    return result;
  }

  SetUpFigures set_ups(Preset preset) const {
    SetUpFigures result;
    result.rules = preset;
    std::array<SetupCells, 2> halves{SetupCells(kSetUps, kSetUps), SetupCells(kSetUps, kSetUps)};
    for (std::size_t i = 0; i < games_.arms().size(); ++i) {
      const Arm& arm = games_.arms()[i];
      const bool ours = arm.kind == Arm::Kind::kMain || arm.kind == Arm::Kind::kSetUpGame;
      if (!ours || arm.preset != preset || arm.strength != design_.nodes.size() - 1) continue;
      for (const std::uint64_t row : rows_) {
        const ComparedGame& game = games_.at(row, i);
        if (game.set_ups < 0) continue;
        const auto han = static_cast<std::size_t>(game.set_ups / kSetUps);
        const auto cho = static_cast<std::size_t>(game.set_ups % kSetUps);
        count_result(halves[game.opening / kSetUpBlock % 2].at(han, cho),
                     game.outcome.first_score_halves() - 1);
      }
    }
    for (std::size_t han = 0; han < kSetUps; ++han) {
      for (std::size_t cho = 0; cho < kSetUps; ++cho) {
        result.cells.at(han, cho) = halves[0].at(han, cho);
        result.cells.at(han, cho) += halves[1].at(han, cho);
      }
    }
    const std::vector<std::size_t>& mirror = set_up_mirror();
    result.pooled = result.cells.pooled(mirror);
    result.mirror = check_mirror(result.cells, mirror);
    const auto scores = result.pooled.scores();
    if (!scores) return result;
    result.game = solve_setup_game(*scores);
    result.han_left = han_declarations_left(result.pooled);
    result.cho_left = cho_declarations_left(result.pooled);
    for (std::size_t han = 0; han < kSetUps; ++han) {
      result.answers_left[han] = cho_answers_left(result.pooled, han);
    }
    if (const auto honest = cross_report(halves[0].pooled(mirror), halves[1].pooled(mirror))) {
      result.honest = *honest;
    }
    return result;
  }

  const ComparedGames& games_;
  const CompareDesign& design_;
  std::uint64_t seed_;
  std::vector<std::uint64_t> rows_;
};

}  // namespace

bool counted_ending(Reason reason) {
  return reason == Reason::kRepetition || reason == Reason::kDoublePass ||
         reason == Reason::kNoProgress;
}

Outcome rescore(const Outcome& outcome, int margin, int bonus_halves) {
  if (!counted_ending(outcome.reason)) return outcome;
  const int lead = 2 * margin - bonus_halves;
  if (lead == 0) return {std::nullopt, outcome.reason, false};
  return {lead > 0 ? Side::kFirst : Side::kSecond, outcome.reason, true};
}

void ComparedGames::add(const GameRecord& game, const CompareSchedule::Place& place) {
  if (place.row * arms_.size() + place.column != games_.size()) {
    throw internal_error(fmt::format("game {} of a comparison is out of order", game.id));
  }
  const Arm& arm = arms_[place.column];
  if (game.rules != arm.rules.id) {
    throw user_error(fmt::format("game {} was played under {}, where the schedule has {}", game.id,
                                 game.rules, arm.rules.id));
  }
  ComparedGame compared;
  compared.opening = place.slot.opening;
  compared.outcome = game.outcome;
  compared.plies = static_cast<std::uint32_t>(game.moves.size());
  compared.margin =
      (game.points_halves[0] - game.points_halves[1] + arm.rules.second_bonus_halves) / 2;
  std::string play = game.start_fen;
  for (const Move move : game.moves) {
    play += static_cast<char>(move.from());
    play += static_cast<char>(move.to());
  }
  compared.play = fingerprint(play);
  if (const auto set_ups = set_ups_of(game.start_fen)) {
    const auto [cho, han] = *set_ups;
    compared.set_ups =
        static_cast<std::int8_t>(static_cast<int>(han) * kSetUps + static_cast<int>(cho));
  }
  games_.push_back(compared);
}

std::uint64_t ArmFigures::ending(Reason reason) const {
  const auto& split = endings[at(reason)];
  return split[0] + split[1] + split[2];
}

LevelEndings level_endings(const MarginCounts& margins, int bonus_halves) {
  LevelEndings result;
  for (const auto& [margin, games] : margins.margins) {
    const int lead = 2 * margin - bonus_halves;
    result.games += games;
    (lead > 0 ? result.cho : lead < 0 ? result.han : result.level) += games;
    if (lead < 0 && margin >= 0) result.by_bonus += games;
  }
  return result;
}

std::string_view measure_key(Measure measure) {
  constexpr std::array<std::string_view, kMeasures> kKeys{"first_score", "draw_rate", "cho_wins",
                                                          "han_wins",    "mates",     "length"};
  return kKeys[static_cast<std::size_t>(measure)];
}

std::string_view measure_words(Measure measure) {
  constexpr std::array<std::string_view, kMeasures> kWords{
      "Cho's score", "Drawn", "Won by Cho", "Won by Han", "Ended by checkmate", "Length in turns"};
  return kWords[static_cast<std::size_t>(measure)];
}

const std::vector<std::size_t>& set_up_mirror() {
  static const std::vector<std::size_t> kMirror = [] {
    std::vector<std::size_t> all(kSetUps);
    all[static_cast<std::size_t>(SetUp::kInside)] = static_cast<std::size_t>(SetUp::kInside);
    all[static_cast<std::size_t>(SetUp::kOutside)] = static_cast<std::size_t>(SetUp::kOutside);
    all[static_cast<std::size_t>(SetUp::kLeft)] = static_cast<std::size_t>(SetUp::kRight);
    all[static_cast<std::size_t>(SetUp::kRight)] = static_cast<std::size_t>(SetUp::kLeft);
    return all;
  }();
  return kMirror;
}

Comparison compare_games(const ComparedGames& games, const CompareDesign& design,
                         std::uint64_t seed) {
  return Counter(games, design, seed).count();
}

}  // namespace cannonade
