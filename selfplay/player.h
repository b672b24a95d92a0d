// Whoever chooses moves in a game: our engine, an outside engine, a test's script.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "core/board/ruleset.h"
#include "core/board/types.h"
#include "core/game/game_state.h"
#include "core/search/limits.h"

namespace cannonade {

struct MoveChoice {
  Move move;        // kNoMove with `failure` set when the player broke down
  Score score = 0;  // the mover's view, centipawns; mates as kMateScore - plies
  bool has_score = true;
  std::uint64_t nodes = 0;
  int depth = 0;
  bool resign = false;
  std::string failure;  // why there is no (legal) move: crash, time-out, the illegal word
};

class Player {
 public:
  virtual ~Player() = default;

  // Before the first move of a game. Everything remembered is forgotten; `seed` feeds whatever is
  // random in the player, so that a game is a function of its seed.
  virtual void new_game(const Ruleset& rules, std::uint64_t seed) = 0;
  // A turn for the side to move; the game is not over.
  virtual MoveChoice choose(const GameState& game, const SearchLimits& limits) = 0;

  // Once `stop` is raised choose() comes back soon, with whatever it has: the game is dropped.
  // Null: nothing to heed.
  virtual void heed(const std::atomic<bool>* /*stop*/) {}

  [[nodiscard]] virtual const std::string& name() const = 0;
  // Fingerprint of everything that decides how it plays (settings and weights).
  [[nodiscard]] virtual const std::string& hash() const = 0;
};

}  // namespace cannonade
