// A night's batch: its jobs one after another, in one folder, and what came of them.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tuner/compare_job.h"
#include "tuner/ladder_job.h"
#include "tuner/match_job.h"
#include "tuner/night_phase.h"
#include "tuner/night_settings.h"
#include "tuner/night_shards.h"
#include "tuner/tune_job.h"

namespace cannonade {

struct NightOutcome {
  std::string title;
  std::uint64_t seed = 0;
  std::string config;  // canonical text
  // Each in the order of the jobs.
  std::vector<RulesOutcome> rule_sets;  // of tune jobs
  std::vector<MatchOutcome> matches;
  std::vector<CompareOutcome> comparisons;
  std::vector<LadderOutcome> ladders;
  bool complete = false;
  bool interrupted = false;
  std::optional<GamesAwaited> awaited;  // the night stopped for its shards
  double seconds = 0;

  // Of all jobs.
  [[nodiscard]] std::vector<const JobStatus*> statuses() const;
};

enum class NightGames : std::uint8_t {
  kPlayed,  // here
  kJoined,  // other machines play them, each its shard (tuner/night_shards.h)
};

struct NightObserver : PhaseObserver {
  // After every phase, with what there is so far.
  std::function<void(const NightOutcome&)> on_phase;
};

// Does what is left of the night in `folder` (made when it is not there). Throws a user error when
// the folder belongs to a night with other settings; nothing is overwritten. A phase that fails is
// tried once more; then the job is given up for that rule set and named, and the others go on. A
// raised stop ends it, and so do games that shards have yet to play; calling again continues with
// the same final weights as an uninterrupted night on one machine.
[[nodiscard]] NightOutcome run_night(NightSettings settings, const std::filesystem::path& folder,
                                     NightGames games, int threads, const std::atomic<bool>* stop,
                                     const NightObserver& observer);

// Whether a night was begun in it.
[[nodiscard]] bool is_night_folder(const std::filesystem::path& folder);

[[nodiscard]] nlohmann::ordered_json to_json(const NightOutcome& outcome);

}  // namespace cannonade
