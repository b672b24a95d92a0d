#include "tests/support/mate_table.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/board/attacks.h"

namespace cannonade::support {
namespace {

constexpr std::uint8_t kSafe = 255;
constexpr std::size_t kPalacePoints = 9;

// d1, e1, f1, d2, ... and the same seen from Han's side.
Square cho_palace(std::size_t i) {
  return make_square(3 + static_cast<int>(i % 3), static_cast<int>(i / 3));
}
Square han_palace(std::size_t i) {
  return flip_ranks(cho_palace(i));
}
std::size_t place_in_palace(Square square) {
  const int rank = square < kHalf ? rank_of(square) : kRanks - 1 - rank_of(square);
  return static_cast<std::size_t>(3 * rank + file_of(square) - 3);
}

// Sets of guards: none; each point; each pair in rising order.
std::size_t guard_sets(int guards) {
  return guards == 0 ? 1 : guards == 1 ? kPalacePoints : kPalacePoints * (kPalacePoints - 1) / 2;
}
std::array<Square, 2> guard_set(int guards, std::size_t number) {
  if (guards == 0) return {kNoSquare, kNoSquare};
  if (guards == 1) return {cho_palace(number), kNoSquare};
  std::size_t low = 0;
  while (number >= kPalacePoints - 1 - low) {
    number -= kPalacePoints - 1 - low;
    ++low;
  }
  return {cho_palace(low), cho_palace(low + 1 + number)};
}
std::size_t guard_set_number(int guards, std::array<Square, 2> set) {
  if (guards == 0) return 0;
  const std::size_t low = place_in_palace(set[0]);
  if (guards == 1) return low;
  const std::size_t before = low * (2 * kPalacePoints - 1 - low) / 2;
  return before + place_in_palace(set[1]) - low - 1;
}

const GameTables& janggi() {
  return tables(Game::kJanggi);
}

// Where Cho's piece attacks from `square`.
Bitboard reach(PieceKind kind, Square square, Bitboard occupied, Bitboard cannons) {
  switch (kind) {
    case PieceKind::kGeneral:
    case PieceKind::kGuard:
      return janggi().guard[square].targets.mask;
    case PieceKind::kElephant:
      return janggi().elephant[square].attacks<PieceKind::kElephant>(occupied);
    case PieceKind::kHorse:
      return kAttacks.horse[square].attacks<PieceKind::kHorse>(occupied);
    case PieceKind::kChariot:
      return chariot_attacks<Game::kJanggi>(square, occupied);
    case PieceKind::kCannon:
      return cannon_jumps<Game::kJanggi>(square, occupied, cannons);
    case PieceKind::kSoldier:
      return janggi().soldier[0][square].targets.mask;
    case PieceKind::kNone:
      break;
  }
  return {};
}

// From where a piece of the kind might have come, as far as geometry goes.
Bitboard origins(PieceKind kind, Square square) {
  switch (kind) {
    case PieceKind::kGeneral:
    case PieceKind::kGuard:
      return janggi().guard[square].targets.mask;
    case PieceKind::kElephant:
      return janggi().elephant[square].targets.mask;
    case PieceKind::kHorse:
      return kAttacks.horse[square].targets.mask;
    case PieceKind::kSoldier:
      return janggi().soldier_from[0][square];
    case PieceKind::kChariot:
    case PieceKind::kCannon: {
      Bitboard lines = kAttacks.palace_diagonal[square] | rank_set(511, rank_of(square)) |
                       file_set(1023, file_of(square));
      return lines & ~square_bit(square);
    }
    case PieceKind::kNone:
      break;
  }
  return {};
}

bool facing(Square cho, Square han, Bitboard occupied) {
  return file_of(cho) == file_of(han) &&
         (general_view(Game::kJanggi, cho).line_path[han] & occupied).empty();
}

constexpr char kLetters[] = ".KABNRCP";

}  // namespace

std::string to_string(const MateMaterial& material) {
  std::string text(1, kLetters[index_of(material.first)]);
  if (material.second != PieceKind::kNone) text += kLetters[index_of(material.second)];
  return text;
}

struct MateTable::Board {
  Bitboard cho;  // all of Cho's
  Bitboard occupied;
  Bitboard cannons;
  Square han = kNoSquare;
  std::array<std::pair<PieceKind, Square>, 2> pieces;  // those that can give check
};

MateTable::Board MateTable::board(const State& s) const {
  Board b;
  b.han = s.han;
  b.cho = square_bit(s.cho) | square_bit(s.first);
  b.pieces = {std::pair{material_.first, s.first}, std::pair{material_.second, s.second}};
  if (s.second != kNoSquare) b.cho |= square_bit(s.second);
  for (const Square guard : s.guards) {
    if (guard != kNoSquare) b.cho |= square_bit(guard);
  }
  b.occupied = b.cho | square_bit(s.han);
  for (const auto& [kind, square] : b.pieces) {
    if (kind == PieceKind::kCannon) b.cannons |= square_bit(square);
  }
  return b;
}

bool MateTable::in_check(const Board& b) const {
  for (const auto& [kind, square] : b.pieces) {
    if (square != kNoSquare && reach(kind, square, b.occupied, b.cannons).has(b.han)) return true;
  }
  return false;
}

MateTable::State MateTable::state(std::size_t index) const {
  State s;
  if (seconds_ > 1) s.second = static_cast<Square>(index % seconds_);
  index /= seconds_;
  s.first = static_cast<Square>(index % kSquares);
  index /= kSquares;
  s.guards = guard_set(material_.guards, index % guard_sets_);
  index /= guard_sets_;
  s.cho = cho_palace(index % kPalacePoints);
  s.han = han_palace(index / kPalacePoints);
  return s;
}

std::size_t MateTable::index(State s) const {
  if (material_.first == material_.second && s.second < s.first) std::swap(s.first, s.second);
  if (s.guards[1] < s.guards[0]) std::swap(s.guards[0], s.guards[1]);
  std::size_t index = place_in_palace(s.han) * kPalacePoints + place_in_palace(s.cho);
  index = index * guard_sets_ + guard_set_number(material_.guards, s.guards);
  index = index * kSquares + s.first;
  return seconds_ > 1 ? index * seconds_ + s.second : index;
}

bool MateTable::exists(std::size_t index) const {
  const State s = state(index);
  const int pieces = 3 + material_.guards + (seconds_ > 1 ? 1 : 0);
  if (board(s).occupied.count() != pieces) return false;
  return material_.first != material_.second || s.first < s.second;
}

// Marks an entry with Han to move as mated in so many turns, to be spread in its time.
void MateTable::lose(std::size_t index, int turns) {
  if (turns >= kSafe) throw internal_error("a mate is longer than the table can hold");
  lost_in_[index] = static_cast<std::uint8_t>(turns + 1);
  if (waiting_.size() <= static_cast<std::size_t>(turns))
    waiting_.resize(static_cast<std::size_t>(turns) + 1);
  waiting_[static_cast<std::size_t>(turns)].push_back(static_cast<std::uint32_t>(index));
}

// Han to move: mated, safe for ever, or how many replies have yet to be refuted.
void MateTable::look_at_replies(std::size_t index) {
  const State s = state(index);
  const Board b = board(s);
  const bool check = in_check(b);
  const bool faced = facing(s.cho, s.han, b.occupied);
  int replies = check ? 0 : 1;  // the pass
  bool safe = !check && faced;  // J20
  for (Bitboard steps = janggi().general[s.han].targets.mask; steps && !safe;) {
    const Square to = steps.pop();
    State after = s;
    after.han = to;
    Board then = b;
    then.han = to;
    then.occupied = b.cho | square_bit(to);
    if (b.cho.has(to)) {
      if (to == s.cho) continue;
      for (Square& guard : after.guards) {
        if (guard == to) guard = kNoSquare;
      }
      for (auto& [kind, square] : then.pieces) {
        if (square == to) square = kNoSquare;
      }
      then.cannons &= ~square_bit(to);
    }
    if (in_check(then)) continue;
    if (faced && facing(s.cho, to, then.occupied)) {
      safe = true;  // J20
    } else if (to == s.first || to == s.second) {
      safe = true;  // one piece is left at most
    } else if (b.cho.has(to)) {
      const int turns = fewer_->won_in(fewer_->index(after));
      if (turns == 0) safe = true;
      guard_loss_[index] = std::max(guard_loss_[index], static_cast<std::uint8_t>(turns));
    } else {
      ++replies;
    }
  }
  open_[index] = safe ? kSafe : static_cast<std::uint8_t>(replies);
  if (open_[index] == 0) lose(index, guard_loss_[index] == 0 ? 0 : guard_loss_[index] + 1);
}

// Han to move is mated in `turns`: Cho wins wherever a turn leads here.
void MateTable::spread_loss(std::size_t index, int turns) {
  const State s = state(index);
  const Board after = board(s);
  const bool faced_after = facing(s.cho, s.han, after.occupied);
  const auto come_from = [&](PieceKind kind, Square State::*place, int guard) {
    const Square to = guard >= 0 ? s.guards[static_cast<std::size_t>(guard)] : s.*place;
    if (to == kNoSquare) return;
    for (Bitboard from = origins(kind, to) & ~after.occupied; from;) {
      const Square origin = from.pop();
      State before_state = s;
      (guard >= 0 ? before_state.guards[static_cast<std::size_t>(guard)] : before_state.*place) =
          origin;
      const std::size_t before_index = this->index(before_state);
      if (won_in_[before_index] != 0) continue;
      const Board before = board(before_state);
      if (!reach(kind, origin, before.occupied, before.cannons).has(to)) continue;
      if (in_check(before)) continue;  // Han would have had to answer
      // J20; a move that mates wins all the same.
      if (turns > 0 && faced_after && facing(before_state.cho, s.han, before.occupied)) continue;
      won_in_[before_index] = static_cast<std::uint8_t>(turns + 1);
      if (waiting_.size() <= static_cast<std::size_t>(turns) + 1)
        waiting_.resize(static_cast<std::size_t>(turns) + 2);
      waiting_[static_cast<std::size_t>(turns) + 1].push_back(
          static_cast<std::uint32_t>(before_index));
    }
  };
  come_from(PieceKind::kGeneral, &State::cho, -1);
  come_from(PieceKind::kGuard, nullptr, 0);
  come_from(PieceKind::kGuard, nullptr, 1);
  come_from(material_.first, &State::first, -1);
  come_from(material_.second, &State::second, -1);
}

// Cho to move wins in `turns`: one reply less for Han wherever a reply leads here.
void MateTable::spread_win(std::size_t index, int turns) {
  const State s = state(index);
  const Board after = board(s);
  const auto refute = [&](std::size_t before) {
    if (open_[before] == kSafe) return;
    if (--open_[before] == 0) lose(before, std::max<int>(turns, guard_loss_[before]) + 1);
  };
  refute(index);  // the pass: Han is not in check here, so was not before
  for (Bitboard from = janggi().general[s.han].targets.mask & ~after.occupied; from;) {
    State before = s;
    before.han = from.pop();
    refute(this->index(before));
  }
}

MateTable::MateTable(const MateMaterial& material, const MateTable* fewer)
    : material_(material),
      fewer_(fewer),
      guard_sets_(guard_sets(material.guards)),
      seconds_(material.second == PieceKind::kNone ? 1 : kSquares) {
  const std::size_t entries = kPalacePoints * kPalacePoints * guard_sets_ * kSquares * seconds_;
  won_in_.resize(entries);
  lost_in_.resize(entries);
  open_.assign(entries, kSafe);
  guard_loss_.resize(entries);
  for (std::size_t i = 0; i < entries; ++i) {
    if (exists(i)) look_at_replies(i);
  }
  for (std::size_t turns = 0; turns < waiting_.size(); ++turns) {
    const std::vector<std::uint32_t> entries_now = std::move(waiting_[turns]);
    for (const std::uint32_t entry : entries_now) {
      if (turns % 2 == 0) {
        spread_loss(entry, static_cast<int>(turns));
      } else {
        spread_win(entry, static_cast<int>(turns));
      }
    }
  }
}

MateSummary MateTable::summary() const {
  MateSummary sum;
  for (std::size_t i = 0; i < size(); ++i) {
    if (!exists(i)) continue;
    if (lost_in(i) == 0) ++sum.mates;
    if (in_check(board(state(i)))) continue;
    ++sum.positions;
    if (won_in(i) != 0) ++sum.won;
    sum.longest = std::max(sum.longest, won_in(i));
  }
  return sum;
}

}  // namespace cannonade::support
