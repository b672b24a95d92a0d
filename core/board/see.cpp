#include "core/board/see.h"

#include <array>

namespace cannonade {
namespace {

constexpr std::array<int, kPieceKinds> kJanggiValues{0, 20000, 150, 170, 270, 700, 380, 110};
constexpr std::array<int, kPieceKinds> kXiangqiValues{0, 20000, 200, 200, 420, 900, 450, 110};

// From cheap to dear; who takes first in an exchange.
constexpr std::array kJanggiOrder{PieceKind::kSoldier, PieceKind::kGuard,  PieceKind::kElephant,
                                  PieceKind::kHorse,   PieceKind::kCannon, PieceKind::kChariot,
                                  PieceKind::kGeneral};

template <Game kGame>
Bitboard attackers(const Position& p, Square square, Bitboard occupied, bool target_is_cannon) {
  const auto both = [&](PieceKind kind) {
    return p.pieces(Side::kFirst, kind) | p.pieces(Side::kSecond, kind);
  };
  Bitboard result = chariot_attacks<kGame>(square, occupied) & both(PieceKind::kChariot);
  if (kGame == Game::kXiangqi || !target_is_cannon) {
    const auto f = static_cast<std::size_t>(file_of(square));
    const auto r = static_cast<std::size_t>(rank_of(square));
    const Bitboard cannons = p.cannons() & occupied;
    Bitboard jumps =
        rank_set(kAttacks.cannon_rank[f][rank_bits(occupied, rank_of(square))], rank_of(square)) |
        file_set(kAttacks.cannon_file[r][file_bits(occupied, file_of(square))], file_of(square));
    if constexpr (kGame == Game::kJanggi) {
      const Square corner = kAttacks.opposite_corner[square];
      if (corner != kNoSquare && occupied.has(kAttacks.palace_centre[square])) {
        jumps |= square_bit(corner);
      }
    }
    for (Bitboard b = jumps & cannons; b;) {
      const Square s = b.pop();
      // J13: look from the cannon, which knows what may be its screen.
      if (kGame == Game::kXiangqi ||
          cannon_jumps<kGame>(s, occupied | square_bit(square), cannons & ~square_bit(square))
              .has(square)) {
        result |= square_bit(s);
      }
    }
  }
  for (Bitboard b = kAttacks.horse[square].targets.mask & both(PieceKind::kHorse); b;) {
    const Square s = b.pop();
    if (kAttacks.horse[s].attacks<PieceKind::kHorse>(occupied).has(square)) result |= square_bit(s);
  }
  const GameTables& t = tables(kGame);
  for (Bitboard b = t.elephant[square].targets.mask & both(PieceKind::kElephant); b;) {
    const Square s = b.pop();
    if (t.elephant[s].template attacks<PieceKind::kElephant>(occupied).has(square)) {
      result |= square_bit(s);
    }
  }
  result |= t.guard[square].targets.mask & both(PieceKind::kGuard);
  result |= t.general[square].targets.mask & both(PieceKind::kGeneral);
  for (const Side side : {Side::kFirst, Side::kSecond}) {
    const auto index = static_cast<std::size_t>(index_of(side));
    result |= t.soldier_from[index][square] & p.pieces(side, PieceKind::kSoldier);
  }
  return result & occupied;
}

}  // namespace

int see_value(Game game, PieceKind kind) {
  return (game == Game::kJanggi ? kJanggiValues : kXiangqiValues)[static_cast<std::size_t>(kind)];
}

Bitboard attackers_to(const Position& position, Square square, Bitboard occupied,
                      bool target_is_cannon) {
  return position.game() == Game::kJanggi
             ? attackers<Game::kJanggi>(position, square, occupied, target_is_cannon)
             : attackers<Game::kXiangqi>(position, square, occupied, target_is_cannon);
}

bool see_at_least(const Position& p, Move move, int threshold) {
  if (move.is_pass()) return threshold <= 0;
  const Game game = p.game();
  const Square from = move.from();
  const Square to = move.to();
  int balance = see_value(game, p.at(to).kind()) - threshold;
  if (balance < 0) return false;
  PieceKind on_target = p.at(from).kind();
  balance -= see_value(game, on_target);
  if (balance >= 0) return true;
  Bitboard occupied = (p.occupied() & ~square_bit(from)) | square_bit(to);
  Side side = ~p.at(from).side();
  const Side us = ~side;
  // `balance` is what we keep if the piece on the target is lost, from us's view; sides alternate.
  for (;;) {
    const Bitboard takers =
        attackers_to(p, to, occupied, on_target == PieceKind::kCannon) & ~square_bit(to);
    const Bitboard ours = takers & p.pieces(side);
    if (ours.empty()) break;
    Square taker = kNoSquare;
    PieceKind kind = PieceKind::kNone;
    for (const PieceKind k : kJanggiOrder) {
      const Bitboard b = ours & p.pieces(side, k);
      if (b) {
        taker = b.first();
        kind = k;
        break;
      }
    }
    occupied &= ~square_bit(taker);
    on_target = kind;
    side = ~side;
    // A general that takes what is still protected loses more than can be won.
    balance = -balance - 1 - see_value(game, kind);
    if (balance >= 0) break;
  }
  return side != us;
}

}  // namespace cannonade
