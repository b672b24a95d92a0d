#include "selfplay/uci.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <regex>
#include <set>

#include "core/notation/fen.h"
#include "core/notation/uci_move.h"
#include "eval/weights.h"
#include "tests/selfplay/stored_games.h"
#include "tests/selfplay/uci_child.h"

namespace cannonade {
namespace {

using std::chrono::milliseconds;

// Both chariots bear on Black's last two ranks; its general is bound to file d, since on file e it
// would face the other (X11).
constexpr const char* kMateInOne = "position fen 3k5/R8/9/9/9/9/2p6/9/9/4K2R1 w - - 0 1";
constexpr const char* kMatedInOne = "position fen 3k5/R8/9/9/9/9/2p6/9/9/4K2R1 b - - 0 1";
constexpr const char* kStalemate = "position fen 3k5/R8/9/9/9/9/9/9/9/4K4 b - - 0 1";
constexpr const char* kJanggiMate = "position fen 3k4R/R8/9/9/9/9/9/9/9/4K4 b - - 0 1";

Ruleset rules_named(const std::string& name) {
  return find_ruleset(name).value_or_throw();
}

std::string board_line(UciChild& child) {
  return lines_with(child.says("d"), "fen: ").at(0);
}

TEST(Uci, GreetsWithNameAuthorAndEveryOption) {
  UciChild child;
  child.send("uci");
  const std::vector<std::string> lines = child.read_to("uciok");
  EXPECT_EQ(lines.at(0).substr(0, 17), "id name Cannonade");
  EXPECT_EQ(lines.at(1).substr(0, 10), "id author ");
  std::set<std::string> options;
  for (const std::string& line : lines_with(lines, "option name ")) {
    options.insert(line.substr(12, line.find(" type ") - 12));
  }
  EXPECT_EQ(options,
            (std::set<std::string>{"UCI_Variant", "Hash", "Clear Hash", "Threads", "MultiPV",
                                   "Ponder", "UCI_AnalyseMode", "Weights", "UCI_LimitStrength",
                                   "UCI_Elo", "Skill Level", "Levels", "Skill Seed"}));
  EXPECT_EQ(lines_with(lines, "Threads").at(0),
            "option name Threads type spin min 1 max 1 default 1");
  const std::string variant = lines_with(lines, "UCI_Variant").at(0);
  for (const char* name : {"janggi", "janggitraditional", "xiangqi", "janggi-kja",
                           "janggi-point-count", "xiangqi-casual"}) {
    EXPECT_NE((variant + " ").find(std::string(" var ") + name + " "), std::string::npos) << name;
  }
  EXPECT_EQ(child.ask("isready", "readyok"), "readyok");
  child.send("quit");
  EXPECT_EQ(child.end(), "exit code 0");
}

TEST(Uci, VariantsMeanTheRuleSetsThatTheirNamesMeanElsewhere) {
  UciChild child;
  for (const char* name : {"janggi-kja", "janggi-point-count", "xiangqi-casual",
                           "janggi-tournament", "janggi-points", "xiangqi"}) {
    const std::string value(name);
    EXPECT_EQ(child.ask("setoption name UCI_Variant value " + value, "info"),
              "info string rules " + rules_named(value).id);
  }
  // Fairy-Stockfish's janggi counts points, its janggitraditional does not.
  EXPECT_EQ(child.ask("setoption name UCI_Variant value janggi", "info"),
            "info string rules janggi-point-count");
  EXPECT_EQ(child.ask("setoption name uci_variant value JanggiTraditional", "info"),
            "info string rules janggi-kja");
  EXPECT_NE(child.ask("setoption name UCI_Variant value chess", "info").find("error: "),
            std::string::npos);
  EXPECT_NE(board_line(child).find("/4k4/"), std::string::npos);  // still janggi's start
}

TEST(Uci, RefusesOptionsWithWhatIsAllowed) {
  UciChild child;
  EXPECT_EQ(child.ask("setoption name Threads value 2", "info"),
            "info string error: option Threads: '2' given; allowed: whole number, 1 to 1");
  for (const char* line :
       {"setoption name Hash value 0", "setoption name Hash value 99999999999999999999",
        "setoption name Hash value", "setoption name Hash value 8x", "setoption name Skill value 1",
        "setoption name", "setoption", "setoption Hash 3", "setoption name Ponder value maybe",
        "setoption name Weights value /no/such/file.toml"}) {
    const std::vector<std::string> answer = child.says(line);
    ASSERT_EQ(answer.size(), 1U) << line;
    EXPECT_EQ(answer[0].substr(0, 20), "info string error: " + answer[0].substr(19, 1)) << line;
  }
  for (const char* line :
       {"setoption name Hash value 4", "setoption name clear hash",
        "setoption name Ponder value true", "setoption name MultiPV value 2",
        "setoption name UCI_AnalyseMode value true", "setoption name Weights value material",
        "setoption name Weights value <empty>"}) {
    EXPECT_TRUE(child.says(line).empty()) << line;
  }
}

TEST(Uci, WeightsComeFromANameOrAFileThatFits) {
  const TempFolder folder;
  const auto file = folder / "two words {rules}.toml";
  const auto named = folder / "two words xiangqi-casual.toml";
  Weights weights = material_weights(rules_named("xiangqi"));
  weights.set(offset_of(FeatureGroup::kTempo), {77, 77});
  std::ofstream(named) << weights.to_toml();

  UciChild child;
  child.ask("setoption name UCI_Variant value xiangqi", "info");
  EXPECT_TRUE(child.says("setoption name Weights value " + file.string()).empty());
  EXPECT_FALSE(lines_with(child.says("eval"), "77").empty());
  // There is none for janggi: said, and the shipped ones are used.
  const std::vector<std::string> answer = child.says("setoption name UCI_Variant value janggi");
  ASSERT_EQ(answer.size(), 2U);
  EXPECT_NE(answer[0].find("error: Weights is default again: "), std::string::npos);
  EXPECT_EQ(answer[1], "info string rules janggi-point-count");
  // Of another rule set.
  EXPECT_EQ(
      lines_with(child.says("setoption name Weights value " + named.string()), "error").size(), 1U);
}

TEST(Uci, TellsDepthScoreNodesSpeedHashTimeAndLine) {
  UciChild child;
  child.send("position startpos");
  child.send("go depth 7");
  const std::vector<std::string> lines = child.read_to("bestmove");
  const std::vector<std::string> last = lines_with(lines, "info depth 7 ");
  ASSERT_FALSE(last.empty());
  const std::regex shape(
      "info depth 7 seldepth [0-9]+ multipv 1 score (cp -?[0-9]+|mate -?[0-9]+)"
      "( upperbound| lowerbound)? nodes [0-9]+ nps [0-9]+ hashfull [0-9]+ time [0-9]+"
      "( pv( [a-i][0-9]+[a-i][0-9]+)+)?");
  for (const std::string& line : lines_with(lines, "info depth 7 ")) {
    EXPECT_TRUE(std::regex_match(line, shape)) << line;
  }
  EXPECT_EQ(word_after(lines.back(), "bestmove"), word_after(last.back(), "pv"));
  EXPECT_TRUE(lines_with(lines, "info depth 8 ").empty());
}

TEST(Uci, KeepsToNodes) {
  UciChild child;
  child.send("go nodes 20000");
  std::uint64_t most = 0;
  for (const std::string& line : lines_with(child.read_to("bestmove"), " nodes ")) {
    most = std::max<std::uint64_t>(most, std::stoull(word_after(line, "nodes")));
  }
  EXPECT_GT(most, 1000U);
  EXPECT_LE(most, 20'000U);
}

TEST(Uci, AnswersByTheClock) {
  UciChild child;
  for (const char* go : {"go movetime 50", "go wtime 1000 btime 1", "go wtime 60 btime 60 winc 10",
                         "go wtime 0", "go wtime -30 btime 100 movestogo 1"}) {
    child.ask("isready", "readyok");
    const auto begin = UciChild::Clock::now();
    EXPECT_NE(word_after(child.ask(go, "bestmove"), "bestmove"), "") << go;
    EXPECT_LT(UciChild::Clock::now() - begin, UciChild::kSlower * std::chrono::seconds(3)) << go;
  }
}

TEST(Uci, StopsAtOnceAndInfiniteDoesNotEndBefore) {
  UciChild child;
  child.send("position startpos");
  child.send("go infinite");
  EXPECT_TRUE(lines_with(child.hear(milliseconds(300)), "bestmove").empty());
  const auto begin = UciChild::Clock::now();
  child.ask("isready", "readyok");  // answered meanwhile
  child.ask("stop", "bestmove");
  EXPECT_LT(UciChild::Clock::now() - begin, UciChild::kSlower * std::chrono::seconds(1));
  // Nothing left to search: the answer waits all the same.
  child.send("go infinite depth 1");
  EXPECT_TRUE(lines_with(child.hear(milliseconds(200)), "bestmove").empty());
  child.ask("stop", "bestmove");
  EXPECT_TRUE(child.says("stop").empty());  // idle: nothing to say
  // A bare `go` has no limit.
  child.send("go");
  EXPECT_TRUE(lines_with(child.hear(milliseconds(200)), "bestmove").empty());
  child.ask("stop", "bestmove");
}

TEST(Uci, EveryGoIsAnsweredOnceEvenWhenOneInterruptsAnother) {
  UciChild child;
  child.send("go infinite");
  child.send("go infinite");
  child.send("ucinewgame");
  child.send("go ponder");
  child.send("setoption name Hash value 2");
  child.send("go infinite");
  child.send("quit");
  std::vector<std::string> lines = child.hear(UciChild::kPatience);  // until its output closes
  EXPECT_EQ(lines_with(lines, "bestmove ").size(), 4U);
  EXPECT_EQ(child.end(), "exit code 0");
}

TEST(Uci, SearchesOnlyTheTurnsAskedFor) {
  UciChild child;
  child.send("position startpos");
  child.send("go depth 5 searchmoves a1a2 i1i2");
  const std::vector<std::string> lines = child.read_to("bestmove");
  for (const std::string& line : lines_with(lines, " pv ")) {
    EXPECT_TRUE(word_after(line, "pv") == "a1a2" || word_after(line, "pv") == "i1i2") << line;
  }
  child.send("go searchmoves a4a5 zzz i4i9 i4h4 depth 2");
  const std::vector<std::string> odd = child.read_to("bestmove");
  EXPECT_EQ(lines_with(odd, "error").size(), 2U);  // of zzz and i4i9
  for (const std::string& line : lines_with(odd, " pv ")) {
    EXPECT_TRUE(word_after(line, "pv") == "a4a5" || word_after(line, "pv") == "i4h4") << line;
  }
}

TEST(Uci, ShowsAsManyLinesAsAskedForOrThereAre) {
  UciChild child;
  child.says("setoption name MultiPV value 3");
  child.send("position startpos");
  child.send("go depth 4");
  std::set<std::string> firsts;
  for (const std::string& line : lines_with(child.read_to("bestmove"), "info depth 4 ")) {
    if (line.find("bound ") == std::string::npos) firsts.insert(word_after(line, "pv"));
  }
  EXPECT_GE(firsts.size(), 3U);
  child.says("setoption name MultiPV value 50");
  child.send("position fen 3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1");
  child.send("go depth 2");
  std::set<std::string> ranks;
  for (const std::string& line : lines_with(child.read_to("bestmove"), " multipv ")) {
    ranks.insert(word_after(line, "multipv"));
  }
  EXPECT_EQ(ranks, (std::set<std::string>{"1", "2", "3", "4"}));  // d1, f1, e2, and the pass
}

TEST(Uci, TellsTheLinesOfAnIterationBestFirst) {
  for (const char* variant : {"xiangqi", "janggi", "janggitraditional"}) {
    UciChild child;
    child.says("setoption name MultiPV value 5");
    child.says(std::string("setoption name UCI_Variant value ") + variant);
    child.send("position startpos");
    child.send("go depth 9");
    int rank = 0;
    int depth = 0;
    int before = 0;
    for (const std::string& line : lines_with(child.read_to("bestmove"), " multipv ")) {
      ASSERT_EQ(line.find("bound "), std::string::npos) << line;
      const int score = std::stoi(word_after(line, "cp"));
      ASSERT_EQ(std::stoi(word_after(line, "multipv")), rank % 5 + 1) << line;
      if (rank % 5 == 0) {
        ASSERT_EQ(std::stoi(word_after(line, "depth")), ++depth) << line;
      } else {
        ASSERT_LE(score, before) << line;
      }
      before = score;
      ++rank;
    }
    EXPECT_EQ(rank, 45);
  }
}

TEST(Uci, PonderingLastsUntilTheHitAndThenTheClockCounts) {
  UciChild child;
  child.send("position startpos moves a4a5");
  child.send("go ponder wtime 100 btime 100");  // the other's time, so far
  EXPECT_TRUE(lines_with(child.hear(milliseconds(300)), "bestmove").empty());
  child.ask("ponderhit", "bestmove");
  // Thought that cost nothing counts; here there was none before the hit.
  child.send("go ponder movetime 400");
  const auto begin = UciChild::Clock::now();
  child.ask("ponderhit", "bestmove");
  EXPECT_GT(UciChild::Clock::now() - begin, milliseconds(300));
  // Found all there is before the hit.
  child.send("go ponder depth 2");
  EXPECT_TRUE(lines_with(child.hear(milliseconds(200)), "bestmove").empty());
  child.ask("ponderhit", "bestmove");
  EXPECT_TRUE(child.says("ponderhit").empty());  // idle: nothing to say
  // Another turn was played than expected.
  child.send("go ponder wtime 100000 btime 100000");
  child.ask("stop", "bestmove");
}

TEST(Uci, TheTurnToPonderIsTheAnswerExpected) {
  UciChild child;
  child.send("position startpos");
  const std::string answer = child.ask("go depth 6", "bestmove");
  const Ruleset rules = rules_named("janggi-kja");
  GameState game(parse_fen(rules, start_fen(Game::kJanggi)).value_or_throw());
  game.play(parse_uci_move(word_after(answer, "bestmove")).value_or_throw());
  EXPECT_TRUE(game.legal(parse_uci_move(word_after(answer, "ponder")).value_or_throw())) << answer;
}

TEST(Uci, CountsMatesInTurnsOfTheMover) {
  UciChild child;
  child.says("setoption name UCI_Variant value xiangqi");
  child.send(kMateInOne);
  child.send("go depth 4");
  std::vector<std::string> lines = child.read_to("bestmove");
  EXPECT_FALSE(lines_with(lines, "score mate 1 ").empty());
  EXPECT_EQ(word_after(lines.back(), "bestmove"), "h1h10");
  child.send(kMatedInOne);
  child.send("go depth 4");
  EXPECT_FALSE(lines_with(child.read_to("bestmove"), "score mate -1 ").empty());
  child.send(kMateInOne);
  EXPECT_EQ(word_after(child.ask("go mate 1", "bestmove"), "bestmove"), "h1h10");
}

TEST(Uci, WithoutALegalTurnThereIsNoBestMove) {
  UciChild child;
  child.send(kJanggiMate);
  child.send("go depth 3");
  std::vector<std::string> lines = child.read_to("bestmove");
  EXPECT_EQ(lines.back(), "bestmove (none)");
  EXPECT_EQ(lines_with(lines, "score mate 0").size(), 1U);
  child.says("setoption name UCI_Variant value xiangqi");
  child.send(kStalemate);
  EXPECT_EQ(child.ask("go movetime 100", "bestmove"), "bestmove (none)");
  child.send("go infinite");
  EXPECT_TRUE(lines_with(child.hear(milliseconds(100)), "bestmove").empty());
  EXPECT_EQ(child.ask("stop", "bestmove"), "bestmove (none)");
}

TEST(Uci, AnIllegalPositionOrTurnLeavesTheLastGoodOne) {
  UciChild child;
  child.send("position startpos moves a4a5 a7a6");
  const std::string before = board_line(child);
  for (const char* line :
       {"position", "position end", "position fen", "position fen 9/9 w - - 0 1",
        "position fen rnba1abnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBA1ABNR w - - 0 1",
        "position startpos moves a4a5 a4a5", "position startpos moves a4a5 a5a6 junk",
        "position startpos a4a5", "position startpos moves a1a1", "position startpos moves b1b3"}) {
    const std::vector<std::string> answer = child.says(line);
    ASSERT_EQ(answer.size(), 1U) << line;
    EXPECT_EQ(answer[0].substr(0, 28), "info string error: position:") << line;
  }
  EXPECT_EQ(board_line(child), before);
}

TEST(Uci, ThePassIsTheGeneralsPointTwice) {
  UciChild child;
  child.send("position startpos moves e2e2");
  EXPECT_NE(board_line(child).find(" b - - 1 1"), std::string::npos);
  // Bound on all sides, it is all there is: the soldiers block, the general may not step out.
  child.send("position startpos");
  EXPECT_EQ(word_after(child.ask("go depth 2 searchmoves e2e2", "bestmove"), "bestmove"), "e2e2");
  // Xiangqi has none (X12).
  child.says("setoption name UCI_Variant value xiangqi");
  EXPECT_EQ(lines_with(child.says("position startpos moves e1e1"), "error").size(), 1U);
}

TEST(Uci, GoesOnBehindAnEnding) {
  UciChild child;
  child.send("position startpos moves e2e2 e9e9");  // a double pass: level (J24)
  EXPECT_EQ(lines_with(child.says("d"), "over: drawn by double_pass").size(), 1U);
  child.send("position startpos moves e2e2 e9e9 a4a5");
  EXPECT_NE(word_after(child.ask("go nodes 100", "bestmove"), "bestmove"), "(none)");
}

TEST(Uci, ExplainsAPosition) {
  UciChild child;
  child.send("position fen 4k4/9/9/9/9/9/9/9/9/R3K4 w - - 0 1");
  child.says("setoption name Weights value material");
  const std::vector<std::string> table = child.says("eval");
  EXPECT_EQ(lines_with(table, "material ").size(), 1U);
  EXPECT_FALSE(lines_with(table, "evaluation").empty());
  EXPECT_FALSE(lines_with(table, "material.chariot").empty());
}

}  // namespace
}  // namespace cannonade
