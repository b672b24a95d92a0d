// Readers and writers of games: PGN, EPD, CSV, move lists. GIB has a file of its own.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "tests/support/random_record.h"
#include "tests/support/read_games.h"
#include "tests/support/rulesets.h"

namespace cannonade {
namespace {

// What the formats keep: not the clock, and id and pair are the store's to give.
void expect_told_again(GameRecord read, const GameRecord& written, bool scores, bool nodes) {
  read.id = written.id;
  read.pair = written.pair;
  read.milliseconds = written.milliseconds;
  if (!nodes) read.nodes = written.nodes;
  if (!scores) read.scores = written.scores;
  expect_same_game(read, written);
}

std::vector<GameRecord> sample_games(const Ruleset& rules) {
  std::vector<GameRecord> games;
  for (std::uint64_t id = 0; id < 12; ++id) games.push_back(random_game(rules.id, id));
  games[1].scores[3] = static_cast<std::int16_t>(kMateScore - 7);
  games[1].scores[4] = static_cast<std::int16_t>(-kMateScore);
  games[1].scores[5] = 0;
  games[1].scores[6] = -5;
  return games;
}

class EveryRuleset : public testing::TestWithParam<const Ruleset*> {};

TEST_P(EveryRuleset, PgnReadsBackToTheSameGames) {
  const Ruleset& rules = *GetParam();
  const std::vector<GameRecord> games = sample_games(rules);
  for (const MoveStyle style : {MoveStyle::kUci, MoveStyle::kColumns, MoveStyle::kWxf}) {
    std::string text;
    PgnOptions options;
    options.style = style;
    options.event = "a \\ \"strange\" event";
    for (const GameRecord& game : games) text += to_pgn(game, rules, options).value_or_throw();
    const Found found = from_pgn(text, rules);
    EXPECT_TRUE(found.remarks.empty()) << found.remarks.front();
    ASSERT_EQ(found.games.size(), games.size());
    for (std::size_t i = 0; i < games.size(); ++i) {
      expect_told_again(found.games[i], games[i], true, false);
    }
  }
}

TEST_P(EveryRuleset, EpdReadsBackToTheSameGames) {
  const Ruleset& rules = *GetParam();
  std::vector<GameRecord> games = sample_games(rules);
  games[2].moves.clear();  // a lone position
  games[2].scores.clear();
  games[2].opening_plies = 0;
  games[2].outcome = {Side::kSecond, Reason::kResignation, false};
  games[2].points_halves = {144, rules.game == Game::kJanggi && games[2].points_halves[1] >= 0
                                     ? games[0].points_halves[1]
                                     : 0};
  std::string text;
  for (GameRecord& game : games) {
    for (std::string& name : game.players) std::ranges::replace(name, '"', '\'');
    text += to_epd(game, rules).value_or_throw();
  }
  const Found found = from_epd(text, rules);
  EXPECT_TRUE(found.remarks.empty()) << found.remarks.front();
  ASSERT_EQ(found.games.size(), games.size());
  games[2].points_halves = found.games[2].points_halves;  // counted, not told
  for (std::size_t i = 0; i < games.size(); ++i) {
    expect_told_again(found.games[i], games[i], false, false);
  }
}

TEST_P(EveryRuleset, CsvReadsBackToTheSameGames) {
  const Ruleset& rules = *GetParam();
  std::vector<GameRecord> games = sample_games(rules);
  games[3].note = "said \"no\",\nand left";
  std::ranges::fill(games[4].scores, kNoScore);
  std::string text = csv_header();
  for (const GameRecord& game : games) text += to_csv(game);
  const Found found = from_csv(text, rules);
  EXPECT_TRUE(found.remarks.empty()) << found.remarks.front();
  ASSERT_EQ(found.games.size(), games.size());
  for (std::size_t i = 0; i < games.size(); ++i) {
    expect_told_again(found.games[i], games[i], true, true);
  }
  EXPECT_EQ(found.lines[3], 5U);
  EXPECT_EQ(found.lines[4], 7U) << "a note's line end counts";
}

INSTANTIATE_TEST_SUITE_P(Notation, EveryRuleset, testing::Values(&kKja, &kPointCount, &kCasual),
                         [](const auto& rules) {
                           std::string name = rules.param->id;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(UciList, AllThreeFormsAndComments) {
  const Found found = from_list(
      "# a comment\n"
      "position startpos moves h3e3 h10g8\n"
      "\r\n"
      "h1g3 h8e8 1-0\n"
      "position fen 3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1 moves a1a10\n"
      "startpos moves\n",
      kCasual);
  ASSERT_EQ(found.games.size(), 3U);
  EXPECT_EQ(words(found.games[0]), "h3e3 h10g8");
  EXPECT_EQ(found.games[0].outcome.reason, Reason::kUnfinished);
  EXPECT_EQ(found.games[1].outcome, (Outcome{Side::kFirst, Reason::kResignation, false}));
  EXPECT_EQ(found.games[2].start_fen, "3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1");
  EXPECT_EQ(found.lines, (std::vector<std::size_t>{2, 4, 5}));
  EXPECT_EQ(found.counts.comments, 1U);
  EXPECT_EQ(found.counts.skipped, 1U);
}

TEST(UciList, RanksFromZeroAreRecognised) {
  // By rank 0; by legality alone; and as told.
  const Found by_rank = from_list("h2e2 h9g7\nh0g2\n", kCasual);
  EXPECT_EQ(words(by_rank.games.at(0)), "h3e3 h10g8");
  EXPECT_EQ(words(by_rank.games.at(1)), "h1g3");
  EXPECT_TRUE(by_rank.remarks.empty());
  EXPECT_EQ(words(from_list("c3c4 g6g5\n", kCasual).games.at(0)), "c4c5 g7g6");
  EXPECT_EQ(words(from_list("c4c5 g7g6\n", kCasual).games.at(0)), "c4c5 g7g6");
  const Found told = from_list("c3c4\n", kCasual, RankBase::kZero);
  EXPECT_EQ(words(told.games.at(0)), "c4c5");
  const Found wrong = from_list("c3c4\n", kCasual, RankBase::kOne);
  EXPECT_EQ(wrong.counts.cut, 1U);
  EXPECT_FALSE(parse_zero_based("h10g8"));
  EXPECT_FALSE(parse_zero_based("a0a0"));
  EXPECT_FALSE(parse_zero_based("j0a1"));
}

TEST(UciList, AFileThatFitsBothIsReadFromOneAndItIsSaid) {
  // An empty board but for a chariot: a3a4 is legal either way.
  const Found found = from_list(
      "position fen 3k5/9/9/9/9/9/9/R8/9/4K4 w - - 0 1 moves a3a5 d10d9\n"
      "position fen 3k5/9/9/9/9/9/R8/9/9/4K4 w - - 0 1 moves a3a5 d9d8\n",
      kCasual);
  EXPECT_EQ(found.games.size(), 2U);
  const Found both =
      from_list("position fen 3k5/9/9/9/9/9/R8/R8/9/4K4 w - - 0 1 moves a3b3\n", kCasual);
  ASSERT_EQ(both.remarks.size(), 1U);
  EXPECT_NE(both.remarks[0].find("fit alike"), std::string::npos);
  EXPECT_EQ(words(both.games.at(0)), "a3b3");
}

TEST(UciList, AnIllegalWordCutsTheGame) {
  const Found found = from_list("e4e5 e7e6 e4e5 h1g3\n", kCasual);
  EXPECT_EQ(words(found.games.at(0)), "e4e5 e7e6");
  EXPECT_NE(found.remarks.at(0).find("turn 3 (e4e5) is not legal; kept up to turn 2"),
            std::string::npos);
}

TEST(Epd, ResultsComeInC9OrBareAndCommentsAreCounted) {
  const std::string fen = "3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1";
  const Found found = from_epd("# one\n" + fen + " c9 \"1-0\";\n% two\n" + fen + " 0-1\n" + fen +
                                   " [0.5]\n" + fen + " c9 \"1/2-1/2\"; id \"x y\";\n" + fen +
                                   "\nnonsense\n3k5/9/9/9/9/9/9/9/9/R3K4 w 1.0\n" +
                                   "3k5/9/9/9/9/9/9/9/9/R3K4 b - - 3 0.0\n"
                                   "9/9/9/9/9/9/9/9/9/R3K4 w - - 0 1 1-0\n",
                               kCasual);
  std::string results;
  for (const GameRecord& game : found.games) {
    EXPECT_TRUE(game.moves.empty());
    results += std::string(result_text(game.outcome)) + " ";
  }
  EXPECT_EQ(results, "1-0 0-1 1/2-1/2 1/2-1/2 1-0 0-1 ");
  EXPECT_EQ(found.counts.comments, 2U);
  EXPECT_EQ(found.counts.skipped, 3U) << ::testing::PrintToString(found.remarks);
  EXPECT_EQ(found.games[5].start_fen, "3k5/9/9/9/9/9/9/9/9/R3K4 b - - 3 1");
}

TEST(Epd, TheFirstLineOfAGameIsItsStartAndResult) {
  GameRecord game = random_game("xiangqi-casual", 1);
  const std::string text = to_epd(game, kCasual).value_or_throw();
  EXPECT_EQ(std::ranges::count(text, '\n'), static_cast<std::ptrdiff_t>(game.moves.size()));
  EXPECT_TRUE(text.starts_with(game.start_fen + " c9 \"" + std::string(result_text(game.outcome)) +
                               "\"; id \"1\"; sm " + to_uci(game.moves[0]) + ";"))
      << text.substr(0, 200);
}

TEST(Pgn, ReadsWhatOtherProgramsWrite) {
  const Found found = from_pgn(
      "[Event \"x\"]\n[White \"Wang\"]\n[Black \"Hu \\\"the\\\" Second\"]\n[Result \"1-0\"]\n"
      "[Variant \"Xiangqi\"]\n\n"
      "1. C2=5 {the middle cannon} H8+7 $1 2. h1g3 (2. e4e5 e7e6 (2... i7i6)) 2... i10h10 ; end\n"
      "3.i1h1 1-0\n\n"
      "[Red \"A\"]\n[Black \"B\"]\n[Result \"0-1\"]\n[Termination \"time forfeit\"]\n\n1. 炮二平五 "
      "*\n"
      "[Result \"1-0\"]\n[Variant \"Chess\"]\n\n1. e4 e5 1-0\n",
      kCasual);
  ASSERT_EQ(found.games.size(), 2U);
  EXPECT_EQ(words(found.games[0]), "h3e3 h10g8 h1g3 i10h10 i1h1");
  EXPECT_EQ(found.games[0].players[1], "Hu \"the\" Second");
  EXPECT_EQ(found.games[0].outcome, (Outcome{Side::kFirst, Reason::kResignation, false}));
  EXPECT_EQ(found.games[1].players[0], "A");
  EXPECT_EQ(found.games[1].outcome, (Outcome{Side::kSecond, Reason::kTime, false}));
  EXPECT_EQ(found.counts.skipped, 1U);
  EXPECT_EQ(found.lines, (std::vector<std::size_t>{1, 10}));
  EXPECT_NE(found.remarks.at(0).find("16: a game of chess"), std::string::npos)
      << found.remarks.at(0);
}

TEST(Pgn, ColumnsAreWrittenWhereAsked) {
  GameRecord game;
  game.rules = "janggi-kja";
  game.start_fen = start_fen(Game::kJanggi);
  game.players = {"a", "b"};
  game.moves = {*parse_uci_move("i4h4"), *parse_uci_move("e9e9")};
  game.scores = {35, kNoScore};
  game.outcome = {std::nullopt, Reason::kAgreement, false};
  PgnOptions options;
  options.style = MoveStyle::kColumns;
  const std::string text = to_pgn(game, kKja, options).value_or_throw();
  EXPECT_NE(text.find("\n1. 79졸78 {+0.35} 한수쉼 1/2-1/2\n\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("[FEN"), std::string::npos);
  EXPECT_NE(text.find("[Variant \"Janggi\"]\n[Rules \"janggi-kja\"]"), std::string::npos);
  EXPECT_NE(text.find("[Termination \"agreement\"]"), std::string::npos);
}

TEST(Pgn, ARecordThatCannotBePlayedIsNotWritten) {
  GameRecord game = random_game("janggi-kja", 0);
  game.moves[1] = game.moves[0];
  EXPECT_FALSE(to_pgn(game, kKja));
  EXPECT_FALSE(to_epd(game, kKja));
  game.start_fen = "nonsense";
  EXPECT_FALSE(to_pgn(game, kKja));
}

TEST(Pgn, AClaimThatTheBoardDoesNotShowIsAnAdjudication) {
  const Found found =
      from_pgn("[Result \"1-0\"]\n[Termination \"checkmate\"]\n\n1. h3e3 1-0\n", kCasual);
  EXPECT_EQ(found.games.at(0).outcome, (Outcome{Side::kFirst, Reason::kAdjudication, false}));
  EXPECT_EQ(found.remarks.size(), 1U);
}

TEST(Csv, ColumnsAreFoundByNameAndAHeaderIsNeeded) {
  const Found found = from_csv("result,moves\n1-0,h3e3 h10g8\n,\"h3e3\"\n0-1,h3h9\n", kCasual);
  ASSERT_EQ(found.games.size(), 3U);
  EXPECT_EQ(words(found.games[0]), "h3e3 h10g8");
  EXPECT_EQ(found.games[1].outcome.reason, Reason::kUnfinished);
  EXPECT_EQ(found.counts.cut, 1U);
  EXPECT_THROW(from_csv("a,b\n1,2\n", kCasual), Error);
  EXPECT_THROW(from_csv("", kCasual), Error);
}

}  // namespace
}  // namespace cannonade
