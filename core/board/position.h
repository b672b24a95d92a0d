// A position: pieces, the side to move, and the count of turns since the last capture. It makes and
// unmakes turns; what came before (repetition, checks, passes) is core/game/history.h's.
//
// Always holds: the mailbox, the sets, the piece lists, the counts and the key describe the same
// pieces; each side has exactly one general, inside its palace.
#pragma once

#include <array>
#include <cstdint>

#include "core/base/error.h"
#include "core/board/attacks.h"
#include "core/board/bitboard.h"
#include "core/board/ruleset.h"
#include "core/board/types.h"

namespace cannonade {

// Pieces by square, as a reader found them.
using PieceMap = std::array<Piece, kSquares>;

// What unmake cannot work out for itself.
struct Undo {
  std::uint64_t key = 0;
  std::int32_t no_capture = 0;
  Piece captured;
  std::uint8_t captured_slot = 0;
};

class Position {
 public:
  // Refuses what "Positions from outside" in RULES.md refuses. `no_capture` and `full_move` are the
  // last two FEN fields. `rules` is kept by reference and must outlive the position, so that here
  // and wherever else it is kept a temporary one does not compile.
  [[nodiscard]] static Expected<Position> create(const Ruleset& rules, const PieceMap& pieces,
                                                 Side to_move, int no_capture, int full_move);
  static Expected<Position> create(const Ruleset&&, const PieceMap&, Side, int, int) = delete;

  // What stands where.
  [[nodiscard]] Piece at(Square square) const { return board_[square]; }
  [[nodiscard]] Bitboard occupied() const { return by_side_[0] | by_side_[1]; }
  [[nodiscard]] Bitboard pieces(Side side) const { return by_side_[at_index(side)]; }
  [[nodiscard]] Bitboard pieces(Side side, PieceKind kind) const {
    return by_piece_[static_cast<std::size_t>(Piece(side, kind).code())];
  }
  [[nodiscard]] Bitboard cannons() const {
    return pieces(Side::kFirst, PieceKind::kCannon) | pieces(Side::kSecond, PieceKind::kCannon);
  }
  [[nodiscard]] Square general(Side side) const { return list(side, PieceKind::kGeneral)[0]; }
  [[nodiscard]] const Square* list(Side side, PieceKind kind) const {
    return lists_[static_cast<std::size_t>(Piece(side, kind).code())].data();
  }
  [[nodiscard]] int count(Side side, PieceKind kind) const {
    return counts_[static_cast<std::size_t>(Piece(side, kind).code())];
  }

  // Whose turn, and the counters.
  [[nodiscard]] Side side_to_move() const { return side_; }
  [[nodiscard]] std::uint64_t key() const { return key_; }
  [[nodiscard]] int no_capture() const { return no_capture_; }  // turns since the last capture
  [[nodiscard]] int plies() const { return plies_; }            // turns since move 1 of the FEN
  [[nodiscard]] const Ruleset& rules() const { return *rules_; }
  [[nodiscard]] Game game() const { return rules_->game; }

  // Whether the turn takes a piece; a pass does not.
  [[nodiscard]] bool is_capture(Move move) const {
    return move.from() != move.to() && !board_[move.to()].empty();
  }
  // Generals on one file with nothing between (J19, X11).
  [[nodiscard]] bool generals_face() const;

  // Makes a turn that movegen would list; `undo` brings back the position before it.
  void make(Move move, Undo& undo);
  void unmake(Move move, const Undo& undo);
  // The key after the turn, for prefetching.
  [[nodiscard]] std::uint64_t key_after(Move move) const;

  // Key, lists and counts worked out afresh; for tests.
  [[nodiscard]] std::uint64_t compute_key() const;
  [[nodiscard]] bool consistent() const;
  bool operator==(const Position& other) const;

 private:
  Position() = default;
  static constexpr std::size_t at_index(Side side) {
    return static_cast<std::size_t>(index_of(side));
  }
  void put(Square square, Piece piece);
  void move_piece(Square from, Square to, Piece piece);

  std::array<Bitboard, 16> by_piece_{};
  std::array<Bitboard, 2> by_side_{};
  std::uint64_t key_ = 0;
  const Ruleset* rules_ = nullptr;
  std::int32_t no_capture_ = 0;
  std::int32_t plies_ = 0;
  Side side_ = Side::kFirst;
  std::array<std::uint8_t, 16> counts_{};
  std::array<Piece, kSquares> board_{};
  std::array<std::uint8_t, kSquares> slots_{};  // a piece's place in its list
  std::array<std::array<Square, kSquares>, 16> lists_{};
};

}  // namespace cannonade
