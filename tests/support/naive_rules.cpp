// One function lists where a piece may land, another tries each landing on a copy of the board and
// looks whether the mover's general can then be taken: by asking each enemy piece where it may
// land.
#include "tests/support/naive_rules.h"

#include <algorithm>
#include <array>

namespace cannonade::naive {
namespace {

struct Step {
  int file = 0;
  int rank = 0;
};

constexpr Step kStraight[] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}};
constexpr Step kDiagonal[] = {{1, 1}, {1, -1}, {-1, -1}, {-1, 1}};

Point operator+(Point point, Step step) {
  return {point.file + step.file, point.rank + step.rank};
}

bool is_palace_centre(Point point) {
  return point == Point{4, 1} || point == Point{4, 8};
}

// Whether a palace diagonal is drawn between two diagonal neighbours (J2): every such stretch has
// the centre at one end.
bool on_drawn_diagonal(Point a, Point b) {
  for (const Side side : {Side::kFirst, Side::kSecond}) {
    if (in_palace(side, a) && in_palace(side, b)) return is_palace_centre(a) || is_palace_centre(b);
  }
  return false;
}

int forward(Side side) {
  return side == Side::kFirst ? 1 : -1;
}

// Walks from `from` in steps that `may_step(a, b)` allows; `visit` says whether to go on.
template <class MayStep, class Visit>
void walk(Point from, Step step, MayStep may_step, Visit visit) {
  Point here = from;
  while (on_board(here + step) && may_step(here, here + step)) {
    here = here + step;
    if (!visit(here)) return;
  }
}

bool any_step(Point, Point) {
  return true;
}

// J12, X8: over empty points, and onto the first piece.
template <class MayStep, class Land>
void chariot_line(const Board& board, Point from, Step step, MayStep may_step, Land land) {
  walk(from, step, may_step, [&](Point here) {
    land(here);
    return is_empty(board, here);
  });
}

// J13: over exactly one screen that is no cannon; not onto a cannon.
template <class MayStep, class Land>
void janggi_cannon_line(const Board& board, Point from, Step step, MayStep may_step, Land land) {
  bool jumped = false;
  walk(from, step, may_step, [&](Point here) {
    const bool cannon = upper(piece_on(board, here)) == 'C';
    if (!jumped) {
      jumped = !is_empty(board, here);
      return !cannon;
    }
    if (!cannon) land(here);
    return is_empty(board, here);
  });
}

// X9: as a chariot to empty points; takes over exactly one screen of any kind.
template <class Land>
void xiangqi_cannon_line(const Board& board, Point from, Step step, Land land) {
  bool jumped = false;
  walk(from, step, any_step, [&](Point here) {
    const bool empty = is_empty(board, here);
    if (empty && !jumped) land(here);
    if (!empty && jumped) {
      land(here);
      return false;
    }
    if (!empty) jumped = true;
    return true;
  });
}

// The two diagonal steps that lead on from a straight one.
std::array<Step, 2> outward(Step straight) {
  if (straight.file == 0) return {Step{-1, straight.rank}, Step{1, straight.rank}};
  return {Step{straight.file, -1}, Step{straight.file, 1}};
}

// J11, X7: one straight over an empty point, then one diagonally outward.
template <class Land>
void horse(const Board& board, Point from, Land land) {
  for (const Step straight : kStraight) {
    const Point leg = from + straight;
    if (!on_board(leg) || !is_empty(board, leg)) continue;
    for (const Step diagonal : outward(straight)) land(leg + diagonal);
  }
}

// J10: one straight, then two diagonally outward, over two empty points.
template <class Land>
void janggi_elephant(const Board& board, Point from, Land land) {
  for (const Step straight : kStraight) {
    const Point first = from + straight;
    if (!on_board(first) || !is_empty(board, first)) continue;
    for (const Step diagonal : outward(straight)) {
      const Point second = first + diagonal;
      if (on_board(second) && is_empty(board, second)) land(second + diagonal);
    }
  }
}

template <class Land>
void janggi_landings(const Board& board, Point from, Side side, Land land) {
  switch (upper(piece_on(board, from))) {
    case 'K':
    case 'A':  // J8, J9
      for (const Step step : kStraight) {
        if (in_palace(side, from + step)) land(from + step);
      }
      for (const Step step : kDiagonal) {
        if (in_palace(side, from + step) && on_drawn_diagonal(from, from + step)) land(from + step);
      }
      break;
    case 'B':
      janggi_elephant(board, from, land);
      break;
    case 'N':
      horse(board, from, land);
      break;
    case 'R':
      for (const Step step : kStraight) chariot_line(board, from, step, any_step, land);
      for (const Step step : kDiagonal) chariot_line(board, from, step, on_drawn_diagonal, land);
      break;
    case 'C':
      for (const Step step : kStraight) janggi_cannon_line(board, from, step, any_step, land);
      for (const Step step : kDiagonal) {
        janggi_cannon_line(board, from, step, on_drawn_diagonal, land);
      }
      break;
    case 'P':  // J14
      land(from + Step{0, forward(side)});
      land(from + Step{-1, 0});
      land(from + Step{1, 0});
      for (const int sideways : {-1, 1}) {
        const Point to = from + Step{sideways, forward(side)};
        if (in_palace(other(side), from) && on_drawn_diagonal(from, to)) land(to);
      }
      break;
    default:
      break;
  }
}

template <class Land>
void xiangqi_landings(const Board& board, Point from, Side side, Land land) {
  switch (upper(piece_on(board, from))) {
    case 'K':  // X4
      for (const Step step : kStraight) {
        if (in_palace(side, from + step)) land(from + step);
      }
      break;
    case 'A':  // X5
      for (const Step step : kDiagonal) {
        if (in_palace(side, from + step)) land(from + step);
      }
      break;
    case 'B':  // X6
      for (const Step step : kDiagonal) {
        const Point midpoint = from + step;
        const Point to = midpoint + step;
        if (on_board(to) && is_empty(board, midpoint) && on_own_bank(side, to)) land(to);
      }
      break;
    case 'N':
      horse(board, from, land);
      break;
    case 'R':
      for (const Step step : kStraight) chariot_line(board, from, step, any_step, land);
      break;
    case 'C':
      for (const Step step : kStraight) xiangqi_cannon_line(board, from, step, land);
      break;
    case 'P':  // X10
      land(from + Step{0, forward(side)});
      if (!on_own_bank(side, from)) {
        land(from + Step{-1, 0});
        land(from + Step{1, 0});
      }
      break;
    default:
      break;
  }
}

// Where the piece on `from` may land, its own general's safety not asked: on the board, and not on
// a piece of its own side.
template <class Land>
void landings(Rules rules, const Board& board, Point from, Land land) {
  const Side side = side_of(piece_on(board, from));
  const auto keep = [&](Point to) {
    if (on_board(to) && !has_piece_of(board, to, side)) land(to);
  };
  if (is_janggi(rules)) {
    janggi_landings(board, from, side, keep);
  } else {
    xiangqi_landings(board, from, side, keep);
  }
}

std::vector<Turn> legal_turns(Rules rules, const Board& board) {
  std::vector<Turn> turns;
  each_point([&](Point from) {
    if (!has_piece_of(board, from, board.to_move)) return;
    landings(rules, board, from, [&](Point to) {
      const Board next = after(board, {from, to});
      if (in_check(rules, next, board.to_move)) return;  // J8, J18, X11
      if (!is_janggi(rules) && facing(next)) return;     // X11
      turns.push_back({from, to});
    });
  });
  if (is_janggi(rules) && !in_check(rules, board)) {  // J16, X12
    const Point general = general_of(board, board.to_move);
    turns.push_back({general, general});
  }
  return turns;
}

}  // namespace

std::vector<std::string> legal_moves(Rules rules, const Board& board) {
  std::vector<std::string> words;
  for (const Turn turn : legal_turns(rules, board)) words.push_back(to_word(turn));
  std::sort(words.begin(), words.end());
  return words;
}

bool has_legal_move(Rules rules, const Board& board) {
  return !legal_turns(rules, board).empty();
}

bool in_check(Rules rules, const Board& board, Side side) {
  const Point general = general_of(board, side);
  bool attacked = false;
  each_point([&](Point point) {
    if (attacked || !has_piece_of(board, point, other(side))) return;
    landings(rules, board, point, [&](Point to) { attacked = attacked || to == general; });
  });
  return attacked;
}

bool in_check(Rules rules, const Board& board) {
  return in_check(rules, board, board.to_move);
}

std::vector<Point> takers_of(Rules rules, const Board& board, Point point, Side side) {
  std::vector<Point> takers;
  each_point([&](Point from) {
    if (!has_piece_of(board, from, side)) return;
    bool lands = false;
    landings(rules, board, from, [&](Point to) { lands = lands || to == point; });
    if (lands) takers.push_back(from);
  });
  return takers;
}

std::uint64_t perft(Rules rules, const Board& board, int depth) {
  if (depth == 0) return 1;
  const auto turns = legal_turns(rules, board);
  if (depth == 1) return turns.size();
  std::uint64_t leaves = 0;
  for (const Turn turn : turns) leaves += perft(rules, after(board, turn), depth - 1);
  return leaves;
}

}  // namespace cannonade::naive
