// A ladder job for one rule set: strength levels of the night's best, in a levels file that the UCI
// front end and engine files can name.
#pragma once

#include <filesystem>
#include <optional>

#include "selfplay/ladder.h"
#include "tuner/night_phase.h"

namespace cannonade {

struct LadderOutcome : JobStatus {
  std::filesystem::path store;
  std::optional<LadderResult> result;
};

// `weights`: those that the night has when the job begins. Writes levels.toml in the job's folder.
// Throws as run_tune.
void run_ladder_job(const NightContext& context, const std::filesystem::path& weights,
                    LadderOutcome& outcome);

}  // namespace cannonade
