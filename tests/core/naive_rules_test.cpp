// The naive twin against the rules: published counts, refusals, symmetries, the order of the
// endings, and random games that reach them all; the answered positions are asked in
// rules_test.cpp. What it answers elsewhere is the measure of the fast core.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/support/naive_fen.h"
#include "tests/support/naive_game.h"
#include "tests/support/naive_rules.h"
#include "tests/support/random_games.h"
#include "tests/support/rule_cases.h"

namespace cannonade::naive {
namespace {

const std::string kData = CANNONADE_TEST_DATA;
const std::string kJanggiStart =
    "rnba1abnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBA1ABNR w - - 0 1";
const std::string kXiangqiStart =
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
const std::vector<std::string> kRuleSets = {"janggi-kja", "janggi-point-count", "xiangqi-casual"};

// Larger perft rows are left to the fast core: these take about two seconds.
constexpr std::uint64_t kPerftNodes = 100'000;

// Games per rule set, and how often each ending must occur in them. A nightly run may raise both:
// 2 500 games reach each ending a hundred times.
constexpr int kRandomGames = 800;
constexpr int kOftenEnough = 30;

std::string result_of(Rules rules, const std::string& fen, const std::vector<std::string>& words,
                      double han_bonus = 1.5) {
  Game game = Game::start(rules, fen, han_bonus).value_or_throw();
  for (const auto& word : words) EXPECT_TRUE(game.play(word)) << fen << " " << word;
  return to_string(game.verdict());
}

std::string refusal_of(Rules rules, const std::string& fen) {
  const auto board = parse_fen(rules, fen);
  return board ? "accepted" : board.error();
}

TEST(NaiveRules, QuestionsWithoutARowAreAnsweredToo) {
  const auto rules = support::make_naive_rules();
  const auto ask = [&](const std::string& fen, const std::string& question) {
    return support::ask(*rules, {"", "janggi-kja", fen, {}, question, ""});
  };
  EXPECT_EQ(ask(kJanggiStart, "legal_count"), "32");
  EXPECT_EQ(ask("9/4k4/9/9/9/9/9/9/4K4/9 w - - 0 1", "facing"), "true");
  EXPECT_EQ(ask("9/4k4/9/4p4/9/9/9/9/4K4/9 w - - 0 1", "facing"), "false");
  // The chariot on a9 holds rank 9: the other mates along rank 10, or along file d, as e10 would
  // face the other general.
  const support::RuleCase mates = {"", "xiangqi-casual", "3k5/R8/9/9/9/1R7/9/9/9/4K4 w - - 0 1",
                                   {}, "mate_in_1",      ""};
  EXPECT_EQ(support::ask(*rules, mates), "b5b10 b5d5");
  EXPECT_EQ(ask(kJanggiStart, "colour"), "error: unknown question colour");
  EXPECT_TRUE(ask("9/9 w - - 0 1", "legal_all").starts_with("error: "));
}

TEST(NaiveRules, PerftRowsWithinReachAreCountedAsPublished) {
  int asked = 0;
  for (const auto& row : support::read_perft_cases(kData + "/perft.tsv")) {
    if (row.nodes > kPerftNodes) continue;
    const Rules rules = parse_rules(row.rules).value_or_throw();
    const Board board = parse_fen(rules, row.fen).value_or_throw();
    EXPECT_EQ(perft(rules, board, row.depth), row.nodes) << row.fen << " depth " << row.depth;
    ++asked;
  }
  EXPECT_GE(asked, 150);
}

TEST(NaiveRules, PositionsFromOutsideAreRefusedWithTheReason) {
  const auto janggi = [](const std::string& fen) { return refusal_of(Rules::kJanggiKja, fen); };
  const auto xiangqi = [](const std::string& fen) { return refusal_of(Rules::kXiangqi, fen); };
  EXPECT_EQ(janggi("9/4k4/9/9/9/9/9/9/4K4 w - - 0 1"), "expected 10 rows, got 9");
  EXPECT_EQ(janggi("9/4k4/9/9/9/9/9/9/4K4/9/9 w - - 0 1"), "expected 10 rows, got 11");
  EXPECT_EQ(janggi("9/4k4/9/9/8/9/9/9/4K4/9 w - - 0 1"), "rank 6 has 8 points instead of 9");
  EXPECT_EQ(janggi("9/4k4/9/9/9p/9/9/9/4K4/9 w - - 0 1"), "rank 6 has 10 points instead of 9");
  EXPECT_EQ(janggi("9/4k4/9/9/4q4/9/9/9/4K4/9 w - - 0 1"), "unknown letter 'q'");
  EXPECT_EQ(janggi("9/4k4/9/9/9/9/9/9/9/9 w - - 0 1"), "cho has 0 generals instead of 1");
  EXPECT_EQ(janggi("3k5/4k4/9/9/9/9/9/9/4K4/9 w - - 0 1"), "han has 2 generals instead of 1");
  EXPECT_EQ(janggi("9/4k4/9/9/9/9/4K4/9/9/9 w - - 0 1"), "K on e4 is outside its palace");
  EXPECT_EQ(janggi("9/4k4/9/9/9/9/9/9/2A1K4/9 w - - 0 1"), "A on c2 is outside its palace");
  EXPECT_EQ(janggi("9/4k4/9/9/9/9/9/9/3aK4/9 w - - 0 1"), "a on d2 is outside its palace");
  EXPECT_EQ(janggi("9/R3k4/9/9/9/9/9/9/4K4/9 w - - 0 1"), "the side that waits is in check");
  EXPECT_EQ(janggi("9/R3k4/9/9/9/9/9/9/4K4/9 b - - 0 1"), "accepted");
  EXPECT_EQ(janggi("9/4k4/9/9/9/9/9/9/4K4/9 x - - 0 1"),
            "the side to move is 'x' instead of w or b");
  EXPECT_EQ(janggi("9/4k4/9/9/9/9/9/9/4K4/9 w - - x 1"), "the last two fields are not counts");
  EXPECT_EQ(janggi("9/4k4/9/9/9/9/9/9/4K4/9 w - - -1 1"), "the last two fields are not counts");
  EXPECT_EQ(janggi("9/4k4/9/9/9/9/9/9/4K4/9"), "expected 4 to 6 fields, got 1");
  EXPECT_EQ(janggi(""), "expected 4 to 6 fields, got 1");
  // Facing and far elephants are refused in xiangqi only; more pieces than a set nowhere.
  const std::string facing = "9/4k4/9/9/9/9/9/9/4K4/9 w - - 0 1";
  EXPECT_EQ(janggi(facing), "accepted");
  EXPECT_EQ(xiangqi(facing), "the generals face each other");
  const std::string far = "9/4k4/9/9/B8/9/9/9/3K5/9 w - - 0 1";
  EXPECT_EQ(janggi(far), "accepted");
  EXPECT_EQ(xiangqi(far), "B on a6 is across the river");
  EXPECT_EQ(xiangqi("9/4k4/9/9/9/2b6/9/9/3K5/9 w - - 0 1"), "b on c5 is across the river");
  EXPECT_EQ(xiangqi("9/4k4/9/9/NNNNNNNNN/9/9/9/3K5/9 w - - 0 1"), "accepted");
}

TEST(NaiveRules, AFenIsReadWithItsOtherLettersAndWithoutItsCounts) {
  const auto board = parse_fen(Rules::kJanggiKja, "4k4/9/eh7/9/9/9/9/9/EH7/4K4 b - - 7 12");
  EXPECT_EQ(to_fen(*board), "4k4/9/bn7/9/9/9/9/9/BN7/4K4 b - - 7 12");
  EXPECT_EQ(to_fen(*parse_fen(Rules::kJanggiKja, "4k4/9/9/9/9/9/9/9/9/3K5 b - -")),
            "4k4/9/9/9/9/9/9/9/9/3K5 b - - 0 1");
  EXPECT_EQ(to_fen(apply(*board, "e10e10")), "4k4/9/bn7/9/9/9/9/9/BN7/4K4 w - - 8 13");
  EXPECT_THROW((void)apply(*board, "e10e11"), Error);
  EXPECT_THROW((void)apply(*board, "j1a1"), Error);
  EXPECT_THROW((void)apply(*board, "a1"), Error);
  EXPECT_FALSE(parse_rules("shogi").has_value());
}

TEST(NaiveRules, SixteenSetUpsAreSixteenStartsOfEqualMaterial) {
  std::set<std::string> fens;
  for (const char* cho : {"inside", "outside", "left", "right"}) {
    for (const char* han : {"inside", "outside", "left", "right"}) {
      fens.insert(start_fen(cho, han).value_or_throw());
    }
  }
  EXPECT_EQ(fens.size(), 16U);
  for (const auto& fen : fens) {
    const Board board = parse_fen(Rules::kJanggiKja, fen).value_or_throw();
    EXPECT_EQ(material_points(board, Side::kFirst), 72) << fen;   // J29
    EXPECT_EQ(material_points(board, Side::kSecond), 72) << fen;  // J29
  }
  EXPECT_TRUE(fens.contains(kJanggiStart));
  EXPECT_FALSE(start_fen("inside", "Outside").has_value());
}

TEST(NaiveRules, EndingsAreAskedInTheOrderOfTheRules) {
  const std::vector<std::string> twice = {"a1b1", "a10b10", "b1a1", "b10a10"};
  auto third_by_passes = twice;
  third_by_passes.insert(third_by_passes.end(), {"e1e1", "f10f10"});
  const std::string rooks = "r4k3/9/9/8r/9/9/8R/9/9/R3K4 w - - ";
  // J23 before J24, J24 before J25, J25 before J26.
  EXPECT_EQ(result_of(Rules::kJanggiKja, rooks + "0 1", third_by_passes), "none repetition");
  EXPECT_EQ(result_of(Rules::kJanggiKja, rooks + "118 1", {"e1e1", "f10f10"}), "none double_pass");
  EXPECT_EQ(result_of(Rules::kJanggiPointCount, "5k3/9/9/9/9/9/9/R8/3K5/9 w - - 119 1", {"a3a4"}),
            "cho no_progress points");
  EXPECT_EQ(result_of(Rules::kJanggiPointCount, "5k3/9/9/9/9/9/9/R8/3K5/9 w - - 118 1", {"a3a4"}),
            "none insufficient_material");
  // J22 before J24: the second pass also leaves the generals facing.
  EXPECT_EQ(result_of(Rules::kJanggiKja, "9/4k4/9/p8/9/9/P8/9/4K4/R8 b - - 0 1", {"e9e9"}),
            "none bikjang");
  // Endings other than having no turn need a turn: this position is far past the limit.
  EXPECT_EQ(result_of(Rules::kJanggiKja, rooks + "500 1", {}), "ongoing");
  EXPECT_EQ(result_of(Rules::kJanggiKja, rooks + "500 1", {"a1b1"}), "none no_progress");
}

TEST(NaiveRules, EqualCountsStayLevelAndTheBonusIsASetting) {
  const std::string rooks = "r4k3/9/9/8r/9/9/8R/9/9/R3K4 w - - 0 1";
  const std::vector<std::string> passes = {"e1e1", "f10f10"};
  EXPECT_EQ(result_of(Rules::kJanggiPointCount, rooks, passes, 0), "none double_pass");
  EXPECT_EQ(result_of(Rules::kJanggiPointCount, rooks, passes), "han double_pass points");
  EXPECT_EQ(result_of(Rules::kJanggiPointCount, rooks, passes, -0.5), "cho double_pass points");
  EXPECT_EQ(result_of(Rules::kJanggiKja, rooks, passes), "none double_pass");
}

TEST(NaiveRules, AGameRefusesTurnsThatAreIllegalOrComeAfterTheEnd) {
  Game game = Game::start(Rules::kJanggiKja, kJanggiStart).value_or_throw();
  EXPECT_FALSE(game.play("a1a5"));
  EXPECT_FALSE(game.play("hello"));
  EXPECT_TRUE(game.play("e2e2"));
  EXPECT_TRUE(game.play("e9e9"));
  EXPECT_FALSE(game.play("a1a2"));
  EXPECT_EQ(game.occurrences(), 2);
  game.undo();
  EXPECT_EQ(to_string(game.verdict()), "ongoing");
  EXPECT_TRUE(game.play("a10a9"));
}

TEST(NaiveRules, MirroredAndFlippedPositionsHaveMirroredAndFlippedTurns) {
  const auto rules = support::make_naive_rules();
  for (const auto& id : kRuleSets) {
    const Rules rule_set = parse_rules(id).value_or_throw();
    const auto transformed = [&](std::vector<std::string> words, auto transform) {
      for (auto& word : words) word = transform(word);
      std::sort(words.begin(), words.end());
      return words;
    };
    for (int index = 0; index < 20; ++index) {
      Rng rng(3, static_cast<std::uint64_t>(index));
      const auto plan = support::draw_plan(id, rng);
      support::play_random_game(*rules, plan, rng, [&] {
        const Board board = parse_fen(rule_set, rules->fen()).value_or_throw();
        EXPECT_EQ(to_fen(board), rules->fen());
        const auto words = legal_moves(rule_set, board);
        EXPECT_EQ(legal_moves(rule_set, mirrored(board)), transformed(words, mirrored_word));
        EXPECT_EQ(legal_moves(rule_set, colour_flipped(board)),
                  transformed(words, colour_flipped_word));
      });
    }
  }
}

class RandomGamesOf : public testing::TestWithParam<std::string> {};

TEST_P(RandomGamesOf, ReachEveryEndingOften) {
  const std::string& id = GetParam();
  const auto rules = support::make_naive_rules();
  auto counts = support::count_endings(*rules, id, kRandomGames, 1);
  for (const auto& reason : support::reasons_of(id)) {
    EXPECT_GE(counts[reason] + counts[reason + " points"], kOftenEnough) << reason;
  }
  for (const std::string reason : {"repetition", "double_pass", "no_progress"}) {
    const int expected = id == "janggi-point-count" ? kOftenEnough : 0;
    EXPECT_GE(counts[reason + " points"], expected) << reason;
  }
}

INSTANTIATE_TEST_SUITE_P(RuleSets, RandomGamesOf, testing::ValuesIn(kRuleSets),
                         [](const auto& set) {
                           std::string name = set.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(RandomGames, AreTheSameForTheSameRandomNumbers) {
  const auto rules = support::make_naive_rules();
  const auto play = [&](std::uint64_t seed) {
    Rng rng(seed, 5);
    const auto plan = support::draw_plan("janggi-kja", rng);
    return support::play_random_game(*rules, plan, rng).turns;
  };
  EXPECT_EQ(play(1), play(1));
  EXPECT_NE(play(1), play(2));
}

}  // namespace
}  // namespace cannonade::naive
