// Who attacks a point and what an exchange on it gains, against an exchange played out on the naive
// twin's boards, and worked examples.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "core/board/movegen.h"
#include "core/board/see.h"
#include "core/notation/fen.h"
#include "core/notation/uci_move.h"
#include "tests/support/core_under_test.h"
#include "tests/support/naive_rules.h"
#include "tests/support/random_walk.h"
#include "tests/support/symmetry.h"

namespace cannonade {
namespace {

using naive::Board;
using naive::Point;

Point to_point(Square square) {
  return {file_of(square), rank_of(square)};
}
Square to_square(Point point) {
  return make_square(point.file, point.rank);
}
char& on(Board& board, Point point) {
  return board.points[static_cast<std::size_t>(point.rank)][static_cast<std::size_t>(point.file)];
}
naive::Side to_naive_side(Side side) {
  return side == Side::kFirst ? naive::Side::kFirst : naive::Side::kSecond;
}

// Plays an exchange out: each side takes with its cheapest piece (of several alike the one on the
// lowest point), or stops when going on would lose.
class Exchange {
 public:
  Exchange(Game game, naive::Rules rules) : game_(game), rules_(rules) {}

  // What the turn gains with best play of both on its target.
  [[nodiscard]] int gain(const Board& board, Point from, Point to) const {
    const int taken = value(piece_on(board, to));
    return taken - best_answer(naive::after(board, {from, to}), to);
  }

 private:
  [[nodiscard]] int value(char letter) const {
    constexpr std::string_view kLetters = ".KABNRCP";
    return see_value(game_, static_cast<PieceKind>(kLetters.find(naive::upper(letter))));
  }
  [[nodiscard]] int best_answer(const Board& board, Point target) const {
    const auto takers = naive::takers_of(rules_, board, target, board.to_move);
    std::optional<Point> cheapest;
    constexpr std::string_view kOrder = "PABNCRK";
    const auto place = [&](Point p) { return kOrder.find(naive::upper(piece_on(board, p))); };
    for (const Point taker : takers) {
      if (!cheapest || place(taker) < place(*cheapest)) cheapest = taker;
    }
    if (!cheapest) return 0;
    const Board after = naive::after(board, {*cheapest, target});
    const bool general = naive::upper(piece_on(board, *cheapest)) == 'K';
    if (general && !naive::takers_of(rules_, after, target, after.to_move).empty()) return 0;
    return std::max(0, value(piece_on(board, target)) - best_answer(after, target));
  }

  Game game_;
  naive::Rules rules_;
};

class SeeOf : public testing::TestWithParam<std::string> {
 protected:
  const Ruleset rules_ = find_ruleset(GetParam()).value_or_throw();
  const naive::Rules naive_rules_ = naive::parse_rules(GetParam()).value_or_throw();
  const int count_ = support::positions_to_try();
};

TEST_P(SeeOf, AnExchangeGainsWhatPlayingItOutGains) {
  const Exchange exchange(rules_.game, naive_rules_);
  support::walk_positions(rules_, count_, 21, [&](Position& position, Rng& rng) {
    if (HasFailure()) return;
    const Board board = support::to_naive(position);
    MoveList turns;
    generate(position, danger(position), MoveKind::kCaptures, turns);
    MoveList quiets;
    generate(position, danger(position), MoveKind::kQuiets, quiets);
    for (int i = 0; i < 3 && !quiets.empty(); ++i) turns.push(quiets[rng.below(quiets.size())]);
    for (const Move move : turns) {
      const int gain =
          move.is_pass() ? 0 : exchange.gain(board, to_point(move.from()), to_point(move.to()));
      const int other = static_cast<int>(rng.below(2001)) - 1000;
      for (const int threshold : {gain - 1, gain, gain + 1, 0, other}) {
        EXPECT_EQ(see_at_least(position, move, threshold), gain >= threshold)
            << to_fen(position) << " " << to_uci(move) << " gains " << gain << ", not "
            << threshold;
      }
    }
  });
}

TEST_P(SeeOf, AttackersOfAPointAreThePiecesThatCouldTakeThere) {
  support::walk_positions(rules_, std::max(count_ / 20, 1), 22, [&](Position& position, Rng& rng) {
    if (HasFailure()) return;
    // Some pieces are gone already, as in the middle of an exchange.
    Board board = support::to_naive(position);
    Bitboard occupied = position.occupied();
    for (Bitboard b = occupied; b;) {
      const Square square = b.pop();
      const bool general = position.at(square).kind() == PieceKind::kGeneral;
      if (general || rng.below(8) != 0) continue;
      occupied ^= square_bit(square);
      on(board, to_point(square)) = naive::kEmpty;
    }
    for (int s = 0; s < kSquares; ++s) {
      const auto square = static_cast<Square>(s);
      const bool cannon = occupied.has(square) && position.at(square).kind() == PieceKind::kCannon;
      Bitboard expected;
      for (const Side side : {Side::kFirst, Side::kSecond}) {
        // The point holds something that the side may take, so that its defenders show too.
        Board held = board;
        const char letter = cannon ? 'C' : 'P';
        on(held, to_point(square)) =
            side == Side::kFirst ? static_cast<char>(letter - 'A' + 'a') : letter;
        for (const Point taker :
             naive::takers_of(naive_rules_, held, to_point(square), to_naive_side(side))) {
          expected |= square_bit(to_square(taker));
        }
      }
      EXPECT_EQ(attackers_to(position, square, occupied, cannon), expected)
          << to_fen(position) << " " << to_uci(square);
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Random, SeeOf, testing::Values("janggi-kja", "xiangqi-casual"),
                         [](const auto& set) {
                           std::string name = set.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

struct Example {
  const char* rules;
  const char* fen;
  const char* move;
  // What is won and lost, in letters: "P" won, "P-R" won and lost, ...
  const char* account;
};

class SeeExample : public testing::TestWithParam<Example> {};

TEST_P(SeeExample, IsValuedAsTheBoardShowsFromEverySide) {
  const Example& example = GetParam();
  const Ruleset rules = find_ruleset(example.rules).value_or_throw();
  const Position position = parse_fen(rules, example.fen).value_or_throw(example.fen);
  int gain = 0;
  int sign = 1;
  for (const char c : std::string_view(example.account)) {
    if (c == '+' || c == '-') {
      sign = c == '+' ? 1 : -1;
    } else {
      constexpr std::string_view kLetters = ".KABNRCP";
      gain += sign * see_value(rules.game, static_cast<PieceKind>(kLetters.find(c)));
    }
  }
  const auto expect = [&](const Position& p, Move move, const char* name) {
    EXPECT_TRUE(is_legal(p, danger(p), move));
    EXPECT_TRUE(see_at_least(p, move, gain)) << name << " " << example.fen;
    EXPECT_FALSE(see_at_least(p, move, gain + 1)) << name << " " << example.fen;
  };
  const Move move = parse_uci_move(example.move).value_or_throw();
  expect(position, move, "as it is");
  for (const support::Symmetry& symmetry : support::kSymmetries) {
    expect(symmetry(position), symmetry(move), symmetry.name);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Worked, SeeExample,
    testing::Values(
        // A free soldier, a protected one, and one protected once but attacked twice.
        Example{"janggi-kja", "3k5/9/9/4p4/9/9/4R4/9/9/5K3 w - - 0 1", "e4e7", "+P"},
        Example{"janggi-kja", "3k5/9/9/4pp3/9/9/4R4/9/9/5K3 w - - 0 1", "e4e7", "+P-R"},
        Example{"janggi-kja", "3k5/9/9/4pp3/9/9/4R4/4R4/9/5K3 w - - 0 1", "e4e7", "+P-R+P"},
        // The chariot behind takes part once the one before it has gone.
        Example{"janggi-kja", "3kr4/9/9/4p4/9/9/4R4/4R4/9/5K3 w - - 0 1", "e4e7", "+P-R+R"},
        // A cannon does not take a cannon (J13), so nothing comes back.
        Example{"janggi-kja", "3k5/4c4/4b4/4p4/9/4P4/4C4/9/9/5K3 w - - 0 1", "e4e7", "+P"},
        Example{"xiangqi-casual", "3k5/4c4/4b4/4p4/9/4P4/4C4/9/9/5K3 w - - 0 1", "e4e7", "+P-C"},
        // The cannon's screen leaves with the first taker: it takes no longer.
        Example{"xiangqi-casual", "3k5/9/9/3rp4/9/9/4R4/4C4/9/5K3 w - - 0 1", "e4e7", "+P-R"},
        // A general may take back what is not protected, and only that.
        Example{"janggi-kja", "9/4k4/4p4/9/9/9/4R4/9/9/5K3 w - - 0 1", "e4e8", "+P-R"},
        Example{"janggi-kja", "9/4k4/4p4/9/9/9/4R4/4R4/9/5K3 w - - 0 1", "e4e8", "+P"},
        // Quiet turns: into an attack, and out of everything's reach.
        Example{"janggi-kja", "3k5/9/9/5p3/9/9/4R4/9/9/5K3 w - - 0 1", "e4e7", "-R"},
        Example{"janggi-kja", "3k5/9/9/5p3/9/9/4R4/9/9/5K3 w - - 0 1", "e4a4", ""},
        // The cheapest takes back first: with the chariot behind, the second horse would win it.
        Example{"xiangqi-casual", "3k5/3n1n3/9/3Pp4/9/9/4R4/4R4/9/5K3 w - - 0 1", "e4e7",
                "+P-R+N"}));

}  // namespace
}  // namespace cannonade
