// A finished game as it is stored, exported and replayed.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/board/types.h"
#include "core/game/ending.h"

namespace cannonade {

// Scores are the mover's own view in centipawns; kNoScore where none was given (an opening's turn,
// a human's game).
constexpr std::int16_t kNoScore = INT16_MIN;

struct GameRecord {
  std::uint64_t id = 0;    // the index in its run's schedule
  std::uint64_t pair = 0;  // games of one pair share opening and seed, seats swapped
  std::string rules;       // Ruleset::id
  std::string start_fen;
  int opening_plies = 0;               // the first turns that the opening gave, not the players
  std::array<std::string, 2> players;  // names, first mover first
  std::array<std::string, 2> player_hashes;  // fingerprints of configuration and weights
  std::vector<Move> moves;
  std::vector<std::int16_t> scores;  // one for every move
  Outcome outcome;
  std::array<int, 2> points_halves{};  // both sides' points at the end (J29, bonus included)
  std::uint64_t nodes = 0;             // searched by both players together
  std::int64_t milliseconds = 0;       // wall clock; not part of what a rerun reproduces
  std::string note;                    // what a referee would write: a crash, an illegal move
};

}  // namespace cannonade
