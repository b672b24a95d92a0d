// What the tests ask of a rules implementation, in words and FENs only, so that the same questions
// go to the naive twin and to the fast core. An implementation is written as an adapter of this
// class.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/error.h"

namespace cannonade::support {

struct PointsPair {
  double cho = 0;
  double han = 0;
};

class RulesUnderTest {
 public:
  virtual ~RulesUnderTest() = default;

  // Begins a game at `fen` under the rule set of this id. On a refused position or rule set fails
  // with the reason; then only another start() may follow. `han_bonus` is J30's.
  [[nodiscard]] virtual Expected<bool> start(const std::string& rules, const std::string& fen,
                                             double han_bonus = 1.5) = 0;
  // Plays a turn; false, and nothing changes, when it is not legal or the game is over.
  [[nodiscard]] virtual bool play(const std::string& word) = 0;
  // Takes back the last turn played.
  virtual void undo() = 0;

  [[nodiscard]] virtual std::string fen() const = 0;
  [[nodiscard]] virtual std::vector<std::string> legal_moves() const = 0;  // sorted as strings
  [[nodiscard]] virtual bool in_check() const = 0;
  [[nodiscard]] virtual bool facing() const = 0;
  [[nodiscard]] virtual int occurrences() const = 0;  // of board and side to move, now included
  [[nodiscard]] virtual PointsPair points() const = 0;
  // "ongoing", or winner, reason and, where the count decided, "points".
  [[nodiscard]] virtual std::string result() const = 0;
  [[nodiscard]] virtual std::uint64_t perft(int depth) const = 0;
  // The start FEN from two set-ups of J6; independent of the game.
  [[nodiscard]] virtual std::string start_fen(const std::string& cho,
                                              const std::string& han) const = 0;
};

// The naive twin behind this interface.
[[nodiscard]] std::unique_ptr<RulesUnderTest> make_naive_rules();

}  // namespace cannonade::support
