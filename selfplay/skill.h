// Playing below one's strength: what a level of a ladder takes away from the search, and how.
//
// A weak player thinks less far (nodes, depth), misjudges (noise on the static evaluation) and does
// not see everything (turns overlooked, the more easily the longer they are, the further from where
// something just happened, and the harder the piece is to follow: an elephant's leap and a cannon's
// jump hide best). Every draw is a function of position, turn and game seed: a game with weak
// players is as repeatable as any. Scores of mates and of ended games are never touched.
#pragma once

#include <cstdint>
#include <string>

#include "core/board/position.h"
#include "core/board/types.h"
#include "core/search/limits.h"
#include "selfplay/settings.h"

namespace cannonade {

struct Skill {
  std::uint64_t nodes = 0;  // a move at most; 0: no such bound
  int depth = 0;            // plies at most; 0: no such bound
  double noise = 0;         // standard deviation of the static evaluation, centipawns
  double overlook = 0;      // chance of overlooking a turn that is as hard to see as turns are
  bool careless = false;    // may miss mates in one and recaptures, too: the lowest levels

  // Whether judgement or sight is impaired; bounds alone leave the player as it is.
  [[nodiscard]] bool impaired() const { return noise > 0 || overlook > 0; }
  [[nodiscard]] bool bounded() const { return nodes > 0 || depth > 0; }
  bool operator==(const Skill&) const = default;
};
void declare(SettingsTable& table, Skill& skill);

// `key = value`, comma separated: the same for the same skill, for hashes and messages.
[[nodiscard]] std::string skill_text(const Skill& skill);

// The stricter of both bounds.
[[nodiscard]] SearchLimits bounded_limits(const Skill& skill, SearchLimits limits);

// A skill between two others, `strength` of the way from `weak` to `strong`, in [0, 1]: nodes
// geometrically (as strength grows with their logarithm), everything else linearly. A bound that
// only one end has is taken from the other end's side: no bound in between. Careless below
// `careless_below`.
[[nodiscard]] Skill skill_between(const Skill& weak, const Skill& strong, double strength,
                                  double careless_below);

// The error of judgement in one position, centipawns: near normal with the standard deviation
// `skill.noise`, at most 3.5 of it.
[[nodiscard]] Score judgement_error(const Skill& skill, std::uint64_t position_key,
                                    std::uint64_t seed);

// How hard a legal turn is to see, in [0, 1]: rises with its length and its distance from `last`
// (kNoMove: not known, counted as half across the board), most for elephants and cannons; captures
// are seen more easily.
[[nodiscard]] double sight_difficulty(const Position& position, Move last, Move move);

// Takes back on the point where the last turn, a capture, ended.
[[nodiscard]] bool is_recapture(const Position& position, Move last, Move move);
// Ends the game at once: the other side has no turn left.
[[nodiscard]] bool mates_at_once(const Position& position, Move move);

// Whether a player of this skill does not think of `move`. Unless it is careless, it thinks of
// every recapture and every mate in one. Passes are always thought of.
[[nodiscard]] bool overlooks(const Skill& skill, std::uint64_t seed, const Position& position,
                             Move last, Move move);

}  // namespace cannonade
