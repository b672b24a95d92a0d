// The shipped weights, compiled in from configs/weights/ by the build.
#pragma once

#include <array>
#include <string_view>
#include <utility>

namespace cannonade {

// (rule set, text of its weights file).
extern const std::array<std::pair<std::string_view, std::string_view>, 3> kDefaultWeights;

}  // namespace cannonade
