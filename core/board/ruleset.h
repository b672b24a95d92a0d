// Rule sets as data. A rule set is a game and a preset; a preset states only what it changes from
// the one it is based on. What differs in how pieces move follows from `game`; everything that a
// preset may set is a field here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/board/types.h"

namespace cannonade {

struct Ruleset {
  std::string id;
  Game game = Game::kJanggi;
  bool count_points =
      false;  // level endings by J23, J24, J25 go to the side with more points (J29)
  int second_bonus_halves = 0;        // Han's bonus in half points: 3 is 1.5 (J30)
  int no_capture_limit = 120;         // turns of both sides without a capture (J25, X15)
  bool passing = true;                // J16; never in xiangqi (X12)
  bool bikjang = true;                // J20
  bool insufficient_material = true;  // J26

  bool operator==(const Ruleset&) const = default;
};

// The built-in rule sets, baseline first.
[[nodiscard]] const std::vector<Ruleset>& rulesets();

// By id or accepted alias (`janggi`, `janggi-tournament`, `janggi-points`, `xiangqi`); the failure
// lists what is known.
[[nodiscard]] Expected<Ruleset> find_ruleset(std::string_view name);

// "cho", "han", "red", "black".
[[nodiscard]] std::string_view side_name(Game game, Side side);

// Points of a piece (J29); the general counts nothing.
[[nodiscard]] constexpr int point_value(PieceKind kind) {
  constexpr std::array<int, kPieceKinds> kPoints{0, 0, 3, 3, 5, 13, 7, 2};
  return kPoints[static_cast<std::size_t>(kind)];
}

}  // namespace cannonade
