// What the targets insist on. Not assert(): release builds replay the corpora too.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace cannonade::fuzz {

inline void demand(bool holds, std::string_view what) {
  if (holds) return;
  std::fprintf(stderr, "broken: %.*s\n", static_cast<int>(what.size()), what.data());
  std::abort();
}

// An error's message says something; parsers' fit on a line.
inline void demand_message(std::string_view message) {
  demand(!message.empty(), "an error says nothing");
  const bool clean = std::none_of(message.begin(), message.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
  });
  demand(clean, "an error's message has control characters: " + std::string(message));
}

}  // namespace cannonade::fuzz
