#include "selfplay/match_rounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "selfplay/store.h"

namespace cannonade {

std::uint64_t games_through_round(std::uint64_t games, std::uint64_t round_games,
                                  std::uint64_t round) {
  // Written so that no product overflows.
  return round > games / round_games ? games : std::min(games, round * round_games);
}

std::uint64_t round_after(std::uint64_t prefix, std::uint64_t round_games) {
  return prefix / round_games + 1;
}

MatchJudgement judge_match(MatchPlan plan, const std::filesystem::path& path) {
  const PreparedTournament prepared(std::move(plan.tournament));
  const Tournament& tournament = prepared.tournament();
  const RunInfo run = prepared.run_info();
  MatchJudgement judgement;
  MatchResult& result = judgement.result;
  std::error_code error;
  if (std::filesystem::exists(path, error)) {
    const Store store = Store::open_read_only(path);
    if (store.id() != run_id(run)) {
      throw user_error(fmt::format("{} holds another run: {}", path.string(),
                                   run_differences(store.run(), run)));
    }
    if (store.run().shard.count > 1) {
      throw user_error(fmt::format("{} holds shard {}/{} only: merge the shards before judging",
                                   path.string(), store.run().shard.index,
                                   store.run().shard.count));
    }
    result = count_match(store, plan.sprt);
    judgement.prefix = store.finished().first_missing();
  } else {
    result.names = {tournament.engines[0].name, tournament.engines[1].name};
    result.game = tournament.rules.game;
    result.rules = tournament.rules.id;
    result.run_id = run_id(run);
    result.test = plan.sprt;
    result.statistics = match_statistics(result.pentanomial);
    if (plan.sprt) result.sprt = PrefixJudge(plan.sprt).result();
  }
  result.planned = tournament.games;
  // Of the match's plan, which the store's may be a round of.
  result.complete =
      result.sprt.verdict != Verdict::kContinue || judgement.prefix >= tournament.games;
  return judgement;
}

}  // namespace cannonade
