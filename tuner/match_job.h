// A match job for one rule set: the night's best against another engine.
#pragma once

#include <filesystem>
#include <optional>

#include "selfplay/match.h"
#include "tuner/night_phase.h"

namespace cannonade {

struct MatchOutcome : JobStatus {
  std::string opponent;
  std::filesystem::path store;
  std::optional<MatchResult> result;
};

// `weights`: those that the night has when the job begins. Throws as run_tune.
void run_match_job(const NightContext& context, const std::filesystem::path& weights,
                   MatchOutcome& outcome);

}  // namespace cannonade
