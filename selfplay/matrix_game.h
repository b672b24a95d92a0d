// Two-player zero-sum games in matrix form, solved exactly by linear programming. Pure.
//
// Source: G. Dantzig, "A proof of the equivalence of the programming problem and the game problem"
// (1951); R. Bland, Math. Oper. Res. 2 (1977), for the pivot rule that cannot cycle.
#pragma once

#include <cstddef>
#include <vector>

namespace cannonade {

// Payments to the column player, who wants much; the row player wants little.
class PayoffTable {
 public:
  PayoffTable(std::size_t rows, std::size_t columns)
      : rows_(rows), columns_(columns), values_(rows * columns) {}

  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] std::size_t columns() const { return columns_; }
  double& at(std::size_t row, std::size_t column) { return values_[row * columns_ + column]; }
  [[nodiscard]] double at(std::size_t row, std::size_t column) const {
    return values_[row * columns_ + column];
  }

 private:
  std::size_t rows_;
  std::size_t columns_;
  std::vector<double> values_;
};

struct Equilibrium {
  double value = 0;
  std::vector<double> rows;     // probabilities; add up to 1
  std::vector<double> columns;  //
};
// An equilibrium (there may be several, of one value): each side's best reply to the other's mix is
// worth the value to within 1e-9 of the payments' range. Throws Error(kInternal) for an empty table
// or a payment that is not finite.
[[nodiscard]] Equilibrium solve_zero_sum(const PayoffTable& payoff);

// What the mixes are worth to the column player.
[[nodiscard]] double expected_payoff(const PayoffTable& payoff, const std::vector<double>& rows,
                                     const std::vector<double>& columns);

}  // namespace cannonade
