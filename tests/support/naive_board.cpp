#include "tests/support/naive_board.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace cannonade::naive {
namespace {

char swap_case(char letter) {
  if (letter == kEmpty) return letter;
  return side_of(letter) == Side::kFirst ? char(letter - 'A' + 'a') : upper(letter);
}

// Takes one point off the front of `text`.
std::optional<Point> take_point(std::string_view& text) {
  if (text.size() < 2 || text[0] < 'a' || text[0] > 'i' || text[1] < '1' || text[1] > '9')
    return {};
  const bool ten = text.size() > 2 && text[1] == '1' && text[2] == '0';
  const Point point{text[0] - 'a', ten ? 9 : text[1] - '1'};
  text.remove_prefix(ten ? 3 : 2);
  return point;
}

}  // namespace

Expected<Rules> parse_rules(std::string_view id) {
  if (id == "janggi-kja") return Rules::kJanggiKja;
  if (id == "janggi-point-count") return Rules::kJanggiPointCount;
  if (id == "xiangqi-casual") return Rules::kXiangqi;
  return Failure{"unknown rule set " + std::string(id)};
}

std::string name_of(Rules rules, Side side) {
  if (is_janggi(rules)) return side == Side::kFirst ? "cho" : "han";
  return side == Side::kFirst ? "red" : "black";
}

bool Board::repeats(const Board& earlier) const {
  return points == earlier.points && to_move == earlier.to_move;
}

// d1-f3 and d8-f10.
bool in_palace(Side side, Point point) {
  const int lowest = side == Side::kFirst ? 0 : 7;
  return point.file >= 3 && point.file <= 5 && point.rank >= lowest && point.rank <= lowest + 2;
}

bool on_own_bank(Side side, Point point) {
  return side == Side::kFirst ? point.rank <= 4 : point.rank >= 5;
}

Point general_of(const Board& board, Side side) {
  Point found{-1, -1};
  each_point([&](Point point) {
    if (piece_on(board, point) == (side == Side::kFirst ? 'K' : 'k')) found = point;
  });
  return found;
}

bool facing(const Board& board) {
  const Point first = general_of(board, Side::kFirst);
  const Point second = general_of(board, Side::kSecond);
  if (first.file != second.file) return false;
  for (int rank = first.rank + 1; rank < second.rank; ++rank) {
    if (!is_empty(board, {first.file, rank})) return false;
  }
  return true;
}

int material_points(const Board& board, Side side) {
  int sum = 0;
  each_point([&](Point point) {
    if (!has_piece_of(board, point, side)) return;
    switch (upper(piece_on(board, point))) {  // J29
      case 'R':
        sum += 13;
        break;
      case 'C':
        sum += 7;
        break;
      case 'N':
        sum += 5;
        break;
      case 'B':
        sum += 3;
        break;
      case 'A':
        sum += 3;
        break;
      case 'P':
        sum += 2;
        break;
      default:
        break;
    }
  });
  return sum;
}

std::string to_word(Point point) {
  return fmt::format("{}{}", char('a' + point.file), point.rank + 1);
}
std::string to_word(Turn turn) {
  return to_word(turn.from) + to_word(turn.to);
}

Turn parse_word(std::string_view word) {
  std::string_view rest = word;
  const auto from = take_point(rest);
  const auto to = take_point(rest);
  if (!from || !to || !rest.empty()) throw user_error("not a move: " + std::string(word));
  return {*from, *to};
}

bool is_pass(std::string_view word) {
  const Turn turn = parse_word(word);
  return turn.from == turn.to;
}

bool is_capture(const Board& board, std::string_view word) {
  return !is_pass(word) && !is_empty(board, parse_word(word).to);
}

Board after(const Board& board, Turn turn) {
  Board next = board;
  const bool pass = turn.from == turn.to;
  const bool capture = !pass && !is_empty(board, turn.to);
  if (!pass) {
    next.points[turn.to.rank][turn.to.file] = piece_on(board, turn.from);
    next.points[turn.from.rank][turn.from.file] = kEmpty;
  }
  next.no_capture = capture ? 0 : board.no_capture + 1;
  if (board.to_move == Side::kSecond) ++next.move_number;
  next.to_move = other(board.to_move);
  return next;
}

Board apply(const Board& board, std::string_view word) {
  return after(board, parse_word(word));
}

Board mirrored(const Board& board) {
  Board result = board;
  for (auto& rank : result.points) std::reverse(rank.begin(), rank.end());
  return result;
}

std::string mirrored_word(std::string_view word) {
  Turn turn = parse_word(word);
  for (Point* point : {&turn.from, &turn.to}) point->file = kFiles - 1 - point->file;
  return to_word(turn);
}

Board colour_flipped(const Board& board) {
  Board result = board;
  std::reverse(result.points.begin(), result.points.end());
  for (auto& rank : result.points) {
    for (char& letter : rank) letter = swap_case(letter);
  }
  result.to_move = other(board.to_move);
  return result;
}

std::string colour_flipped_word(std::string_view word) {
  Turn turn = parse_word(word);
  for (Point* point : {&turn.from, &turn.to}) point->rank = kRanks - 1 - point->rank;
  return to_word(turn);
}

}  // namespace cannonade::naive
