// A night's batch: what is to be done, as its file says it, and what came of it.
//
// The file names jobs, done one after another. A `tune` job runs, for each of its rule sets, the
// loop generate -> fit -> verify -> promote as many times as it has generations.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "selfplay/generate.h"
#include "selfplay/match.h"
#include "selfplay/run_control.h"
#include "selfplay/settings.h"
#include "tuner/fit.h"

namespace cannonade {

struct NightGenerate {
  std::uint64_t games = 2000;
  double games_growth = 1;  // each generation has so many times the games of the one before
  std::uint64_t nodes = 1000;
  double nodes_growth = 1;
  int hash_mb = 4;
  OpeningSettings openings;
  AdjudicationSettings adjudication;
};
void declare(SettingsTable& table, NightGenerate& settings);

struct NightVerify {
  std::uint64_t games = 2000;  // at most
  std::uint64_t nodes = 1000;
  double nodes_growth = 1;
  int hash_mb = 4;
  double elo0 = 0;
  double elo1 = 10;
  double alpha = 0.05;
  double beta = 0.05;
  OpeningSettings openings;
  NightVerify() { openings.max_score = 150; }
};
void declare(SettingsTable& table, NightVerify& settings);

// A match of fixed length after the last generation.
struct NightMeasure {
  std::uint64_t games = 0;  // 0: none
  std::uint64_t nodes = 1000;
  OpeningSettings openings;
  NightMeasure() { openings.max_score = 150; }
};
void declare(SettingsTable& table, NightMeasure& settings);

struct NightJob {
  enum class Kind : std::uint8_t { kTune };
  Kind kind = Kind::kTune;
  std::vector<std::string> rules;
  std::string start = "material";
  int generations = 1;
  int window = 3;                 // generations whose games are fitted
  int stop_after_rejections = 2;  // in a row
  NightGenerate generate;
  FitOptions fit;
  NightVerify verify;
  NightMeasure against_start;    // the best against generation 0
  NightMeasure against_anchor;   // the best against an outside engine
  std::filesystem::path anchor;  // its engine file; none when empty
};
void declare(SettingsTable& table, NightJob& job);

struct NightSettings {
  std::string title = "Overnight";
  std::uint64_t seed = 1;
  std::vector<NightJob> jobs;
};
void declare(SettingsTable& table, NightSettings& settings);

// What came of it. Everything here can be read again from the night's folder.
struct GenerationOutcome {
  int number = 1;
  std::uint64_t nodes = 0;
  std::optional<GenerateResult> games;
  nlohmann::ordered_json fit;  // to_json(FitResult); null before it is done
  std::optional<MatchResult> verify;
  bool promoted = false;
};

struct RulesOutcome {
  Ruleset rules;
  std::vector<GenerationOutcome> generations;
  std::optional<MatchResult> against_start;
  std::optional<MatchResult> against_anchor;
  std::filesystem::path best;  // the weights promoted last, or the start's
  std::string best_hash;
  int best_generation = 0;  // 0: the start
  std::string failure;      // the phase that failed twice and why; empty: none
  bool complete = false;
  double seconds = 0;  // in this session
};

struct NightOutcome {
  std::string title;
  std::uint64_t seed = 0;
  std::string config;  // canonical text
  std::vector<RulesOutcome> rule_sets;
  bool complete = false;
  bool interrupted = false;
  double seconds = 0;
};

// Whoever watches.
struct NightObserver {
  std::function<void(const ProgressState&)> on_games;
  std::function<void(const std::string& title, const FitProgress&)> on_fit;
  std::function<void(const std::string&)> on_note;  // a line worth keeping
  // After every phase, with what there is so far.
  std::function<void(const NightOutcome&)> on_phase;
};

// Does what is left of the night in `folder` (made when it is not there). Throws a user error when
// the folder belongs to a night with other settings; nothing is overwritten. A phase that fails is
// tried once more; then the rule set is given up and named, and the others go on. A raised stop
// ends it; calling again continues with the same final weights as an uninterrupted night.
[[nodiscard]] NightOutcome run_night(NightSettings settings, const std::filesystem::path& folder,
                                     int threads, const std::atomic<bool>* stop,
                                     const NightObserver& observer);

[[nodiscard]] nlohmann::ordered_json to_json(const NightOutcome& outcome);

}  // namespace cannonade
