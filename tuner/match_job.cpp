#include "tuner/match_job.h"

#include <fmt/format.h>

#include "tuner/night_shards.h"

namespace cannonade {

void run_match_job(const NightContext& context, const std::filesystem::path& weights,
                   MatchOutcome& outcome) {
  const NightMatch& s = context.job().match;
  EngineConfig opponent = read_engine_config(s.opponent);
  outcome.opponent = opponent.name;
  outcome.store = context.folder / "match.db";
  MatchPlan plan;
  plan.tournament.command = "match";
  plan.tournament.rules = context.rules;
  plan.tournament.seed = context.seed(0, 1);
  plan.tournament.games = s.games;
  set_opponents(plan.tournament, engine_with("night's best", weights, s.hash_mb),
                std::move(opponent));
  plan.tournament.limits = s.limits;
  plan.tournament.openings = s.openings;
  plan.tournament.adjudication = s.adjudication;
  if (s.elo0 < s.elo1) {
    SprtTest test;
    test.elo0 = s.elo0;
    test.elo1 = s.elo1;
    plan.sprt = test;
  }
  context.in_phase("the match against " + outcome.opponent, 0, [&] {
    const std::string title =
        fmt::format("{}: night's best against {}", context.rules.id, outcome.opponent);
    outcome.result = obtain_match(plan, s.round_games, outcome.store, title, context.order,
                                  context.control(title));
    if (!outcome.result->complete) throw Interrupted{};
  });
  outcome.complete = true;
}

}  // namespace cannonade
