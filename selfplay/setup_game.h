// The choice of set-ups as a game. Han declares, Cho answers, the game is played; a table holds
// Cho's results for every (Han's, Cho's) set-up. What is the choice worth as it is played (Han
// first), with Cho first, and with both at once, which set-ups are best, and which might be? Pure.
//
// Rows are Han's set-ups, who wants Cho's score low; columns are Cho's, who wants it high.
// Mirroring the board turns a set-up into its mirror for both sides at once, so cells (r, c) and
// (mirror r, mirror c) are the same game: janggi's 16 cells are 10 classes (J6, J7).
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "selfplay/intervals.h"
#include "selfplay/matrix_game.h"
#include "selfplay/ratings.h"

namespace cannonade {

// Cho's results by set-ups.
class SetupCells {
 public:
  SetupCells(std::size_t han, std::size_t cho)
      : han_(han), cho_(cho), cells_(han * cho), classes_(han * cho) {
    for (std::size_t i = 0; i < classes_.size(); ++i) classes_[i] = i;
  }
  [[nodiscard]] std::size_t han() const { return han_; }
  [[nodiscard]] std::size_t cho() const { return cho_; }
  Trinomial& at(std::size_t han, std::size_t cho) { return cells_[han * cho_ + cho]; }
  [[nodiscard]] const Trinomial& at(std::size_t han, std::size_t cho) const {
    return cells_[han * cho_ + cho];
  }
  // Cells of one class hold the same games, so that they differ by nothing, without error.
  [[nodiscard]] std::size_t class_of(std::size_t han, std::size_t cho) const {
    return classes_[han * cho_ + cho];
  }
  // Cho's scores. Fails when a cell has no games.
  [[nodiscard]] Expected<PayoffTable> scores() const;

  // Each cell with its mirror's games added; mirror[i] is the set-up that i turns into, for both
  // sides. Throws Error(kInternal) unless it is its own inverse and fits both sides.
  [[nodiscard]] SetupCells pooled(const std::vector<std::size_t>& mirror) const;
  [[nodiscard]] std::size_t classes() const;  // how many

 private:
  std::size_t han_;
  std::size_t cho_;
  std::vector<Trinomial> cells_;
  std::vector<std::size_t> classes_;
};

// One side declares, the other answers.
struct SequentialGame {
  std::size_t declaration = 0;       // the first side's best, the lowest number when several are
  std::vector<std::size_t> answers;  // the other's best to each declaration
  double value = 0;                  // Cho's score
};
struct SetupGame {
  SequentialGame han_first;  // as janggi is played (J7)
  SequentialGame cho_first;
  Equilibrium simultaneous;  // rows: Han's mix
  // What choosing last is worth, in Cho's score: to Cho, and to Han.
  [[nodiscard]] double cho_gains_by_last() const { return han_first.value - simultaneous.value; }
  [[nodiscard]] double han_gains_by_last() const { return simultaneous.value - cho_first.value; }
};
[[nodiscard]] SetupGame solve_setup_game(const PayoffTable& cho_scores);

// Do mirrored cells score the same? They must, but for chance; if not, something is wrong with how
// the games were played.
struct MirrorDifference {
  std::size_t han = 0, cho = 0;  // the cell; the other is its mirror
  Estimate difference;           // its score less its mirror's
};
struct MirrorCheck {
  std::vector<MirrorDifference> differences;  // of cells that are not their own mirror
  double chi_squared = 0;
  int degrees = 0;
  double p = 1;
};
[[nodiscard]] MirrorCheck check_mirror(const SetupCells& cells,
                                       const std::vector<std::size_t>& mirror);

// The best of several measured cells is partly luck, so choices are made on one half of the games
// and worth what the other half says.
struct HonestValue {
  SequentialGame chosen;  // on the half for choosing; its value is the flattered one
  Trinomial reported;     // the cell of declaration and answer in the other half
  double value = 0;       // its score
  Interval interval;      // 95 %
};
struct SplitReport {
  HonestValue han_first;
  HonestValue cho_first;
  Equilibrium simultaneous;     // chosen, with its flattered value
  Estimate simultaneous_value;  // of those mixes in the other half
};
// Fails when a cell of either half has no games.
[[nodiscard]] Expected<SplitReport> choose_and_report(const SetupCells& choose,
                                                      const SetupCells& report);
// Both ways round, each half once for choosing; the mean of the two honest values.
struct CrossedReport {
  SplitReport first;   // chosen on a, reported on b
  SplitReport second;  // chosen on b, reported on a
  Estimate han_first;
  Estimate cho_first;
  Estimate simultaneous;
};
[[nodiscard]] Expected<CrossedReport> cross_report(const SetupCells& a, const SetupCells& b);

// Set-ups that might be the best: with the chance `level` the truly best one is among them. One is
// excluded when some answer to it is significantly better than every answer to some other (union of
// intersections; Bonferroni over answers and rivals).
[[nodiscard]] std::vector<std::size_t> han_declarations_left(const SetupCells& cells,
                                                             double level = 0.95);
[[nodiscard]] std::vector<std::size_t> cho_declarations_left(const SetupCells& cells,
                                                             double level = 0.95);
[[nodiscard]] std::vector<std::size_t> cho_answers_left(const SetupCells& cells, std::size_t han,
                                                        double level = 0.95);
[[nodiscard]] std::vector<std::size_t> han_answers_left(const SetupCells& cells, std::size_t cho,
                                                        double level = 0.95);

}  // namespace cannonade
