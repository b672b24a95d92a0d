// Our engine as a player. The search's template ends here: this is an ordinary class.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "core/search/search_types.h"
#include "core/search/terms.h"
#include "eval/weights.h"
#include "selfplay/player.h"
#include "selfplay/skill.h"

namespace cannonade {

class Engine : public Player {
 public:
  // `weights` must be for the rule set that is played. Throws std::bad_alloc when the hash does not
  // fit. The bounds of `skill` hold on top of those given with each search. Only a search at full
  // strength can do without some of its `terms`.
  Engine(std::string name, const Weights& weights, std::size_t hash_megabytes,
         const Skill& skill = {}, SearchTerms terms = {});
  ~Engine() override;

  // Player. The seed decides the errors of an impaired skill; at full strength it changes nothing.
  void new_game(const Ruleset& rules, std::uint64_t seed) override;
  MoveChoice choose(const GameState& game, const SearchLimits& limits) override;
  void heed(const std::atomic<bool>* stop) override { stop_ = stop; }
  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] const std::string& hash() const override { return hash_; }

  // For front ends. `stop` may be set by another thread. `last` is the turn that led here; only an
  // impaired skill asks for it.
  SearchResult search(const Position& position, const History& history, const SearchLimits& limits,
                      const std::atomic<bool>* stop = nullptr,
                      const std::function<void(const SearchInfo&)>& on_info = {}, int lines = 1,
                      Move last = kNoMove);
  void resize_hash(std::size_t megabytes);
  // The value after captures have been played out, and the static evaluation; side to move's view,
  // as at full strength.
  [[nodiscard]] Score quiet_score(const Position& position, const History& history);
  [[nodiscard]] Score static_score(const Position& position) const;

 private:
  struct Inside;
  std::string name_;
  std::string hash_;
  Skill skill_;
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
