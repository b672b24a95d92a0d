#include "selfplay/id_set.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "core/base/rng.h"

namespace cannonade {
namespace {

TEST(IdSet, AgreesWithAnOrdinarySetOnRandomIds) {
  Rng rng(7);
  IdSet ids;
  std::set<std::uint64_t> plain;
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t id = rng.below(30'000);
    EXPECT_EQ(ids.insert(id), plain.insert(id).second);
  }
  EXPECT_EQ(ids.size(), plain.size());
  EXPECT_EQ(ids.largest(), *plain.rbegin());
  std::vector<std::uint64_t> gaps;
  ids.for_each_gap(30'000, [&](IdRange gap) {
    ASSERT_LT(gap.begin, gap.end);
    if (!gaps.empty()) {
      ASSERT_LT(gaps.back() + 1, gap.begin) << "gaps are maximal";
    }
    for (std::uint64_t id = gap.begin; id < gap.end; ++id) gaps.push_back(id);
  });
  EXPECT_EQ(gaps.size() + plain.size(), 30'000U);
  for (std::uint64_t id = 0; id < 30'000; ++id) {
    EXPECT_EQ(ids.contains(id), plain.contains(id));
  }
  for (const std::uint64_t id : gaps) EXPECT_FALSE(plain.contains(id));
  for (std::uint64_t from = 0; from < 30'000; from += 7) {
    std::uint64_t expected = from;
    while (plain.contains(expected)) ++expected;
    EXPECT_EQ(ids.first_missing(from), expected);
  }
}

TEST(IdSet, AWholePrefixAcrossPagesHasNoGap) {
  IdSet ids;
  for (std::uint64_t id = 0; id < 10'000; ++id) ids.insert(id);
  EXPECT_EQ(ids.first_missing(), 10'000U);
  ids.for_each_gap(10'000, [](IdRange) { FAIL(); });
}

TEST(IdSet, AHugeIdAndAHugeEndCostNothing) {
  constexpr std::uint64_t kHuge = std::uint64_t{1} << 62;
  IdSet ids;
  ids.insert(kHuge);
  std::vector<IdRange> gaps;
  ids.for_each_gap(kHuge + 10, [&](IdRange gap) { gaps.push_back(gap); });
  ASSERT_EQ(gaps.size(), 2U);
  EXPECT_EQ(gaps[0], (IdRange{0, kHuge}));
  EXPECT_EQ(gaps[1], (IdRange{kHuge + 1, kHuge + 10}));
  ids.for_each_gap(5, [&](IdRange gap) { EXPECT_EQ(gap, (IdRange{0, 5})); });
}

}  // namespace
}  // namespace cannonade
