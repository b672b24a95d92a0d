// Random games that reach every ending. Uniformly random moves from the start position hardly ever
// repeat, check forever or run out of material, so a plan is drawn first: an ending to aim at, a
// start that makes it likely, and for each side a style that narrows its choice of moves. The plan
// and the game depend on nothing but the random numbers and the rules, so games are the same for
// any implementation that answers right.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/base/rng.h"
#include "tests/support/rules_under_test.h"

namespace cannonade::support {

// How a side chooses among its legal turns: for each wish, the probability that it is asked at a
// turn; an asked wish narrows the choice to the turns that grant it, if there are any. Wishes are
// asked in the order of the fields, and the turn is drawn uniformly from what is left.
struct Style {
  double finish = 0;   // leave the other side no legal turn
  double pass = 0;     // pass
  double capture = 0;  // take a piece
  double recheck = 0;  // take the own last turn back, giving check
  double check = 0;    // give check
  double undo = 0;     // take the own last turn back
  double face = 0;     // leave the generals facing
  double apart = 0;    // leave the generals not facing
  double quiet = 0;    // neither take nor pass
};

struct GamePlan {
  std::string rules;
  std::string aim;  // the ending that start and styles make likely, or "any"
  std::string fen;
  std::array<Style, 2> styles;  // of the first side and the second
  int max_turns = 0;            // a game that has not ended by then is left unfinished
};

struct RandomGame {
  GamePlan plan;
  std::vector<std::string> turns;
  std::string result;  // as RulesUnderTest::result
};

// The reasons by which a game can end on the board under the rule set.
[[nodiscard]] std::vector<std::string> reasons_of(const std::string& rules);

// A plan whose aim is drawn from the reasons of the rule set and "any".
[[nodiscard]] GamePlan draw_plan(const std::string& rules, Rng& rng);

// Plays the plan's game with `rules` as the referee. `observe` is called on the start position and
// after every turn; it may play and undo. Throws an internal error when the referee refuses the
// start or a turn of its own list.
RandomGame play_random_game(RulesUnderTest& rules, const GamePlan& plan, Rng& rng,
                            const std::function<void()>& observe = {});

// Plays games 0 to games - 1 of the seed, each from its own stream, and counts their results;
// reason alone, and reason with " points" where the count decided.
[[nodiscard]] std::map<std::string, int> count_endings(RulesUnderTest& rules,
                                                       const std::string& rules_id, int games,
                                                       std::uint64_t seed);

}  // namespace cannonade::support
