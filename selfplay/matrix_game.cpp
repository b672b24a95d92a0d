#include "selfplay/matrix_game.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/error.h"

namespace cannonade {

Equilibrium solve_zero_sum(const PayoffTable& payoff) {
  const std::size_t rows = payoff.rows();
  const std::size_t columns = payoff.columns();
  if (rows == 0 || columns == 0) throw internal_error("a matrix game without a choice");
  double least = std::numeric_limits<double>::infinity();
  double most = -least;
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c) {
      if (!std::isfinite(payoff.at(r, c))) throw internal_error("a payment that is not finite");
      least = std::min(least, payoff.at(r, c));
      most = std::max(most, payoff.at(r, c));
    }
  }
  const double range = most > least ? most - least : 1;

  // With payments A in [1, 2]: maximise the sum of x over x >= 0 with sum_r A(r, c) x_r <= 1 for
  // all c. Then the value is 1 / sum, the row player's mix x / sum, and the column player's the
  // dual solution over sum. One tableau line a column c (its slack the starting basis), one
  // objective.
  const std::size_t width = rows + columns + 1;
  std::vector<std::vector<double>> line(columns + 1, std::vector<double>(width));
  std::vector<std::size_t> basis(columns);
  for (std::size_t c = 0; c < columns; ++c) {
    for (std::size_t r = 0; r < rows; ++r) line[c][r] = 1 + (payoff.at(r, c) - least) / range;
    line[c][rows + c] = 1;
    line[c][width - 1] = 1;
    basis[c] = rows + c;
  }
  for (std::size_t r = 0; r < rows; ++r) line[columns][r] = -1;

  constexpr double kZero = 1e-12;
  for (;;) {
    // Bland: the first variable that gains enters, the first basic one among those that bind
    // leaves.
    std::size_t enter = 0;
    while (enter < width - 1 && line[columns][enter] >= -kZero) ++enter;
    if (enter == width - 1) break;
    std::size_t leave = columns;
    double tightest = std::numeric_limits<double>::infinity();
    for (std::size_t c = 0; c < columns; ++c) {
      if (line[c][enter] <= kZero) continue;
      const double ratio = line[c][width - 1] / line[c][enter];
      if (ratio < tightest - kZero ||
          (ratio < tightest + kZero && leave < columns && basis[c] < basis[leave])) {
        tightest = std::min(tightest, ratio);
        leave = c;
      }
    }
    if (leave == columns) throw internal_error("a matrix game's linear program is unbounded");
    const double pivot = line[leave][enter];
    for (double& x : line[leave]) x /= pivot;
    for (std::size_t i = 0; i <= columns; ++i) {
      const double factor = line[i][enter];
      if (i == leave || factor == 0) continue;
      for (std::size_t j = 0; j < width; ++j) line[i][j] -= factor * line[leave][j];
    }
    basis[leave] = enter;
  }

  Equilibrium result;
  result.rows.resize(rows);
  result.columns.resize(columns);
  for (std::size_t c = 0; c < columns; ++c) {
    if (basis[c] < rows) result.rows[basis[c]] = std::max(0.0, line[c][width - 1]);
    result.columns[c] = std::max(0.0, line[columns][rows + c]);
  }
  for (auto* mix : {&result.rows, &result.columns}) {
    double sum = 0;
    for (const double x : *mix) sum += x;
    for (double& x : *mix) x /= sum;
  }
  result.value = expected_payoff(payoff, result.rows, result.columns);

  // Neither side can do better: the proof that this is an equilibrium.
  std::vector<double> pure_rows(rows);
  std::vector<double> pure_columns(columns);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c) {
      pure_rows[r] += payoff.at(r, c) * result.columns[c];
      pure_columns[c] += payoff.at(r, c) * result.rows[r];
    }
  }
  const double gap = *std::max_element(pure_columns.begin(), pure_columns.end()) -
                     *std::min_element(pure_rows.begin(), pure_rows.end());
  if (!(gap <= 1e-9 * range)) throw internal_error("a matrix game was not solved exactly");
  return result;
}

double expected_payoff(const PayoffTable& payoff, const std::vector<double>& rows,
                       const std::vector<double>& columns) {
  double sum = 0;
  for (std::size_t r = 0; r < payoff.rows(); ++r) {
    for (std::size_t c = 0; c < payoff.columns(); ++c) {
      sum += rows.at(r) * columns.at(c) * payoff.at(r, c);
    }
  }
  return sum;
}

}  // namespace cannonade
