// `selfplay uci` among hostile lines, positions and ends of input.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "core/base/rng.h"
#include "tests/selfplay/stored_games.h"
#include "tests/selfplay/uci_child.h"

namespace cannonade {
namespace {

TEST(Uci, EndsWithItsInputAndTakesFilesAndAnyLineEnd) {
  const TempFolder folder;
  const auto file = folder / "script";
  std::ofstream(file) << "uci\r\nposition startpos moves a4a5\r\ngo depth 3";
  std::string command = "timeout 60 '";
  command += CANNONADE_BIN_DIR;
  command += "/selfplay' uci < '";
  command += file.string();
  command += '\'';
  std::FILE* pipe = ::popen(command.c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  std::string text;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
  EXPECT_EQ(::pclose(pipe), 0);
  EXPECT_NE(text.find("uciok\n"), std::string::npos);
  EXPECT_NE(text.find("\nbestmove "), std::string::npos);
  EXPECT_EQ(text.find("error"), std::string::npos) << text;
}

TEST(Uci, SurvivesLinesNoOneShouldSend) {
  UciChild child;
  std::string bytes;
  for (int c = 0; c < 256; ++c) {
    if (c != '\n') bytes += static_cast<char>(c);
  }
  child.send(bytes);
  child.send("position fen " + bytes);
  child.send("setoption name Weights value " + bytes);
  child.send("go depth " + bytes + " nodes 10");
  child.send(std::string("isready\0stop", 12));
  child.send("");
  child.send("   \t  ");
  child.send(std::string(5'000'000, 'x'));
  child.send("position startpos moves " + std::string(900'000, ' ') + "a4a5");
  std::string passes = "position startpos moves";
  for (int i = 0; i < 20'000; ++i) passes += i % 2 == 0 ? " e2e2" : " e9e9";
  child.send(passes);
  child.send("go nodes 1");
  child.send("unknown words before isready");
  const std::vector<std::string> lines = child.read_to("readyok");
  EXPECT_EQ(lines_with(lines, "a line of more than 1048576 bytes").size(), 1U);
  EXPECT_EQ(lines_with(lines, "more than 10000 turns").size(), 1U);
  for (const std::string& line : lines) {
    EXPECT_LT(line.size(), 2000U);
    EXPECT_EQ(std::count_if(line.begin(), line.end(),
                            [](char c) { return static_cast<unsigned char>(c) < 0x20; }),
              0)
        << line;
  }
  child.ask("go depth 1", "bestmove");
  child.send("quit");
  EXPECT_EQ(child.end(), "exit code 0");
}

TEST(Uci, SurvivesRandomCommands) {
  const std::vector<std::string> words{
      "uci",      "ucci",      "isready",     "ucinewgame",  "setoption",
      "position", "banmoves",  "go",          "stop",        "ponderhit",
      "d",        "eval",      "debug",       "name",        "value",
      "Hash",     "MultiPV",   "UCI_Variant", "xiangqi",     "janggi",
      "Clear",    "hashsize",  "newgame",     "usemillisec", "true",
      "on",       "startpos",  "fen",         "moves",       "3k5/R8/9/9/9/9/2p6/9/9/4K2R1",
      "w",        "b",         "r",           "-",           "a4a5",
      "a3a4",     "e2e2",      "h3e3",        "h2e2",        "depth",
      "nodes",    "movetime",  "wtime",       "btime",       "winc",
      "binc",     "movestogo", "mate",        "searchmoves", "infinite",
      "ponder",   "time",      "increment",   "draw",        "0",
      "1",        "2",         "3",           "-1",          "99999999999999999999",
      "0x10",     "1e9",       "\xFF\xFE",    "%s%n",        "{}",
      "(none)"};
  UciChild child;
  Rng rng(2024);
  for (int i = 0; i < 400; ++i) {
    std::string line = words[rng.below(12)];
    for (std::uint64_t n = rng.below(7); n > 0; --n) line += " " + words[rng.below(words.size())];
    child.send(line);
    if (i % 20 == 0) child.send("stop");
    child.ask("isready", "readyok");  // and what it said is read before it fills the pipe
  }
  child.send("quit");
  child.hear(UciChild::kPatience);
  EXPECT_EQ(child.end(), "exit code 0");
}

TEST(Uci, StopsInPositionsThatExplode) {
  UciChild child;
  for (const char* fen : {"rcrckcrcr/crcrcrcrc/rcrcrcrcr/crcrcrcrc/rcrcrcrcr/"
                          "RCRCRCRCR/CRCRCRCRC/RCRCRCRCR/CRCRCRCRC/RCRCKCRCR w - - 0 1",
                          "r1r1k1r1r/1r1r1r1r1/r1r1r1r1r/1r1r1r1r1/n1n1n1n1n/"
                          "N1N1N1N1N/1R1R1R1R1/R1R1R1R1R/1R1R1R1R1/R1R1K1R1R w - - 0 1"}) {
    ASSERT_TRUE(child.says(std::string("position fen ") + fen).empty());
    child.send("go infinite");
    child.hear(std::chrono::milliseconds(200));
    const auto begin = UciChild::Clock::now();
    child.ask("stop", "bestmove");
    EXPECT_LT(UciChild::Clock::now() - begin, UciChild::kSlower * std::chrono::seconds(2));
    child.ask("go movetime 50", "bestmove");
    EXPECT_LT(UciChild::Clock::now() - begin, UciChild::kSlower * std::chrono::seconds(4));
  }
}

}  // namespace
}  // namespace cannonade
