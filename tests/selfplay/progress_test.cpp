#include "selfplay/progress.h"

#include <gtest/gtest.h>

#include <limits>

namespace cannonade {
namespace {

ProgressState half_way() {
  ProgressState state;
  state.title = "match janggi-kja: best against material";
  state.done = 500;
  state.planned = 1000;
  state.played = 400;
  state.seconds = 200;
  state.who = "best";
  state.counts = {250, 150, 100};
  state.endings[static_cast<std::size_t>(Reason::kCheckmate)] = 350;
  state.endings[static_cast<std::size_t>(Reason::kRepetition)] = 150;
  return state;
}

TEST(Progress, TheBlockTellsHowFarHowFastHowLongAndTheScore) {
  ProgressState state = half_way();
  state.statistics = MatchStatistics{};
  state.statistics->games = 500;
  state.statistics->elo = 107.54;
  state.statistics->elo_error = 31.25;
  state.sprt = SprtResult{1.5, -2.944, 2.944, Verdict::kContinue};
  const auto lines = progress_block(state, 200);
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[0], "match janggi-kja: best against material");
  EXPECT_EQ(lines[1],
            "[###############---------------]  50.0 %  500/1000 games  2.0 games/s  ETA 4:10");
  EXPECT_EQ(lines[2], "best +250 =150 -100   Elo +107.5 +- 31.2   LLR 1.50 (-2.94, 2.94)");
  EXPECT_EQ(lines[3], "checkmate 350, repetition 150");
}

TEST(Progress, NoLineIsWiderThanTheTerminal) {
  ProgressState state = half_way();
  state.title = "\xED\x95\x9C\xEA\xB5\xAD\xEC\x9E\xA5\xEA\xB8\xB0";  // five syllables
  for (const int width : {1, 4, 20}) {
    for (const std::string& line : progress_block(state, width)) {
      int characters = 0;
      for (const char c : line) characters += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
      EXPECT_LE(characters, width);
    }
  }
  EXPECT_EQ(progress_block(state, 2)[0], "\xED\x95\x9C\xEA\xB5\xAD");  // whole characters
}

TEST(Progress, SaysNothingThatItDoesNotKnow) {
  ProgressState fresh;
  fresh.title = "generate xiangqi-casual";
  fresh.planned = 10;
  fresh.who = "red";
  const auto lines = progress_block(fresh, 200);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_NE(lines[1].find("ETA ?"), std::string::npos) << lines[1];
  fresh.statistics = MatchStatistics{};  // of no whole pair
  EXPECT_EQ(progress_block(fresh, 200)[2].find("Elo"), std::string::npos);
  EXPECT_EQ(progress_block(ProgressState{}, 80).size(), 3U);  // an empty plan
}

TEST(Progress, SlowRunsAreCountedByTheMinute) {
  ProgressState state = half_way();
  state.played = 4;
  EXPECT_NE(progress_line(state).find("1.2 games/min"), std::string::npos);
}

TEST(Progress, DurationsReadAsPeopleWriteThem) {
  EXPECT_EQ(duration_text(0), "0:00");
  EXPECT_EQ(duration_text(7.4), "0:07");
  EXPECT_EQ(duration_text(59.6), "1:00");
  EXPECT_EQ(duration_text(3605), "1:00:05");
  EXPECT_EQ(duration_text(3 * 86'400 + 4 * 3'600), "3 d 4 h");
  EXPECT_EQ(duration_text(-1), "?");
  EXPECT_EQ(duration_text(std::numeric_limits<double>::infinity()), "?");
  EXPECT_EQ(duration_text(std::numeric_limits<double>::quiet_NaN()), "?");
  EXPECT_NE(duration_text(1e300), "?");
}

// What is printed of so many runs, each shown so many times.
std::string printed(ProgressStyle style, int times, int runs = 1) {
  std::FILE* file = std::tmpfile();
  ProgressPrinter printer(style, file);
  for (int run = 0; run < runs; ++run) {
    for (int i = 0; i < times; ++i) printer.show(half_way());
    printer.finish(half_way());
  }
  std::string text(static_cast<std::size_t>(std::ftell(file)), '\0');
  std::rewind(file);
  EXPECT_EQ(std::fread(text.data(), 1, text.size(), file), text.size());
  std::fclose(file);
  return text;
}

TEST(Progress, QuietPrintsNothing) {
  EXPECT_EQ(printed(ProgressStyle::kQuiet, 100), "");
}

TEST(Progress, APipeGetsALineAMinuteAtMostAndNoControlCodes) {
  EXPECT_EQ(printed(ProgressStyle::kLines, 100), "");  // the first minute is not over
}

TEST(Progress, ATerminalsBlockIsDrawnOverItself) {
  const std::string text = printed(ProgressStyle::kLive, 100);
  // Once at once, once at the end, nothing between in so short a time.
  EXPECT_EQ(text.find("match"), 0U);
  EXPECT_NE(text.find("\x1b[4F\x1b[Jmatch"), std::string::npos);
  EXPECT_EQ(text.find("match", text.find("\x1b[Jmatch") + 5), std::string::npos);
}

// A night has one run after another, and lines of other kinds between their blocks.
TEST(Progress, ABlockThatIsFinishedIsNotDrawnOver) {
  const std::string one = printed(ProgressStyle::kLive, 100);
  EXPECT_EQ(printed(ProgressStyle::kLive, 100, 3), one + one + one);
}

}  // namespace
}  // namespace cannonade
