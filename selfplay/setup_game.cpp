#include "selfplay/setup_game.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "selfplay/statistics.h"

namespace cannonade {
namespace {

// A cell's score and variance.
struct Measured {
  double score = 0.5;
  double variance = 0;
};
// With one won and one lost more, by which small counts compare as often wrongly as said (Agresti
// and Caffo 2000): a few games that all ended alike are no certainty of how others will.
Measured measure(const Trinomial& cell) {
  const Trinomial more{cell.wins + 1, cell.draws, cell.losses + 1};
  const Sample sample = sample_of(more);
  return {more.score(), sample.variance() / sample.total};
}

// What a declaration may come to: for each answer to it, what it costs the declaring side.
struct CellOutcome {
  double cost = 0;
  double variance = 0;
  std::size_t cell_class = 0;
};
using Declarations = std::vector<std::vector<CellOutcome>>;

// The other side answers so that the cost is greatest; which declarations might cost least?
std::vector<std::size_t> declarations_left(const Declarations& declarations, double level) {
  std::vector<std::size_t> left;
  const std::size_t rivals = declarations.size() - 1;
  for (std::size_t i = 0; i < declarations.size(); ++i) {
    // For the truly best declaration i, each (rival, answer) rejects with the chance
    // alpha / (rivals * answers) at most: its true cost is not above some answer to the rival.
    const double alpha = (1 - level) / static_cast<double>(std::max<std::size_t>(
                                           1, rivals * declarations[i].size()));
    const double z = normal_quantile(1 - alpha);
    const auto beaten = [&](const std::vector<CellOutcome>& rival) {
      return std::any_of(
          declarations[i].begin(), declarations[i].end(), [&](const CellOutcome& mine) {
            return std::all_of(rival.begin(), rival.end(), [&](const CellOutcome& theirs) {
              if (mine.cell_class == theirs.cell_class) return false;
              return mine.cost - theirs.cost > z * std::sqrt(mine.variance + theirs.variance);
            });
          });
    };
    bool excluded = false;
    for (std::size_t j = 0; j < declarations.size() && !excluded; ++j) {
      excluded = j != i && beaten(declarations[j]);
    }
    if (!excluded) left.push_back(i);
  }
  return left;
}

CellOutcome outcome_of(const SetupCells& cells, std::size_t han, std::size_t cho, bool costs_han) {
  const Measured measured = measure(cells.at(han, cho));
  return {costs_han ? measured.score : 1 - measured.score, measured.variance,
          cells.class_of(han, cho)};
}

void require_level(double level) {
  if (!(level > 0 && level < 1)) {
    throw internal_error(fmt::format("confidence level {} is not between 0 and 1", level));
  }
}

void require_mirror(const SetupCells& cells, const std::vector<std::size_t>& mirror) {
  bool sound = cells.han() == mirror.size() && cells.cho() == mirror.size();
  for (std::size_t i = 0; sound && i < mirror.size(); ++i) {
    sound = mirror[i] < mirror.size() && mirror[mirror[i]] == i;
  }
  if (!sound) throw internal_error("the mirror does not fit the set-ups");
}

HonestValue report_on(const SequentialGame& chosen, const Trinomial& cell) {
  return {chosen, cell, cell.score(), score_interval(cell)};
}

Estimate estimate_of(const Trinomial& cell) {
  return {cell.score(), std::sqrt(measure(cell).variance)};
}

}  // namespace

Expected<PayoffTable> SetupCells::scores() const {
  PayoffTable table(han_, cho_);
  for (std::size_t r = 0; r < han_; ++r) {
    for (std::size_t c = 0; c < cho_; ++c) {
      if (at(r, c).games() == 0) {
        return Failure{fmt::format("no games with Han's set-up {} and Cho's {}", r, c)};
      }
      table.at(r, c) = at(r, c).score();
    }
  }
  return table;
}

SetupCells SetupCells::pooled(const std::vector<std::size_t>& mirror) const {
  require_mirror(*this, mirror);
  SetupCells result = *this;
  for (std::size_t r = 0; r < han_; ++r) {
    for (std::size_t c = 0; c < cho_; ++c) {
      const std::size_t here = r * cho_ + c;
      const std::size_t there = mirror[r] * cho_ + mirror[c];
      if (here != there) result.cells_[here] += cells_[there];
      result.classes_[here] = std::min(here, there);
    }
  }
  return result;
}

std::size_t SetupCells::classes() const {
  return std::set<std::size_t>(classes_.begin(), classes_.end()).size();
}

SetupGame solve_setup_game(const PayoffTable& scores) {
  SetupGame game;
  game.simultaneous = solve_zero_sum(scores);  // refuses an empty table
  for (std::size_t r = 0; r < scores.rows(); ++r) {
    std::size_t best = 0;
    for (std::size_t c = 1; c < scores.columns(); ++c) {
      if (scores.at(r, c) > scores.at(r, best)) best = c;
    }
    game.han_first.answers.push_back(best);
    if (r == 0 || scores.at(r, best) < game.han_first.value) {
      game.han_first.declaration = r;
      game.han_first.value = scores.at(r, best);
    }
  }
  for (std::size_t c = 0; c < scores.columns(); ++c) {
    std::size_t best = 0;
    for (std::size_t r = 1; r < scores.rows(); ++r) {
      if (scores.at(r, c) < scores.at(best, c)) best = r;
    }
    game.cho_first.answers.push_back(best);
    if (c == 0 || scores.at(best, c) > game.cho_first.value) {
      game.cho_first.declaration = c;
      game.cho_first.value = scores.at(best, c);
    }
  }
  return game;
}

MirrorCheck check_mirror(const SetupCells& cells, const std::vector<std::size_t>& mirror) {
  require_mirror(cells, mirror);
  MirrorCheck check;
  for (std::size_t r = 0; r < cells.han(); ++r) {
    for (std::size_t c = 0; c < cells.cho(); ++c) {
      const std::size_t here = r * cells.cho() + c;
      const std::size_t there = mirror[r] * cells.cho() + mirror[c];
      const Trinomial& a = cells.at(r, c);
      const Trinomial& b = cells.at(mirror[r], mirror[c]);
      if (here >= there || a.games() == 0 || b.games() == 0) continue;
      const double difference = a.score() - b.score();
      check.differences.push_back(
          {r, c, {difference, std::hypot(estimate_of(a).error, estimate_of(b).error)}});
      // Were they the same, both cells' games would be of one kind: its variance, not each one's.
      Trinomial both = a;
      both += b;
      const double variance = sample_of(both).variance() * (1 / static_cast<double>(a.games()) +
                                                            1 / static_cast<double>(b.games()));
      check.chi_squared += difference * difference / variance;
      ++check.degrees;
    }
  }
  if (check.degrees > 0) check.p = chi_squared_tail(check.chi_squared, check.degrees);
  return check;
}

Expected<SplitReport> choose_and_report(const SetupCells& choose, const SetupCells& report) {
  if (choose.han() != report.han() || choose.cho() != report.cho()) {
    throw internal_error("two halves of a set-up table differ in size");
  }
  const auto scores = choose.scores();
  if (!scores) return Failure{scores.error()};
  const auto reported = report.scores();
  if (!reported) return Failure{reported.error()};
  const SetupGame game = solve_setup_game(*scores);
  const std::size_t han = game.han_first.declaration;
  const std::size_t cho = game.cho_first.declaration;
  SplitReport result;
  result.han_first = report_on(game.han_first, report.at(han, game.han_first.answers[han]));
  result.cho_first = report_on(game.cho_first, report.at(game.cho_first.answers[cho], cho));
  result.simultaneous = game.simultaneous;
  result.simultaneous_value.value =
      expected_payoff(*reported, game.simultaneous.rows, game.simultaneous.columns);
  // Cells of one class hold the same games: their weights add up before they are squared.
  std::vector<double> weight(report.han() * report.cho());
  std::vector<double> cell_variance(weight.size());
  for (std::size_t r = 0; r < report.han(); ++r) {
    for (std::size_t c = 0; c < report.cho(); ++c) {
      const std::size_t cell_class = report.class_of(r, c);
      weight[cell_class] += game.simultaneous.rows[r] * game.simultaneous.columns[c];
      cell_variance[cell_class] = measure(report.at(r, c)).variance;
    }
  }
  double variance = 0;
  for (std::size_t i = 0; i < weight.size(); ++i)
    variance += weight[i] * weight[i] * cell_variance[i];
  result.simultaneous_value.error = std::sqrt(variance);
  return result;
}

Expected<CrossedReport> cross_report(const SetupCells& a, const SetupCells& b) {
  auto first = choose_and_report(a, b);
  if (!first) return Failure{first.error()};
  auto second = choose_and_report(b, a);
  if (!second) return Failure{second.error()};
  // The two halves are different games, so the errors are independent given the choices.
  const auto mean = [](const Estimate& x, const Estimate& y) {
    return Estimate{(x.value + y.value) / 2, std::hypot(x.error, y.error) / 2};
  };
  CrossedReport result{*first, *second, {}, {}, {}};
  result.han_first =
      mean(estimate_of(first->han_first.reported), estimate_of(second->han_first.reported));
  result.cho_first =
      mean(estimate_of(first->cho_first.reported), estimate_of(second->cho_first.reported));
  result.simultaneous = mean(first->simultaneous_value, second->simultaneous_value);
  return result;
}

std::vector<std::size_t> han_declarations_left(const SetupCells& cells, double level) {
  require_level(level);
  Declarations declarations(cells.han());
  for (std::size_t r = 0; r < cells.han(); ++r) {
    for (std::size_t c = 0; c < cells.cho(); ++c) {
      declarations[r].push_back(outcome_of(cells, r, c, true));
    }
  }
  return declarations_left(declarations, level);
}

std::vector<std::size_t> cho_declarations_left(const SetupCells& cells, double level) {
  require_level(level);
  Declarations declarations(cells.cho());
  for (std::size_t c = 0; c < cells.cho(); ++c) {
    for (std::size_t r = 0; r < cells.han(); ++r) {
      declarations[c].push_back(outcome_of(cells, r, c, false));
    }
  }
  return declarations_left(declarations, level);
}

std::vector<std::size_t> cho_answers_left(const SetupCells& cells, std::size_t han, double level) {
  require_level(level);
  Declarations answers(cells.cho());
  for (std::size_t c = 0; c < cells.cho(); ++c) {
    answers[c].push_back(outcome_of(cells, han, c, false));
  }
  return declarations_left(answers, level);
}

std::vector<std::size_t> han_answers_left(const SetupCells& cells, std::size_t cho, double level) {
  require_level(level);
  Declarations answers(cells.han());
  for (std::size_t r = 0; r < cells.han(); ++r) {
    answers[r].push_back(outcome_of(cells, r, cho, true));
  }
  return declarations_left(answers, level);
}

}  // namespace cannonade
