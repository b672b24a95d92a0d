// A mate table's entries against the naive twin: every turn is asked of the twin, and the entry's
// value must follow from the values that the turns lead to.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "core/base/rng.h"
#include "tests/support/mate_table.h"
#include "tests/support/naive_board.h"
#include "tests/support/naive_fen.h"
#include "tests/support/naive_rules.h"

namespace cannonade::support {

class FromTurns {
 public:
  FromTurns(const MateTable& table, const MateTable* fewer) : table_(table), fewer_(fewer) {}

  void expect(std::size_t entry) const {
    if (!table_.exists(entry)) return;
    naive::Board board = to_board(table_.state(entry));
    board.to_move = naive::Side::kSecond;
    EXPECT_EQ(table_.lost_in(entry), han_to_move(board)) << naive::to_fen(board);
    const bool check = naive::in_check(naive::Rules::kJanggiKja, board);
    board.to_move = naive::Side::kFirst;
    EXPECT_EQ(table_.won_in(entry), check ? 0 : cho_to_move(board)) << naive::to_fen(board);
  }

  // So many entries drawn from all, and twenty of each number of turns in which Han is lost, for
  // those are rare. Returns how many mates were among them.
  int expect_sample(int entries) const {
    Rng rng(41);
    for (int i = 0; i < entries && !testing::Test::HasFailure(); ++i) {
      expect(rng.below(table_.size()));
    }
    std::map<int, int> met;
    for (std::size_t entry = 0; entry < table_.size() && !testing::Test::HasFailure(); ++entry) {
      const int lost = table_.exists(entry) ? table_.lost_in(entry) : -1;
      if (lost >= 0 && ++met[lost] <= 20) expect(entry);
    }
    return met[0];
  }

 private:
  static char letter_of(PieceKind kind) { return ".KABNRCP"[index_of(kind)]; }
  [[nodiscard]] naive::Board to_board(const MateTable::State& s) const {
    naive::Board board{};
    for (auto& rank : board.points) rank.fill(naive::kEmpty);
    const auto put = [&](Square square, char piece) {
      if (square != kNoSquare) {
        board.points[static_cast<std::size_t>(rank_of(square))]
                    [static_cast<std::size_t>(file_of(square))] = piece;
      }
    };
    put(s.han, 'k');
    put(s.cho, 'K');
    for (const Square guard : s.guards) put(guard, 'A');
    put(s.first, letter_of(table_.material().first));
    if (s.second != kNoSquare) put(s.second, letter_of(table_.material().second));
    return board;
  }
  // The entry of a board in a table of the same pieces.
  [[nodiscard]] std::size_t entry_of(const naive::Board& board, const MateTable& table) const {
    MateTable::State s;
    int guards = 0;
    naive::each_point([&](naive::Point p) {
      const char piece = naive::piece_on(board, p);
      const Square square = make_square(p.file, p.rank);
      if (piece == 'k') s.han = square;
      if (piece == 'K') s.cho = square;
      if (piece == 'A') s.guards[static_cast<std::size_t>(guards++)] = square;
      if (piece == letter_of(table.material().first) && s.first == kNoSquare) {
        s.first = square;
      } else if (table.material().second != PieceKind::kNone &&
                 piece == letter_of(table.material().second)) {
        s.second = square;
      }
    });
    return table.index(s);
  }

  [[nodiscard]] int cho_to_move(const naive::Board& board) const {
    int best = 0;
    for (const auto& word : naive::legal_moves(naive::Rules::kJanggiKja, board)) {
      if (naive::is_pass(word)) continue;  // J24
      const naive::Board after = naive::apply(board, word);
      const bool mate = naive::legal_moves(naive::Rules::kJanggiKja, after).empty();
      if (!mate && naive::facing(board) && naive::facing(after)) continue;  // J20
      const int turns = table_.lost_in(entry_of(after, table_));
      if (turns >= 0 && (best == 0 || turns + 1 < best)) best = turns + 1;
    }
    return best;
  }
  [[nodiscard]] int han_to_move(const naive::Board& board) const {
    int worst = -1;
    for (const auto& word : naive::legal_moves(naive::Rules::kJanggiKja, board)) {
      const naive::Board after = naive::apply(board, word);
      if (naive::facing(board) && naive::facing(after)) return -1;  // J20
      const naive::Turn turn = naive::parse_word(word);
      const bool takes = naive::is_capture(board, word);
      const bool takes_guard = takes && naive::piece_on(board, turn.to) == 'A';
      if (takes && !takes_guard) return -1;
      const MateTable& table = takes_guard ? *fewer_ : table_;
      const int turns = table.won_in(entry_of(after, table));
      if (turns == 0) return -1;
      worst = std::max(worst, turns);
    }
    return worst + 1;
  }

  const MateTable& table_;
  const MateTable* fewer_;
};

}  // namespace cannonade::support
