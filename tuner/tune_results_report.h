// What a tune job's games amount to, in the night's page: who won and how, how different they were,
// what adjudication got wrong, and what the best weights score against others.
#pragma once

#include <string>
#include <vector>

#include "selfplay/page.h"
#include "tuner/tune_job.h"

namespace cannonade {

// A match of the best after the last generation, and against whom.
struct Measured {
  std::string opponent;
  const MatchResult* result;
};
[[nodiscard]] std::vector<Measured> measures_of(const RulesOutcome& outcome);
// The verdict of the sequential test and its log-likelihood ratio.
[[nodiscard]] std::string test_words(const SprtResult& test);

// A table of these matches; nothing when there was none.
void add_measures(Section& section, const RulesOutcome& outcome);

// Results, endings and diversity of all games, generated and of matches.
void add_results(Section& section, const RulesOutcome& outcome);

}  // namespace cannonade
