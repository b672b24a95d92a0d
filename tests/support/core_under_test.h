// The fast core behind the interface of the tests: position, history and judge used as the search
// uses them, with turns taken back by unmake and pop.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/board/movegen.h"
#include "core/board/position.h"
#include "tests/support/naive_board.h"
#include "tests/support/rules_under_test.h"

namespace cannonade::support {

[[nodiscard]] std::unique_ptr<RulesUnderTest> make_core_rules();

// The same pieces, side to move and counters on the naive twin's board.
[[nodiscard]] naive::Board to_naive(const Position& position);
// The words of the turns, sorted as the twin sorts them.
[[nodiscard]] std::vector<std::string> to_words(const MoveList& moves);

}  // namespace cannonade::support
