#include "selfplay/outside_engine.h"

#include <dirent.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

#include "core/notation/fen.h"
#include "core/notation/uci_move.h"
#include "selfplay/engine_lines.h"
#include "selfplay/play_game.h"
#include "tests/selfplay/scripted_player.h"
#include "tests/selfplay/stored_games.h"
#include "tests/support/rulesets.h"

namespace cannonade {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

EngineConfig scripted(const std::string& mode) {
  EngineConfig config;
  config.name = mode;
  config.command = {std::string(CANNONADE_SOURCE_DIR) + "/tests/selfplay/misbehaving_engine.sh",
                    mode};
  config.handshake_seconds = 5;
  config.hang_seconds = 0.5;
  return config;
}

GameState start() {
  return GameState(parse_fen(kKja, start_fen(Game::kJanggi)).value_or_throw());
}

SearchLimits nodes(std::uint64_t count) {
  SearchLimits limits;
  limits.nodes = count;
  return limits;
}

MoveChoice first_choice(const std::string& mode) {
  OutsideEngine engine(scripted(mode), kKja);
  engine.new_game(kKja, 1);
  return engine.choose(start(), nodes(100));
}

TEST(OutsideEngine, TakesTurnScoreNodesAndDepth) {
  const MoveChoice choice = first_choice("good");
  EXPECT_EQ(choice.failure, "");
  EXPECT_EQ(to_uci(choice.move), "a4a5");
  EXPECT_TRUE(choice.has_score);
  EXPECT_EQ(choice.score, 34);  // not the second variation's, not a bound's
  EXPECT_EQ(choice.nodes, 1400U);
  EXPECT_EQ(to_uci(first_choice("crlf").move), "a4a5");
  EXPECT_FALSE(first_choice("crlf").has_score);
}

TEST(OutsideEngine, ReadsMatesAsPlies) {
  EXPECT_EQ(first_choice("mate").score, -(kMateScore - 4));  // mated in two moves: four plies
}

TEST(OutsideEngine, HandsOnIllegalTurnsAndClaims) {
  const MoveChoice illegal = first_choice("illegal");
  EXPECT_EQ(illegal.failure, "");
  EXPECT_EQ(to_uci(illegal.move), "a4a9");
  const MoveChoice none = first_choice("none");
  EXPECT_EQ(none.failure, "");
  EXPECT_FALSE(static_cast<bool>(none.move));
  EXPECT_TRUE(first_choice("resign").resign);
}

TEST(OutsideEngine, TellsEveryBreakdownInTime) {
  struct Case {
    const char* mode;
    const char* says;
  };
  for (const Case& each :
       {Case{"silence", "no bestmove after "}, Case{"chatter", "no bestmove after "},
        Case{"flood", "bytes without an end of line"},
        Case{"garbage", "it answered 'bestmove q9z9', which is not a move"},
        Case{"exit", "its output ended (exit code 3) before bestmove"},
        Case{"segv", "its output ended (killed by signal 11)"}}) {
    const auto begin = Clock::now();
    const MoveChoice choice = first_choice(each.mode);
    EXPECT_FALSE(static_cast<bool>(choice.move)) << each.mode;
    EXPECT_NE(choice.failure.find(each.says), std::string::npos)
        << each.mode << ": " << choice.failure;
    EXPECT_LT(Clock::now() - begin, std::chrono::seconds(4)) << each.mode;
  }
}

TEST(OutsideEngine, KeepsTheTailOfStandardError) {
  const MoveChoice choice = first_choice("exit");
  EXPECT_NE(choice.failure.find("assertion failed"), std::string::npos) << choice.failure;
}

TEST(OutsideEngine, AHandshakeThatFailsIsToldByEveryChoice) {
  for (const auto& [mode, says] :
       {std::pair("no-handshake", "no uciok after"), std::pair("deaf", "no uciok after"),
        std::pair("dies-at-start", "no licence found")}) {
    EngineConfig config = scripted(mode);
    config.handshake_seconds = 0.4;
    OutsideEngine engine(config, kKja);
    EXPECT_NE(error_of([&] { engine.check(); }).find(says), std::string::npos) << mode;
    engine.new_game(kKja, 1);
    EXPECT_NE(engine.choose(start(), nodes(1)).failure.find(says), std::string::npos) << mode;
  }
}

TEST(OutsideEngine, ItsOwnTimeComesBeforeOurPatience) {
  EngineConfig config = scripted("slow");  // 0.3 s a turn
  config.hang_seconds = 0.1;
  OutsideEngine engine(config, kKja);
  engine.new_game(kKja, 1);
  SearchLimits limits;
  limits.movetime = milliseconds(2000);
  EXPECT_EQ(engine.choose(start(), limits).failure, "");
  limits = {};
  limits.remaining = {milliseconds(2000), milliseconds(1)};
  EXPECT_EQ(engine.choose(start(), limits).failure, "");
  EXPECT_NE(engine.choose(start(), nodes(100)).failure, "");
}

TEST(OutsideEngine, ABrokenChildIsReplacedForTheNextGame) {
  const TempFolder folder;
  EngineConfig config = scripted("exit");
  config.command.push_back((folder / "starts").string());
  OutsideEngine engine(config, kKja);
  const auto starts = [&] {
    std::ifstream file(folder / "starts");
    return std::count(std::istreambuf_iterator<char>(file), {}, '\n');
  };
  engine.new_game(kKja, 1);
  EXPECT_NE(engine.choose(start(), nodes(1)).failure, "");
  EXPECT_NE(engine.choose(start(), nodes(1)).failure, "");  // still none
  EXPECT_EQ(starts(), 1);
  engine.new_game(kKja, 2);
  EXPECT_NE(engine.choose(start(), nodes(1)).failure, "");
  EXPECT_EQ(starts(), 2);

  EngineConfig sound = scripted("good");
  sound.command.push_back((folder / "starts").string());
  OutsideEngine other(sound, kKja);
  for (int game = 0; game < 3; ++game) {
    other.new_game(kKja, 1);
    EXPECT_EQ(other.choose(start(), nodes(1)).failure, "");
  }
  EXPECT_EQ(starts(), 3);  // one child for all three games
}

// What is sent, as the child saw it.
std::string seen_by_child(EngineConfig config, const GameState& game, const SearchLimits& limits) {
  config.command[1] = "silence";
  config.hang_seconds = 0.2;
  OutsideEngine engine(config, game.position().rules());
  engine.new_game(game.position().rules(), 1);
  return engine.choose(game, limits).failure;
}

TEST(OutsideEngine, SendsPositionLimitsVariantAndOptions) {
  EngineConfig config = scripted("silence");
  config.options = {{"hash", "8"}, {"Long Name", "a b"}};
  GameState game = start();
  for (const char* word : {"a4a5", "e9e9"}) game.play(parse_uci_move(word).value_or_throw());
  SearchLimits limits = nodes(77);
  limits.depth = 6;
  const std::string seen = seen_by_child(config, game, limits);
  EXPECT_NE(seen.find("setoption name UCI_Variant value janggitraditional"), std::string::npos)
      << seen;
  EXPECT_NE(seen.find("setoption name Hash value 8"), std::string::npos) << seen;
  EXPECT_NE(seen.find("setoption name Long Name value a b"), std::string::npos) << seen;
  EXPECT_NE(seen.find("position fen " + std::string(start_fen(Game::kJanggi)) + " moves a4a5 e9e9"),
            std::string::npos)
      << seen;
  EXPECT_NE(seen.find("go nodes 77 depth 6"), std::string::npos) << seen;

  SearchLimits clock;
  clock.remaining = {milliseconds(300), milliseconds(4000)};
  clock.increment = {milliseconds(100), milliseconds(200)};
  const std::string on_clock = seen_by_child(scripted("silence"), start(), clock);
  EXPECT_NE(on_clock.find("go wtime 300 btime 4000 winc 100 binc 200"), std::string::npos)
      << on_clock;
}

TEST(OutsideEngine, RefusesWhatTheEngineDoesNotHave) {
  EngineConfig config = scripted("good");
  config.options = {{"NoSuchOption", "1"}};
  OutsideEngine engine(config, kKja);
  EXPECT_NE(error_of([&] { engine.check(); }).find("it has no option 'NoSuchOption'"),
            std::string::npos);
  EngineConfig variant = scripted("good");
  variant.variants = {{"janggi-kja", "chess960"}};
  OutsideEngine other(variant, kKja);
  EXPECT_NE(error_of([&] { other.check(); }).find("it has no variant 'chess960'"),
            std::string::npos);
}

// What an engine says of itself is kept up to a bound: options beyond it are as if it had none.
TEST(OutsideEngine, ListsOfOptionsWithoutEndAreCut) {
  EngineConfig config = scripted("many-options");
  config.handshake_seconds = 30;
  config.options = {{"Early", "1"}};
  OutsideEngine engine(config, kKja);
  engine.check();
  config.options = {{"Late", "1"}};
  OutsideEngine other(config, kKja);
  EXPECT_NE(error_of([&] { other.check(); }).find("it has no option 'Late'"), std::string::npos);
}

TEST(OutsideEngine, SpeaksUcciWithRanksFromZero) {
  EXPECT_EQ(to_ucci(parse_uci_move("b3e3").value_or_throw()), "b2e2");
  EXPECT_EQ(to_uci(parse_ucci_move("a0a9").value_or_throw()), "a1a10");
  for (const char* word : {"", "b2", "b2e", "j2e2", "b2e22", "b2eX"}) {
    EXPECT_FALSE(parse_ucci_move(word)) << word;
  }
  EngineConfig config = scripted("ucci");
  config.protocol = Protocol::kUcci;
  const Ruleset xiangqi = find_ruleset("xiangqi").value_or_throw();
  OutsideEngine engine(config, xiangqi);
  engine.new_game(xiangqi, 1);
  const GameState game(parse_fen(xiangqi, start_fen(Game::kXiangqi)).value_or_throw());
  const MoveChoice choice = engine.choose(game, nodes(5));
  EXPECT_EQ(choice.failure, "");
  EXPECT_EQ(to_uci(choice.move), "b3e3");
  EXPECT_EQ(choice.score, 17);
}

TEST(OutsideEngine, WordsAreGivenWithoutAShell) {
  const TempFolder folder;
  EngineConfig config = scripted("good");
  const std::string evil = (folder / "a; touch pwned $(touch pwned)").string();
  config.command.push_back(evil);
  OutsideEngine engine(config, kKja);
  engine.new_game(kKja, 1);
  EXPECT_TRUE(std::filesystem::exists(evil));  // one word, taken as it is
}

int open_descriptors() {
  int count = 0;
  DIR* folder = ::opendir("/proc/self/fd");
  while (::readdir(folder) != nullptr) ++count;
  ::closedir(folder);
  return count;
}

TEST(OutsideEngine, LeavesNoDescriptorAndNoProcessBehind) {
  (void)first_choice("good");
  const int before = open_descriptors();
  for (const char* mode : {"good", "exit", "silence", "garbage"}) (void)first_choice(mode);
  EXPECT_EQ(open_descriptors(), before);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);  // no child at all
}

// A pipe of one child that slipped into another would hide the first one's death.
TEST(OutsideEngine, ChildrenStartedTogetherDoNotHoldEachOthersPipes) {
  std::vector<std::thread> threads;
  std::atomic<int> told{0};
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      EngineConfig config = scripted("exit");
      config.hang_seconds = 20;
      OutsideEngine engine(config, kKja);
      engine.new_game(kKja, 1);
      const auto begin = Clock::now();
      if (engine.choose(start(), nodes(1)).failure.find("exit code 3") != std::string::npos &&
          Clock::now() - begin < std::chrono::seconds(10)) {
        ++told;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(told, 8);
}

// The real thing. Its rules differ (RULES.md): a game may end in a forfeit, but never in a
// breakdown.
TEST(OutsideEngine, PlaysWholeGamesWithFairyStockfishUnderEveryRuleSet) {
  EngineConfig config;
  config.name = "fairy";
  config.command = {"fairy-stockfish"};
  config.options = {{"Hash", "4"}};
  for (const Ruleset& rules : rulesets()) {
    OutsideEngine fairy(config, rules);
    fairy.check();
    RandomPlayer random("random");
    for (const bool first : {true, false}) {
      GameTask task;
      task.rules = &rules;
      task.seed = 5;
      task.opening.start_fen = start_fen(rules.game);
      task.seats[first ? 0 : 1].player = &fairy;
      task.seats[first ? 0 : 1].limits.nodes = 300;
      task.seats[first ? 1 : 0].player = &random;
      const std::atomic<bool> stop{false};
      const auto game = play_game(task, stop);
      ASSERT_TRUE(game.has_value());
      EXPECT_EQ(game->note.find(kBrokeDown), std::string::npos) << game->note;
      EXPECT_GT(game->moves.size(), 4U);
      // It scores its turns, and wins against random turns unless it breaks our rules.
      EXPECT_NE(game->scores[first ? 0 : 1], kNoScore);
      if (game->outcome.reason == Reason::kCheckmate) {
        EXPECT_EQ(game->outcome.winner, first ? Side::kFirst : Side::kSecond);
      }
    }
  }
}

}  // namespace
}  // namespace cannonade
