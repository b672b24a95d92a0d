// A fit's part of the night's page: how it went, what moved and how sure it is.
#pragma once

#include <nlohmann/json.hpp>

#include "selfplay/page.h"
#include "tuner/tune_job.h"

namespace cannonade {

// A number of a fit's report (tuner/fit.h), by its key; kNoValue where there is none.
[[nodiscard]] double fit_number(const nlohmann::ordered_json& fit, const char* key);

// Figures, the anchor's curve, calibration and the weights that moved; nothing for a generation
// whose fit is not there yet.
void add_fit(Section& section, const GenerationOutcome& generation);

}  // namespace cannonade
