// The older protocol, and our engine as an outside one in our own matches.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <string>
#include <vector>

#include "core/notation/fen.h"
#include "core/notation/uci_move.h"
#include "selfplay/engine_lines.h"
#include "selfplay/outside_engine.h"
#include "tests/selfplay/child_program.h"
#include "tests/selfplay/stored_games.h"
#include "tests/selfplay/uci_child.h"

namespace cannonade {
namespace {

TEST(Ucci, GreetsPlaysAndSaysGoodbye) {
  UciChild child;
  child.send("ucci");
  const std::vector<std::string> greeting = child.read_to("ucciok");
  EXPECT_EQ(greeting.at(0).substr(0, 8), "id name ");
  EXPECT_EQ(lines_with(greeting, "option usemillisec type check default false").size(), 1U);
  EXPECT_EQ(lines_with(greeting, "option hashsize type spin ").size(), 1U);
  EXPECT_EQ(lines_with(greeting, "option newgame type button").size(), 1U);
  EXPECT_TRUE(lines_with(greeting, "option name").empty());
  EXPECT_TRUE(child.says("setoption usemillisec true").empty());
  EXPECT_TRUE(child.says("setoption newgame").empty());
  EXPECT_EQ(lines_with(child.says("setoption nothing 3"), "info message error: ").size(), 1U);

  // Red is r or w, and the last four fields may be missing.
  EXPECT_TRUE(child
                  .says("position fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR "
                        "r moves h2e2 h9g7")
                  .empty());
  const Ruleset rules = find_ruleset("xiangqi").value_or_throw();
  GameState game(parse_fen(rules, start_fen(Game::kXiangqi)).value_or_throw());
  game.play(parse_uci_move("h3e3").value_or_throw());
  game.play(parse_uci_move("h10g8").value_or_throw());
  for (const char* go : {"go depth 4", "go nodes 500", "go time 50", "go time 40 increment 10",
                         "go draw time 50 movestogo 1 opptime 50 oppmovestogo 1"}) {
    const std::string answer = child.ask(go, "bestmove");
    const auto move = parse_ucci_move(word_after(answer, "bestmove"));
    ASSERT_TRUE(move) << answer;
    EXPECT_TRUE(game.legal(*move)) << answer;
  }
  child.send("go depth infinite");
  EXPECT_TRUE(lines_with(child.hear(std::chrono::milliseconds(100)), "bestmove").empty());
  child.send("stop");
  const std::vector<std::string> lines = child.read_to("bestmove");
  EXPECT_TRUE(lines_with(lines, " cp ").empty());
  EXPECT_EQ(child.ask("quit", "bye"), "bye");
  EXPECT_EQ(child.end(), "exit code 0");
}

TEST(Ucci, TimesAreSecondsUnlessToldOtherwise) {
  UciChild child;
  child.send("ucci");
  child.read_to("ucciok");
  child.send("position startpos");
  child.send("go time 1000 increment 0");  // a quarter of an hour
  EXPECT_TRUE(lines_with(child.hear(std::chrono::milliseconds(400)), "bestmove").empty());
  child.ask("stop", "bestmove");
  child.says("setoption usemillisec on");
  child.ask("go time 1000 increment 0", "bestmove");
}

TEST(Ucci, BannedTurnsAreNotPlayedAndWithoutAnyThereIsNoBestMove) {
  UciChild child;
  child.send("ucci");
  child.read_to("ucciok");
  // The general's steps to d0 and f0, and e1.
  child.send("position fen 3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1");
  child.send("banmoves e0e1");
  EXPECT_EQ(word_after(child.ask("go depth 3", "bestmove"), "bestmove"), "e0f0");
  child.send("banmoves e0e1 e0f0 nonsense");
  EXPECT_EQ(child.ask("go depth 3", "nobestmove"), "nobestmove");
  child.send("position fen 3k5/R8/9/9/9/9/9/9/9/4K4 b - - 0 1");  // stalemate
  EXPECT_EQ(child.ask("go depth 3", "nobestmove"), "nobestmove");
}

TEST(UciInMatches, OurDriverPlaysItInEveryRuleSetAndProtocol) {
  for (const Ruleset& rules : rulesets()) {
    for (const Protocol protocol : {Protocol::kUci, Protocol::kUcci}) {
      if (protocol == Protocol::kUcci && rules.game != Game::kXiangqi) continue;
      EngineConfig config;
      config.name = "ours";
      config.command = {std::string(CANNONADE_BIN_DIR) + "/selfplay", "uci"};
      config.protocol = protocol;
      OutsideEngine engine(config, rules);
      engine.check();
      engine.new_game(rules, 1);
      GameState game(parse_fen(rules, start_fen(rules.game)).value_or_throw());
      SearchLimits limits;
      limits.nodes = 300;
      for (int ply = 0; ply < 6 && !game.outcome(); ++ply) {
        const MoveChoice choice = engine.choose(game, limits);
        ASSERT_EQ(choice.failure, "") << rules.id;
        ASSERT_TRUE(game.legal(choice.move)) << rules.id << " " << to_uci(choice.move);
        EXPECT_TRUE(choice.has_score);
        game.play(choice.move);
      }
    }
  }
}

TEST(UciInMatches, TwoOfThemPlayAMatch) {
  const TempFolder folder;
  const auto write = [&](const std::string& name, const std::string& extra) {
    const auto file = folder / (name + ".toml");
    std::ofstream(file) << fmt::format("name = \"{}\"\ncommand = [\"{}/selfplay\", \"uci\"]\n{}",
                                       name, CANNONADE_BIN_DIR, extra);
    return file.string();
  };
  const std::string a = write("first", "[options]\nHash = \"2\"\n");
  const std::string b = write("second", "[options]\nHash = \"1\"\nWeights = \"material\"\n");
  for (const Ruleset& rules : rulesets()) {
    const ProgramResult result =
        run_program("selfplay",
                    {"match", "--rules", rules.id, "--a", a, "--b", b, "--games", "2", "--nodes",
                     "60", "--threads", "1", "--json"},
                    folder.path());
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_NE(result.out.find("\"games\":2"), std::string::npos) << result.out;
    EXPECT_EQ(result.out.find("forfeit"), std::string::npos) << result.out;
  }
}

}  // namespace
}  // namespace cannonade
