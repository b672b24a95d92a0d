// Properties of positions and legal turns on random games, against the naive twin and against
// themselves: 10 000 positions of each game in the ordinary run, a million in the nightly one.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/board/movegen.h"
#include "core/board/perft.h"
#include "core/notation/fen.h"
#include "core/notation/uci_move.h"
#include "tests/support/core_under_test.h"
#include "tests/support/naive_fen.h"
#include "tests/support/naive_rules.h"
#include "tests/support/random_walk.h"
#include "tests/support/symmetry.h"

namespace cannonade {
namespace {

using support::to_naive;
using support::to_words;

class PositionsOf : public testing::TestWithParam<std::string> {
 protected:
  // Visits random positions until the count is reached or something failed.
  void each_position(int count, std::uint64_t seed,
                     const std::function<void(Position&, Rng&)>& visit) {
    support::walk_positions(rules_, count, seed, [&](Position& position, Rng& rng) {
      if (!HasFailure()) visit(position, rng);
    });
  }
  // What the naive twin says of the position.
  [[nodiscard]] bool naive_in_check(const naive::Board& board) const {
    return naive::in_check(naive_rules_, board);
  }

  const Ruleset rules_ = find_ruleset(GetParam()).value_or_throw();
  const naive::Rules naive_rules_ = naive::parse_rules(GetParam()).value_or_throw();
  const int count_ = support::positions_to_try();
};

std::vector<std::string> listed(const Position& position, MoveKind kind) {
  MoveList list;
  generate(position, danger(position), kind, list);
  return to_words(list);
}

TEST_P(PositionsOf, LegalTurnsAndCheckAreTheNaiveTwins) {
  each_position(count_, 1, [&](Position& position, Rng&) {
    const naive::Board board = to_naive(position);
    EXPECT_EQ(listed(position, MoveKind::kAll), naive::legal_moves(naive_rules_, board))
        << to_fen(position);
    EXPECT_EQ(danger(position).in_check, naive_in_check(board)) << to_fen(position);
    EXPECT_EQ(in_check(position, position.side_to_move()), naive_in_check(board))
        << to_fen(position);
    EXPECT_FALSE(in_check(position, ~position.side_to_move())) << to_fen(position);
    EXPECT_EQ(position.generals_face(), naive::facing(board)) << to_fen(position);
    EXPECT_EQ(has_no_turn(position, danger(position)),
              naive::legal_moves(naive_rules_, board).empty());
  });
}

TEST_P(PositionsOf, CapturesAndQuietTurnsAreTogetherAllAndKeepToTheirKind) {
  each_position(count_, 2, [&](Position& position, Rng&) {
    MoveList captures;
    MoveList quiets;
    const Danger dangers = danger(position);
    generate(position, dangers, MoveKind::kCaptures, captures);
    generate(position, dangers, MoveKind::kQuiets, quiets);
    for (const Move move : captures) EXPECT_TRUE(position.is_capture(move)) << to_uci(move);
    for (const Move move : quiets) EXPECT_FALSE(position.is_capture(move)) << to_uci(move);
    // Appended to what is there.
    generate(position, dangers, MoveKind::kQuiets, captures);
    EXPECT_EQ(to_words(captures), listed(position, MoveKind::kAll)) << to_fen(position);
  });
}

TEST_P(PositionsOf, ATurnIsLegalExactlyWhenItIsListed) {
  each_position(std::max(count_ / 50, 1), 3, [&](Position& position, Rng&) {
    const Danger dangers = danger(position);
    std::vector<bool> legal(1U << 16);
    MoveList list;
    generate(position, list);
    for (const Move move : list) {
      EXPECT_FALSE(legal[move.raw()]) << to_uci(move) << " is listed twice";
      legal[move.raw()] = true;
    }
    for (unsigned raw = 0; raw < legal.size(); ++raw) {
      const Move move = Move::from_raw(static_cast<std::uint16_t>(raw));
      if (is_legal(position, dangers, move) != legal[raw]) {
        ADD_FAILURE() << to_fen(position) << " raw move " << raw << " is listed: " << legal[raw];
      }
    }
  });
}

TEST_P(PositionsOf, UnmakeRestoresEverythingAndMakeKeepsItConsistent) {
  each_position(count_, 4, [&](Position& position, Rng&) {
    EXPECT_TRUE(position.consistent()) << to_fen(position);
    const Position before = position;
    MoveList list;
    generate(position, list);
    for (const Move move : list) {
      const bool capture = position.is_capture(move);
      const std::uint64_t foretold = position.key_after(move);
      Undo undo;
      position.make(move, undo);
      EXPECT_EQ(position.key(), foretold);
      EXPECT_TRUE(position.consistent()) << to_fen(before) << " " << to_uci(move);
      EXPECT_EQ(position.side_to_move(), ~before.side_to_move());
      EXPECT_EQ(position.plies(), before.plies() + 1);
      EXPECT_EQ(position.no_capture(), capture ? 0 : before.no_capture() + 1);
      position.unmake(move, undo);
      EXPECT_TRUE(position == before) << to_fen(before) << " " << to_uci(move);
    }
  });
}

TEST_P(PositionsOf, ATurnLeadsToTheNaiveTwinsBoardAndItsCheck) {
  each_position(count_, 5, [&](Position& position, Rng& rng) {
    MoveList list;
    generate(position, list);
    if (list.empty()) return;
    const Move move = list[rng.below(list.size())];
    const naive::Board after = naive::apply(to_naive(position), to_uci(move));
    Undo undo;
    position.make(move, undo);
    EXPECT_EQ(to_naive(position), after) << to_uci(move);
    const bool check = naive_in_check(after);
    EXPECT_EQ(danger(position).in_check, check) << to_fen(position);
    EXPECT_EQ(in_check(position, position.side_to_move()), check) << to_fen(position);
    position.unmake(move, undo);
  });
}

TEST_P(PositionsOf, AFenReadsBackToTheSamePosition) {
  each_position(count_, 6, [&](Position& position, Rng&) {
    const std::string fen = to_fen(position);
    EXPECT_EQ(fen, naive::to_fen(to_naive(position)));
    const Position again = parse_fen(rules_, fen).value_or_throw(fen);
    EXPECT_TRUE(again.consistent());
    EXPECT_EQ(to_fen(again), fen);
    EXPECT_EQ(again.key(), position.key());
    EXPECT_EQ(again.no_capture(), position.no_capture());
    EXPECT_EQ(again.plies(), position.plies());
    for (int s = 0; s < kSquares; ++s) {
      EXPECT_EQ(again.at(static_cast<Square>(s)), position.at(static_cast<Square>(s)));
    }
  });
}

TEST_P(PositionsOf, MirroredAndFlippedPositionsHaveTheSameTurnsAndTree) {
  each_position(count_, 7, [&](Position& position, Rng&) {
    MoveList list;
    generate(position, list);
    const std::uint64_t tree = perft(position, 2);
    for (const support::Symmetry& symmetry : support::kSymmetries) {
      Position other = symmetry(position);
      MoveList expected;
      for (const Move move : list) expected.push(symmetry(move));
      EXPECT_EQ(listed(other, MoveKind::kAll), to_words(expected))
          << symmetry.name << " " << to_fen(position);
      EXPECT_EQ(danger(other).in_check, danger(position).in_check);
      EXPECT_EQ(perft(other, 2), tree) << symmetry.name << " " << to_fen(position);
    }
  });
}

TEST_P(PositionsOf, TheLastPlyIsCountedAlikeListedCountedAndMade) {
  each_position(count_, 8, [&](Position& position, Rng&) {
    const std::uint64_t nodes = perft(position, 2, PerftLeaves::kListed);
    EXPECT_EQ(perft(position, 2, PerftLeaves::kCounted), nodes) << to_fen(position);
    EXPECT_EQ(perft(position, 2, PerftLeaves::kMade), nodes) << to_fen(position);
    EXPECT_EQ(perft(position, 0), 1U);
  });
}

// The masks of danger(), from both ends: no piece's going anywhere exposes its general unless the
// masks name where it leaves or where it enters, and every point named has a reason.
class DangerOf : public PositionsOf {
 protected:
  // Whether the side to move's general could be taken on the board (X11's facing included).
  [[nodiscard]] bool exposed(const naive::Board& board) const {
    return naive_in_check(board) || (!naive::is_janggi(naive_rules_) && naive::facing(board));
  }
  static char& on(naive::Board& board, Square square) {
    return board.points[static_cast<std::size_t>(rank_of(square))]
                       [static_cast<std::size_t>(file_of(square))];
  }
  // A piece that attacks nothing and is a screen like any other: a guard.
  static constexpr char kDummy = 'A';

  // Whether lifting the piece exposes the general, where a janggi cannon that stays may count as
  // an ordinary screen: the lifted piece may be the one that takes it.
  [[nodiscard]] bool binds(const naive::Board& board, Square square) const {
    naive::Board lifted = board;
    on(lifted, square) = naive::kEmpty;
    if (exposed(lifted)) return true;
    for (int i = 0; i < kSquares; ++i) {
      const auto other = static_cast<Square>(i);
      if (naive::upper(on(lifted, other)) != 'C') continue;
      naive::Board taken = lifted;
      on(taken, other) = kDummy;
      if (exposed(taken)) return true;
    }
    return false;
  }
};

TEST_P(DangerOf, ATurnThatLeavesNoBoundPointAndEntersNoForbiddenOneNeverExposes) {
  each_position(std::max(count_ / 20, 1), 9, [&](Position& position, Rng&) {
    const Danger dangers = danger(position);
    if (dangers.in_check) return;
    const naive::Board board = to_naive(position);
    const Side us = position.side_to_move();
    Bitboard own = position.pieces(us) & ~square_bit(position.general(us)) & ~dangers.from;
    while (own) {
      const Square from = own.pop();
      Bitboard targets =
          kFullBoard & ~position.pieces(us) & ~dangers.to & ~square_bit(position.general(~us));
      while (targets) {
        const Square to = targets.pop();
        naive::Board moved = board;
        on(moved, to) = on(moved, from);
        on(moved, from) = naive::kEmpty;
        EXPECT_FALSE(exposed(moved)) << to_fen(position) << " " << to_uci(Move(from, to));
      }
    }
  });
}

TEST_P(DangerOf, EveryPointNamedHasItsReason) {
  each_position(count_, 10, [&](Position& position, Rng&) {
    const Danger dangers = danger(position);
    if (dangers.in_check) return;
    const naive::Board board = to_naive(position);
    for (Bitboard from = dangers.from; from;) {
      const Square square = from.pop();
      EXPECT_TRUE(binds(board, square)) << to_fen(position) << " " << to_uci(square);
    }
    for (Bitboard to = dangers.to; to;) {
      const Square square = to.pop();
      naive::Board entered = board;
      on(entered, square) = kDummy;
      EXPECT_TRUE(exposed(entered)) << to_fen(position) << " " << to_uci(square);
    }
    EXPECT_TRUE(((dangers.from & ~position.occupied()) | (dangers.to & ~kFullBoard)).empty());
  });
}

std::string name_of_set(const testing::TestParamInfo<std::string>& set) {
  std::string name = set.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}
const auto kBothGames = testing::Values("janggi-kja", "xiangqi-casual");
INSTANTIATE_TEST_SUITE_P(Random, PositionsOf, kBothGames, name_of_set);
INSTANTIATE_TEST_SUITE_P(Random, DangerOf, kBothGames, name_of_set);

TEST(Position, PassingIsWhereTheRuleSetHasIt) {
  Ruleset rules = find_ruleset("janggi-kja").value_or_throw();
  rules.passing = false;
  const Position start = parse_fen(rules, start_fen(Game::kJanggi)).value_or_throw();
  const Move pass(start.general(Side::kFirst), start.general(Side::kFirst));
  EXPECT_FALSE(is_legal(start, danger(start), pass));
  EXPECT_EQ(listed(start, MoveKind::kAll).size(), 31U);
  Position counted = start;
  EXPECT_EQ(perft(counted, 1, PerftLeaves::kCounted), 31U);
}

}  // namespace
}  // namespace cannonade
