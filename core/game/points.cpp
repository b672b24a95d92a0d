#include "core/game/points.h"

#include <fmt/format.h>

namespace cannonade {

Points count_points(const Position& position) {
  const auto sum = [&](Side side) {
    int points = 0;
    for (int k = 1; k < kPieceKinds; ++k) {
      const auto kind = static_cast<PieceKind>(k);
      points += point_value(kind) * position.count(side, kind);
    }
    return points;
  };
  return {2 * sum(Side::kFirst), 2 * sum(Side::kSecond) + position.rules().second_bonus_halves};
}

std::string format_halves(int halves) {
  const int whole = halves < 0 ? -halves : halves;
  return fmt::format("{}{}{}", halves < 0 ? "-" : "", whole / 2, whole % 2 == 0 ? "" : ".5");
}

}  // namespace cannonade
