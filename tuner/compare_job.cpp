#include "tuner/compare_job.h"

namespace cannonade {

void run_compare_job(const NightContext& context, const std::filesystem::path& weights,
                     CompareOutcome& outcome) {
  const NightCompare& s = context.job().compare;
  outcome.store = context.folder / "compare.db";
  ComparePlan plan;
  plan.engines = {engine_with("night's best", weights, s.hash_mb)};
  plan.games = s.games;
  plan.seed = context.seed(0, 1);
  plan.design = s.design;
  plan.openings = s.openings;
  context.in_phase("the comparison of rule sets", 0, [&] {
    outcome.result =
        run_compare(plan, outcome.store, context.control("compare janggi's rule sets"));
    if (!outcome.result->complete) throw Interrupted{};
  });
  outcome.complete = true;
}

}  // namespace cannonade
