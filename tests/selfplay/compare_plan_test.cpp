// Comparisons as they are set up and scheduled.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "core/board/bonus.h"
#include "core/notation/fen.h"
#include "selfplay/engine.h"
#include "tests/selfplay/small_comparison.h"

namespace cannonade {
namespace {

CompareSettings settings_of(const std::string& text) {
  CompareSettings settings;
  SettingsTable table;
  declare(table, settings);
  read_toml_text(text, "compare.toml", table);
  return settings;
}

TEST(CompareSettings, ReadsAFile) {
  const CompareSettings settings = settings_of(
      "engines = 'best.toml'\ngames = 50\nseed = 3\nnodes = [100, 400]\nweights = 'both'\n"
      "han_bonus = [0.5, 2]\n[setups]\ngames = 4\nrules = 'janggi-point-count'\n"
      "[openings]\nplies = 4\n");
  EXPECT_EQ(settings.engines, (std::vector<std::filesystem::path>{"best.toml"}));
  EXPECT_EQ(settings.games, 50U);
  EXPECT_EQ(settings.design.nodes, (std::vector<std::uint64_t>{100, 400}));
  EXPECT_EQ(settings.design.weights, CompareDesign::Weights::kBoth);
  EXPECT_EQ(settings.design.han_bonus, (std::vector<double>{0.5, 2}));
  EXPECT_EQ(settings.design.setups.games, 4);
  EXPECT_EQ(settings.design.setups.rules, Preset::kPointCount);
  EXPECT_EQ(settings.openings.plies, 4);
}

TEST(CompareSettings, RefusesAllThatIsWrongAtOnce) {
  const std::string faults = error_of([] {
    (void)settings_of(
        "nodes = [0]\nweights = 'mine'\nhan_bonus = [0.25]\nrules = 'janggi'\n"
        "[setups]\ngames = -1\nrules = 'xiangqi-casual'\n");
  });
  for (const char* key : {"engines: missing", "nodes: [0] given", "weights: \"mine\" given",
                          "han_bonus: [0.25] given", "rules: unknown key", "setups.games: -1 given",
                          "setups.rules: \"xiangqi-casual\" given"}) {
    EXPECT_NE(faults.find(key), std::string::npos) << key << " in\n" << faults;
  }
  EXPECT_NE(error_of([] {
              (void)settings_of("engines = 'e'\nnodes = [400, 100]\n");
            }).find("strengths must rise"),
            std::string::npos);
  EXPECT_NE(error_of([] { (void)settings_of("engines = 'e'\nnodes = []\n"); }).find("none given"),
            std::string::npos);
}

TEST(CompareSchedule, PlaysEveryArmFromTheSameOpeningsAndAllAlike) {
  CompareDesign design = small_plan(1).design;
  design.weights = CompareDesign::Weights::kBoth;
  design.han_bonus = {2.5, 1.5, 0};  // 1.5 is the rule set's own: no column of its own
  design.setups.games = 3;
  for (const std::size_t engines : {1U, 2U}) {
    const CompareSchedule schedule(
        design,
        make_pairings(engines == 1 ? PairingKind::kSelf : PairingKind::kRoundRobin, engines));
    const std::vector<Arm>& arms = schedule.arms();
    ASSERT_EQ(arms.size(), 2U * (2 + 2 + 2) + 3);
    std::set<std::uint64_t> set_up_games;
    std::map<std::size_t, std::uint64_t> by_column;
    const std::uint64_t games = schedule.whole_rounds(200);
    EXPECT_EQ(games % (2 * arms.size()), 0U);
    for (std::uint64_t id = 0; id < games; ++id) {
      const CompareSchedule::Place place = schedule.place_of(id);
      EXPECT_EQ(schedule.id_of(place.row, place.column), id);
      ++by_column[place.column];
      const CompareSchedule::Place first = schedule.place_of(schedule.id_of(place.row, 0));
      if (arms[place.column].kind == Arm::Kind::kSetUpGame) {
        EXPECT_NE(place.slot.pair, first.slot.pair);
        EXPECT_EQ(place.slot.pair % 2, 1U);
        set_up_games.insert(2 * place.slot.opening + (place.slot.first == 0 ? 0 : 1));
      } else {
        EXPECT_EQ(place.slot, first.slot);
        EXPECT_EQ(place.slot.pair % 2, 0U);
      }
    }
    for (const auto& [column, count] : by_column) EXPECT_EQ(count, games / arms.size()) << column;
    // No set-up game is another's, and none is left out.
    const std::uint64_t rows = games / arms.size();
    EXPECT_EQ(set_up_games.size(), 3 * rows);
    EXPECT_LT(*set_up_games.rbegin(), 2 * 3 * rows);
  }
}

TEST(CompareSchedule, ArmsCarryRulesAndWeights) {
  CompareDesign design;
  design.nodes = {100};
  design.han_bonus = {0, 2};
  design.setups = {1, Preset::kPointCount};
  const auto arms_with = [&](CompareDesign::Weights weights) {
    design.weights = weights;
    return CompareSchedule(design, {{0, 0}}).arms();
  };
  const auto own = arms_with(CompareDesign::Weights::kOwn);
  ASSERT_EQ(own.size(), 5U);
  EXPECT_EQ(own[0].rules.id, "janggi-kja");
  EXPECT_EQ(own[1].rules.id, "janggi-point-count");
  EXPECT_EQ(own[2].rules.second_bonus_halves, 0);
  EXPECT_EQ(own[3].rules.id, "janggi-point-count:han_bonus=2");
  EXPECT_EQ(own[4].kind, Arm::Kind::kSetUpGame);
  for (const Arm& arm : own) EXPECT_EQ(arm.weights, arm.preset);
  for (const Arm& arm : arms_with(CompareDesign::Weights::kOther)) {
    EXPECT_NE(arm.weights, arm.preset);
  }
  const auto both = arms_with(CompareDesign::Weights::kBoth);
  ASSERT_EQ(both.size(), 7U);
  EXPECT_EQ(both[2].kind, Arm::Kind::kCrossed);
  EXPECT_EQ(both[2].rules.id, "janggi-kja");
  EXPECT_EQ(both[2].weights, Preset::kPointCount);
  EXPECT_EQ(both[3].weights, Preset::kKja);
}

TEST(CompareSchedule, ReadsBackFromARunsSettings) {
  CompareDesign design;
  design.nodes = {7, 70};
  design.weights = CompareDesign::Weights::kOther;
  design.han_bonus = {0.5, 2};
  design.setups = {5, Preset::kPointCount};
  const std::vector<Pairing> pairings = make_pairings(PairingKind::kRoundRobin, 3);
  const CompareSchedulePlan plan =
      parse_schedule("before = 1\n" + schedule_text(design, pairings) + "openings.plies = 8\n");
  EXPECT_EQ(plan.pairings, pairings);
  EXPECT_EQ(CompareSchedule(plan.design, plan.pairings).arms(),
            CompareSchedule(design, pairings).arms());
  EXPECT_THROW((void)parse_schedule("openings.plies = 8\n"), Error);
  EXPECT_THROW((void)parse_schedule("compare.nodes = [0]\npairings = 0-0\n"), Error);
  EXPECT_THROW((void)parse_schedule("compare.nodes = [5]\npairings = a-b\n"), Error);
}

}  // namespace
}  // namespace cannonade
