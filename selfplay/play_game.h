// One game between two players, refereed by core/game/ending.h.
//
// With node and depth limits the game is a function of the task alone. A player that breaks down or
// plays an illegal turn ends the game as a forfeit; the record's note says what happened.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/game/game_record.h"
#include "selfplay/adjudication.h"
#include "selfplay/engine_config.h"
#include "selfplay/move_limits.h"
#include "selfplay/openings.h"
#include "selfplay/player.h"

namespace cannonade {

// What the note of a game says when a player crashed, hung or answered garbage.
inline constexpr std::string_view kBrokeDown = " broke down: ";

struct Seat {
  Player* player = nullptr;  // both seats may have the same one
  MoveLimits limits;
  FailurePolicy on_failure = FailurePolicy::kLoss;
};

struct GameTask {
  std::uint64_t id = 0;
  std::uint64_t pair = 0;
  std::uint64_t seed =
      0;  // for whatever is random in the players; the same for both games of a pair
  const Ruleset* rules = nullptr;
  Opening opening;
  std::array<Seat, 2> seats;  // by index_of(Side)
  AdjudicationSettings adjudication;
};

// None when `stop` was raised before the game's end: players are told to heed it. Throws a user
// error for an opening that cannot be played.
[[nodiscard]] std::optional<GameRecord> play_game(const GameTask& task,
                                                  const std::atomic<bool>& stop);

}  // namespace cannonade
