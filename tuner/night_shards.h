// A night whose games other machines play, each its shard of them.
//
// The night itself plays nothing then. Where it comes to games it joins what the shards have played
// so far; is that not enough, it leaves a work order in its folder and stops; called again after
// the shards it goes on from there. A sequential match is ordered in rounds (selfplay/
// match_rounds.h). The joined stores, and all that follows from them, are those of a night on one
// machine, and either can go on with what the other has begun.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "selfplay/generate.h"
#include "selfplay/match.h"

namespace cannonade {

// Thrown where the night stops for its shards.
struct GamesAwaited {
  std::string title;
  std::uint64_t games = 0;  // that are missing
};

// The night's one standing order.
[[nodiscard]] std::filesystem::path order_file(const std::filesystem::path& night_folder);

// run_generate and run_match, their games from shards when `order` names a file and played here
// when it is empty. Throws GamesAwaited, with the order written; user errors as merge_stores.
[[nodiscard]] GenerateResult obtain_games(Tournament tournament, const std::filesystem::path& store,
                                          const std::string& title,
                                          const std::filesystem::path& order,
                                          const RunControl& control);
[[nodiscard]] MatchResult obtain_match(MatchPlan plan, std::uint64_t round_games,
                                       const std::filesystem::path& store, const std::string& title,
                                       const std::filesystem::path& order,
                                       const RunControl& control);

}  // namespace cannonade
