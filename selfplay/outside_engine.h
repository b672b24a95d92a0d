// Another engine as a player: a child process that speaks UCI or UCCI through pipes
// (Boost.Process), run without a shell.
//
// Whatever the child does, choose() comes back: it answers within its limits plus the configured
// patience or is killed. A breakdown (it exits, hangs, floods, or answers what is not a turn) is
// told in MoveChoice::failure with the tail of its standard error; the next game starts a fresh
// child. Turns that are legal words are handed on as they are: the referee judges them.
//
// The child has a process group of its own, so that a Ctrl-C meant for us does not reach it, and
// dies with the thread that made it.
#pragma once

#include <memory>
#include <string>

#include "selfplay/engine_config.h"
#include "selfplay/player.h"

namespace cannonade {

class OutsideEngine : public Player {
 public:
  // User error when there is no such program. The child is started by the first game.
  OutsideEngine(const EngineConfig& config, const Ruleset& rules);
  ~OutsideEngine() override;

  // Player.
  void new_game(const Ruleset& rules, std::uint64_t seed) override;
  MoveChoice choose(const GameState& game, const SearchLimits& limits) override;
  void heed(const std::atomic<bool>* stop) override { stop_ = stop; }
  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] const std::string& hash() const override { return hash_; }

  // Starts the child now and asks it to get ready: for telling a user before the first game that
  // it cannot. Throws a user error.
  void check();

 private:
  class Child;

  // What went wrong; empty when the child is ready for a game.
  [[nodiscard]] std::string start();

  EngineConfig config_;
  Ruleset rules_;
  std::string name_;
  std::string hash_;
  const std::atomic<bool>* stop_ = nullptr;
  std::unique_ptr<Child> child_;  // none before the first game and after a breakdown
  std::string start_failure_;     // of the last start; choose() reports it
};

}  // namespace cannonade
