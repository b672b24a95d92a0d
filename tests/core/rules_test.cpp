// The fast core against the answered positions: every row of rule-cases.tsv and of perft.tsv.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "core/board/perft.h"
#include "core/notation/fen.h"
#include "tests/support/core_under_test.h"
#include "tests/support/rule_cases.h"

namespace cannonade {
namespace {

const std::string kData = CANNONADE_TEST_DATA;

// J102 begins with Cho's chariot on e5 giving check to Han, who waits: a position that has to be
// refused. Its lesson is asked from a lawful position below.
const std::string kRefusedRow = "J102";

TEST(CoreRules, EveryRuleCaseIsAnsweredAsTheFileSays) {
  const auto rules = support::make_core_rules();
  const auto cases = support::read_rule_cases(kData + "/rule-cases.tsv");
  EXPECT_GE(cases.size(), 227U);
  for (const auto& rule_case : cases) {
    if (rule_case.id == kRefusedRow) continue;
    EXPECT_EQ(support::ask(*rules, rule_case), rule_case.answer)
        << rule_case.id << " " << rule_case.rules << " " << rule_case.fen << " "
        << rule_case.question;
  }
}

TEST(CoreRules, TheOneRowWhoseWaitingSideIsInCheckIsRefusedAndItsLessonHolds) {
  const auto rules = support::make_core_rules();
  int refused = 0;
  for (const auto& rule_case : support::read_rule_cases(kData + "/rule-cases.tsv")) {
    if (rule_case.id != kRefusedRow) continue;
    EXPECT_EQ(support::ask(*rules, rule_case),
              "error: illegal FEN: han is in check but cho is to move");
    ++refused;
  }
  EXPECT_EQ(refused, 1);
  // A capture opens the file between the generals, and the answer leaves them facing.
  EXPECT_EQ(support::ask(*rules, {"",
                                  "janggi-kja",
                                  "9/4k4/9/p8/3n5/9/4N3P/9/4K4/9 w - - 0 1",
                                  {"e4d6", "a7a6"},
                                  "result",
                                  ""}),
            "none bikjang");
}

class PerftOf : public testing::TestWithParam<PerftLeaves> {};

TEST_P(PerftOf, EveryRowIsCountedAsPublished) {
  const auto rows = support::read_perft_cases(kData + "/perft.tsv");
  EXPECT_GE(rows.size(), 194U);
  for (const auto& row : rows) {
    const Ruleset rules = find_ruleset(row.rules).value_or_throw();
    Position position = parse_fen(rules, row.fen).value_or_throw(row.fen);
    const Position before = position;
    EXPECT_EQ(perft(position, row.depth, GetParam()), row.nodes)
        << row.rules << " " << row.fen << " depth " << row.depth;
    EXPECT_EQ(position, before);
    if (row.depth > 3) continue;
    std::uint64_t divided = 0;
    for (const auto& [move, nodes] : perft_divide(position, row.depth)) divided += nodes;
    EXPECT_EQ(divided, row.nodes) << row.fen;
  }
}

INSTANTIATE_TEST_SUITE_P(Leaves, PerftOf,
                         testing::Values(PerftLeaves::kListed, PerftLeaves::kCounted,
                                         PerftLeaves::kMade),
                         [](const auto& leaves) {
                           switch (leaves.param) {
                             case PerftLeaves::kListed:
                               return "Listed";
                             case PerftLeaves::kCounted:
                               return "Counted";
                             case PerftLeaves::kMade:
                               break;
                           }
                           return "Made";
                         });

}  // namespace
}  // namespace cannonade
