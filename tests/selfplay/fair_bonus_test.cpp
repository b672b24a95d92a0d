#include "selfplay/fair_bonus.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "core/base/rng.h"
#include "tests/selfplay/tsv.h"

namespace cannonade {
namespace {

struct Margins {
  MarginCounts counts;
  std::map<std::string, std::vector<std::pair<std::string, double>>> answers;
};

Margins worked_margins() {
  Margins result;
  const auto rows = test::read_tsv("fair-bonus.tsv");
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const std::string& kind = rows[i][0];
    const std::string& key = rows[i][1];
    if (kind == "mates") {
      (key == "cho" ? result.counts.played_out.wins : result.counts.played_out.losses) =
          std::stoull(rows[i][2]);
    } else if (kind == "margin") {
      result.counts.margins[std::stoi(key)] = std::stoull(rows[i][2]);
    } else {
      result.answers[kind].emplace_back(key, std::stod(rows[i][2]));
    }
  }
  return result;
}

TEST(FairBonus, TheWorkedExampleAgrees) {
  const Margins given = worked_margins();
  EXPECT_EQ(given.counts.games(), 1000U);
  ASSERT_EQ(given.answers.at("answer_cho_score").size(), 8U);
  for (const auto& [bonus, score] : given.answers.at("answer_cho_score")) {
    const int half_points = static_cast<int>(std::lround(2 * std::stod(bonus)));
    EXPECT_NEAR(score_with_bonus(given.counts, {half_points}).score, score, 1e-12) << bonus;
  }
  const auto [at, error] = given.answers.at("answer_error_at").front();
  EXPECT_EQ(at, "1.5");
  EXPECT_NEAR(score_with_bonus(given.counts, {3}).error, error, 5e-5);

  const auto fair = find_fair_bonus(given.counts);
  ASSERT_TRUE(fair.has_value());
  EXPECT_EQ(fair->curve.size(), 21U);
  EXPECT_EQ(fair->curve[fair->fair].rule.name(), "between 1 and 2");
  EXPECT_EQ(fair->curve[fair->fair - 1].rule.name(), "1");
  EXPECT_EQ(fair->curve[fair->fair + 1].rule.name(), "2");
  for (const auto& [what, value] : given.answers.at("answer_crossing")) {
    ASSERT_TRUE(fair->crossing.has_value());
    EXPECT_NEAR(what == "error" ? fair->crossing->error : fair->crossing->value, value, 5e-3)
        << what;
  }
  // The band holds one half about two errors to either side.
  EXPECT_NEAR(*fair->low, 1.59 - 2 * 0.29, 0.1);
  EXPECT_NEAR(*fair->high, 1.59 + 2 * 0.29, 0.1);
  EXPECT_TRUE(fair->curve[fair->fair].interval.covers(0.5));
}

TEST(FairBonus, AllBonusesBetweenTwoWholeOnesAreOneRuleAndWholeOnesMakeTies) {
  MarginCounts counts;
  counts.margins = {{1, 10}, {2, 20}, {3, 30}};
  EXPECT_EQ(score_with_bonus(counts, {3}).cho, (Trinomial{50, 0, 10}));
  EXPECT_EQ(score_with_bonus(counts, {4}).cho, (Trinomial{30, 20, 10}));
  EXPECT_EQ(score_with_bonus(counts, {5}).cho, (Trinomial{30, 0, 30}));
  EXPECT_EQ(score_with_bonus(counts, {-1}).cho, (Trinomial{60, 0, 0}));
  EXPECT_EQ(BonusClass{-1}.name(), "between -1 and 0");
  EXPECT_EQ(BonusClass{4}.name(), "2");
}

TEST(FairBonus, OnAStretchThatIsEvenTheCrossingIsItsMiddle) {
  MarginCounts counts;
  counts.margins = {{-4, 30}, {1, 20}, {6, 50}};
  const auto fair = find_fair_bonus(counts);
  // Above one half up to 1, one half from above 1 to below 6, then below.
  ASSERT_TRUE(fair->crossing.has_value());
  EXPECT_NEAR(fair->crossing->value, 3.5, 1e-12);
  EXPECT_EQ(fair->curve[fair->fair].score, 0.5);
  EXPECT_GT(fair->crossing->error, 0);
}

TEST(FairBonus, NoCrossingWithinTheCurveIsSaidSo) {
  MarginCounts counts;
  counts.played_out = {90, 0, 10};
  counts.margins = {{3, 5}};
  const auto fair = find_fair_bonus(counts);
  EXPECT_FALSE(fair->crossing.has_value());
  EXPECT_FALSE(fair->low.has_value());
  EXPECT_FALSE(fair->high.has_value());
  // Nearest to even: the largest bonuses.
  EXPECT_GT(fair->curve[fair->fair].rule.bonus(), 3);
  EXPECT_FALSE(find_fair_bonus(MarginCounts{}).has_value());
}

TEST(FairBonus, ACurveThatBeginsOrEndsEvenCrossesThere) {
  MarginCounts begins;
  begins.margins = {{0, 10}, {5, 10}};
  begins.played_out = {0, 0, 10};
  // 0: 15 of 30; then 10 of 30.
  ASSERT_TRUE(find_fair_bonus(begins)->crossing.has_value());
  EXPECT_EQ(find_fair_bonus(begins)->crossing->value, 0);
  MarginCounts ends;
  ends.margins = {{10, 10}, {5, 10}};
  ends.played_out = {10, 0, 0};
  // 10: 15 of 30; before: 20 of 30.
  ASSERT_TRUE(find_fair_bonus(ends)->crossing.has_value());
  EXPECT_EQ(find_fair_bonus(ends)->crossing->value, 10);
  MarginCounts flat;
  flat.played_out = {10, 0, 10};
  EXPECT_FALSE(find_fair_bonus(flat)->crossing.has_value());
}

TEST(FairBonus, APlayedCurveThatRisesByChanceIsLevelledForTheCrossing) {
  const auto at = [](int half_points, std::uint64_t wins) {
    return score_of_rule({half_points}, {wins, 0, 1000 - wins});
  };
  // .48 and .54 level out at .51: above one half up to 2.5, then .45.
  const auto fair = find_fair_bonus({at(2, 560), at(3, 480), at(4, 540), at(5, 450)});
  ASSERT_TRUE(fair.has_value());
  EXPECT_NEAR(fair->crossing->value, 2 + 0.5 * (0.51 - 0.5) / (0.51 - 0.45), 1e-12);
  EXPECT_NEAR(fair->crossing->error, std::sqrt(0.48 * 0.52 / 1000) / (0.06 / 0.5), 1e-4);
  EXPECT_EQ(fair->curve[fair->fair].rule, (BonusClass{3}));
  EXPECT_EQ(fair->curve[1].score, 0.48);
  // A late class that chance brought near one half is not the answer: even lies before it.
  const auto late = find_fair_bonus({at(1, 505), at(2, 493), at(3, 481), at(4, 498), at(5, 486)});
  EXPECT_EQ(late->curve[late->fair].rule, (BonusClass{1}));
  EXPECT_NEAR(late->crossing->value, 0.5 + 0.5 * 0.005 / 0.012, 1e-9);
  EXPECT_FALSE(find_fair_bonus({at(2, 560), score_of_rule({3}, {})}).has_value());
  EXPECT_THROW((void)find_fair_bonus({at(3, 560), at(3, 480)}), Error);
  EXPECT_THROW((void)find_fair_bonus({at(3, 560)}), Error);
  EXPECT_THROW((void)find_fair_bonus(std::vector<BonusScore>{}), Error);
}

TEST(FairBonus, TheIntervalOfTheCrossingCoversTheTruthAsOftenAsItSays) {
  // Cho's margin is normal about 2 with deviation 4, so bonus 2 is fair.
  int covered = 0;
  const int rounds = 300;
  for (int round = 0; round < rounds; ++round) {
    Rng rng(17, static_cast<std::uint64_t>(round));
    MarginCounts counts;
    for (int game = 0; game < 500; ++game) {
      const double margin = 2 + 4 * normal_quantile((rng.unit() + 1e-12) / (1 + 2e-12));
      ++counts.margins[static_cast<int>(std::lround(margin))];
    }
    const auto fair = find_fair_bonus(counts);
    ASSERT_TRUE(fair->low && fair->high);
    covered += *fair->low <= 2 && 2 <= *fair->high ? 1 : 0;
  }
  EXPECT_GT(covered, 0.91 * rounds);
}

}  // namespace
}  // namespace cannonade
