// The answered positions: every row of rule-cases.tsv, asked of the fast core and of its naive
// twin, and every row of perft.tsv.
#include <gtest/gtest.h>

#include <memory>
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

struct Answerer {
  std::string name;
  std::unique_ptr<support::RulesUnderTest> (*make)();
  std::string refusal;  // of the refused row
};

class RuleCasesOf : public testing::TestWithParam<Answerer> {};

TEST_P(RuleCasesOf, EveryRowIsAnsweredAsTheFileSays) {
  const auto rules = GetParam().make();
  const auto cases = support::read_rule_cases(kData + "/rule-cases.tsv");
  EXPECT_GE(cases.size(), 227U);
  int refused = 0;
  for (const auto& rule_case : cases) {
    const bool refuses = rule_case.id == kRefusedRow;
    refused += refuses ? 1 : 0;
    EXPECT_EQ(support::ask(*rules, rule_case), refuses ? GetParam().refusal : rule_case.answer)
        << rule_case.id << " " << rule_case.rules << " " << rule_case.fen << " "
        << rule_case.question;
  }
  EXPECT_EQ(refused, 1);
}

TEST_P(RuleCasesOf, TheLessonOfTheRefusedRowHolds) {
  // A capture opens the file between the generals, and the answer leaves them facing.
  const auto rules = GetParam().make();
  EXPECT_EQ(support::ask(*rules, {"",
                                  "janggi-kja",
                                  "9/4k4/9/p8/3n5/9/4N3P/9/4K4/9 w - - 0 1",
                                  {"e4d6", "a7a6"},
                                  "result",
                                  ""}),
            "none bikjang");
}

INSTANTIATE_TEST_SUITE_P(
    Answerers, RuleCasesOf,
    testing::Values(Answerer{"Core", support::make_core_rules,
                             "error: illegal FEN: han is in check but cho is to move"},
                    Answerer{"NaiveTwin", support::make_naive_rules,
                             "error: the side that waits is in check"}),
    [](const auto& answerer) { return answerer.param.name; });

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
