// Our engine as a player. The search's template ends here: this is an ordinary class.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "core/search/search_types.h"
#include "eval/weights.h"
#include "selfplay/player.h"

namespace cannonade {

class Engine : public Player {
 public:
  // `weights` must be for the rule set that is played. Throws std::bad_alloc when the hash does not
  // fit.
  Engine(std::string name, const Weights& weights, std::size_t hash_megabytes);
  ~Engine() override;

  // Player. The engine plays by search alone: the seed changes nothing.
  void new_game(const Ruleset& rules, std::uint64_t seed) override;
  MoveChoice choose(const GameState& game, const SearchLimits& limits) override;
  void heed(const std::atomic<bool>* stop) override { stop_ = stop; }
  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] const std::string& hash() const override { return hash_; }

  // For front ends. `stop` may be set by another thread.
  SearchResult search(const Position& position, const History& history, const SearchLimits& limits,
                      const std::atomic<bool>* stop = nullptr,
                      const std::function<void(const SearchInfo&)>& on_info = {}, int lines = 1);
  void resize_hash(std::size_t megabytes);
  // The value after captures have been played out, and the static evaluation; side to move's view.
  [[nodiscard]] Score quiet_score(const Position& position, const History& history);
  [[nodiscard]] Score static_score(const Position& position) const;

 private:
  struct Inside;
  std::string name_;
  std::string hash_;
  const std::atomic<bool>* stop_ = nullptr;
  std::unique_ptr<Inside> inside_;
};

// The signature of the search and evaluation: nodes of a fixed search over fixed positions, the
// same on every machine.
struct BenchResult {
  std::string rules;
  std::uint64_t nodes = 0;
  double seconds = 0;
};
[[nodiscard]] std::vector<BenchResult> run_bench(int depth);

}  // namespace cannonade
