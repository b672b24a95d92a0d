// Players whose behaviour a test writes down.
#pragma once

#include <functional>
#include <string>

#include "core/base/rng.h"
#include "core/notation/uci_move.h"
#include "selfplay/player.h"

namespace cannonade {

class ScriptedPlayer : public Player {
 public:
  using Script = std::function<MoveChoice(const GameState&, const SearchLimits&)>;
  ScriptedPlayer(std::string name, Script script)
      : name_(std::move(name)), hash_("hash of " + name_), script_(std::move(script)) {}

  void new_game(const Ruleset& /*rules*/, std::uint64_t seed) override {
    ++games;
    last_seed = seed;
  }
  MoveChoice choose(const GameState& game, const SearchLimits& limits) override {
    return script_(game, limits);
  }
  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] const std::string& hash() const override { return hash_; }

  int games = 0;
  std::uint64_t last_seed = 0;

 private:
  std::string name_;
  std::string hash_;
  Script script_;
};

// Any legal turn, a function of (seed, position, ply): deterministic, and different every game.
class RandomPlayer : public Player {
 public:
  explicit RandomPlayer(std::string name, Score score = 0)
      : name_(std::move(name)), hash_("hash of " + name_), score_(score) {}
  void new_game(const Ruleset& /*rules*/, std::uint64_t seed) override { seed_ = seed; }
  MoveChoice choose(const GameState& game, const SearchLimits& /*limits*/) override {
    MoveList turns;
    generate(game.position(), turns);
    Rng rng(seed_ ^ game.position().key(), game.moves().size());
    MoveChoice choice;
    choice.move = turns[rng.below(turns.size())];
    choice.score = score_;
    choice.nodes = 1;
    return choice;
  }
  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] const std::string& hash() const override { return hash_; }

 private:
  std::string name_;
  std::string hash_;
  Score score_;
  std::uint64_t seed_ = 0;
};

inline MoveChoice turn(const char* word, Score score = 0) {
  MoveChoice choice;
  choice.move = parse_uci_move(word).value_or_throw();
  choice.score = score;
  return choice;
}

}  // namespace cannonade
