// The generator: one template over (game, side, sink). A sink receives whole groups of turns (the
// lanes of a leaper, the bits of a rank or file); one lists them, one counts them.
#pragma once

#include <bit>
#include <cstdint>

#if defined(__SSSE3__)
#include <immintrin.h>
#endif

#include "core/board/movegen.h"

namespace cannonade {

namespace detail {

// Which of eight lanes are set -> those lanes packed to the front: shuffles for 16-bit lanes, and
// lists of offsets for the points of a rank and of half a file.
struct PackTables {
  alignas(16) std::array<std::array<std::uint8_t, 16>, 256> shuffle{};
  alignas(16) std::array<std::array<std::uint16_t, 8>, 512> rank{};
  alignas(16) std::array<std::array<std::uint16_t, 8>, 32> half_file{};
};

inline constexpr PackTables kPack = [] {
  PackTables t;
  for (unsigned lanes = 0; lanes < 256; ++lanes) {
    unsigned n = 0;
    for (unsigned lane = 0; lane < 8; ++lane) {
      if ((lanes >> lane & 1) == 0) continue;
      t.shuffle[lanes][2 * n] = static_cast<std::uint8_t>(2 * lane);
      t.shuffle[lanes][2 * n + 1] = static_cast<std::uint8_t>(2 * lane + 1);
      ++n;
    }
  }
  for (unsigned bits = 0; bits < 511; ++bits) {  // nine targets on a rank cannot be
    unsigned n = 0;
    for (unsigned file = 0; file < 9; ++file) {
      if ((bits >> file & 1) != 0) t.rank[bits][n++] = static_cast<std::uint16_t>(file);
    }
  }
  for (unsigned bits = 0; bits < 32; ++bits) {
    unsigned n = 0;
    for (unsigned rank = 0; rank < 5; ++rank) {
      if ((bits >> rank & 1) != 0) t.half_file[bits][n++] = static_cast<std::uint16_t>(9 * rank);
    }
  }
  return t;
}();

}  // namespace detail

// Writes turns to a list. Every group is stored as one block of eight, the end moves on by as many
// as are meant: no branch depends on the number of targets.
class ListSink {
 public:
  explicit ListSink(std::uint16_t* end) : end_(end) {}
  [[nodiscard]] std::uint16_t* end() const { return end_; }

  void leaps(const Leaps& leaps, unsigned lanes) {
#if defined(__SSSE3__)
    const __m128i moves = _mm_loadu_si128(reinterpret_cast<const __m128i*>(leaps.moves.data()));
    const __m128i order =
        _mm_load_si128(reinterpret_cast<const __m128i*>(detail::kPack.shuffle[lanes].data()));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(end_), _mm_shuffle_epi8(moves, order));
    end_ += std::popcount(lanes);
#else
    for (; lanes != 0; lanes &= lanes - 1) {
      *end_++ = leaps.moves[static_cast<std::size_t>(std::countr_zero(lanes))];
    }
#endif
  }
  void along_rank(Square from, int rank, unsigned bits) {
    block(detail::kPack.rank[bits].data(), Move(from, make_square(0, rank)).raw(),
          std::popcount(bits));
  }
  void along_file(Square from, int file, unsigned bits) {
    const unsigned low = bits & 31;
    const unsigned high = bits >> 5;
    block(detail::kPack.half_file[low].data(), Move(from, make_square(file, 0)).raw(),
          std::popcount(low));
    block(detail::kPack.half_file[high].data(), Move(from, make_square(file, 5)).raw(),
          std::popcount(high));
  }
  void one(Move move) {
    *end_++ = move.raw();
  }

 private:
  void block(const std::uint16_t* offsets, std::uint16_t base, int count) {
    for (int i = 0; i < 8; ++i) end_[i] = static_cast<std::uint16_t>(offsets[i] + base);
    end_ += count;
  }

  std::uint16_t* end_;
};

// Counts turns without writing them.
class CountSink {
 public:
  [[nodiscard]] int count() const { return count_; }
  void leaps(const Leaps& /*leaps*/, unsigned lanes) { count_ += std::popcount(lanes); }
  void along_rank(Square /*from*/, int /*rank*/, unsigned bits) { count_ += std::popcount(bits); }
  void along_file(Square /*from*/, int /*file*/, unsigned bits) { count_ += std::popcount(bits); }
  void one(Move /*move*/) { ++count_; }

 private:
  int count_ = 0;
};

namespace generator {

constexpr bool is_janggi(Game game) {
  return game == Game::kJanggi;
}

[[nodiscard]] inline bool exactly_one(Bitboard b) {
  return b.count() == 1;
}

// Danger to the general of kSide, which is to move.
template <Game kGame, Side kSide>
[[nodiscard]] inline Danger danger(const Position& p) {
  constexpr Side kEnemy = ~kSide;
  const GeneralView& view = general_view(kGame, p.general(kSide));
  const Bitboard occupied = p.occupied();
  Danger result;
  const auto over = [&](Bitboard path) {
    const Bitboard blockers = path & occupied;
    if (blockers.empty()) {
      result.in_check = true;
    } else if (exactly_one(blockers)) {
      result.from |= blockers;
    }
  };
  Bitboard chariots = p.pieces(kEnemy, PieceKind::kChariot);
  if constexpr (kGame == Game::kXiangqi) chariots |= p.pieces(kEnemy, PieceKind::kGeneral);  // X11
  for (Bitboard b = chariots & view.here.lines; b;) over(view.line_path[b.pop()]);
  for (Bitboard b = p.pieces(kEnemy, PieceKind::kHorse) & view.here.horses; b;) {
    over(view.horse_path[b.pop()]);
  }
  if constexpr (kGame == Game::kJanggi) {
    for (Bitboard b = p.pieces(kEnemy, PieceKind::kElephant) & view.here.elephants; b;) {
      over(view.elephant_path[b.pop()]);
    }
  }
  if (p.pieces(kEnemy, PieceKind::kSoldier) & view.here.soldiers[index_of(kEnemy)]) {
    result.in_check = true;
  }
  for (Bitboard b = p.pieces(kEnemy, PieceKind::kCannon) & view.here.lines; b;) {
    const Bitboard path = view.line_path[b.pop()];
    const Bitboard blockers = path & occupied;
    switch (blockers.count()) {
      case 0:
        result.to |= path;  // whoever steps in becomes the screen
        break;
      case 1:
        if (kGame == Game::kXiangqi || !(blockers & p.cannons())) {
          result.in_check = true;
        } else {
          result.to |= blockers;  // J13: taking the cannon in between makes the taker a screen
        }
        break;
      case 2:
        result.from |= blockers;
        break;
      default:
        break;
    }
  }
  return result;
}

// Whether anything of kEnemy attacks the general's point behind `view`, given what would stand
// where. `gone` is a point whose piece no longer attacks (it was taken), kFullBoard's complement
// for none.
template <Game kGame, Side kEnemy>
[[nodiscard]] inline bool attacked(const Position& p, const GeneralView& view, Bitboard occupied,
                                   Bitboard cannons, Bitboard remaining) {
  Bitboard chariots = p.pieces(kEnemy, PieceKind::kChariot);
  if constexpr (kGame == Game::kXiangqi) chariots |= p.pieces(kEnemy, PieceKind::kGeneral);  // X11
  for (Bitboard b = chariots & view.here.lines & remaining; b;) {
    if ((view.line_path[b.pop()] & occupied).empty()) return true;
  }
  for (Bitboard b = p.pieces(kEnemy, PieceKind::kCannon) & view.here.lines & remaining; b;) {
    const Bitboard blockers = view.line_path[b.pop()] & occupied;
    if (blockers.count() == 1 && (kGame == Game::kXiangqi || !(blockers & cannons))) return true;
  }
  for (Bitboard b = p.pieces(kEnemy, PieceKind::kHorse) & view.here.horses & remaining; b;) {
    if ((view.horse_path[b.pop()] & occupied).empty()) return true;
  }
  if constexpr (kGame == Game::kJanggi) {
    for (Bitboard b = p.pieces(kEnemy, PieceKind::kElephant) & view.here.elephants & remaining;
         b;) {
      if ((view.elephant_path[b.pop()] & occupied).empty()) return true;
    }
  }
  return static_cast<bool>(p.pieces(kEnemy, PieceKind::kSoldier) &
                           view.here.soldiers[index_of(kEnemy)] & remaining);
}

// Whether the general is safe after a turn of another piece.
template <Game kGame, Side kSide>
[[nodiscard]] inline bool safe_after(const Position& p, const GeneralView& view, Move move) {
  const Bitboard from = square_bit(move.from());
  const Bitboard to = square_bit(move.to());
  const Bitboard occupied = (p.occupied() & ~from) | to;
  Bitboard cannons = p.cannons() & ~(from | to);
  if (p.at(move.from()).kind() == PieceKind::kCannon) cannons |= to;
  return !attacked<kGame, ~kSide>(p, view, occupied, cannons, ~to);
}

// Whether the general may step to `to`: tested with the general lifted off.
template <Game kGame, Side kSide>
[[nodiscard]] inline bool general_may_step(const Position& p, Square to) {
  const Bitboard occupied = (p.occupied() & ~square_bit(p.general(kSide))) | square_bit(to);
  return !attacked<kGame, ~kSide>(p, general_view(kGame, to), occupied, p.cannons(),
                                  ~square_bit(to));
}

// Whether any enemy piece stands where it could hold a step of the general at all.
template <Game kGame, Side kSide>
[[nodiscard]] inline bool steps_are_free(const Position& p, const GeneralView& view) {
  constexpr Side kEnemy = ~kSide;
  Bitboard sliders = p.pieces(kEnemy, PieceKind::kChariot) | p.pieces(kEnemy, PieceKind::kCannon);
  if constexpr (kGame == Game::kXiangqi) sliders |= p.pieces(kEnemy, PieceKind::kGeneral);
  Bitboard holders =
      (sliders & view.steps.lines) | (p.pieces(kEnemy, PieceKind::kHorse) & view.steps.horses) |
      (p.pieces(kEnemy, PieceKind::kSoldier) & view.steps.soldiers[index_of(kEnemy)]);
  if constexpr (kGame == Game::kJanggi) {
    holders |= p.pieces(kEnemy, PieceKind::kElephant) & view.steps.elephants;
  }
  return holders.empty();
}

template <Game kGame, Side kSide, class Sink>
inline void general_turns(const Position& p, Bitboard targets, bool pass, Sink& sink) {
  const Square square = p.general(kSide);
  const GeneralView& view = general_view(kGame, square);
  const Leaps& leaps = tables(kGame).general[square];
  unsigned lanes = leaps.targets.read(targets);
  if (lanes != 0 && !steps_are_free<kGame, kSide>(p, view)) {
    for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
      if (!general_may_step<kGame, kSide>(p, Move::from_raw(leaps.moves[lane]).to())) {
        lanes &= ~(1U << lane);
      }
    }
  }
  sink.leaps(leaps, lanes);
  if (pass) sink.one(Move(square, square));  // J16
}

// All turns of pieces other than the general that end on `targets`, without regard to the general.
template <Game kGame, Side kSide, class Sink>
inline void piece_turns(const Position& p, Bitboard targets, Sink& sink) {
  const Bitboard occupied = p.occupied();
  const GameTables& t = tables(kGame);
  const auto each = [&p](PieceKind kind, auto&& action) {
    const Square* squares = p.list(kSide, kind);
    const int n = p.count(kSide, kind);
    for (int i = 0; i < n; ++i) action(squares[i]);
  };
  each(PieceKind::kGuard, [&](Square s) {
    const Leaps& leaps = t.guard[s];
    sink.leaps(leaps, leaps.targets.read(targets));
  });
  each(PieceKind::kSoldier, [&](Square s) {
    const Leaps& leaps = t.soldier[static_cast<std::size_t>(index_of(kSide))][s];
    sink.leaps(leaps, leaps.targets.read(targets));
  });
  each(PieceKind::kElephant, [&](Square s) {
    const Leaps& leaps = t.elephant[s];
    sink.leaps(leaps, leaps.template unblocked<PieceKind::kElephant>(occupied) &
                          leaps.targets.read(targets));
  });
  each(PieceKind::kHorse, [&](Square s) {
    const Leaps& leaps = kAttacks.horse[s];
    sink.leaps(leaps,
               leaps.template unblocked<PieceKind::kHorse>(occupied) & leaps.targets.read(targets));
  });
  each(PieceKind::kChariot, [&](Square s) {
    const int file = file_of(s);
    const int rank = rank_of(s);
    const auto f = static_cast<std::size_t>(file);
    const auto r = static_cast<std::size_t>(rank);
    sink.along_rank(s, rank,
                    kAttacks.chariot_rank[f][rank_bits(occupied, rank)] & rank_bits(targets, rank));
    sink.along_file(s, file,
                    kAttacks.chariot_file[r][file_bits(occupied, file)] & file_bits(targets, file));
    if constexpr (kGame == Game::kJanggi) {
      Bitboard diagonal = kAttacks.palace_diagonal[s];
      if (diagonal) {  // J12
        const Square centre = kAttacks.palace_centre[s];
        if (centre != kNoSquare && occupied.has(centre)) diagonal = square_bit(centre);
        for (diagonal &= targets; diagonal;) sink.one(Move(s, diagonal.pop()));
      }
    }
  });
  const Bitboard cannons = p.cannons();
  const Bitboard cannon_targets = is_janggi(kGame) ? targets & ~cannons : targets;
  each(PieceKind::kCannon, [&](Square s) {
    const int file = file_of(s);
    const int rank = rank_of(s);
    const auto f = static_cast<std::size_t>(file);
    const auto r = static_cast<std::size_t>(rank);
    const unsigned rank_occupied = rank_bits(occupied, rank);
    const unsigned file_occupied = file_bits(occupied, file);
    unsigned along_rank = kAttacks.cannon_rank[f][rank_occupied];
    unsigned along_file = kAttacks.cannon_file[r][file_occupied];
    const unsigned straight_rank = kAttacks.chariot_rank[f][rank_occupied];
    const unsigned straight_file = kAttacks.chariot_file[r][file_occupied];
    if constexpr (kGame == Game::kXiangqi) {  // X9
      along_rank = (along_rank & rank_occupied) | (straight_rank & ~rank_occupied);
      along_file = (along_file & file_occupied) | (straight_file & ~file_occupied);
    } else {  // J13
      const unsigned below_f = (1U << f) - 1;
      const unsigned below_r = (1U << r) - 1;
      const unsigned rank_screens = straight_rank & rank_bits(cannons, rank);
      const unsigned file_screens = straight_file & file_bits(cannons, file);
      if ((rank_screens & below_f) != 0) along_rank &= ~below_f;
      if ((rank_screens & ~below_f) != 0) along_rank &= below_f;
      if ((file_screens & below_r) != 0) along_file &= ~below_r;
      if ((file_screens & ~below_r) != 0) along_file &= below_r;
      const Square corner = kAttacks.opposite_corner[s];
      if (corner != kNoSquare) {
        const Square centre = kAttacks.palace_centre[s];
        if (occupied.has(centre) && !cannons.has(centre) && cannon_targets.has(corner)) {
          sink.one(Move(s, corner));
        }
      }
    }
    sink.along_rank(s, rank, along_rank & rank_bits(cannon_targets, rank));
    sink.along_file(s, file, along_file & file_bits(cannon_targets, file));
  });
}

template <MoveKind kKind>
[[nodiscard]] inline Bitboard targets_of(const Position& p, Side side) {
  if constexpr (kKind == MoveKind::kCaptures) return p.pieces(~side);
  if constexpr (kKind == MoveKind::kQuiets) return kFullBoard & ~p.occupied();
  return kFullBoard & ~p.pieces(side);
}

// The legal turns, written from `begin` on; returns their end.
template <Game kGame, Side kSide, MoveKind kKind>
inline std::uint16_t* list_turns(const Position& p, const Danger& d, std::uint16_t* begin) {
  const Bitboard targets = targets_of<kKind>(p, kSide);
  ListSink sink(begin);
  piece_turns<kGame, kSide>(p, targets, sink);
  std::uint16_t* end = sink.end();
  if (!d.quiet()) {
    const GeneralView& view = general_view(kGame, p.general(kSide));
    std::uint16_t* kept = begin;
    for (const std::uint16_t* at = begin; at != end; ++at) {
      const Move move = Move::from_raw(*at);
      const bool suspect = d.in_check || d.from.has(move.from()) || d.to.has(move.to());
      if (!suspect || safe_after<kGame, kSide>(p, view, move)) *kept++ = *at;
    }
    end = kept;
  }
  ListSink rest(end);
  const bool pass =
      is_janggi(kGame) && kKind != MoveKind::kCaptures && !d.in_check && p.rules().passing;
  general_turns<kGame, kSide>(p, targets, pass, rest);
  return rest.end();
}

// Their number, counted by popcounts where nothing is suspect.
template <Game kGame, Side kSide>
[[nodiscard]] inline int count_turns(const Position& p, const Danger& d) {
  if (!d.quiet()) {
    MoveList list;
    return static_cast<int>(list_turns<kGame, kSide, MoveKind::kAll>(p, d, list.raw_begin()) -
                            list.raw_begin());
  }
  const Bitboard targets = targets_of<MoveKind::kAll>(p, kSide);
  CountSink sink;
  piece_turns<kGame, kSide>(p, targets, sink);
  general_turns<kGame, kSide>(p, targets, is_janggi(kGame) && p.rules().passing, sink);
  return sink.count();
}

}  // namespace generator
}  // namespace cannonade
