#include "tuner/dataset.h"

#include <gtest/gtest.h>

#include <array>
#include <map>

#include "core/base/rng.h"
#include "selfplay/parallel_loop.h"
#include "tests/tuner/synthetic.h"
#include "tuner/atoms.h"

namespace cannonade {
namespace {

using Coefficients = std::vector<RowCoefficient>;

SampleInfo sample(std::uint32_t game, std::uint16_t ply) {
  SampleInfo s;
  s.game = game;
  s.pair = game / 2;
  s.ply = ply;
  return s;
}

RowInfo row(std::uint64_t key, std::uint16_t phase) {
  RowInfo info;
  info.key = key;
  info.phase = phase;
  return info;
}

std::string message_of(const auto& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUser);
    return error.what();
  }
  return {};
}

TEST(Dataset, GivesBackWhatWasPutInSortedByPhase) {
  DatasetBuilder builder(some_features(6), 10, "origin");
  RowBatch batch;
  batch.add(row(11, 7), sample(0, 3), Coefficients{{5, -2}, {0, 300}, {2, 1}});
  batch.add(row(12, 2), sample(0, 9), Coefficients{});
  builder.add(std::move(batch));
  const Dataset data = std::move(builder).finish();
  ASSERT_EQ(data.rows(), 2U);
  EXPECT_EQ(data.columns().key, (std::vector<std::uint64_t>{12, 11}));
  EXPECT_EQ(data.phase_of(0), 2);
  EXPECT_EQ(data.phase_of(1), 7);
  EXPECT_TRUE(data.coefficients(0).empty());
  EXPECT_EQ(data.coefficients(1), (Coefficients{{0, 300}, {2, 1}, {5, -2}}));
  EXPECT_EQ(data.samples_of(1)[0].ply, 3);
  EXPECT_EQ(data.columns().origin, "origin");
}

TEST(Dataset, AddsUpCoefficientsOfOneFeatureAndDropsZeros) {
  DatasetBuilder builder(some_features(4), 10, "");
  RowBatch batch;
  batch.add(row(1, 0), sample(0, 0), Coefficients{{3, 2}, {1, 1}, {3, -5}, {1, -1}, {0, 0}});
  builder.add(std::move(batch));
  EXPECT_EQ(std::move(builder).finish().coefficients(0), (Coefficients{{3, -3}}));
}

TEST(Dataset, DoesNotDependOnTheOrderOfBatches) {
  const auto build = [](bool reversed) {
    DatasetBuilder builder(some_features(40), 24, "");
    parallel_loop(0, 50, [&](int i) {
      const int game = reversed ? 49 - i : i;
      Rng rng(3, static_cast<std::uint64_t>(game));
      RowBatch batch;
      for (std::uint16_t ply = 0; ply < 20; ++ply) {
        Coefficients c;
        for (int k = 0; k < 9; ++k) {
          c.push_back({static_cast<std::uint16_t>(rng.below(40)),
                       static_cast<std::int16_t>(static_cast<int>(rng.below(60)) - 30)});
        }
        batch.add(row(rng.next(), static_cast<std::uint16_t>(rng.below(25))),
                  sample(static_cast<std::uint32_t>(game), ply), c);
      }
      builder.add(std::move(batch));
    });
    return std::move(builder).finish();
  };
  const Dataset a = build(false);
  const Dataset b = build(true);
  EXPECT_EQ(a.columns().atoms, b.columns().atoms);
  EXPECT_EQ(a.columns().entries, b.columns().entries);
  EXPECT_EQ(a.columns().samples, b.columns().samples);
  EXPECT_EQ(a.columns().key, b.columns().key);
}

TEST(Dataset, KeepsAPositionOf64FeaturesIn200Bytes) {
  const int n = 1000;
  DatasetBuilder builder(some_features(n), 256, "");
  Rng rng(1);
  for (std::uint32_t game = 0; game < 100; ++game) {
    RowBatch batch;
    for (std::uint16_t ply = 0; ply < 50; ++ply) {
      std::vector<std::uint16_t> order(n);
      for (std::uint16_t j = 0; j < n; ++j) order[j] = j;
      rng.shuffle(order);
      Coefficients c;
      for (std::size_t k = 0; k < 64; ++k) {
        c.push_back({order[k], static_cast<std::int16_t>(1 + rng.below(3))});
      }
      batch.add(row(rng.next(), static_cast<std::uint16_t>(rng.below(257))), sample(game, ply), c);
    }
    builder.add(std::move(batch));
  }
  const Dataset data = std::move(builder).finish();
  // Labels and weights of tuner/labels.h take 16 bytes more; the dictionary is shared by all rows.
  const double shared =
      static_cast<double>(data.columns().atoms.size() * sizeof(RowCoefficient) +
                          data.columns().phase_begin.size() * sizeof(std::uint32_t));
  EXPECT_LE((static_cast<double>(data.bytes()) - shared) / static_cast<double>(data.rows()) + 16,
            200.0);
}

TEST(Dataset, RefusesBadRowsNamingGameAndPly) {
  const auto refused = [](const RowInfo& info, const Coefficients& c) {
    return message_of([&] {
      DatasetBuilder builder(some_features(3), 10, "");
      RowBatch batch;
      batch.add(row(1, 1), sample(4, 1), Coefficients{{2, 1}});
      batch.add(info, sample(4, 17), c);
      builder.add(std::move(batch));
    });
  };
  EXPECT_EQ(refused(row(1, 11), {}), "game 4, ply 17: phase 11 is over 10");
  EXPECT_EQ(refused(row(1, 1), {{3, 1}}), "game 4, ply 17: feature 3 of 3 does not exist");
  EXPECT_EQ(refused(row(1, 1), {{1, 30000}, {1, 30000}}),
            "game 4, ply 17: coefficient 60000 of feature 1 does not fit 16 bits");
  RowInfo bad = row(1, 1);
  bad.offset = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(refused(bad, {}), "game 4, ply 17: the offset is not finite");
}

TEST(Dataset, RefusesTheSamePositionOfAGameTwice) {
  DatasetBuilder builder(some_features(3), 10, "");
  for (int i = 0; i < 2; ++i) {
    RowBatch batch;
    batch.add(row(1, 1), sample(4, 1), Coefficients{{2, 1}});
    builder.add(std::move(batch));
  }
  EXPECT_EQ(message_of([&] { (void)std::move(builder).finish(); }),
            "game 4, ply 1 was given twice");
}

TEST(Dataset, ARefusedRowLeavesTheBatchAsItWas) {
  RowBatch batch;
  EXPECT_NE(message_of([&] {
              batch.add(row(1, 1), sample(0, 0), Coefficients{{1, 30000}, {1, 30000}});
            }),
            "");
  batch.add(row(2, 1), sample(0, 1), Coefficients{{2, 7}});
  DatasetBuilder builder(some_features(3), 10, "");
  builder.add(std::move(batch));
  const Dataset data = std::move(builder).finish();
  ASSERT_EQ(data.rows(), 1U);
  EXPECT_EQ(data.coefficients(0), (Coefficients{{2, 7}}));
}

TEST(Dataset, RefusesFeaturesNamedTwice) {
  FeatureList list = some_features(3);
  list.names[2] = list.names[0];
  EXPECT_EQ(message_of([&] { DatasetBuilder(list, 10, ""); }), "'feature0' is named twice");
}

TEST(Dataset, MakeRefusesColumnsThatDoNotFit) {
  const auto refused = [](const auto& change) {
    DatasetColumns columns = simulate(SimulationSettings{}, random_weights(10, 30, 1)).columns();
    change(columns);
    return !Dataset::make(std::move(columns)).has_value();
  };
  EXPECT_FALSE(refused([](DatasetColumns&) {}));
  EXPECT_TRUE(refused([](DatasetColumns& c) { c.entries[5] = UINT16_MAX; }));
  EXPECT_TRUE(refused([](DatasetColumns& c) { std::swap(c.entries[0], c.entries[1]); }));
  EXPECT_TRUE(refused([](DatasetColumns& c) { c.entries[0] = 0; }));
  EXPECT_TRUE(refused([](DatasetColumns& c) { c.row_begin[3] = c.row_begin[9]; }));
  EXPECT_TRUE(refused([](DatasetColumns& c) { c.row_begin.back() += 1; }));
  EXPECT_TRUE(refused([](DatasetColumns& c) { c.phase_begin[3] = 4000000; }));
  EXPECT_TRUE(refused([](DatasetColumns& c) { c.sample_begin[1] = 0; }));
  EXPECT_TRUE(refused([](DatasetColumns& c) { c.samples[0].result = SampleResult{3}; }));
  EXPECT_TRUE(refused([](DatasetColumns& c) { c.atoms[4].feature = 10; }));
  EXPECT_TRUE(refused([](DatasetColumns& c) { c.atoms[4].value = 0; }));
  EXPECT_TRUE(refused([](DatasetColumns& c) { c.scale.pop_back(); }));
  EXPECT_TRUE(refused([](DatasetColumns& c) { c.max_phase = 0; }));
}

// Every 8-bit coefficient of 40 features is more than a dictionary of 900 holds.
TEST(AtomDictionary, WritesEveryPairEvenWhenTheDictionaryIsTooSmall) {
  std::vector<CountedAtom> counted;
  for (std::uint16_t feature = 0; feature < 40; ++feature) {
    for (int value = -128; value <= 127; ++value) {
      if (value == 0) continue;
      counted.push_back({{feature, static_cast<std::int16_t>(value)},
                         static_cast<std::uint64_t>(1000 / (value * value) + 1)});
    }
  }
  const AtomDictionary dictionary(counted, 900);
  EXPECT_LE(dictionary.atoms().size(), 900U);
  for (const CountedAtom& pair : counted) {
    std::vector<std::uint16_t> entries;
    dictionary.encode(std::array{pair.atom}, entries);
    EXPECT_EQ(entries.size() % kEntryGroup, 0U);
    int sum = 0;
    for (const std::uint16_t code : entries) {
      ASSERT_LT(code, dictionary.atoms().size());
      if (code < kNullAtoms) continue;
      EXPECT_EQ(dictionary.atoms()[code].feature, pair.atom.feature);
      sum += dictionary.atoms()[code].value;
    }
    EXPECT_EQ(sum, pair.atom.value);
    // Frequent pairs stay whole.
    if (std::abs(pair.atom.value) <= 2) {
      EXPECT_GE(entries[0], kNullAtoms);
      EXPECT_LT(entries[1], kNullAtoms);
    }
  }
  EXPECT_THROW(AtomDictionary(counted, 300), Error);
}

TEST(AtomDictionary, WritesTheExtremesOf16Bits) {
  std::vector<CountedAtom> counted;
  for (const int value : {-32768, -32767, 32767, 32766, 12345, 9, 8}) {
    counted.push_back({{0, static_cast<std::int16_t>(value)}, 1});
  }
  for (const std::size_t limit : {std::size_t{100}, kNullAtoms + 6 + 31}) {
    const AtomDictionary dictionary(counted, limit);
    for (const CountedAtom& pair : counted) {
      std::vector<std::uint16_t> entries;
      dictionary.encode(std::array{pair.atom}, entries);
      int sum = 0;
      for (const std::uint16_t code : entries) sum += dictionary.atoms()[code].value;
      EXPECT_EQ(sum, pair.atom.value);
    }
  }
}

}  // namespace
}  // namespace cannonade
