// One point of view of a position: everything that a side's pieces attack, collected before the
// features of the evaluation are told.
#pragma once

#include <array>

#include "core/board/attacks.h"
#include "core/board/position.h"

namespace cannonade::detail {

// Attackers by how little a piece costs them: soldiers; leapers and guards; cannons; chariots.
constexpr int kAttackerClasses = 4;
constexpr int class_of(PieceKind kind) {
  switch (kind) {
    case PieceKind::kSoldier:
      return 0;
    case PieceKind::kCannon:
      return 2;
    case PieceKind::kChariot:
      return 3;
    default:
      return 1;
  }
}

struct AttackView {
  struct Piece {
    Square square;
    Bitboard attacks;  // what it attacks or protects
    Bitboard reach;    // where it can move (a cannon of xiangqi moves otherwise than it takes)
    Bitboard screens;  // of a cannon: the nearest pieces on the lines that it jumps along
  };
  // Room for every point, written only as far as there are pieces: clearing it would cost more than
  // using it.
  union Storage {
    Storage() {}
    std::array<Piece, kSquares> pieces;
  } storage;
  Bitboard all;                                       // attacked by anything, the general too
  Bitboard not_general;                               // attacked by anything else
  std::array<Bitboard, kAttackerClasses> by_class{};  // attacked by that class

  // The pieces kind by kind, in the order of collect() and, within a kind, of the position's list.
  template <Game kGame, Side kSide>
  void collect(const Position& p, Bitboard occupied, Bitboard cannons) {
    const GameTables& t = tables(kGame);
    Piece* next = storage.pieces.data();
    const auto each = [&](PieceKind kind, auto&& attacks_of) {
      const Square* squares = p.list(kSide, kind);
      const int n = p.count(kSide, kind);
      Bitboard attacked;
      for (int i = 0; i < n; ++i, ++next) {
        next->square = squares[i];
        attacks_of(*next);
        attacked |= next->attacks;
      }
      by_class[static_cast<std::size_t>(class_of(kind))] |= attacked;
      not_general |= attacked;
    };
    each(PieceKind::kGuard, [&](Piece& x) { x.attacks = t.guard[x.square].targets.mask; });
    each(PieceKind::kElephant, [&](Piece& x) {
      x.reach = x.attacks = t.elephant[x.square].template attacks<PieceKind::kElephant>(occupied);
    });
    each(PieceKind::kHorse, [&](Piece& x) {
      x.reach = x.attacks = kAttacks.horse[x.square].template attacks<PieceKind::kHorse>(occupied);
    });
    each(PieceKind::kChariot,
         [&](Piece& x) { x.reach = x.attacks = chariot_attacks<kGame>(x.square, occupied); });
    each(PieceKind::kCannon, [&](Piece& x) {
      x.reach = x.attacks = cannon_jumps<kGame>(x.square, occupied, cannons);
      const Bitboard lines = chariot_attacks<Game::kXiangqi>(x.square, occupied);
      x.screens = lines & occupied;
      if constexpr (kGame == Game::kXiangqi) {
        x.reach |= lines & ~occupied;
      } else if (kAttacks.opposite_corner[x.square] != kNoSquare) {
        x.screens |= square_bit(kAttacks.palace_centre[x.square]) & occupied;  // J2, J13
      }
    });
    each(PieceKind::kSoldier, [&](Piece& x) {
      x.attacks = t.soldier[static_cast<std::size_t>(index_of(kSide))][x.square].targets.mask;
    });
    all = not_general | t.general[p.general(kSide)].targets.mask;
  }
};

}  // namespace cannonade::detail
