#include "selfplay/adjudication.h"

#include <gtest/gtest.h>

#include "core/notation/fen.h"
#include "core/notation/uci_move.h"

namespace cannonade {
namespace {

const Ruleset kRules = find_ruleset("janggi-kja").value_or_throw();
const Ruleset kPoints = find_ruleset("janggi-point-count").value_or_throw();

// Plays turns that go back and forth and shows each with its score to an adjudicator.
class Watched {
 public:
  explicit Watched(const AdjudicationSettings& settings, const Ruleset& rules = kRules,
                   const char* fen = "3k5/9/9/r3p4/9/9/R3P4/9/9/5K3 w - - 0 1")
      : rules_(rules), game_(parse_fen(rules_, fen).value_or_throw()), adjudicator_(settings) {}

  std::optional<Call> turn(std::optional<Score> score) {
    static constexpr const char* kTurns[] = {"f1e1", "d10e10", "e1f1", "e10d10"};
    game_.play(parse_uci_move(kTurns[game_.moves().size() % 4]).value_or_throw());
    return adjudicator_.see(game_, score);
  }

 private:
  Ruleset rules_;
  GameState game_;
  Adjudicator adjudicator_;
};

TEST(Adjudication, IsOffByDefault) {
  const AdjudicationSettings settings;
  EXPECT_FALSE(settings.on());
  Watched game(settings);
  for (int i = 0; i < 7; ++i) EXPECT_FALSE(game.turn(i % 2 == 0 ? 9000 : -9000).has_value());
}

TEST(Adjudication, CallsAWinWhenBothEnginesAgreeLongEnough) {
  AdjudicationSettings settings;
  settings.resign_plies = 4;
  settings.resign_score = 500;
  Watched game(settings);
  EXPECT_FALSE(game.turn(500));   // Cho sees itself winning
  EXPECT_FALSE(game.turn(-600));  // Han agrees
  EXPECT_FALSE(game.turn(700));
  EXPECT_EQ(game.turn(-500), (Call{4, Side::kFirst, false}));
}

TEST(Adjudication, DoesNotCallWhenTheEnginesDisagree) {
  AdjudicationSettings settings;
  settings.resign_plies = 2;
  settings.resign_score = 500;
  Watched game(settings);
  // Each sees itself winning.
  for (int i = 0; i < 7; ++i) EXPECT_FALSE(game.turn(900)) << i;
}

TEST(Adjudication, ATurnWithoutAScoreOrASmallOneBreaksTheRow) {
  AdjudicationSettings settings;
  settings.resign_plies = 3;
  settings.resign_score = 500;
  Watched game(settings);
  EXPECT_FALSE(game.turn(-900));
  EXPECT_FALSE(game.turn(900));
  EXPECT_FALSE(game.turn(std::nullopt));
  EXPECT_FALSE(game.turn(900));
  EXPECT_FALSE(game.turn(-499));
  EXPECT_FALSE(game.turn(900));
  EXPECT_FALSE(game.turn(-900));
}

TEST(Adjudication, CallsADrawOnlyAfterTheGivenTurn) {
  AdjudicationSettings settings;
  settings.draw_plies = 3;
  settings.draw_score = 10;
  settings.draw_after = 5;
  // The FEN's own counters are far on: plies count from the game's first position.
  Watched game(settings, kRules, "3k5/9/9/r3p4/9/9/R3P4/9/9/5K3 w - - 40 90");
  for (int i = 1; i < 5; ++i) EXPECT_FALSE(game.turn(i % 2 == 0 ? 10 : -10)) << i;
  EXPECT_EQ(game.turn(0), (Call{5, std::nullopt, false}));
}

TEST(Adjudication, StopsTheLongestGameAsLevel) {
  AdjudicationSettings settings;
  settings.max_plies = 3;
  Watched game(settings);
  EXPECT_FALSE(game.turn(100));
  EXPECT_FALSE(game.turn(100));
  EXPECT_EQ(game.turn(100), (Call{3, std::nullopt, false}));
}

TEST(Adjudication, UnderPointCountTheLongestGameGoesToWhoLeads) {  // J29
  AdjudicationSettings settings;
  settings.max_plies = 1;
  Watched game(settings, kPoints);  // level material: Han's bonus decides (J30)
  EXPECT_EQ(game.turn(100), (Call{1, Side::kSecond, true}));
}

TEST(Adjudication, ACallStays) {
  AdjudicationSettings settings;
  settings.max_plies = 1;
  Watched game(settings);
  const auto call = game.turn(0);
  EXPECT_EQ(game.turn(0), call);
}

TEST(Adjudication, PlaysOutTheGivenShareOfGames) {
  AdjudicationSettings settings;
  settings.play_out = 0.25;
  int out = 0;
  for (std::uint64_t id = 0; id < 4000; ++id) out += played_out(settings, 99, id) ? 1 : 0;
  EXPECT_NEAR(out, 1000, 4 * 28);  // four standard deviations
  settings.play_out = 0;
  EXPECT_FALSE(played_out(settings, 99, 1));
  settings.play_out = 1;
  EXPECT_TRUE(played_out(settings, 99, 1));
}

TEST(Adjudication, CallsGoThroughNotesUnchanged) {
  for (const Call call : {Call{1, Side::kFirst, false}, Call{250, Side::kSecond, true},
                          Call{77, std::nullopt, false}}) {
    EXPECT_EQ(call_in_note(call_note(call)), call);
    EXPECT_EQ(call_in_note("something; " + call_note(call)), call);
  }
  EXPECT_EQ(call_in_note(""), std::nullopt);
  EXPECT_EQ(call_in_note("played out: at ply x drawn"), std::nullopt);
  EXPECT_EQ(call_in_note("played out: at ply 5"), std::nullopt);
  EXPECT_EQ(call_in_note("played out: at ply 5 nobody"), std::nullopt);
}

TEST(Adjudication, OneScoreIsNoAgreement) {
  AdjudicationSettings settings;
  SettingsTable table;
  declare(table, settings);
  EXPECT_THROW(read_toml_text("resign_plies = 1", "x.toml", table), Error);
}

}  // namespace
}  // namespace cannonade
