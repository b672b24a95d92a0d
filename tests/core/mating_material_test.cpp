// J26, the nightly part: general, up to two guards and any two pieces against a bare general,
// solved whole. The table is printed and must be the one checked in.
#include <gtest/gtest.h>

#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/mate_table.h"
#include "tests/support/mate_table_check.h"

namespace cannonade::support {
namespace {

constexpr PieceKind kPieces[] = {PieceKind::kChariot, PieceKind::kCannon, PieceKind::kHorse,
                                 PieceKind::kElephant, PieceKind::kSoldier};

std::string row_of(const MateTable& table) {
  const MateSummary sum = table.summary();
  std::ostringstream row;
  row << to_string(table.material()) << '\t' << table.material().guards << '\t' << sum.positions
      << '\t' << sum.mates << '\t' << sum.won << '\t' << sum.longest;
  return row.str();
}

std::vector<std::string> checked_in() {
  std::ifstream file(CANNONADE_TEST_DATA "/mating-material.tsv");
  std::vector<std::string> rows;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) rows.push_back(line);
  return rows;
}

TEST(MatingMaterial, TheTableIsTheOneCheckedIn) {
  std::vector<std::string> rows;
  for (std::size_t first = 0; first < std::size(kPieces); ++first) {
    // The piece alone, then with each piece from itself on.
    for (std::size_t next = first; next <= std::size(kPieces); ++next) {
      const PieceKind second = next == first ? PieceKind::kNone : kPieces[next - 1];
      std::vector<MateTable> tables;
      tables.reserve(3);
      for (int guards = 0; guards <= 2; ++guards) {
        const MateTable* fewer = tables.empty() ? nullptr : &tables.back();
        tables.emplace_back(MateMaterial{kPieces[first], second, guards}, fewer);
        FromTurns(tables.back(), fewer).expect_sample(1000);
        rows.push_back(row_of(tables.back()));
        std::cout << rows.back() << std::endl;
      }
    }
  }
  EXPECT_EQ(rows, checked_in());
}

}  // namespace
}  // namespace cannonade::support
