// What can be known of a night before its first game: whether every engine that it names can play
// and every book can be read. Better now than at the end of the night.
#pragma once

#include "tuner/night_settings.h"

namespace cannonade {

// Throws one user error that names every fault.
void check_night(const NightSettings& settings);

}  // namespace cannonade
