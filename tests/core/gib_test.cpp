// Games in GIB, the Korean sites' format.
#include "core/notation/gib.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/base/files.h"
#include "tests/support/read_games.h"
#include "tests/support/rulesets.h"

namespace cannonade {
namespace {

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

}  // namespace
}  // namespace cannonade
