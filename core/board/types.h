// The small types of the board: sides, pieces, squares, moves, scores.
//
// Squares are numbered rank by rank from the first mover's left: a1 = 0, i1 = 8, a2 = 9, i10 = 89.
// The first mover is Cho in janggi and Red in xiangqi and plays upwards (J3, X2).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace cannonade {

enum class Game : std::uint8_t { kJanggi, kXiangqi };

enum class Side : std::uint8_t { kFirst, kSecond };
constexpr Side operator~(Side side) {
  return side == Side::kFirst ? Side::kSecond : Side::kFirst;
}
constexpr int index_of(Side side) {
  return static_cast<int>(side);
}

// Kinds are numbered for table look-up; guard is the advisor of xiangqi.
enum class PieceKind : std::uint8_t {
  kNone,
  kGeneral,
  kGuard,
  kElephant,
  kHorse,
  kChariot,
  kCannon,
  kSoldier,
};
constexpr int kPieceKinds = 8;  // with kNone
constexpr int index_of(PieceKind kind) {
  return static_cast<int>(kind);
}

// A kind with a side, or nothing: side * 8 + kind.
class Piece {
 public:
  constexpr Piece() = default;
  constexpr Piece(Side side, PieceKind kind)
      : code_(static_cast<std::uint8_t>(index_of(side) * kPieceKinds + index_of(kind))) {}
  [[nodiscard]] constexpr PieceKind kind() const { return static_cast<PieceKind>(code_ & 7); }
  [[nodiscard]] constexpr Side side() const { return static_cast<Side>(code_ >> 3); }
  [[nodiscard]] constexpr bool empty() const { return code_ == 0; }
  [[nodiscard]] constexpr int code() const { return code_; }  // 0 to 15
  constexpr bool operator==(const Piece&) const = default;

 private:
  std::uint8_t code_ = 0;
};

constexpr int kFiles = 9;
constexpr int kRanks = 10;
constexpr int kSquares = 90;

// Not scoped, so that it can index tables; arithmetic on it gives an int that must be cast back.
enum Square : std::uint8_t { kNoSquare = 90 };
constexpr Square make_square(int file, int rank) {
  return static_cast<Square>(rank * kFiles + file);
}
constexpr int file_of(Square square) {
  return square % kFiles;
}
constexpr int rank_of(Square square) {
  return square / kFiles;
}
// The same point seen from the other side of the board.
constexpr Square flip_ranks(Square square) {
  return make_square(file_of(square), kRanks - 1 - rank_of(square));
}
constexpr Square mirror_files(Square square) {
  return make_square(kFiles - 1 - file_of(square), rank_of(square));
}

// From and to in 14 bits. A pass is the general's square twice (J16). a1 to a1 can never be a turn
// and stands for "no move".
class Move {
 public:
  constexpr Move() = default;
  constexpr Move(Square from, Square to)
      : raw_(static_cast<std::uint16_t>(static_cast<unsigned>(from) << 7 | to)) {}
  static constexpr Move from_raw(std::uint16_t raw) {
    Move move;
    move.raw_ = raw;
    return move;
  }
  [[nodiscard]] constexpr Square from() const { return static_cast<Square>(raw_ >> 7); }
  [[nodiscard]] constexpr Square to() const { return static_cast<Square>(raw_ & 127); }
  [[nodiscard]] constexpr bool is_pass() const { return from() == to() && raw_ != 0; }
  [[nodiscard]] constexpr std::uint16_t raw() const { return raw_; }
  constexpr explicit operator bool() const { return raw_ != 0; }
  constexpr bool operator==(const Move&) const = default;

 private:
  std::uint16_t raw_ = 0;
};
constexpr Move kNoMove{};

// Centipawns (a soldier is worth about 100), from the side to move's point of view unless said
// otherwise. A mate in n plies scores kMateScore - n.
using Score = int;
constexpr Score kMateScore = 32000;
constexpr Score kInfiniteScore = 32001;
constexpr Score kMaxMatePlies = 512;
constexpr Score kMateBound = kMateScore - kMaxMatePlies;  // scores beyond are mates
constexpr bool is_mate_score(Score score) {
  return score >= kMateBound || score <= -kMateBound;
}

}  // namespace cannonade
