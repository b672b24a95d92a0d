// A compare job: janggi under the rules of the KJA and under the point count, by the night's best.
#pragma once

#include <filesystem>
#include <optional>

#include "selfplay/compare.h"
#include "tuner/night_phase.h"

namespace cannonade {

struct CompareOutcome : JobStatus {
  std::filesystem::path store;
  std::optional<CompareResult> result;
};

// `weights`: those that the night has when the job begins, {rules} for the rule set. Throws as
// run_tune.
void run_compare_job(const NightContext& context, const std::filesystem::path& weights,
                     CompareOutcome& outcome);

}  // namespace cannonade
