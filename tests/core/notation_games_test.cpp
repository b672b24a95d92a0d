// Readers and writers of games: PGN, EPD, CSV, GIB, move lists.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "core/base/files.h"
#include "core/notation/csv.h"
#include "core/notation/epd.h"
#include "core/notation/gib.h"
#include "core/notation/pgn.h"
#include "core/notation/text.h"
#include "core/notation/uci_list.h"
#include "core/notation/uci_move.h"
#include "tests/support/random_record.h"
#include "tests/support/rulesets.h"

namespace cannonade {
namespace {

struct Found {
  std::vector<GameRecord> games;
  std::vector<std::size_t> lines;
  std::vector<std::string> remarks;
  ImportCounts counts;
};

template <class Reader>
Found collect(Reader&& reader) {
  Found found;
  const GameSink sink{[&](GameRecord&& game, std::size_t line) {
                        found.games.push_back(std::move(game));
                        found.lines.push_back(line);
                      },
                      [&](std::size_t line, const std::string& what) {
                        EXPECT_TRUE(is_utf8(what));
                        EXPECT_EQ(what.find('\n'), std::string::npos);
                        found.remarks.push_back(fmt::format("{}: {}", line, what));
                      }};
  found.counts = reader(sink);
  EXPECT_EQ(found.counts.games, found.games.size());
  return found;
}
Found from_pgn(const std::string& text, const Ruleset& rules) {
  return collect([&](const GameSink& sink) { return read_pgn(text, rules, sink); });
}
Found from_epd(const std::string& text, const Ruleset& rules) {
  return collect([&](const GameSink& sink) { return read_epd(text, rules, sink); });
}
Found from_csv(const std::string& text, const Ruleset& rules) {
  return collect([&](const GameSink& sink) { return read_csv(text, rules, sink); });
}
Found from_gib(const std::string& text, const Ruleset& rules) {
  return collect([&](const GameSink& sink) { return read_gib(text, rules, sink); });
}
Found from_list(const std::string& text, const Ruleset& rules,
                RankBase base = RankBase::kRecognise) {
  return collect([&](const GameSink& sink) { return read_uci_list(text, rules, base, sink); });
}

std::string words(const GameRecord& game) {
  std::string text;
  for (const Move move : game.moves) {
    if (!text.empty()) text += ' ';
    text += to_uci(move);
  }
  return text;
}

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

// The file's answers: game, plies, result, reason, start_fen, uci_moves.
TEST(Gib, TheSampleGivesExactlyItsAnswers) {
  const std::string folder = CANNONADE_TEST_DATA;
  const DecodedText decoded = decode_text(*read_file(folder + "/sample.gib"));
  EXPECT_EQ(decoded.encoding, "CP949");
  EXPECT_EQ(decoded.replaced, 0U);
  const Found found = from_gib(decoded.text, kPointCount);
  EXPECT_TRUE(found.remarks.empty()) << found.remarks.front();
  std::string table = "game\tplies\tresult\treason\tstart_fen\tuci_moves\n";
  for (std::size_t i = 0; i < found.games.size(); ++i) {
    const GameRecord& game = found.games[i];
    std::string reason(reason_name(game.outcome.reason));
    std::ranges::replace(reason, '_', '-');
    if (game.outcome.by_points) {
      reason += fmt::format("+count({}-{})", format_halves(game.points_halves[0]),
                            format_halves(game.points_halves[1]));
    }
    table += fmt::format("{}\t{}\t{}\t{}\t{}\t{}\n", i, game.moves.size(),
                         result_text(game.outcome), reason, game.start_fen, words(game));
  }
  EXPECT_EQ(table, *read_file(folder + "/sample.gib.answers.tsv"));
  EXPECT_EQ(found.games[0].players[0], "가");
  EXPECT_EQ(found.lines, (std::vector<std::size_t>{1, 32}));
}

TEST(Gib, TheSampleInUtf8AndInUtf16IsTheSame) {
  const DecodedText cp949 =
      decode_text(*read_file(std::string(CANNONADE_TEST_DATA) + "/sample.gib"));
  const DecodedText utf8 = decode_text("\xEF\xBB\xBF" + cp949.text);
  EXPECT_EQ(utf8.encoding, "UTF-8");
  EXPECT_EQ(utf8.text, cp949.text);
  const std::string utf16(
      "\xFF\xFE"
      "A\0\xB9\x70",
      6);  // A 炮? U+70B9
  EXPECT_EQ(decode_text(utf16).text, "A\xE7\x82\xB9");
}

TEST(Gib, WhatIsNotCp949IsReplacedAndCounted) {
  const DecodedText decoded = decode_text(
      "a\xFF"
      "b\xC7");
  EXPECT_EQ(decoded.encoding, "CP949");
  EXPECT_EQ(decoded.replaced, 2U);
  EXPECT_EQ(decoded.text,
            "a\xEF\xBF\xBD"
            "b\xEF\xBF\xBD");
  EXPECT_EQ(decode_text("\xC7\xD1\xBC\xF6\xBD\xB0").text, "한수쉼");
  EXPECT_FALSE(is_utf8("\xED\xA0\x80")) << "a surrogate";
  EXPECT_FALSE(is_utf8("\xC0\xAF")) << "overlong";
  EXPECT_FALSE(is_utf8("\xF4\x90\x80\x80")) << "beyond U+10FFFF";
  EXPECT_TRUE(is_utf8("aé한\xF0\x9F\x80\x80"));
}

std::string gib(const std::string& result, const std::string& turns,
                const std::string& extra = "") {
  return "[초대국자 \"가\"]\r\n[한대국자 \"나\"]\r\n[초차림 \"마상상마\"]\r\n[한차림 "
         "\"마상상마\"]\r\n" +
         extra + "[대국결과 \"" + result + "\"]\r\n\r\n" + turns + "\r\n\r\n";
}

TEST(Gib, ResultsThatTheBoardDoesNotShowKeepWhatTheFileSays) {
  const auto outcome = [](const std::string& result) {
    return from_gib(gib(result, "1. 79楚卒78 2. 41漢兵42"), kKja).games.at(0).outcome;
  };
  EXPECT_EQ(outcome("초 완승"), (Outcome{Side::kFirst, Reason::kResignation, false}));
  EXPECT_EQ(outcome("한 완승"), (Outcome{Side::kSecond, Reason::kResignation, false}));
  EXPECT_EQ(outcome("초 시간승"), (Outcome{Side::kFirst, Reason::kTime, false}));
  EXPECT_EQ(outcome("한 점수승"), (Outcome{Side::kSecond, Reason::kAdjudication, true}));
  EXPECT_EQ(outcome("초 기권승"), (Outcome{Side::kFirst, Reason::kResignation, false}));
  EXPECT_EQ(outcome("한 반칙승"), (Outcome{Side::kSecond, Reason::kForfeit, false}));
  EXPECT_EQ(outcome("무승부"), (Outcome{std::nullopt, Reason::kAgreement, false}));
  EXPECT_EQ(outcome("접속 끊김"), (Outcome{std::nullopt, Reason::kUnfinished, false}));
}

TEST(Gib, AGameThatBreaksARuleIsKeptUpToThatTurnWithTheReason) {
  // Han's soldier goes back.
  const Found illegal = from_gib(
      gib("초 완승", "1. 79楚卒78 2. 41漢兵31 3. 77楚卒76") + gib("한 완승", "1. 79卒78"), kKja);
  ASSERT_EQ(illegal.games.size(), 2U);
  EXPECT_EQ(words(illegal.games[0]), "i4h4");
  EXPECT_EQ(illegal.games[0].outcome.winner, Side::kFirst);
  EXPECT_NE(illegal.games[0].note.find("turn 2"), std::string::npos);
  EXPECT_NE(illegal.games[0].note.find("kept up to turn 1"), std::string::npos);
  EXPECT_EQ(illegal.counts.cut, 1U);
  ASSERT_EQ(illegal.remarks.size(), 1U);
  EXPECT_EQ(illegal.remarks[0].substr(0, 3), "1: ");
  EXPECT_EQ(words(illegal.games[1]), "i4h4") << "the next game is whole";

  const Found gap = from_gib(gib("초 완승", "1. 79楚卒78 3. 77楚卒76"), kKja);
  EXPECT_EQ(gap.games.at(0).moves.size(), 1U);
  EXPECT_NE(gap.remarks.at(0).find("turn 3 stands where turn 2 should"), std::string::npos);

  const Found after = from_gib(gib("무승부", "1. 한수쉼 2. 한수쉼 3. 79卒78"), kKja);
  EXPECT_EQ(after.games.at(0).outcome, (Outcome{std::nullopt, Reason::kDoublePass, false}));
  EXPECT_NE(after.remarks.at(0).find("follows the end of the game (double_pass)"),
            std::string::npos);
}

TEST(Gib, WhereRulesAndFileDisagreeTheRulesJudgeAndItIsSaid) {
  const Found found = from_gib(gib("초 점수승", "1. 한수쉼 2. 한수쉼"), kPointCount);
  EXPECT_EQ(found.games.at(0).outcome, (Outcome{Side::kSecond, Reason::kDoublePass, true}));
  EXPECT_NE(found.remarks.at(0).find("the file says 1-0, the rules say 0-1"), std::string::npos);
}

TEST(Gib, StartBoardsAreImportedOrLeftOutWithALine) {
  const std::string board = "[판 \"4k4/9/9/9/9/9/4P4/9/4K4/9\"]\r\n";
  // Generals outside the palace centre ranks are refused by the rules of positions.
  const std::string good = "[판 \"9/4k4/9/4p4/9/9/4P4/9/4K4/R8\"]\r\n";
  const std::string swapped = "[판 \"9/4K4/9/4P4/9/9/4p4/9/4k4/r8\"]\r\n";
  for (const std::string& text : {good, swapped}) {
    const Found found = from_gib(gib("초 완승", "1. 01楚車11", text), kKja);
    ASSERT_EQ(found.games.size(), 1U) << found.remarks.at(0);
    EXPECT_EQ(found.games[0].start_fen, "9/4k4/9/4p4/9/9/4P4/9/4K4/R8 w - - 0 1");
    EXPECT_EQ(words(found.games[0]), "a1a10");
  }
  const Found han = from_gib(gib("초 완승", "2. 45漢兵44 3. 01車11", good), kKja);
  EXPECT_EQ(words(han.games.at(0)), "e7d7 a1a10");
  const Found bad = from_gib(gib("초 완승", "1. 01楚車11", "[판 \"차마상사\"]\r\n"), kKja);
  EXPECT_TRUE(bad.games.empty());
  EXPECT_EQ(bad.counts.skipped, 1U);
  EXPECT_NE(bad.remarks.at(0).find("(판)"), std::string::npos);
}

TEST(Gib, CommentsAndMarksAreIgnoredAndBrokenBlocksLeftOut) {
  const Found found = from_gib(
      gib("초 완승", "1. 79楚卒78 {좋은 수\r\n[x \"y\"]} <0> 2.41兵42") + gib("초 완승", "") +
          "[초차림 \"마마상상\"]\r\n[한차림 \"마상상마\"]\r\n1. 79卒78\r\n" +
          "\r\n[초대국자 \"다\"]\r\n1. 79卒78",
      kKja);
  EXPECT_EQ(found.games.size(), 1U);
  EXPECT_EQ(words(found.games[0]), "i4h4 a7b7");
  EXPECT_EQ(found.counts.comments, 1U);
  EXPECT_EQ(found.counts.skipped, 3U);
  EXPECT_THROW(from_gib("", kCasual), Error);
}

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

// Whatever the bytes, every reader ends, and what it hands on is legal.
TEST(HostileText, NoReaderCrashesOnDamagedFiles) {
  std::string pgn;
  std::string epd;
  std::string csv = csv_header();
  std::string list;
  for (std::uint64_t id = 0; id < 3; ++id) {
    const GameRecord game = random_game("janggi-kja", id);
    PgnOptions options;
    options.style = id == 1 ? MoveStyle::kColumns : MoveStyle::kUci;
    pgn += to_pgn(game, kKja, options).value_or_throw();
    epd += to_epd(game, kKja).value_or_throw();
    csv += to_csv(game);
    list += "position fen " + game.start_fen + " moves " + words(game) + "\n";
  }
  const std::string gib_text =
      decode_text(*read_file(std::string(CANNONADE_TEST_DATA) + "/sample.gib")).text;
  Rng rng(3);
  const auto damage = [&](std::string text) {
    const std::uint64_t hits = 1 + rng.below(30);
    for (std::uint64_t i = 0; i < hits && !text.empty(); ++i) {
      const std::size_t at = rng.below(text.size());
      switch (rng.below(4)) {
        case 0:
          text[at] = static_cast<char>(rng.below(256));
          break;
        case 1:
          text.erase(at, rng.below(20));
          break;
        case 2:
          text.insert(at, std::string(rng.below(8), "[]{}\"();,\n"[rng.below(10)]));
          break;
        default:
          text.insert(at, text.substr(rng.below(text.size()), rng.below(60)));
          break;
      }
    }
    return decode_text(text).text;
  };
  for (int round = 0; round < 60; ++round) {
    std::vector<Found> all;
    all.push_back(from_pgn(damage(pgn), kKja));
    all.push_back(from_epd(damage(epd), kKja));
    all.push_back(from_list(damage(list), kKja));
    all.push_back(from_gib(damage(gib_text), kKja));
    try {
      all.push_back(from_csv(damage(csv), kKja));
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUser);
    }
    for (const Found& found : all) {
      for (const GameRecord& game : found.games) {
        EXPECT_EQ(game.scores.size(), game.moves.size());
        EXPECT_TRUE(to_pgn(game, kKja)) << "a game that is not legal was handed on";
      }
    }
  }
}

// Long words of many bytes a character, where every message and every kept text has to be cut.
TEST(HostileText, LongForeignWordsAreCutBetweenCharacters) {
  for (std::size_t shift = 0; shift < 4; ++shift) {
    std::string word(shift, 'x');
    for (int i = 0; i < 9000; ++i) word += "한";
    const auto check = [](const Found& found) {
      for (const GameRecord& game : found.games) {
        for (const std::string* text :
             {&game.players[0], &game.players[1], &game.player_hashes[0], &game.note}) {
          EXPECT_TRUE(is_utf8(*text));
          EXPECT_LT(text->size(), 17'000U);
        }
      }
    };
    check(from_list(word + "\nposition fen " + word + " moves a1a2\n", kKja));
    check(from_pgn("[White \"" + word + "\"]\n[WhiteHash \"" + word + "\"]\n\n1. i4h4 " + word +
                       " 1-0\n" + "[FEN \"" + word + "\"]\n\n1. i4h4 *\n",
                   kKja));
    check(from_epd(word + "\n" + std::string(start_fen(Game::kJanggi)) + " c9 \"1-0\"; c1 \"" +
                       word.substr(0, 9000 + shift) + "\";\n",
                   kKja));
    check(from_csv(
        "moves,first,first_hash,note\ni4h4," + word + "," + word + "," + word + "\n" + word + "\n",
        kKja));
    check(from_gib(gib(word, "1. 79卒78 2. " + word), kKja));
    EXPECT_TRUE(is_utf8(parse_uci_move(word).error()));
  }
}

TEST(HostileText, MadeUpExtremesEnd) {
  const std::string deep(200'000, '(');
  (void)from_pgn("[Result \"1-0\"]\n\n1. " + deep, kKja);
  (void)from_pgn(std::string(100'000, '{'), kKja);
  (void)from_pgn(std::string(100'000, '['), kKja);
  (void)from_epd(std::string(100'000, 'x') + "\n" + std::string(100'000, '/') + " w", kKja);
  (void)from_list(std::string(100'000, ' ') + std::string(100'000, 'a'), kKja);
  (void)from_gib(std::string(100'000, '{') + std::string(100'000, '<') + "\n[", kKja);
  (void)from_gib(std::string("[").append(100'000, '"'), kKja);
  (void)from_csv("moves\n\"" + std::string(100'000, '"'), kKja);
  std::string words_text;
  for (int i = 0; i < 50'000; ++i) words_text += "e2e2 ";
  (void)from_list(words_text, kKja);
}

}  // namespace
}  // namespace cannonade
