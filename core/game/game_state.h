// A game in progress: position, history and verdict kept together, for everyone who plays turns one
// after another outside the search.
#pragma once

#include <optional>
#include <vector>

#include "core/board/movegen.h"
#include "core/board/position.h"
#include "core/game/ending.h"
#include "core/game/history.h"

namespace cannonade {

class GameState {
 public:
  explicit GameState(const Position& start)
      : start_(start), position_(start), dangers_(danger(start)), history_(start) {
    outcome_ = judge(position_, dangers_, history_);
  }

  [[nodiscard]] const Position& start() const { return start_; }
  [[nodiscard]] const Position& position() const { return position_; }
  [[nodiscard]] const Danger& dangers() const { return dangers_; }
  [[nodiscard]] const History& history() const { return history_; }
  [[nodiscard]] const std::vector<Move>& moves() const { return moves_; }
  // Set once the game is over; then no further turn may be played.
  [[nodiscard]] const std::optional<Outcome>& outcome() const { return outcome_; }
  [[nodiscard]] bool legal(Move move) const { return is_legal(position_, dangers_, move); }

  // Plays a legal turn.
  void play(Move move) {
    Undo undo;
    position_.make(move, undo);
    dangers_ = danger(position_);
    history_.push(position_, dangers_.in_check, move.is_pass());
    moves_.push_back(move);
    outcome_ = judge(position_, dangers_, history_);
  }

 private:
  Position start_;
  Position position_;
  Danger dangers_;
  History history_;
  std::vector<Move> moves_;
  std::optional<Outcome> outcome_;
};

}  // namespace cannonade
