// Which material can mate a bare general in janggi (J26), worked out exhaustively backwards from
// every mate: a retrograde solver for Cho's general, up to two guards and one or two other pieces
// against Han's general alone.
//
// Han alone never gives check, so Cho may always pass; but a pass could be answered by a second one
// (J24), so it never helps to mate and is left out. A turn that leaves facing generals facing draws
// (J20) unless it mates. A forced mate never repeats a position, so J23 has no say; the longest one
// found is far from J25's limit.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/board/bitboard.h"
#include "core/board/types.h"

namespace cannonade::support {

struct MateMaterial {
  PieceKind first = PieceKind::kNone;
  PieceKind second = PieceKind::kNone;  // kNone: one piece only
  int guards = 0;
};

// Letters, "R" or "RP".
[[nodiscard]] std::string to_string(const MateMaterial& material);

// Counts of positions, each point of the board for its own.
struct MateSummary {
  std::uint64_t positions = 0;  // Cho to move
  std::uint64_t won = 0;        // of them, those where Cho can force mate
  std::uint64_t mates = 0;      // Han to move, in check and without a legal turn
  int longest = 0;              // turns of both sides to the farthest forced mate
};

class MateTable {
 public:
  // A position as the solver sees it. `second` is kNoSquare where there is no second piece; two
  // pieces of one kind stand in rising order. Guards too; kNoSquare where there are fewer.
  struct State {
    Square han = kNoSquare;  // the bare general
    Square cho = kNoSquare;
    std::array<Square, 2> guards{kNoSquare, kNoSquare};
    Square first = kNoSquare;
    Square second = kNoSquare;
  };

  // `fewer` is the table of the same pieces with one guard less; null when there are no guards.
  // That a side whose one piece is left can no longer mate is taken as known where there are two.
  MateTable(const MateMaterial& material, const MateTable* fewer);

  [[nodiscard]] const MateMaterial& material() const { return material_; }
  [[nodiscard]] MateSummary summary() const;

  // For checking entries from outside.
  [[nodiscard]] std::size_t size() const { return won_in_.size(); }
  // Whether the entry is a position at all: no two pieces on a point, like pieces in order.
  [[nodiscard]] bool exists(std::size_t index) const;
  [[nodiscard]] State state(std::size_t index) const;
  [[nodiscard]] std::size_t index(State state) const;
  // Turns to mate with Cho to move; 0 when Cho cannot force it or Han stands in check.
  [[nodiscard]] int won_in(std::size_t index) const { return won_in_[index]; }
  // Turns to mate with Han to move, 0 for mated; -1 when Han can avoid it.
  [[nodiscard]] int lost_in(std::size_t index) const { return lost_in_[index] - 1; }

 private:
  struct Board;  // a state with its sets of points

  [[nodiscard]] Board board(const State& state) const;
  [[nodiscard]] bool in_check(const Board& board) const;
  void look_at_replies(std::size_t index);
  void spread_loss(std::size_t index, int turns);
  void spread_win(std::size_t index, int turns);
  void lose(std::size_t index, int turns);

  MateMaterial material_;
  const MateTable* fewer_;
  std::size_t guard_sets_;
  std::size_t seconds_;                   // points of the second piece, 1 without
  std::vector<std::uint8_t> won_in_;      // Cho to move; 0 for not
  std::vector<std::uint8_t> lost_in_;     // Han to move; turns + 1, 0 for not
  std::vector<std::uint8_t> open_;        // Han to move: replies not known to lose; kSafe for ever
  std::vector<std::uint8_t> guard_loss_;  // Han to move: the longest loss after taking a guard
  // By turns to mate: entries with Cho to move at odd numbers, with Han to move at even ones.
  std::vector<std::vector<std::uint32_t>> waiting_;
};

}  // namespace cannonade::support
