// The set of points against plain sets, and the two ways of gathering bits against each other.
#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "core/base/rng.h"
#include "core/board/bitboard.h"

namespace cannonade {
namespace {

Bitboard random_board(Rng& rng) {
  return Bitboard{rng.next() & rng.next(), rng.next() & rng.next()} & kFullBoard;
}

TEST(Bitboard, HoldsPointsAsASetWould) {
  Rng rng(31);
  for (int round = 0; round < 1000; ++round) {
    const Bitboard board = random_board(rng);
    std::set<int> points;
    for (int s = 0; s < kSquares; ++s) {
      if (board.has(static_cast<Square>(s))) points.insert(s);
    }
    EXPECT_EQ(board.count(), static_cast<int>(points.size()));
    EXPECT_EQ(board.empty(), points.empty());
    Bitboard rebuilt;
    Bitboard rest = board;
    for (const int point : points) {  // lowest first
      EXPECT_EQ(rest.first(), point);
      rebuilt |= square_bit(rest.pop());
    }
    EXPECT_TRUE(rest.empty());
    EXPECT_EQ(rebuilt, board);
  }
}

TEST(Bitboard, ShiftsMoveEveryPointByOneAndDropWhatLeavesTheBoard) {
  Rng rng(36);
  const auto moved = [](Bitboard board, int by_file, int by_rank) {
    Bitboard result;
    while (board) {
      const Square s = board.pop();
      const int file = file_of(s) + by_file;
      const int rank = rank_of(s) + by_rank;
      if (file < 0 || file >= kFiles || rank < 0 || rank >= kRanks) continue;
      result |= square_bit(make_square(file, rank));
    }
    return result;
  };
  for (int round = 0; round < 1000; ++round) {
    const Bitboard board = random_board(rng);
    EXPECT_EQ(shift_right(board), moved(board, 1, 0));
    EXPECT_EQ(shift_left(board), moved(board, -1, 0));
    EXPECT_EQ(shift_up(board), moved(board, 0, 1));
    EXPECT_EQ(shift_down(board), moved(board, 0, -1));
  }
}

TEST(Bitboard, RanksAndFilesAreReadAndWrittenPointByPoint) {
  Rng rng(32);
  for (int round = 0; round < 1000; ++round) {
    const Bitboard board = random_board(rng);
    Bitboard from_ranks;
    Bitboard from_files;
    for (int rank = 0; rank < kRanks; ++rank) {
      const unsigned bits = rank_bits(board, rank);
      for (int file = 0; file < kFiles; ++file) {
        EXPECT_EQ((bits >> file & 1) != 0, board.has(make_square(file, rank)));
      }
      EXPECT_EQ(bits >> kFiles, 0U);
      from_ranks |= rank_set(bits, rank);
    }
    for (int file = 0; file < kFiles; ++file) {
      const unsigned bits = file_bits(board, file);
      for (int rank = 0; rank < kRanks; ++rank) {
        EXPECT_EQ((bits >> rank & 1) != 0, board.has(make_square(file, rank)));
      }
      EXPECT_EQ(bits >> kRanks, 0U);
      from_files |= file_set(bits, file);
    }
    EXPECT_EQ(from_ranks, board);
    EXPECT_EQ(from_files, board);
  }
}

TEST(Bitboard, GatheringReadsThePointsOfTheMaskLowestFirstWithAndWithoutTheInstruction) {
  Rng rng(33);
  for (int round = 0; round < 10'000; ++round) {
    const Bitboard board = random_board(rng);
    Bitboard mask;
    for (int i = 0; i < 8; ++i) mask |= square_bit(static_cast<Square>(rng.below(kSquares)));
    unsigned expected = 0;
    unsigned place = 0;
    for (Bitboard rest = mask; rest; ++place) {
      if (board.has(rest.pop())) expected |= 1U << place;
    }
    const Gather gather(mask);
    EXPECT_EQ(gather.read(board), expected);
    EXPECT_EQ(Gather::read_half(board.lo, mask.lo) | Gather::read_half(board.hi, mask.hi)
                                                         << gather.low_count,
              expected);
  }
}

}  // namespace
}  // namespace cannonade
