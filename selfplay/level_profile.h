// How a level errs: a referee at full strength looks at its games turn by turn. What it says is the
// referee's opinion with the nodes that it was given; a mate in one is a fact.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/game/game_record.h"
#include "selfplay/engine.h"

namespace cannonade {

// By what is left on the board (eval/phase.h).
enum class GamePhase : std::uint8_t { kOpening, kMiddle, kEnding };
constexpr int kGamePhases = 3;

struct LevelProfile {
  std::string name;
  std::uint64_t games = 0;  // that a referee looked at, from this level's side
  std::uint64_t moves = 0;

  // Turns and what they lost against the referee's choice, centipawns; a turn loses kMostLoss at
  // most.
  struct Loss {
    std::uint64_t moves = 0;
    double sum = 0;
    [[nodiscard]] double mean() const { return moves == 0 ? 0 : sum / static_cast<double>(moves); }
  };
  std::array<Loss, kGamePhases> loss;

  // Turns that lost kBlunder or more: to a mate, or by the kind of piece that the referee answers
  // with.
  std::uint64_t blunders = 0;
  std::uint64_t blunders_to_mate = 0;
  std::array<std::uint64_t, 8> blunders_by_answer{};  // by PieceKind

  // Chances, and how many were not taken. A recapture counts where it wins material and the referee
  // holds it to be a soldier's worth better than what was played.
  std::uint64_t recaptures = 0;
  std::uint64_t recaptures_missed = 0;
  std::uint64_t mates = 0;  // in one
  std::uint64_t mates_missed = 0;

  // Endings in which the referee saw this side won, once a game; and games of them that it won.
  std::uint64_t won_endings = 0;
  std::uint64_t won_endings_won = 0;

  std::uint64_t played = 0;    // games of the round
  std::uint64_t repeated = 0;  // the same turns as an earlier one of its games

  void add(const LevelProfile& other);  // all but the name
};

constexpr Score kMostLoss = 1500;
constexpr Score kBlunder = 200;
constexpr Score kWonEnding = 500;

// What the referee makes of one game, for either side: [0] the first mover.
[[nodiscard]] std::array<LevelProfile, 2> profile_game(const GameRecord& game, const Ruleset& rules,
                                                       Engine& referee, std::uint64_t nodes);

[[nodiscard]] nlohmann::ordered_json to_json(const LevelProfile& profile);
// A user error for what to_json does not write.
[[nodiscard]] LevelProfile parse_profile(const nlohmann::json& json);

}  // namespace cannonade
