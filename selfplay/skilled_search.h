// The search of a player below its strength (selfplay/skill.h), with what such players do not get
// wrong: unless they are careless they see a mate in one and take back what was just taken, and
// when they lose they go on playing instead of giving their pieces away.
//
// A function of position, history, last turn, limits and game seed, and of what the same object
// searched before in the same game.
#pragma once

#include <atomic>
#include <functional>
#include <memory>

#include "core/board/position.h"
#include "core/game/history.h"
#include "core/search/search_types.h"
#include "eval/weights.h"
#include "selfplay/skill.h"

namespace cannonade {

class SkilledSearch {
 public:
  SkilledSearch(const Weights& weights, std::size_t hash_megabytes, const Skill& skill);
  ~SkilledSearch();
  SkilledSearch(SkilledSearch&&) noexcept;
  SkilledSearch& operator=(SkilledSearch&&) noexcept;

  // Forgets every earlier game; errors are drawn from `seed`.
  void new_game(std::uint64_t seed);
  void resize_hash(std::size_t megabytes);

  // As Search::run. `last` is the turn that led here, kNoMove when there was none.
  SearchResult run(const Position& root, const History& history, Move last, SearchLimits limits,
                   const std::atomic<bool>* stop,
                   const std::function<void(const SearchInfo&)>& on_info, int lines);
  // With a clear head: what the player would see at full strength.
  [[nodiscard]] Score quiet_score(const Position& position, const History& history);
  [[nodiscard]] Score static_score(const Position& position) const;

 private:
  struct Inside;
  // The value for the mover, with a clear head, once captures have been played out.
  [[nodiscard]] Score value_after(const Position& root, const History& history, Move move);
  // A stalemate wins as a mate does where the rules say so, and a shallow search does not see it.
  bool play_mate(const Position& root, const History& history, const std::vector<Move>& allowed,
                 SearchResult& result);
  void take_back(const Position& root, const History& history, Move last,
                 const std::vector<Move>& allowed, SearchResult& result);

  Skill skill_;
  std::unique_ptr<Inside> inside_;
};

}  // namespace cannonade
