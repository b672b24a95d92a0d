// A match over shards goes in rounds, for a shard cannot know when the sequential test decides.
//
// Round r plays the ids below r * round_games that are not there yet, dealt out over the shards;
// the shards are merged and the merged store is judged; the next round is begun only while it has
// not decided. The judge looks at the whole prefix pair by pair, as a match on one machine does
// while it plays: verdict and figures are the same, whatever the rounds and shards were.
#pragma once

#include <cstdint>
#include <filesystem>

#include "selfplay/match.h"

namespace cannonade {

// The plan of round `round` (from 1) of a match of `games`.
[[nodiscard]] std::uint64_t games_through_round(std::uint64_t games, std::uint64_t round_games,
                                                std::uint64_t round);
// The round that plays the first game a store with this whole prefix lacks.
[[nodiscard]] std::uint64_t round_after(std::uint64_t prefix, std::uint64_t round_games);

struct MatchJudgement {
  MatchResult result;        // complete: the test has decided, or every game of the plan is there
  std::uint64_t prefix = 0;  // games: all ids below it are there
};
// Judges the games of `store` without playing; a store that does not exist has none. User errors:
// another match, a shard that is not merged, what Store refuses.
[[nodiscard]] MatchJudgement judge_match(MatchPlan plan, const std::filesystem::path& store);

}  // namespace cannonade
