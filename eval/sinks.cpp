#include "eval/sinks.h"

#include "core/board/bonus.h"

namespace cannonade {
namespace {

// Sums weights one feature at a time.
struct PlainSum {
  const PackedWeights& weights;
  std::int64_t sum = 0;
  void add(int feature, int sign, int count) { sum += weights[feature] * (sign * count); }
};

std::int64_t plain_standing(Game game, const PackedWeights& weights, Side side, PieceKind kind,
                            Square square, Square own_general, Square enemy_general) {
  PlainSum sink{weights};
  if (game == Game::kJanggi) {
    detail::tell_standing<Game::kJanggi>(sink, side, kind, square, own_general, enemy_general);
  } else {
    detail::tell_standing<Game::kXiangqi>(sink, side, kind, square, own_general, enemy_general);
  }
  return sink.sum;
}

}  // namespace

PackedWeights::PackedWeights(const Weights& weights)
    : standing_(std::size_t{2} * kPieceKinds * 3 * kPalacePoints) {
  for (int i = 0; i < kFeatureCount; ++i) {
    packed_[static_cast<std::size_t>(i)] =
        static_cast<std::int64_t>(weights[i].end) * (std::int64_t{1} << 32) + weights[i].middle;
  }
  const Game game = find_ruleset(weights.rules_id()).value_or_throw().game;
  for (const Side side : {Side::kFirst, Side::kSecond}) {
    for (int k = index_of(PieceKind::kGeneral); k < kPieceKinds; ++k) {
      const auto kind = static_cast<PieceKind>(k);
      for (int aside = 0; aside < 3; ++aside) {
        // Of the own general only the file matters.
        const Square own = make_square(3 + aside, side == Side::kFirst ? 0 : kRanks - 1);
        for (int point = 0; point < kSquares; ++point) {
          const auto enemy = static_cast<Square>(point);
          if (!kAttacks.palace[index_of(~side)].has(enemy)) continue;
          auto& values = standing_[row(side, kind, own, enemy)];
          for (int s = 0; s < kSquares; ++s) {
            values[static_cast<std::size_t>(s)] =
                plain_standing(game, *this, side, kind, static_cast<Square>(s), own, enemy);
          }
        }
      }
    }
  }
}

}  // namespace cannonade
