#include "tuner/split.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "core/base/rng.h"
#include "tests/tuner/synthetic.h"
#include "tuner/labels.h"

namespace cannonade {
namespace {

// Games of 12 plies that pass through a few common positions; games 2 i and 2 i + 1 are a pair.
Dataset with_duplicates(int games) {
  DatasetBuilder builder(some_features(5), 10, "");
  for (int game = 0; game < games; ++game) {
    Rng rng(9, static_cast<std::uint64_t>(game));
    RowBatch batch;
    for (std::uint16_t ply = 0; ply < 12; ++ply) {
      const std::uint64_t key = ply < 4 ? 100U + ply * 3U + rng.below(3) : rng.next();
      RowInfo info;
      info.key = key;
      info.phase = static_cast<std::uint16_t>(10 - key % 7);
      SampleInfo sample;
      sample.game = static_cast<std::uint32_t>(game);
      sample.pair = static_cast<std::uint32_t>(game / 2);
      sample.ply = ply;
      sample.result = static_cast<SampleResult>(rng.below(3));
      const std::vector<RowCoefficient> c{
          {static_cast<std::uint16_t>(key % 5), static_cast<std::int16_t>(1 + key % 3)}};
      batch.add(info, sample, c);
    }
    builder.add(std::move(batch));
  }
  return std::move(builder).finish();
}

TEST(Split, KeepsBothGamesOfAPairOnOneSideAndInOneFold) {
  const Dataset all = with_duplicates(400);
  const Split split = split_by_pair(all, {.validation_share = 0.25, .folds = 4});
  std::map<std::uint32_t, std::set<int>> parts;
  for (std::size_t row = 0; row < split.train.rows(); ++row) {
    for (const SampleInfo& s : split.train.samples_of(row)) parts[s.pair].insert(split.fold[row]);
  }
  for (const SampleInfo& s : split.validation.columns().samples) {
    parts[s.pair].insert(kValidationPart);
  }
  ASSERT_EQ(parts.size(), 200U);
  std::map<int, int> sizes;
  for (const auto& [pair, where] : parts) {
    EXPECT_EQ(where.size(), 1U) << "pair " << pair;
    ++sizes[*where.begin()];
  }
  // 200 pairs at 25 %: 50 with a standard deviation of 6; folds 37.5 with one of 5.5.
  EXPECT_NEAR(sizes[kValidationPart], 50, 25);
  for (int fold = 0; fold < 4; ++fold) EXPECT_NEAR(sizes[fold], 37.5, 22);
}

TEST(Split, LosesNoSampleAndMergesOnlyWithinAPart) {
  const Dataset all = with_duplicates(300);
  const SplitSettings settings{.validation_share = 0.2, .folds = 3};
  const Split split = split_by_pair(all, settings);
  EXPECT_EQ(split.train.samples() + split.validation.samples(), all.samples());
  EXPECT_EQ(split.train.rows() + split.validation.rows() + split.merged, all.rows());
  EXPECT_EQ(split.conflicts, 0U);
  EXPECT_EQ(split.fold.size(), split.train.rows());
  std::set<std::pair<std::uint64_t, int>> seen;
  for (std::size_t row = 0; row < split.train.rows(); ++row) {
    EXPECT_TRUE(seen.emplace(split.train.columns().key[row], split.fold[row]).second);
    for (const SampleInfo& s : split.train.samples_of(row)) {
      EXPECT_EQ(part_of_pair(s.pair, settings), split.fold[row]);
    }
  }
  EXPECT_GT(split.merged, 300U);
}

TEST(Split, PoolsTheOutcomesOfDuplicates) {
  const Dataset all = with_duplicates(100);
  const Split split = split_by_pair(all, {.validation_share = 0, .folds = 1});
  std::map<std::uint64_t, std::pair<double, int>> expected;  // by key: points, games
  for (std::size_t row = 0; row < all.rows(); ++row) {
    auto& [points, games] = expected[all.columns().key[row]];
    points += static_cast<double>(all.samples_of(row)[0].result) / 2;
    ++games;
  }
  const Targets sum = make_targets(split.train, {});
  const Targets once = make_targets(split.train, {.duplicates = DuplicateWeight::kOnce});
  ASSERT_EQ(split.train.rows(), expected.size());
  for (std::size_t row = 0; row < split.train.rows(); ++row) {
    const std::uint64_t key = split.train.columns().key[row];
    const auto& [points, games] = expected[key];
    EXPECT_NEAR(sum.label[row], points / games, 1e-6);
    EXPECT_FLOAT_EQ(sum.weight[row], static_cast<float>(games));
    EXPECT_NEAR(once.label[row], points / games, 1e-6);
    EXPECT_NEAR(once.weight[row], 1, 1e-5);
    EXPECT_EQ(split.train.coefficients(row)[0].feature, key % 5);
    EXPECT_EQ(split.train.phase_of(row), 10 - key % 7);
  }
}

TEST(Split, LeavesPositionsWithEqualKeysAndOtherCoefficientsApart) {
  DatasetBuilder builder(some_features(5), 10, "");
  RowBatch batch;
  for (std::uint16_t game = 0; game < 3; ++game) {
    SampleInfo sample;
    sample.game = game;
    RowInfo info;
    info.key = 7;
    batch.add(info, sample,
              std::vector<RowCoefficient>{{1, static_cast<std::int16_t>(game == 1 ? 2 : 1)}});
  }
  builder.add(std::move(batch));
  const Split split =
      split_by_pair(std::move(builder).finish(), {.validation_share = 0, .folds = 1});
  EXPECT_EQ(split.conflicts, 1U);
  EXPECT_EQ(split.merged, 1U);
  EXPECT_EQ(split.train.rows(), 2U);
}

TEST(Split, APairStaysWhereItIsWhenGamesAreAdded) {
  const SplitSettings settings;
  const Split small = split_by_pair(with_duplicates(100), settings);
  const Split large = split_by_pair(with_duplicates(200), settings);
  std::set<std::uint32_t> validating;
  for (const SampleInfo& s : large.validation.columns().samples) validating.insert(s.pair);
  for (const SampleInfo& s : small.validation.columns().samples) {
    EXPECT_TRUE(validating.contains(s.pair));
  }
  EXPECT_GT(small.validation.rows(), 0U);
}

TEST(Split, AnotherSeedMakesAnotherSplit) {
  int moved = 0;
  for (std::uint32_t pair = 0; pair < 1000; ++pair) {
    moved += part_of_pair(pair, {.validation_share = 0.5, .folds = 1, .seed = 1}) !=
             part_of_pair(pair, {.validation_share = 0.5, .folds = 1, .seed = 2});
  }
  EXPECT_NEAR(moved, 500, 100);
}

TEST(Split, RefusesSettingsOutOfRange) {
  const Dataset all = with_duplicates(4);
  EXPECT_THROW((void)split_by_pair(all, {.validation_share = 1.0}), Error);
  EXPECT_THROW((void)split_by_pair(all, {.validation_share = -0.1}), Error);
  EXPECT_THROW((void)split_by_pair(all, {.folds = 0}), Error);
}

TEST(Split, RefusesRowsThatWereMergedAcrossParts) {
  const Split merged = split_by_pair(with_duplicates(100), {.validation_share = 0, .folds = 1});
  EXPECT_THROW((void)split_by_pair(merged.train, {.validation_share = 0.5}), Error);
}

TEST(Labels, MixResultAndSearchScore) {
  DatasetBuilder builder(some_features(2), 10, "");
  RowBatch batch;
  const auto add = [&](std::uint16_t ply, SampleResult result, std::int16_t score,
                       std::uint8_t source) {
    SampleInfo s;
    s.ply = ply;
    s.result = result;
    s.search_score = score;
    s.source = source;
    batch.add({}, s, std::vector<RowCoefficient>{{0, 1}});
  };
  add(0, SampleResult::kFirstWon, 0, 0);
  add(1, SampleResult::kDrawn, 200, 1);
  add(2, SampleResult::kFirstLost, kNoSearchScore, 2);
  builder.add(std::move(batch));
  const Dataset data = std::move(builder).finish();
  const Targets t =
      make_targets(data, {.lambda = 0.75, .k = 0.005, .draw_weight = 0.5, .source_weight = {1, 3}});
  EXPECT_FLOAT_EQ(t.label[0], 0.75F + 0.25F * 0.5F);
  EXPECT_NEAR(t.label[1], 0.75 * 0.5 + 0.25 / (1 + std::exp(-1.0)), 1e-6);
  EXPECT_FLOAT_EQ(t.label[2], 0);
  EXPECT_EQ(t.weight, (std::vector<float>{1, 1.5, 1}));
  EXPECT_DOUBLE_EQ(t.total_weight, 3.5);
}

TEST(Labels, RefuseSettingsOutOfRange) {
  const Dataset data = with_duplicates(2);
  EXPECT_THROW((void)make_targets(data, {.lambda = 1.5}), Error);
  EXPECT_THROW((void)make_targets(data, {.lambda = 0.5}), Error);  // no K
  EXPECT_THROW((void)make_targets(data, {.draw_weight = -1}), Error);
  EXPECT_THROW((void)make_targets(data, {.source_weight = {std::nan("")}}), Error);
}

}  // namespace
}  // namespace cannonade
