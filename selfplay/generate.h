// Games for training: engines against themselves and each other, into a store.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "selfplay/run_control.h"
#include "selfplay/settings.h"
#include "selfplay/summary.h"
#include "selfplay/tournament.h"

namespace cannonade {

// A run file of `selfplay generate`.
struct GenerateSettings {
  Ruleset rules = rulesets().front();
  std::uint64_t games = 1000;
  std::uint64_t seed = 1;
  std::vector<std::filesystem::path> engines;
  PairingKind pairing = PairingKind::kAll;
  MoveLimits limits;
  int power_loss_games = 100;
  OpeningSettings openings;
  AdjudicationSettings adjudication;
};
void declare(SettingsTable& table, GenerateSettings& settings);

// Reads the engine files. Throws one user error that names every fault of theirs.
[[nodiscard]] Tournament make_tournament(const GenerateSettings& settings);

struct GenerateResult {
  Summary summary;  // of all games of the store
  Game game = Game::kJanggi;
  std::string run_id;
  std::uint64_t planned = 0;  // of this shard
  std::uint64_t played = 0;   // in this session
  double seconds = 0;         // of this session
  bool complete = false;
  std::vector<std::string> skipped_openings;
  std::vector<std::string> warnings;  // levels that do not hold here

  [[nodiscard]] std::uint64_t missing() const { return planned - summary.games(); }
};

// Plays what `out` lacks of the tournament. User errors as in PreparedTournament and
// Store::create_or_resume; a raised stop is no error: the result is not complete.
[[nodiscard]] GenerateResult run_generate(Tournament tournament, const std::filesystem::path& out,
                                          const RunControl& control);

// Summary's keys, then seconds, games_per_second, played, planned, complete, run_id.
[[nodiscard]] nlohmann::ordered_json to_json(const GenerateResult& result);

}  // namespace cannonade
