#include "tuner/ladder_job.h"

#include <fmt/format.h>

namespace cannonade {

void run_ladder_job(const NightContext& context, const std::filesystem::path& weights,
                    LadderOutcome& outcome) {
  const NightLadder& s = context.job().ladder;
  outcome.store = context.folder / "ladder.db";
  LadderPlan plan;
  plan.settings = s.ladder;
  plan.settings.rules = context.rules;
  plan.settings.seed = context.seed(0, 1);
  plan.settings.levels_file = context.folder / "levels.toml";
  plan.engine = engine_with("night's best", weights, s.hash_mb);
  plan.command = "tuner overnight";
  context.in_phase("the ladder", 0, [&] {
    outcome.result = run_ladder(plan, outcome.store,
                                context.control(fmt::format("{}: ladder", context.rules.id)));
    if (!outcome.result->complete) throw Interrupted{};
  });
  outcome.complete = true;
}

}  // namespace cannonade
