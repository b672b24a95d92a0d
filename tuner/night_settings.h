// A night's batch as its file says it.
//
// The file names jobs, done one after another. A `tune` job runs, for each of its rule sets, the
// loop generate -> fit -> verify -> promote as many times as it has generations; the jobs after it
// play with the weights that it has promoted.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "selfplay/adjudication.h"
#include "selfplay/compare_design.h"
#include "selfplay/ladder.h"
#include "selfplay/move_limits.h"
#include "selfplay/openings.h"
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
  std::uint64_t round_games = 1000;  // of a night over shards (tuner/night_shards.h)
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

// What a match job is: the night's best against another engine.
struct NightMatch {
  std::filesystem::path opponent;
  std::uint64_t games = 1000;  // at most
  int hash_mb = 4;
  double elo0 = 0;  // elo0 == elo1: no sequential test
  double elo1 = 0;
  std::uint64_t round_games = 1000;  // as verify's
  MoveLimits limits;
  OpeningSettings openings;
  AdjudicationSettings adjudication;
  NightMatch() { openings.max_score = 150; }
};
void declare(SettingsTable& table, NightMatch& settings);

// What a compare job is: janggi's rule sets, played by the night's best of each.
struct NightCompare {
  std::uint64_t games = 20000;
  int hash_mb = 4;
  CompareDesign design;
  OpeningSettings openings;
  NightCompare();
};
void declare(SettingsTable& table, NightCompare& settings);

// What a ladder job is: strength levels of the night's best.
struct NightLadder {
  int hash_mb = 4;
  LadderSettings ladder;  // rules, engine, seed and the levels file are the night's
};
void declare(SettingsTable& table, NightLadder& settings);

struct NightJob {
  enum class Kind : std::uint8_t { kTune, kMatch, kCompare, kLadder };
  Kind kind = Kind::kTune;
  std::vector<std::string> rules;  // a compare job has none

  NightMatch match;
  NightCompare compare;
  NightLadder ladder;

  // Of a tune job.
  std::string start = "material";
  int generations = 1;
  int window = 3;                 // generations whose games are fitted
  int stop_after_rejections = 2;  // in a row
  NightGenerate generate;
  FitOptions fit;
  NightVerify verify;
  // The best, after the last generation, against:
  NightMeasure against_start;    // generation 0
  NightMeasure against_first;    // the first generation that was promoted
  NightMeasure against_shipped;  // the weights that this program ships
  NightMeasure against_anchor;   // an outside engine
  std::filesystem::path anchor;  // its engine file; none when empty
};
void declare(SettingsTable& table, NightJob& job);

struct NightSettings {
  std::string title = "Overnight";
  std::uint64_t seed = 1;
  std::vector<NightJob> jobs;
};
void declare(SettingsTable& table, NightSettings& settings);
// The canonical text of all that decides what the night does: of each job what its kind uses.
[[nodiscard]] std::string night_text(NightSettings settings);

}  // namespace cannonade
