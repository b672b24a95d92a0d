// What every job of a night is given, and how its phases are run: a phase that fails is tried once
// more and then named; a raised stop leaves it at once.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "selfplay/engine_config.h"
#include "selfplay/run_control.h"
#include "tuner/fit.h"
#include "tuner/night_settings.h"

namespace cannonade {

// Thrown inside a phase when the stop flag is seen.
struct Interrupted {};

// Whoever watches.
struct PhaseObserver {
  std::function<void(const ProgressState&)> on_games;
  std::function<void(const std::string& title, const FitProgress&)> on_fit;
  std::function<void(const std::string&)> on_note;  // a line worth keeping
};

// What came of a job for one rule set, whatever its kind.
struct JobStatus {
  Ruleset rules;
  std::string failure;  // the phase that failed twice and why; empty: none
  bool complete = false;
  double seconds = 0;  // in this session
};

// A job for one rule set.
class NightContext {
 public:
  const NightSettings& night;
  const std::string& config;  // canonical text of the night's settings
  std::size_t job_index;
  Ruleset rules;
  std::filesystem::path folder;  // the job's own, for these rules
  int threads;
  const std::atomic<bool>* stop;
  const PhaseObserver& observer;
  std::filesystem::path order;  // where shards find theirs (tuner/night_shards.h); empty: no shards

  [[nodiscard]] const NightJob& job() const { return night.jobs[job_index]; }
  [[nodiscard]] bool stopped() const { return stop != nullptr && stop->load(); }
  void note(const std::string& text) const;
  // For a run whose progress goes by `title`.
  [[nodiscard]] RunControl control(const std::string& title) const;
  // Of one phase alone; reads as a positive number everywhere.
  [[nodiscard]] std::uint64_t seed(int generation, std::uint64_t phase) const;

  // Tries it twice. Throws Interrupted, or an internal error that names phase and generation (0:
  // none).
  void in_phase(const std::string& name, int generation, const std::function<void()>& phase) const;
};

// Our engine with the weights of a file; {rules} stands for a rule set's id.
[[nodiscard]] EngineConfig engine_with(const std::string& name,
                                       const std::filesystem::path& weights, int hash_mb);

}  // namespace cannonade
