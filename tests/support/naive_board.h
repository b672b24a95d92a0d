// The naive twin of the rules, part one: the board. The twin is written from RULES.md alone, by
// loops over points and directions, to be read against the rules and to be compared with the fast
// core; speed and memory are of no concern. It shares nothing with the fast core but core/base.
//
// A turn is a UCI word: two points, files a-i and ranks 1-10 ("a1a10"); a pass is the general's
// point twice ("e2e2"). "First" is the side of the upper-case letters (Cho, Red), which begins the
// game.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "core/base/error.h"

namespace cannonade::naive {

enum class Rules { kJanggiKja, kJanggiPointCount, kXiangqi };

// The rule set named "janggi-kja", "janggi-point-count" or "xiangqi-casual"; other names fail.
[[nodiscard]] Expected<Rules> parse_rules(std::string_view id);
[[nodiscard]] inline bool is_janggi(Rules rules) {
  return rules != Rules::kXiangqi;
}

enum class Side { kFirst, kSecond };
[[nodiscard]] inline Side other(Side side) {
  return side == Side::kFirst ? Side::kSecond : Side::kFirst;
}
// "cho" and "han", or "red" and "black".
[[nodiscard]] std::string name_of(Rules rules, Side side);

inline constexpr int kFiles = 9;
inline constexpr int kRanks = 10;
inline constexpr char kEmpty = '.';

struct Board {
  // points[rank][file], both from 0: points[0] is the first mover's back rank. Letters K A B N R C
  // P, upper case for the first side.
  std::array<std::array<char, kFiles>, kRanks> points;
  Side to_move = Side::kFirst;
  int no_capture = 0;   // turns since the last capture, both sides counted
  int move_number = 1;  // rises after each turn of the second side

  // Same pieces on the same points and the same side to move: what repetition asks (J23, X14).
  [[nodiscard]] bool repeats(const Board& earlier) const;
  [[nodiscard]] bool operator==(const Board&) const = default;
};

// Both from 0; may lie off the board.
struct Point {
  int file = 0;
  int rank = 0;
  bool operator==(const Point&) const = default;
};

// Of a piece's letter.
[[nodiscard]] inline char upper(char letter) {
  return letter >= 'a' && letter <= 'z' ? char(letter - 'a' + 'A') : letter;
}
[[nodiscard]] inline Side side_of(char letter) {
  return letter >= 'A' && letter <= 'Z' ? Side::kFirst : Side::kSecond;
}

[[nodiscard]] inline bool on_board(Point point) {
  return point.file >= 0 && point.file < kFiles && point.rank >= 0 && point.rank < kRanks;
}
[[nodiscard]] inline char piece_on(const Board& board, Point point) {
  return board.points[point.rank][point.file];
}
[[nodiscard]] inline bool is_empty(const Board& board, Point point) {
  return piece_on(board, point) == kEmpty;
}
[[nodiscard]] inline bool has_piece_of(const Board& board, Point point, Side side) {
  return !is_empty(board, point) && side_of(piece_on(board, point)) == side;
}
[[nodiscard]] bool in_palace(Side side, Point point);    // J2, X1
[[nodiscard]] bool on_own_bank(Side side, Point point);  // X1: the river runs between ranks 5 and 6

// `visit` sees every point of the board, from a1 to i10.
template <class Visit>
void each_point(Visit visit) {
  for (int rank = 0; rank < kRanks; ++rank) {
    for (int file = 0; file < kFiles; ++file) visit(Point{file, rank});
  }
}

// {-1, -1} where there is none.
[[nodiscard]] Point general_of(const Board& board, Side side);
// Whether the generals stand on one file with nothing between (J19, X11).
[[nodiscard]] bool facing(const Board& board);
// The side's pieces counted as in J29, without the bonus of J30.
[[nodiscard]] int material_points(const Board& board, Side side);

struct Turn {
  Point from;
  Point to;
};

[[nodiscard]] std::string to_word(Point point);
[[nodiscard]] std::string to_word(Turn turn);
// Throws a user error on a malformed word.
[[nodiscard]] Turn parse_word(std::string_view word);
[[nodiscard]] bool is_pass(std::string_view word);
// Whether the word lands on a piece (a pass does not).
[[nodiscard]] bool is_capture(const Board& board, std::string_view word);

// The board after a turn whose legality is not asked.
[[nodiscard]] Board after(const Board& board, Turn turn);
[[nodiscard]] Board apply(const Board& board, std::string_view word);

// Symmetries: left and right exchanged; ranks and colours exchanged, side to move too. The words of
// the one board are the transformed words of the other, in another order.
[[nodiscard]] Board mirrored(const Board& board);
[[nodiscard]] std::string mirrored_word(std::string_view word);
[[nodiscard]] Board colour_flipped(const Board& board);
[[nodiscard]] std::string colour_flipped_word(std::string_view word);

}  // namespace cannonade::naive
