// Players that do not search: yardsticks for the lowest levels of a ladder.
#pragma once

#include <string>

#include "selfplay/player.h"

namespace cannonade {

// Any legal turn, each as likely; a function of game seed and position.
class RandomMover : public Player {
 public:
  explicit RandomMover(std::string name);
  void new_game(const Ruleset& rules, std::uint64_t seed) override;
  MoveChoice choose(const GameState& game, const SearchLimits& limits) override;
  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] const std::string& hash() const override { return hash_; }

 private:
  std::string name_;
  std::string hash_;
  std::uint64_t seed_ = 0;
};

// Looks one turn ahead: mates when it can, else takes the most valuable piece that can be taken,
// whatever takes back; else plays any turn. Ties are drawn as RandomMover draws.
class Taker : public Player {
 public:
  explicit Taker(std::string name);
  void new_game(const Ruleset& rules, std::uint64_t seed) override;
  MoveChoice choose(const GameState& game, const SearchLimits& limits) override;
  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] const std::string& hash() const override { return hash_; }

 private:
  std::string name_;
  std::string hash_;
  std::uint64_t seed_ = 0;
};

}  // namespace cannonade
