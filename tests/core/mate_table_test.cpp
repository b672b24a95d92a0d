// J26: with one piece besides general and guards there is nothing to mate a bare general with. The
// solver itself is checked entry by entry against the naive twin's turns.
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "tests/support/mate_table.h"
#include "tests/support/mate_table_check.h"

namespace cannonade::support {
namespace {

constexpr PieceKind kPieces[] = {PieceKind::kElephant, PieceKind::kHorse, PieceKind::kChariot,
                                 PieceKind::kCannon, PieceKind::kSoldier};

TEST(MateTable, OnePieceBesidesGuardsHasNoMatingPositionAgainstABareGeneral) {
  for (const PieceKind piece : kPieces) {
    std::vector<MateTable> tables;
    tables.reserve(3);
    for (int guards = 0; guards <= 2; ++guards) {
      const MateTable* fewer = tables.empty() ? nullptr : &tables.back();
      tables.emplace_back(MateMaterial{piece, PieceKind::kNone, guards}, fewer);
      const MateSummary summary = tables.back().summary();
      EXPECT_EQ(summary.mates, 0U) << to_string(tables.back().material()) << " " << guards;
      EXPECT_GT(summary.positions, 5000U);
    }
  }
}

TEST(MateTable, EntriesFollowFromTheTurnsThatTheNaiveTwinLists) {
  for (const auto& [first, second] : {std::pair{PieceKind::kSoldier, PieceKind::kSoldier},
                                      std::pair{PieceKind::kCannon, PieceKind::kChariot}}) {
    const MateTable bare({first, second, 0}, nullptr);
    EXPECT_GT(FromTurns(bare, nullptr).expect_sample(2000), 0);
  }
}

}  // namespace
}  // namespace cannonade::support
