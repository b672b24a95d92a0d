// What a search learns about turns and evaluations as it goes: history scores for ordering, and the
// correction of the static evaluation. All of it is per search object and forgotten with a new
// game.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "core/board/position.h"

namespace cannonade {

// A score in [-kLimit, kLimit] that new evidence pulls toward its own sign, the more the further it
// is from there.
template <int kLimit>
class HistoryScore {
 public:
  operator int() const { return value_; }  // NOLINT(google-explicit-constructor)
  void update(int bonus) {
    const int bounded = std::clamp(bonus, -kLimit, kLimit);
    value_ = static_cast<std::int16_t>(value_ + bounded - value_ * std::abs(bounded) / kLimit);
  }

 private:
  std::int16_t value_ = 0;
};

constexpr int kHistoryLimit = 8192;
using History16 = HistoryScore<kHistoryLimit>;

// Of a turn that follows one given turn: by the follower's kind and target.
using Continuation = std::array<std::array<History16, kSquares>, kPieceKinds>;

struct SearchTables {
  std::array<std::array<std::array<History16, kSquares>, kSquares>, 2> butterfly;  // side, from, to
  std::array<std::array<std::array<History16, kPieceKinds>, kSquares>, 16> capture;
  // By the piece and target of the earlier turn; row 0 stands for "none" (a null move, the root).
  std::array<std::array<Continuation, kSquares>, 16> continuation;
  std::array<std::array<Move, kSquares>, 16> counter;
  // Static evaluation less search result, by side and soldiers' and pieces' pattern.
  static constexpr std::size_t kCorrections = 1 << 13;
  std::array<std::array<HistoryScore<1024>, kCorrections>, 2> soldier_correction;
  std::array<std::array<HistoryScore<1024>, kCorrections>, 2> material_correction;

  [[nodiscard]] static std::size_t soldier_slot(const Position& p) {
    const Bitboard a = p.pieces(Side::kFirst, PieceKind::kSoldier);
    const Bitboard b = p.pieces(Side::kSecond, PieceKind::kSoldier);
    std::uint64_t h = a.lo * 0x9E3779B97F4A7C15ULL ^ a.hi * 0xC2B2AE3D27D4EB4FULL;
    h ^= (b.lo * 0x165667B19E3779F9ULL) ^ (b.hi * 0xD6E8FEB86659FD93ULL);
    return static_cast<std::size_t>((h ^ (h >> 29)) * 0xBF58476D1CE4E5B9ULL >> 51);
  }
  [[nodiscard]] static std::size_t material_slot(const Position& p) {
    std::uint64_t h = 0;
    for (const Side side : {Side::kFirst, Side::kSecond}) {
      for (int k = index_of(PieceKind::kGuard); k < kPieceKinds; ++k) {
        h = h * 31 + static_cast<std::uint64_t>(p.count(side, static_cast<PieceKind>(k)));
      }
      h = h * 91 + p.general(side);
    }
    return static_cast<std::size_t>((h ^ (h >> 29)) * 0xBF58476D1CE4E5B9ULL >> 51);
  }
  // Centipawns to add to the static evaluation.
  [[nodiscard]] Score correction(const Position& p) const {
    const auto side = static_cast<std::size_t>(index_of(p.side_to_move()));
    return (soldier_correction[side][soldier_slot(p)] +
            material_correction[side][material_slot(p)]) /
           10;
  }
  void correct(const Position& p, Score error, int depth) {
    const auto side = static_cast<std::size_t>(index_of(p.side_to_move()));
    const int bonus = std::clamp(error * depth / 8, -256, 256);
    soldier_correction[side][soldier_slot(p)].update(bonus);
    material_correction[side][material_slot(p)].update(bonus);
  }
};

}  // namespace cannonade
