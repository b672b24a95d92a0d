// How pieces reach points, as look-up tables.
//
// Chariots and cannons: one look-up by rank (9 x 512 entries) and one by file (10 x 1024), 58 kB in
// all, so that the caches stay the search's. Everything that steps or leaps (general, guard,
// elephant, horse, soldier) has at most eight targets, kept as eight ready-made moves beside the
// points that can block them. The general's side of things, who could attack it and over which
// points, is tabled for the 18 palace points.
#pragma once

#include <array>
#include <cstdint>

#include "core/board/bitboard.h"
#include "core/board/types.h"

namespace cannonade {

// The targets of one stepping or leaping piece on one point, lowest square first.
struct Leaps {
  Gather targets;
  Gather eyes;                           // eye i, when occupied, blocks target i (elephant)
  Gather legs;                           // occupied legs, read together, index `open`
  std::array<std::uint16_t, 8> moves{};  // raw moves to target i
  std::array<std::uint8_t, 16> open{};   // targets left by the legs

  // Which targets are not blocked, one bit a target.
  template <PieceKind kKind>
  [[nodiscard]] unsigned unblocked(Bitboard occupied) const {
    unsigned result = open[0];
    if constexpr (kKind == PieceKind::kHorse || kKind == PieceKind::kElephant) {
      result = open[legs.read(occupied)];
    }
    if constexpr (kKind == PieceKind::kElephant) result &= ~eyes.read(occupied);
    return result;
  }
  // The same as a set of points.
  template <PieceKind kKind>
  [[nodiscard]] Bitboard attacks(Bitboard occupied) const {
    const unsigned lanes = unblocked<kKind>(occupied);
#if defined(__BMI2__)
    return {_pdep_u64(lanes, targets.mask.lo),
            _pdep_u64(lanes >> targets.low_count, targets.mask.hi)};
#else
    Bitboard result;
    Bitboard rest = targets.mask;
    for (unsigned lane = 0; rest; ++lane) {
      const Square square = rest.pop();
      if ((lanes >> lane & 1) != 0) result |= square_bit(square);
    }
    return result;
#endif
  }
};

// From where one point could be attacked if nothing stood in the way.
struct Reach {
  Bitboard lines;                    // chariots and cannons: rank, file, drawn palace diagonals
  Bitboard horses;                   // horses whose leap would end here
  Bitboard elephants;                // elephants likewise
  std::array<Bitboard, 2> soldiers;  // soldiers of that side
};

// A palace point as its general sees it.
struct GeneralView {
  Reach here;   // against this point
  Reach steps;  // against any point that the general can step to
  // The points between an attacker's square and this one: everything on a line, the leg of a horse,
  // both points of an elephant.
  std::array<Bitboard, kSquares> line_path;
  std::array<Bitboard, kSquares> horse_path;
  std::array<Bitboard, kSquares> elephant_path;
};

// Everything that depends on the game's geometry.
struct GameTables {
  std::array<Leaps, kSquares> general;
  std::array<Leaps, kSquares> guard;
  std::array<Leaps, kSquares> elephant;
  std::array<std::array<Leaps, kSquares>, 2> soldier;  // by side
  std::array<std::array<Bitboard, kSquares>, 2>
      soldier_from{};                // soldiers of a side that attack it
  std::array<GeneralView, 18> view;  // by palace_index
};

struct AttackTables {
  AttackTables();

  // Nine bits of a rank or ten of a file: the squares reached from a file or rank index.
  std::array<std::array<std::uint16_t, 512>, kFiles> chariot_rank{};
  std::array<std::array<std::uint16_t, 1024>, kRanks> chariot_file{};
  // Squares strictly beyond the first piece, up to and including the second.
  std::array<std::array<std::uint16_t, 512>, kFiles> cannon_rank{};
  std::array<std::array<std::uint16_t, 1024>, kRanks> cannon_file{};
  std::array<Leaps, kSquares> horse;
  std::array<GameTables, 2> game;                     // by Game
  std::array<std::uint8_t, kSquares> palace_index{};  // 0 to 17 inside, 255 outside
  std::array<Bitboard, 2> palace;                     // by the side that lives there
  // The palace lines that run over the centre: corner -> centre -> opposite corner (J2).
  std::array<Bitboard, kSquares> palace_diagonal;  // points on a drawn diagonal with this one
  std::array<Square, kSquares> opposite_corner{};  // kNoSquare but on a corner
  std::array<Square, kSquares> palace_centre{};    // kNoSquare outside the corners
};

extern const AttackTables kAttacks;

[[nodiscard]] inline const GameTables& tables(Game game) {
  return kAttacks.game[static_cast<std::size_t>(game)];
}
[[nodiscard]] inline const GeneralView& general_view(Game game, Square palace_square) {
  return tables(game).view[kAttacks.palace_index[palace_square]];
}

// Points that a chariot attacks, the first piece of either side on each line included (J12, X8).
template <Game kGame>
[[nodiscard]] inline Bitboard chariot_attacks(Square square, Bitboard occupied) {
  const int file = file_of(square);
  const int rank = rank_of(square);
  const std::size_t f = static_cast<std::size_t>(file);
  const std::size_t r = static_cast<std::size_t>(rank);
  Bitboard result = rank_set(kAttacks.chariot_rank[f][rank_bits(occupied, rank)], rank) |
                    file_set(kAttacks.chariot_file[r][file_bits(occupied, file)], file);
  if constexpr (kGame == Game::kJanggi) {
    Bitboard diagonal = kAttacks.palace_diagonal[square];
    if (diagonal) {
      const Square centre = kAttacks.palace_centre[square];
      if (centre != kNoSquare && occupied.has(centre)) diagonal = square_bit(centre);
      result |= diagonal;
    }
  }
  return result;
}

// Points beyond exactly one screen, up to and including the second piece. In janggi `cannons`
// neither screen nor are taken (J13); in xiangqi only those with a piece are attacked (X9) and
// `cannons` is not used.
template <Game kGame>
[[nodiscard]] inline Bitboard cannon_jumps(Square square, Bitboard occupied, Bitboard cannons) {
  const int file = file_of(square);
  const int rank = rank_of(square);
  const std::size_t f = static_cast<std::size_t>(file);
  const std::size_t r = static_cast<std::size_t>(rank);
  const unsigned rank_occupied = rank_bits(occupied, rank);
  const unsigned file_occupied = file_bits(occupied, file);
  unsigned along_rank = kAttacks.cannon_rank[f][rank_occupied];
  unsigned along_file = kAttacks.cannon_file[r][file_occupied];
  if constexpr (kGame == Game::kXiangqi) {
    return rank_set(along_rank & rank_occupied, rank) | file_set(along_file & file_occupied, file);
  } else {
    const unsigned rank_screens =
        kAttacks.chariot_rank[f][rank_occupied] & rank_bits(cannons, rank);
    const unsigned file_screens =
        kAttacks.chariot_file[r][file_occupied] & file_bits(cannons, file);
    const unsigned below_f = (1U << f) - 1;
    const unsigned below_r = (1U << r) - 1;
    if ((rank_screens & below_f) != 0) along_rank &= ~below_f;
    if ((rank_screens & ~below_f) != 0) along_rank &= below_f;
    if ((file_screens & below_r) != 0) along_file &= ~below_r;
    if ((file_screens & ~below_r) != 0) along_file &= below_r;
    Bitboard result = rank_set(along_rank, rank) | file_set(along_file, file);
    const Square corner = kAttacks.opposite_corner[square];
    if (corner != kNoSquare) {
      const Square centre = kAttacks.palace_centre[square];
      if (occupied.has(centre) && !cannons.has(centre)) result |= square_bit(corner);
    }
    return result & ~cannons;
  }
}

}  // namespace cannonade
