#include "selfplay/summary.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/notation/fen.h"
#include "core/notation/uci_move.h"
#include "selfplay/adjudication.h"

namespace cannonade {
namespace {

GameRecord game(std::uint64_t id, std::optional<Side> winner, Reason reason,
                std::vector<const char*> words = {"a4a5", "a7a6"}) {
  GameRecord record;
  record.id = id;
  record.rules = "janggi-kja";
  record.start_fen = start_fen(Game::kJanggi);
  record.players = {"A", "B"};
  record.player_hashes = {"aa", "bb"};
  for (const char* word : words) record.moves.push_back(parse_uci_move(word).value_or_throw());
  record.scores.assign(record.moves.size(), 0);
  record.outcome = {winner, reason, false};
  record.nodes = 10;
  return record;
}

TEST(Summary, CountsResultsEndingsAndSetUps) {
  Summary summary;
  summary.add(game(0, Side::kFirst, Reason::kCheckmate));
  summary.add(game(1, Side::kSecond, Reason::kRepetition, {"a4a5"}));
  summary.add(game(2, std::nullopt, Reason::kBikjang, {}));
  GameRecord outside = game(3, Side::kFirst, Reason::kCheckmate, {"a4b4"});
  outside.start_fen = set_up_fen(SetUp::kOutside, SetUp::kLeft);
  outside.outcome.by_points = true;
  summary.add(outside);
  EXPECT_EQ(summary.games(), 4U);
  EXPECT_EQ(summary.plies(), 4U);
  EXPECT_EQ(summary.nodes(), 40U);
  EXPECT_EQ(summary.first(), (Trinomial{2, 1, 1}));
  EXPECT_EQ(summary.ending(Reason::kCheckmate), 2U);
  EXPECT_EQ(summary.by_points(), 1U);
  EXPECT_EQ(summary.set_ups()[0], (Trinomial{1, 1, 1}));
  EXPECT_EQ(summary.set_ups()[1 * 4 + 2], (Trinomial{1, 0, 0}));
  const auto lines = to_lines(summary, Game::kJanggi);
  for (const char* line : {"cho inside, score (games) by han's set-up: inside 50.0 % (3)",
                           "cho outside, score (games) by han's set-up: left 100.0 % (1)"}) {
    EXPECT_NE(std::find(lines.begin(), lines.end(), line), lines.end()) << line;
  }

  const auto json = to_json(summary, Game::kJanggi);
  EXPECT_EQ(json.at("games"), 4);
  EXPECT_EQ(json.at("endings").at("bikjang"), 1);
  EXPECT_EQ(json.at("by_side").at("cho").at("wins"), 2);
  EXPECT_EQ(json.at("by_side").at("han").at("score"), 0.375);
  EXPECT_EQ(json.at("by_set_up").at("cho outside, han left").at("games"), 1);
  EXPECT_FALSE(json.contains("adjudication"));
  EXPECT_EQ(to_json(summary, Game::kXiangqi).at("by_side").at("red").at("wins"), 2);
}

TEST(Summary, AnEmptyOneHasNoNan) {
  const auto json = to_json(Summary{}, Game::kJanggi);
  EXPECT_EQ(json.at("by_side").at("cho").at("score"), 0.5);
  EXPECT_EQ(json.dump().find("null"), std::string::npos);
  EXPECT_FALSE(to_lines(Summary{}, Game::kJanggi).empty());
}

TEST(Summary, DuplicatesAreTheSameTurnsBetweenTheSamePlayers) {
  Summary summary;
  summary.add(game(0, Side::kFirst, Reason::kCheckmate));
  summary.add(game(1, Side::kFirst, Reason::kCheckmate));
  summary.add(game(2, Side::kFirst, Reason::kCheckmate));
  EXPECT_EQ(summary.duplicates(), 2U);
  summary.add(game(3, Side::kFirst, Reason::kCheckmate, {"a7a6", "a4a5"}));  // another order
  GameRecord swapped = game(4, Side::kFirst, Reason::kCheckmate);
  std::swap(swapped.player_hashes[0], swapped.player_hashes[1]);
  summary.add(swapped);
  GameRecord renamed = game(5, Side::kFirst, Reason::kCheckmate, {"a4b4"});
  summary.add(renamed);
  EXPECT_EQ(summary.duplicates(), 2U);
}

TEST(Summary, AnOpeningIsTheStartWithTheTurnsThatNobodyChose) {
  Summary summary;
  GameRecord one = game(0, Side::kFirst, Reason::kCheckmate, {"a4a5", "a7a6"});
  one.opening_plies = 1;
  summary.add(one);
  GameRecord same = game(1, Side::kSecond, Reason::kCheckmate, {"a4a5", "c7c6"});
  same.opening_plies = 1;
  std::swap(same.player_hashes[0], same.player_hashes[1]);
  summary.add(same);
  EXPECT_EQ(summary.openings(), 1U);
  GameRecord longer = same;
  longer.opening_plies = 2;
  summary.add(longer);
  EXPECT_EQ(summary.openings(), 2U);
  GameRecord elsewhere = same;
  elsewhere.start_fen = "rbna1abnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RBNA1ABNR w - - 0 1";
  summary.add(elsewhere);
  EXPECT_EQ(summary.openings(), 3U);
  EXPECT_EQ(to_json(summary, Game::kJanggi).at("openings"), 3);
}

TEST(Summary, MeasuresHowOftenACallWasWrong) {
  Summary summary;
  GameRecord right = game(0, Side::kFirst, Reason::kCheckmate);
  right.note = call_note({40, Side::kFirst, false});
  GameRecord wrong = game(1, std::nullopt, Reason::kRepetition);
  wrong.note = call_note({40, Side::kFirst, false});
  summary.add(right);
  summary.add(wrong);
  summary.add(game(2, Side::kSecond, Reason::kAdjudication));
  EXPECT_EQ(summary.calls(), 2U);
  EXPECT_EQ(summary.wrong_calls(), 1U);
  const auto json = to_json(summary, Game::kJanggi).at("adjudication");
  EXPECT_EQ(json.at("called"), 1);
  EXPECT_EQ(json.at("wrong"), 1);
  EXPECT_LT(json.at("error_low"), 0.5);
  EXPECT_GT(json.at("error_high"), 0.5);
}

TEST(Summary, KeepsACrossTableWhateverTheSeats) {
  Summary summary;
  const auto add = [&](const char* first, const char* second, std::optional<Side> winner) {
    GameRecord record = game(summary.games(), winner, Reason::kCheckmate);
    record.players = {first, second};
    summary.add(record);
  };
  add("B", "A", Side::kFirst);
  add("A", "B", Side::kFirst);
  add("A", "B", std::nullopt);
  add("A", "C", Side::kSecond);
  add("C", "C", Side::kFirst);
  ASSERT_EQ(summary.pairings().size(), 2U);
  EXPECT_EQ(summary.pairings().at({"A", "B"}), (Trinomial{1, 1, 1}));
  EXPECT_EQ(summary.pairings().at({"A", "C"}), (Trinomial{0, 0, 1}));
  EXPECT_EQ(to_json(summary, Game::kJanggi).at("by_pairing").size(), 2U);
}

TEST(Summary, NamesWhoBrokeDownAndHow) {
  Summary summary;
  GameRecord crash = game(0, Side::kFirst, Reason::kForfeit, {"a4a5"});  // Han to move
  crash.note = "B broke down: no bestmove";
  GameRecord illegal = game(1, Side::kSecond, Reason::kForfeit, {});  // Cho to move
  illegal.note = "A played a4a9 in ..., which is not legal";
  GameRecord nothing = game(2, std::nullopt, Reason::kUnfinished, {"a4a5"});
  nothing.note = "B broke down: exit";
  GameRecord late = game(3, Side::kFirst, Reason::kTime, {"a4a5"});
  for (const GameRecord& each : {crash, illegal, nothing, late}) summary.add(each);
  EXPECT_EQ(summary.breakdowns().at("A").illegal, 1U);
  EXPECT_EQ(summary.breakdowns().at("B").failed, 2U);
  EXPECT_EQ(summary.breakdowns().at("B").time, 1U);
  EXPECT_EQ(summary.void_games(), 1U);
  EXPECT_EQ(summary.first().games(), 3U);  // a void game has no result
}

}  // namespace
}  // namespace cannonade
