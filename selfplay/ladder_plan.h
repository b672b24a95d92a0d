// A round of a ladder's calibration: who plays, and which pairs of players how often. Pure; a round
// is written into the run's store before its first game, so that a run goes on with the plan that
// it began.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "selfplay/skill.h"

namespace cannonade {

enum class RoundKind : std::uint8_t {
  kSurvey,     // probes spread over the whole path
  kAdjust,     // levels as they are now placed
  kConfirm,    // the same, with as many games as a verdict needs
  kYardstick,  // the first level against players that do not search
};
[[nodiscard]] std::string_view name_of(RoundKind kind);

// Whole pairs of games between two players of a round, a moving first in the first of each pair.
struct RoundPairing {
  int a = 0;
  int b = 0;
  std::uint64_t games = 0;
  bool operator==(const RoundPairing&) const = default;
};

struct LadderRound {
  int number = 1;
  RoundKind kind = RoundKind::kSurvey;
  std::uint64_t first_game = 0;
  // Weakest first; in a yardstick round the first level alone, players 1 and 2 being the random
  // mover and the taker.
  std::vector<double> strengths;
  std::vector<RoundPairing> pairings;

  [[nodiscard]] std::uint64_t games() const;
  [[nodiscard]] std::uint64_t end() const { return first_game + games(); }
};

// Spreads `games` over neighbours and, the part `skip_share`, over next neighbours, always where
// the variance of the worst neighbours' gap falls most; every two neighbours get some. `elo`: what
// the players are thought to be worth, in order. At least two players; with two there is no skip.
[[nodiscard]] std::vector<RoundPairing> allocate_games(const std::vector<double>& elo,
                                                       std::uint64_t games, double skip_share);

// One line of text and back; a user error for text that is not a plan.
[[nodiscard]] std::string to_text(const LadderRound& round);
[[nodiscard]] LadderRound parse_round(std::string_view text);

}  // namespace cannonade
