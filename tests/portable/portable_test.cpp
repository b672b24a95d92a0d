// Move generation without the newer instructions: every row of perft.tsv, each position's legal
// turns one by one, and who attacks which point.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "core/board/movegen.h"
#include "core/board/perft.h"
#include "core/board/see.h"
#include "core/notation/fen.h"
#include "tests/support/rule_cases.h"

#if defined(__BMI2__) || defined(__SSSE3__) || defined(__POPCNT__)
#error "this file must be compiled for the plainest processor"
#endif

namespace cannonade {
namespace {

TEST(Portable, EveryPerftRowIsCountedAsPublished) {
  for (const auto& row : support::read_perft_cases(CANNONADE_TEST_DATA "/perft.tsv")) {
    const Ruleset rules = find_ruleset(row.rules).value_or_throw();
    Position position = parse_fen(rules, row.fen).value_or_throw(row.fen);
    for (const auto leaves : {PerftLeaves::kListed, PerftLeaves::kCounted}) {
      EXPECT_EQ(perft(position, row.depth, leaves), row.nodes) << row.fen << " " << row.depth;
    }
  }
}

TEST(Portable, ATurnIsLegalExactlyWhenItIsListed) {
  std::set<std::string> seen;
  for (const auto& row : support::read_perft_cases(CANNONADE_TEST_DATA "/perft.tsv")) {
    if (!seen.insert(row.rules + row.fen).second) continue;
    const Ruleset rules = find_ruleset(row.rules).value_or_throw();
    const Position position = parse_fen(rules, row.fen).value_or_throw(row.fen);
    const Danger dangers = danger(position);
    MoveList list;
    generate(position, list);
    for (int from = 0; from < kSquares; ++from) {
      for (int to = 0; to < kSquares; ++to) {
        const Move move(static_cast<Square>(from), static_cast<Square>(to));
        EXPECT_EQ(is_legal(position, dangers, move), move && list.contains(move)) << row.fen;
      }
    }
    // What may be taken is attacked; of pieces that are not bound, nothing else is.
    for (const Move move : list) {
      if (!position.is_capture(move)) continue;
      const bool cannon = position.at(move.to()).kind() == PieceKind::kCannon;
      EXPECT_TRUE(attackers_to(position, move.to(), position.occupied(), cannon).has(move.from()))
          << row.fen;
    }
  }
}

}  // namespace
}  // namespace cannonade
