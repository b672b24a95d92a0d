// The text of configs/levels/<rules>.toml as it was at build time, by rule set id; empty where none
// is shipped.
#pragma once

#include <array>
#include <string_view>
#include <utility>

namespace cannonade {

extern const std::array<std::pair<std::string_view, std::string_view>, 3> kDefaultLevels;

}  // namespace cannonade
