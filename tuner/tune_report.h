// A tune job's part of the night's page.
#pragma once

#include <string>
#include <vector>

#include "selfplay/page.h"
#include "tuner/tune_job.h"

namespace cannonade {

struct TuneReport {
  std::string sentence;  // what came of it
  KeyFigure figure;
  std::string next_step;           // what to do about it
  std::vector<std::string> lines;  // a generation each, for a terminal
};
// Needs only what has happened so far.
[[nodiscard]] TuneReport tune_report(const RulesOutcome& outcome);

// Generations, results, the fit, the weights, games to step through.
void add_tune(Section& section, const RulesOutcome& outcome);

}  // namespace cannonade
