// The games of a ladder's rounds: which game is whose, how it is played, and what a round's games
// say. For the files of the ladder alone.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "selfplay/driver.h"
#include "selfplay/ladder.h"
#include "selfplay/strength_curve.h"

namespace cannonade {

// A player of a round; yardsticks are players of their own.
[[nodiscard]] EngineConfig round_player(const LadderPlan& plan, const LadderRound& round,
                                        int player);
// By player, for rounds that have skills.
[[nodiscard]] std::vector<Skill> round_skills(const LadderPlan& plan, const LadderRound& round);

// The pairing that game `id` belongs to, and the first game of that pairing.
struct RoundSlot {
  RoundPairing pairing;
  std::uint64_t first_game = 0;
};
[[nodiscard]] RoundSlot slot_of(const LadderRound& round, std::uint64_t id);

// Plays games of one round; refers to all that it is given. Each pair of games has an opening that
// no other pair of the run has.
[[nodiscard]] MakeWorker round_workers(const LadderPlan& plan, const LadderRound& round,
                                       const Openings& openings);

// Whole pairs of games with a result, by pairing.
[[nodiscard]] RatingData round_data(const Store& store, const LadderRound& round);
[[nodiscard]] std::vector<GapObservation> observations(const LadderRound& round,
                                                       const RatingData& data);

// How each level of a round erred: a referee looks at the first games of every two neighbours
// (LadderSettings::profile_games); repeated games are counted over the whole round. The same for
// any number of threads; nothing when it was stopped.
[[nodiscard]] std::optional<std::vector<LevelProfile>> profile_round(const Store& store,
                                                                     const LadderPlan& plan,
                                                                     const LadderRound& round,
                                                                     const RunControl& control);

}  // namespace cannonade
