// What a set of games amounts to: how they ended, for whom, how many were the same, how often an
// adjudicator's call was wrong. Order of adding does not matter.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/board/ruleset.h"
#include "core/game/game_record.h"
#include "selfplay/intervals.h"

namespace cannonade {

// Games in which a player broke down or played an illegal turn, by its name.
struct Breakdowns {
  std::uint64_t failed = 0;   // crash, hang, garbage
  std::uint64_t illegal = 0;  // a turn that the referee refused
  std::uint64_t time = 0;     // clock overstepped
};

class Summary {
 public:
  void add(const GameRecord& game);

  [[nodiscard]] std::uint64_t games() const { return games_; }
  [[nodiscard]] std::uint64_t plies() const { return plies_; }
  [[nodiscard]] std::uint64_t nodes() const { return nodes_; }
  // The first mover's.
  [[nodiscard]] const Trinomial& first() const { return first_; }
  [[nodiscard]] std::uint64_t void_games() const { return ending(Reason::kUnfinished); }
  [[nodiscard]] std::uint64_t ending(Reason reason) const {
    return endings_[static_cast<std::size_t>(reason)];
  }
  [[nodiscard]] std::uint64_t by_points() const { return by_points_; }
  // The first mover's score by set-ups, {cho, han} in set_ups_of's order as cho * 4 + han; for
  // games from one of janggi's 16 starts.
  [[nodiscard]] const std::array<Trinomial, 16>& set_ups() const { return set_ups_; }
  // Games between different players, by both names in order; the first one's score.
  [[nodiscard]] const std::map<std::pair<std::string, std::string>, Trinomial>& pairings() const {
    return pairings_;
  }
  [[nodiscard]] const std::map<std::string, Breakdowns>& breakdowns() const { return breakdowns_; }
  // Played-out games in which a call was made, and those in which it was wrong.
  [[nodiscard]] std::uint64_t calls() const { return calls_; }
  [[nodiscard]] std::uint64_t wrong_calls() const { return wrong_calls_; }
  // Games that repeat another's start, turns and players.
  [[nodiscard]] std::uint64_t duplicates() const;
  // Different openings: starts with the turns that nobody chose.
  [[nodiscard]] std::uint64_t openings() const;

 private:
  std::uint64_t games_ = 0;
  std::uint64_t plies_ = 0;
  std::uint64_t nodes_ = 0;
  std::uint64_t by_points_ = 0;
  std::uint64_t calls_ = 0;
  std::uint64_t wrong_calls_ = 0;
  Trinomial first_;
  std::array<std::uint64_t, kReasons> endings_{};
  std::array<Trinomial, 16> set_ups_{};
  std::map<std::pair<std::string, std::string>, Trinomial> pairings_;
  std::map<std::string, Breakdowns> breakdowns_;
  std::vector<std::uint64_t> fingerprints_;  // one a game: eight bytes each
  std::unordered_set<std::uint64_t> openings_;
};

// Counts one result: +1 the first mover won, 0 drawn, -1 lost.
void count_result(Trinomial& counts, int result);

// Keys games, plies, nodes, endings {reason: games}, decided_by_points, by_side {cho: {wins,
// score}, han: {...}, draws}, duplicates, openings; by_set_up, forfeits and adjudication where
// there is something to say.
[[nodiscard]] nlohmann::ordered_json to_json(const Summary& summary, Game game);

// The same for a person: lines of a table, without line ends.
[[nodiscard]] std::vector<std::string> to_lines(const Summary& summary, Game game);

}  // namespace cannonade
