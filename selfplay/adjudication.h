// Stopping a game that is decided before the rules end it. Off by default: every rule here guesses.
//
// Plies are counted from the game's first position, whatever counters its FEN has. A share of the
// games, drawn from (seed, game), is played out although a rule fired; the game's note then carries
// what would have been called, and the measured error is how often the call was wrong.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/error.h"
#include "core/game/game_state.h"
#include "selfplay/settings.h"

namespace cannonade {

struct AdjudicationSettings {
  // Win: both sides' scores name the same winner by at least so much for so many turns in a row.
  int resign_plies = 0;  // 0: off
  int resign_score = 1000;
  // Draw: from turn `draw_after` on, scores stay within so much for so many turns in a row.
  int draw_plies = 0;  // 0: off
  int draw_score = 20;
  int draw_after = 120;
  // Longest game: then it is level (under point count the points decide, as at every level ending).
  int max_plies = 0;  // 0: off
  double play_out = 0.1;

  [[nodiscard]] bool on() const { return resign_plies > 0 || draw_plies > 0 || max_plies > 0; }
};
void declare(SettingsTable& table, AdjudicationSettings& settings);

// A call, and the turn after which it was made.
struct Call {
  int ply = 0;
  std::optional<Side> winner;
  bool by_points = false;
  bool operator==(const Call&) const = default;
};

// Watches one game.
class Adjudicator {
 public:
  explicit Adjudicator(const AdjudicationSettings& settings) : settings_(settings) {}

  // After each turn; `score` is the mover's own view, none when it gave none (an opening's turn).
  // The call, as soon as there is one; the same again afterwards.
  const std::optional<Call>& see(const GameState& game, std::optional<Score> score);

 private:
  AdjudicationSettings settings_;
  std::optional<Call> call_;
  int winning_ = 0;  // turns in a row: positive for the first mover, negative for the second
  int small_ = 0;
};

// Whether this game is played out whatever is called.
[[nodiscard]] bool played_out(const AdjudicationSettings& settings, std::uint64_t game_seed,
                              std::uint64_t id);

// The call of a played-out game as its note holds it, and back.
[[nodiscard]] std::string call_note(const Call& call);
[[nodiscard]] std::optional<Call> call_in_note(const std::string& note);

}  // namespace cannonade
