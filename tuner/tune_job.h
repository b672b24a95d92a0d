// A tune job for one rule set: generate -> fit -> verify -> promote, generation after generation.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "selfplay/generate.h"
#include "selfplay/match.h"
#include "tuner/night_phase.h"

namespace cannonade {

// What came of it. Everything here can be read again from the job's folder.
// NOLINTNEXTLINE(bugprone-exception-escape): nlohmann's destructor takes memory for what is nested
struct GenerationOutcome {
  int number = 1;
  std::uint64_t nodes = 0;
  std::optional<GenerateResult> games;
  nlohmann::ordered_json fit;  // to_json(FitResult); null before it is done
  std::optional<MatchResult> verify;
  bool promoted = false;
};

struct RulesOutcome : JobStatus {
  std::vector<GenerationOutcome> generations;
  // Of the best, after the last generation; those that were asked for and that say something.
  std::optional<MatchResult> against_start;
  std::optional<MatchResult> against_first;
  int first_generation = 0;  // that one's opponent: the first that was promoted
  std::optional<MatchResult> against_shipped;
  std::optional<MatchResult> against_anchor;
  std::filesystem::path best;  // the weights promoted last, or the start's
  std::string best_hash;
  int best_generation = 0;  // 0: the start
};

// Does what is left of the job in `context.folder`, which has these weights afterwards: start.toml,
// best.toml once something was promoted, and each generation's in a folder of its own. Fills
// `outcome` as it goes; `changed` is called after each phase. Throws Interrupted, or what made a
// phase fail twice.
void run_tune(const NightContext& context, RulesOutcome& outcome,
              const std::function<void()>& changed);

[[nodiscard]] nlohmann::ordered_json to_json(const RulesOutcome& outcome);

}  // namespace cannonade
