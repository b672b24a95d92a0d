#include "core/board/bonus.h"

#include <gtest/gtest.h>

#include "core/game/game_state.h"
#include "core/game/points.h"
#include "core/notation/fen.h"

namespace cannonade {
namespace {

Ruleset point_count() {
  return find_ruleset("janggi-point-count").value_or_throw();
}

TEST(Bonus, TheIdNamesItAndReadsBack) {
  const Ruleset rules = with_bonus(point_count(), 5);
  EXPECT_EQ(rules.id, "janggi-point-count:han_bonus=2.5");
  EXPECT_EQ(rules.second_bonus_halves, 5);
  EXPECT_EQ(find_ruleset(rules.id).value_or_throw(), rules);
  EXPECT_EQ(find_ruleset("janggi-points:han_bonus=2.5").value_or_throw(), rules);
  EXPECT_EQ(preset_id(rules.id), "janggi-point-count");
  EXPECT_EQ(preset_id("xiangqi-casual"), "xiangqi-casual");
  // One bonus instead of another, not on top of it.
  EXPECT_EQ(with_bonus(rules, 0).id, "janggi-point-count:han_bonus=0");
}

TEST(Bonus, ThePresetsOwnIsThePreset) {
  EXPECT_EQ(with_bonus(point_count(), 3), point_count());  // J30
  EXPECT_EQ(with_bonus(with_bonus(point_count(), 8), 3), point_count());
  EXPECT_EQ(find_ruleset("janggi-point-count:han_bonus=1.5").value_or_throw(), point_count());
}

TEST(Bonus, RefusesWhatIsNone) {
  for (const char* bad :
       {"janggi-point-count:han_bonus=", "janggi-point-count:han_bonus=x",
        "janggi-point-count:han_bonus=-1", "janggi-point-count:han_bonus=73",
        "janggi-point-count:han_bonus=2.25", "janggi-point-count:han_bonus=2.50",
        "janggi-point-count:han_bonus=02", "janggi-point-count:han_bonus=2:han_bonus=2",
        "janggi-kja:han_bonus=2", "xiangqi-casual:han_bonus=2"}) {
    const Expected<Ruleset> rules = find_ruleset(bad);
    ASSERT_FALSE(rules) << bad;
    EXPECT_NE(rules.error().find(bad), std::string::npos);
  }
  EXPECT_NE(find_ruleset("chess:han_bonus=2").error().find("known are"), std::string::npos);
  EXPECT_THROW((void)with_bonus(find_ruleset("janggi-kja").value_or_throw(), 2), Error);
  EXPECT_THROW((void)with_bonus(point_count(), kMaxBonusHalves + 1), Error);
}

// J29, J30: two passes end the game level; the bonus decides whose it is.
TEST(Bonus, TheJudgeGoesByIt) {
  // Cho has a soldier more: 2 points.
  const std::string fen = "r2k5/9/9/p8/9/9/P1P6/9/9/R4K3 w - - 0 1";
  for (const auto& [half_points, winner] :
       std::initializer_list<std::pair<int, std::optional<Side>>>{
           {0, Side::kFirst}, {3, Side::kFirst}, {4, std::nullopt}, {5, Side::kSecond}}) {
    const Ruleset rules = with_bonus(point_count(), half_points);
    GameState game(parse_fen(rules, fen).value_or_throw());
    game.play(Move(game.position().general(Side::kFirst), game.position().general(Side::kFirst)));
    game.play(Move(game.position().general(Side::kSecond), game.position().general(Side::kSecond)));
    ASSERT_TRUE(game.outcome().has_value());
    EXPECT_EQ(game.outcome()->reason, Reason::kDoublePass);
    EXPECT_EQ(game.outcome()->winner, winner) << half_points;
    EXPECT_EQ(count_points(game.position()).lead_halves(), 4 - half_points);
  }
}

}  // namespace
}  // namespace cannonade
