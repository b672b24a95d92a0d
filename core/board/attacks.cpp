#include "core/board/attacks.h"

#include <algorithm>
#include <vector>

namespace cannonade {
namespace {

struct Step {
  int file;
  int rank;
};

constexpr Step kStraight[] = {{0, -1}, {-1, 0}, {1, 0}, {0, 1}};
constexpr Step kDiagonal[] = {{-1, -1}, {1, -1}, {-1, 1}, {1, 1}};

bool on_board(int file, int rank) {
  return file >= 0 && file < kFiles && rank >= 0 && rank < kRanks;
}

bool in_palace(int file, int rank) {
  return file >= 3 && file <= 5 && ((rank >= 0 && rank <= 2) || (rank >= 7 && rank <= 9));
}

int palace_middle_rank(int rank) {
  return rank <= 2 ? 1 : 8;
}

bool is_centre(int file, int rank) {
  return in_palace(file, rank) && file == 4 && rank == palace_middle_rank(rank);
}

bool is_corner(int file, int rank) {
  return in_palace(file, rank) && file != 4 && rank != palace_middle_rank(rank);
}

// A drawn palace diagonal joins the two neighbouring points (J2).
bool diagonal_is_drawn(int file, int rank, int to_file, int to_rank) {
  return in_palace(file, rank) && in_palace(to_file, to_rank) &&
         (is_centre(file, rank) || is_centre(to_file, to_rank));
}

struct Leap {
  Square target;
  Square eye = kNoSquare;
  Square leg = kNoSquare;
};

// No piece has more than eight.
class LeapList {
 public:
  void push_back(const Leap& leap) { items_[count_++] = leap; }
  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] const Leap& operator[](std::size_t i) const { return items_[i]; }
  [[nodiscard]] Leap* begin() { return items_.data(); }
  [[nodiscard]] Leap* end() { return items_.data() + count_; }

 private:
  std::array<Leap, 8> items_{};
  std::size_t count_ = 0;
};

Leaps make_leaps(Square from, LeapList leaps) {
  std::sort(leaps.begin(), leaps.end(),
            [](const Leap& a, const Leap& b) { return a.target < b.target; });
  Leaps result;
  Bitboard targets;
  Bitboard eyes;
  Bitboard legs;
  for (std::size_t i = 0; i < leaps.size(); ++i) {
    targets |= square_bit(leaps[i].target);
    if (leaps[i].eye != kNoSquare) eyes |= square_bit(leaps[i].eye);
    if (leaps[i].leg != kNoSquare) legs |= square_bit(leaps[i].leg);
    result.moves[i] = Move(from, leaps[i].target).raw();
  }
  result.targets = Gather(targets);
  result.eyes = Gather(eyes);
  result.legs = Gather(legs);
  std::vector<Square> leg_squares;
  for (Bitboard rest = legs; rest;) leg_squares.push_back(rest.pop());
  for (unsigned blocked = 0; blocked < 16; ++blocked) {
    unsigned open = 0;
    for (std::size_t i = 0; i < leaps.size(); ++i) {
      bool free = true;
      for (std::size_t leg = 0; leg < leg_squares.size(); ++leg) {
        if (leaps[i].leg == leg_squares[leg] && (blocked >> leg & 1) != 0) free = false;
      }
      if (free) open |= 1U << i;
    }
    result.open[blocked] = static_cast<std::uint8_t>(open);
  }
  return result;
}

LeapList horse_leaps(int file, int rank) {  // J11, X7
  LeapList leaps;
  for (const Step leg : kStraight) {
    for (const int side : {-1, 1}) {
      const int to_file = file + 2 * leg.file + (leg.file == 0 ? side : 0);
      const int to_rank = rank + 2 * leg.rank + (leg.rank == 0 ? side : 0);
      if (!on_board(to_file, to_rank)) continue;
      leaps.push_back({make_square(to_file, to_rank), kNoSquare,
                       make_square(file + leg.file, rank + leg.rank)});
    }
  }
  return leaps;
}

LeapList janggi_elephant_leaps(int file, int rank) {  // J10
  LeapList leaps;
  for (const Step leg : kStraight) {
    for (const int side : {-1, 1}) {
      const int out_file = leg.file == 0 ? side : leg.file;
      const int out_rank = leg.rank == 0 ? side : leg.rank;
      const int to_file = file + leg.file + 2 * out_file;
      const int to_rank = rank + leg.rank + 2 * out_rank;
      if (!on_board(to_file, to_rank)) continue;
      leaps.push_back({make_square(to_file, to_rank),
                       make_square(file + leg.file + out_file, rank + leg.rank + out_rank),
                       make_square(file + leg.file, rank + leg.rank)});
    }
  }
  return leaps;
}

LeapList xiangqi_elephant_leaps(int file, int rank) {  // X6
  LeapList leaps;
  for (const Step step : kDiagonal) {
    const int to_file = file + 2 * step.file;
    const int to_rank = rank + 2 * step.rank;
    if (!on_board(to_file, to_rank) || (rank < 5) != (to_rank < 5)) continue;
    leaps.push_back(
        {make_square(to_file, to_rank), make_square(file + step.file, rank + step.rank)});
  }
  return leaps;
}

// General and guard of janggi (J8, J9).
LeapList palace_leaps(int file, int rank) {
  LeapList leaps;
  for (const Step step : kStraight) {
    const int to_file = file + step.file;
    const int to_rank = rank + step.rank;
    if (in_palace(file, rank) && in_palace(to_file, to_rank)) {
      leaps.push_back({make_square(to_file, to_rank)});
    }
  }
  for (const Step step : kDiagonal) {
    if (diagonal_is_drawn(file, rank, file + step.file, rank + step.rank)) {
      leaps.push_back({make_square(file + step.file, rank + step.rank)});
    }
  }
  return leaps;
}

// X4 and X5: the general steps straight, the advisor diagonally.
LeapList xiangqi_palace_leaps(int file, int rank, bool advisor) {
  LeapList leaps;
  for (const Step step : advisor ? kDiagonal : kStraight) {
    if (!in_palace(file, rank) || !in_palace(file + step.file, rank + step.rank)) continue;
    leaps.push_back({make_square(file + step.file, rank + step.rank)});
  }
  return leaps;
}

LeapList soldier_leaps(Game game, Side side, int file, int rank) {
  LeapList leaps;
  const int forward = side == Side::kFirst ? 1 : -1;
  const int own_rank = side == Side::kFirst ? rank : kRanks - 1 - rank;
  const auto add = [&](int to_file, int to_rank) {
    if (on_board(to_file, to_rank)) leaps.push_back({make_square(to_file, to_rank)});
  };
  add(file, rank + forward);
  if (game == Game::kJanggi || own_rank >= 5) {  // J14; X10: sideways once across the river
    add(file - 1, rank);
    add(file + 1, rank);
  }
  if (game == Game::kJanggi && own_rank >= 7) {
    for (const int aside : {-1, 1}) {
      if (diagonal_is_drawn(file, rank, file + aside, rank + forward)) {
        leaps.push_back({make_square(file + aside, rank + forward)});
      }
    }
  }
  return leaps;
}

// Reached from index `at` on a line of `length` points with `occupied` bits: before and on the
// first piece (chariot), beyond the first up to the second (cannon).
struct LineReach {
  std::uint16_t chariot = 0;
  std::uint16_t cannon = 0;
};

LineReach line_reach(int at, unsigned occupied, int length) {
  LineReach reach;
  for (const int step : {-1, 1}) {
    int pieces = 0;
    for (int i = at + step; i >= 0 && i < length && pieces < 2; i += step) {
      (pieces == 0 ? reach.chariot : reach.cannon) |= static_cast<std::uint16_t>(1U << i);
      if ((occupied >> i & 1) != 0) ++pieces;
    }
  }
  return reach;
}

Bitboard between(Square a, Square b) {
  const int file_step = (file_of(b) > file_of(a)) - (file_of(b) < file_of(a));
  const int rank_step = (rank_of(b) > rank_of(a)) - (rank_of(b) < rank_of(a));
  Bitboard result;
  for (Square s = a;;) {
    s = make_square(file_of(s) + file_step, rank_of(s) + rank_step);
    if (s == b) return result;
    result |= square_bit(s);
  }
}

Bitboard palace_lines(Square square) {
  const int file = file_of(square);
  const int rank = rank_of(square);
  Bitboard result;
  for (const Step step : kDiagonal) {
    int f = file + step.file;
    int r = rank + step.rank;
    int from_file = file;
    int from_rank = rank;
    while (on_board(f, r) && diagonal_is_drawn(from_file, from_rank, f, r)) {
      result |= square_bit(make_square(f, r));
      from_file = f;
      from_rank = r;
      f += step.file;
      r += step.rank;
    }
  }
  return result;
}

GeneralView make_view(Game game, Square square, const AttackTables& t) {
  GeneralView view;
  const GameTables& g = t.game[static_cast<std::size_t>(game)];
  for (const std::size_t side : {0U, 1U}) view.here.soldiers[side] = g.soldier_from[side][square];
  for (int i = 0; i < kSquares; ++i) {
    const auto from = static_cast<Square>(i);
    if (from == square) continue;
    const Bitboard diagonal = palace_lines(square);
    if (file_of(from) == file_of(square) || rank_of(from) == rank_of(square) ||
        (game == Game::kJanggi && diagonal.has(from))) {
      view.here.lines |= square_bit(from);
      view.line_path[from] = between(square, from);
    }
    if (t.horse[from].targets.mask.has(square)) {
      view.here.horses |= square_bit(from);
      LeapList horse = horse_leaps(file_of(from), rank_of(from));
      for (const Leap& leap : horse) {
        if (leap.target == square) view.horse_path[from] = square_bit(leap.leg);
      }
    }
    if (g.elephant[from].targets.mask.has(square)) {
      view.here.elephants |= square_bit(from);
      LeapList elephant = janggi_elephant_leaps(file_of(from), rank_of(from));
      for (const Leap& leap : elephant) {
        if (game == Game::kJanggi && leap.target == square) {
          view.elephant_path[from] = square_bit(leap.leg) | square_bit(leap.eye);
        }
      }
    }
  }
  return view;
}

}  // namespace

AttackTables::AttackTables() {
  for (int at = 0; at < kFiles; ++at) {
    for (unsigned occupied = 0; occupied < 512; ++occupied) {
      const LineReach reach = line_reach(at, occupied, kFiles);
      chariot_rank[static_cast<std::size_t>(at)][occupied] = reach.chariot;
      cannon_rank[static_cast<std::size_t>(at)][occupied] = reach.cannon;
    }
  }
  for (int at = 0; at < kRanks; ++at) {
    for (unsigned occupied = 0; occupied < 1024; ++occupied) {
      const LineReach reach = line_reach(at, occupied, kRanks);
      chariot_file[static_cast<std::size_t>(at)][occupied] = reach.chariot;
      cannon_file[static_cast<std::size_t>(at)][occupied] = reach.cannon;
    }
  }
  palace_index.fill(255);
  opposite_corner.fill(kNoSquare);
  palace_centre.fill(kNoSquare);
  std::uint8_t next_index = 0;
  GameTables& janggi = game[static_cast<std::size_t>(Game::kJanggi)];
  GameTables& xiangqi = game[static_cast<std::size_t>(Game::kXiangqi)];
  for (int i = 0; i < kSquares; ++i) {
    const auto s = static_cast<Square>(i);
    const int file = file_of(s);
    const int rank = rank_of(s);
    horse[s] = make_leaps(s, horse_leaps(file, rank));
    janggi.elephant[s] = make_leaps(s, janggi_elephant_leaps(file, rank));
    xiangqi.elephant[s] = make_leaps(s, xiangqi_elephant_leaps(file, rank));
    janggi.general[s] = janggi.guard[s] = make_leaps(s, palace_leaps(file, rank));
    xiangqi.general[s] = make_leaps(s, xiangqi_palace_leaps(file, rank, false));
    xiangqi.guard[s] = make_leaps(s, xiangqi_palace_leaps(file, rank, true));
    for (const Side side : {Side::kFirst, Side::kSecond}) {
      const auto index = static_cast<std::size_t>(index_of(side));
      janggi.soldier[index][s] = make_leaps(s, soldier_leaps(Game::kJanggi, side, file, rank));
      xiangqi.soldier[index][s] = make_leaps(s, soldier_leaps(Game::kXiangqi, side, file, rank));
    }
    for (GameTables& g : game) {
      for (const std::size_t side : {0U, 1U}) {
        for (Bitboard b = g.soldier[side][s].targets.mask; b;) {
          g.soldier_from[side][b.pop()] |= square_bit(s);
        }
      }
    }
    palace_diagonal[s] = palace_lines(s);
    if (in_palace(file, rank)) {
      palace_index[s] = next_index++;
      palace[rank <= 2 ? 0 : 1] |= square_bit(s);
      if (is_corner(file, rank)) {
        const int middle = palace_middle_rank(rank);
        palace_centre[s] = make_square(4, middle);
        opposite_corner[s] = make_square(8 - file, 2 * middle - rank);
      }
    }
  }
  for (const Game which : {Game::kJanggi, Game::kXiangqi}) {
    GameTables& g = game[static_cast<std::size_t>(which)];
    for (int i = 0; i < kSquares; ++i) {
      if (palace_index[static_cast<std::size_t>(i)] == 255) continue;
      const auto s = static_cast<Square>(i);
      g.view[palace_index[s]] = make_view(which, s, *this);
    }
    for (int i = 0; i < kSquares; ++i) {
      if (palace_index[static_cast<std::size_t>(i)] == 255) continue;
      const auto s = static_cast<Square>(i);
      GeneralView& view = g.view[palace_index[s]];
      for (Bitboard steps = g.general[s].targets.mask; steps;) {
        const GeneralView& there = g.view[palace_index[steps.pop()]];
        view.steps.lines |= there.here.lines;
        view.steps.horses |= there.here.horses;
        view.steps.elephants |= there.here.elephants;
        for (const std::size_t side : {0U, 1U})
          view.steps.soldiers[side] |= there.here.soldiers[side];
      }
    }
  }
}

const AttackTables kAttacks;

}  // namespace cannonade
