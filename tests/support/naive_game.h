// The naive twin of the rules, part four: a game with its history and its judge. It keeps every
// board since the start, whole, and asks the endings of RULES.md one after another in the order
// given there.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/naive_board.h"

namespace cannonade::naive {

struct Verdict {
  std::string winner;  // "cho", "han", "red", "black" or "none"
  std::string reason;  // "checkmate", "stalemate", "perpetual_check", "bikjang", "double_pass",
                       // "repetition", "no_progress" or "insufficient_material"
  bool decided_by_points = false;
  [[nodiscard]] bool operator==(const Verdict&) const = default;
};

// "ongoing", or winner, reason and, where the count decided, "points".
[[nodiscard]] std::string to_string(const std::optional<Verdict>& verdict);

struct Points {
  double cho = 0;
  double han = 0;
};

class Game {
 public:
  // A game that begins at `fen`. `han_bonus` is J30's; it counts under janggi-point-count only.
  [[nodiscard]] static Expected<Game> start(Rules rules, std::string_view fen,
                                            double han_bonus = 1.5);

  // Plays the turn and judges; false, and nothing changes, when it is not legal or the game is
  // over.
  bool play(const std::string& word);
  // Takes the last turn back; there must be one.
  void undo();

  [[nodiscard]] Rules rules() const { return rules_; }
  [[nodiscard]] const Board& board() const { return boards_.back(); }
  [[nodiscard]] const std::vector<std::string>& turns() const { return turns_; }
  // The legal turns now; the same whether the game is over or not.
  [[nodiscard]] const std::vector<std::string>& legal_moves() const { return legal_.back(); }
  [[nodiscard]] const std::optional<Verdict>& verdict() const { return verdict_; }
  // How often board and side to move have stood since the start, now included.
  [[nodiscard]] int occurrences() const;
  // J29 and J30; the bonus is Han's under janggi-point-count only.
  [[nodiscard]] Points points() const;

 private:
  Game(Rules rules, Board start, double han_bonus);

  [[nodiscard]] Side mover() const { return other(board().to_move); }  // of the last turn
  [[nodiscard]] Verdict won_by(Side side, const std::string& reason) const;
  [[nodiscard]] Verdict level(const std::string& reason) const;
  // Whether every turn of `side` after boards_[first] gave check.
  [[nodiscard]] bool always_checked(Side side, std::size_t first) const;

  [[nodiscard]] std::optional<Verdict> judge() const;
  [[nodiscard]] std::optional<Verdict> no_legal_turn() const;
  [[nodiscard]] std::optional<Verdict> bikjang() const;
  [[nodiscard]] std::optional<Verdict> repetition() const;
  [[nodiscard]] std::optional<Verdict> double_pass() const;
  [[nodiscard]] std::optional<Verdict> no_progress() const;
  [[nodiscard]] std::optional<Verdict> insufficient_material() const;

  Rules rules_;
  double han_bonus_;
  std::vector<Board> boards_;       // the start, then one after each turn
  std::vector<std::string> turns_;  // turns_[i] leads from boards_[i] to boards_[i + 1]
  std::vector<std::vector<std::string>> legal_;  // of each board
  std::optional<Verdict> verdict_;
};

}  // namespace cannonade::naive
