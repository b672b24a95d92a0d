// Positions of random games, for properties that hold everywhere.
#pragma once

#include <vector>

#include "core/base/rng.h"
#include "core/board/movegen.h"
#include "core/notation/fen.h"

namespace cannonade {

inline std::vector<Position> random_positions(const Ruleset& rules, int games, int plies,
                                              std::uint64_t seed) {
  std::vector<Position> positions;
  for (int g = 0; g < games; ++g) {
    Rng rng(seed, static_cast<std::uint64_t>(g));
    const std::string fen = rules.game == Game::kJanggi
                                ? set_up_fen(static_cast<SetUp>(rng.below(kSetUps)),
                                             static_cast<SetUp>(rng.below(kSetUps)))
                                : std::string(start_fen(rules.game));
    Position position = parse_fen(rules, fen).value_or_throw();
    for (int ply = 0; ply < plies; ++ply) {
      positions.push_back(position);
      MoveList list;
      generate(position, list);
      if (list.empty()) break;
      Undo undo;
      position.make(list[rng.below(list.size())], undo);
    }
  }
  return positions;
}

}  // namespace cannonade
