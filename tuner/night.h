// A night's batch: its jobs one after another, in one folder, and what came of them.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tuner/match_job.h"
#include "tuner/night_phase.h"
#include "tuner/night_settings.h"
#include "tuner/tune_job.h"

namespace cannonade {

struct NightOutcome {
  std::string title;
  std::uint64_t seed = 0;
  std::string config;  // canonical text
  // Each in the order of the jobs.
  std::vector<RulesOutcome> rule_sets;  // of tune jobs
  std::vector<MatchOutcome> matches;
  bool complete = false;
  bool interrupted = false;
  double seconds = 0;

  // Of all jobs.
  [[nodiscard]] std::vector<const JobStatus*> statuses() const;
};

struct NightObserver : PhaseObserver {
  // After every phase, with what there is so far.
  std::function<void(const NightOutcome&)> on_phase;
};

// Does what is left of the night in `folder` (made when it is not there). Throws a user error when
// the folder belongs to a night with other settings; nothing is overwritten. A phase that fails is
// tried once more; then the job is given up for that rule set and named, and the others go on. A
// raised stop ends it; calling again continues with the same final weights as an uninterrupted
// night.
[[nodiscard]] NightOutcome run_night(NightSettings settings, const std::filesystem::path& folder,
                                     int threads, const std::atomic<bool>* stop,
                                     const NightObserver& observer);

[[nodiscard]] nlohmann::ordered_json to_json(const NightOutcome& outcome);

}  // namespace cannonade
