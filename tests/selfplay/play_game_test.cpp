#include "selfplay/play_game.h"

#include <gtest/gtest.h>

#include <thread>

#include "core/notation/fen.h"
#include "tests/selfplay/scripted_player.h"
#include "tests/selfplay/stored_games.h"
#include "tests/support/rulesets.h"

namespace cannonade {
namespace {

const std::atomic<bool> kNoStop{false};

// Each side plays its own list of turns, one after another.
ScriptedPlayer::Script list_of(std::vector<MoveChoice> turns) {
  return [turns, next = std::size_t{0}](const GameState&, const SearchLimits&) mutable {
    return turns.at(next++);
  };
}

GameTask task_of(Player& first, Player& second,
                 std::string fen = std::string(start_fen(Game::kJanggi))) {
  GameTask task;
  task.id = 6;
  task.pair = 3;
  task.seed = 42;
  task.rules = &kKja;
  task.opening.start_fen = std::move(fen);
  task.seats[0].player = &first;
  task.seats[1].player = &second;
  return task;
}

GameRecord play(const GameTask& task) {
  const std::optional<GameRecord> game = play_game(task, kNoStop);
  EXPECT_TRUE(game.has_value());
  return game.value_or(GameRecord{});
}

TEST(PlayGame, RecordsTheGameAsItWasPlayed) {
  ScriptedPlayer cho("cho player", list_of({turn("a4a5", 12), turn("e2e2", -3)}));
  ScriptedPlayer han("han player", list_of({turn("e9e9", 7)}));
  GameTask task = task_of(cho, han);
  task.opening.moves = {parse_uci_move("i4i5").value_or_throw(),
                        parse_uci_move("i7i6").value_or_throw()};
  const GameRecord game = play(task);
  EXPECT_EQ(game.id, 6U);
  EXPECT_EQ(game.pair, 3U);
  EXPECT_EQ(game.rules, "janggi-kja");
  EXPECT_EQ(game.start_fen, start_fen(Game::kJanggi));
  EXPECT_EQ(game.opening_plies, 2);
  EXPECT_EQ(game.players[0], "cho player");
  EXPECT_EQ(game.player_hashes[1], "hash of han player");
  ASSERT_EQ(game.moves.size(), 5U);
  EXPECT_EQ(to_uci(game.moves[2]), "a4a5");
  EXPECT_EQ(game.scores, (std::vector<std::int16_t>{kNoScore, kNoScore, 12, 7, -3}));
  EXPECT_EQ(game.outcome, (Outcome{std::nullopt, Reason::kDoublePass, false}));  // J24
  EXPECT_EQ(cho.games, 1);
  EXPECT_EQ(cho.last_seed, 42U);
  EXPECT_EQ(han.last_seed, 42U);
}

TEST(PlayGame, OnePlayerMayTakeBothSeats) {
  RandomPlayer both("both");
  const GameRecord game = play(task_of(both, both));
  EXPECT_GT(game.moves.size(), 10U);
  EXPECT_EQ(game.nodes, game.moves.size());
}

TEST(PlayGame, AnIllegalTurnForfeits) {  // J28
  ScriptedPlayer cho("cho player", list_of({turn("a4a6")}));
  RandomPlayer han("han player");
  const GameRecord game = play(task_of(cho, han));
  EXPECT_EQ(game.outcome, (Outcome{Side::kSecond, Reason::kForfeit, false}));
  EXPECT_TRUE(game.moves.empty());
  EXPECT_NE(game.note.find("cho player played a4a6"), std::string::npos) << game.note;
}

TEST(PlayGame, NoTurnForfeits) {
  ScriptedPlayer cho("cho player", list_of({MoveChoice{}}));
  RandomPlayer han("han player");
  EXPECT_EQ(play(task_of(cho, han)).outcome, (Outcome{Side::kSecond, Reason::kForfeit, false}));
}

TEST(PlayGame, ABreakdownCountsAsTheSeatSays) {
  MoveChoice broken;
  broken.failure = "it exploded";
  for (const auto& [policy, outcome] :
       {std::pair(FailurePolicy::kLoss, Outcome{Side::kFirst, Reason::kForfeit, false}),
        std::pair(FailurePolicy::kDraw, Outcome{std::nullopt, Reason::kForfeit, false}),
        std::pair(FailurePolicy::kVoid, Outcome{std::nullopt, Reason::kUnfinished, false})}) {
    ScriptedPlayer cho("cho player", list_of({turn("a4a5")}));
    ScriptedPlayer han("han player", list_of({broken}));
    GameTask task = task_of(cho, han);
    task.seats[1].on_failure = policy;
    const GameRecord game = play(task);
    EXPECT_EQ(game.outcome, outcome);
    EXPECT_EQ(game.moves.size(), 1U);
    EXPECT_NE(game.note.find("han player broke down: it exploded"), std::string::npos);
  }
}

TEST(PlayGame, ResignationLoses) {
  MoveChoice resigning;
  resigning.resign = true;
  ScriptedPlayer cho("cho player", list_of({resigning}));
  RandomPlayer han("han player");
  EXPECT_EQ(play(task_of(cho, han)).outcome, (Outcome{Side::kSecond, Reason::kResignation, false}));
}

TEST(PlayGame, LimitsMayDifferBySide) {
  const auto want = [](std::uint64_t nodes, int depth, const char* word) {
    return [=](const GameState&, const SearchLimits& limits) {
      EXPECT_EQ(limits.nodes, nodes);
      EXPECT_EQ(limits.depth, depth);
      return turn(word);
    };
  };
  ScriptedPlayer cho("c", want(100, 0, "e2e2"));
  ScriptedPlayer han("h", want(0, 4, "e9e9"));
  GameTask task = task_of(cho, han);
  task.seats[0].limits.nodes = 100;
  task.seats[1].limits.depth = 4;
  EXPECT_EQ(play(task).outcome.reason, Reason::kDoublePass);
}

TEST(PlayGame, TheClockRunsAndGainsItsIncrement) {
  using std::chrono::milliseconds;
  std::vector<milliseconds> seen;
  ScriptedPlayer cho("c", [&](const GameState& game, const SearchLimits& limits) {
    EXPECT_EQ(limits.increment[0], milliseconds(30));
    EXPECT_EQ(limits.increment[1], milliseconds(0));
    seen.push_back(limits.remaining[0]);
    std::this_thread::sleep_for(milliseconds(50));
    return game.moves().empty() ? turn("a4a5") : turn("e2e2");
  });
  ScriptedPlayer han("h", [](const GameState& game, const SearchLimits& limits) {
    EXPECT_EQ(limits.remaining[0], milliseconds(0));  // on no clock, it is shown none
    return game.moves().size() == 1 ? turn("a7a6") : turn("e9e9");
  });
  GameTask task = task_of(cho, han);
  task.seats[0].limits.clock = {milliseconds(2000), milliseconds(30)};
  task.seats[1].limits.nodes = 1;
  EXPECT_EQ(play(task).outcome.reason, Reason::kDoublePass);
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_EQ(seen[0], milliseconds(2000));
  EXPECT_LE(seen[1], milliseconds(1980));
  EXPECT_GE(seen[1], milliseconds(1000));  // a slow machine sleeps long
}

TEST(PlayGame, OversteppingTheClockLosesBeyondTheMarginOnly) {
  using std::chrono::milliseconds;
  const auto slow = [](const GameState&, const SearchLimits&) {
    std::this_thread::sleep_for(milliseconds(60));
    return turn("e2e2");
  };
  ScriptedPlayer cho("slow one", slow);
  ScriptedPlayer han("h", [](const GameState&, const SearchLimits&) { return turn("e9e9"); });
  GameTask task = task_of(cho, han);
  task.seats[0].limits.clock = {milliseconds(20), milliseconds(0)};
  task.seats[0].limits.margin_ms = 10;
  const GameRecord lost = play(task);
  EXPECT_EQ(lost.outcome, (Outcome{Side::kSecond, Reason::kTime, false}));
  EXPECT_NE(lost.note.find("slow one overstepped"), std::string::npos);
  task.seats[0].limits.margin_ms = 5000;
  EXPECT_EQ(play(task).outcome.reason, Reason::kDoublePass);
}

TEST(PlayGame, AdjudicationEndsTheGameOrOnlyNotesItsCall) {
  RandomPlayer cho("c", 2000);
  RandomPlayer han("h", -2000);
  GameTask task = task_of(cho, han);
  task.adjudication.resign_plies = 6;
  task.adjudication.resign_score = 1500;
  task.adjudication.play_out = 0;
  const GameRecord stopped = play(task);
  EXPECT_EQ(stopped.outcome, (Outcome{Side::kFirst, Reason::kAdjudication, false}));
  EXPECT_EQ(stopped.moves.size(), 6U);
  EXPECT_EQ(stopped.note, "");

  task.adjudication.play_out = 1;
  const GameRecord played_out = play(task);
  EXPECT_GT(played_out.moves.size(), 6U);
  EXPECT_NE(played_out.outcome.reason, Reason::kAdjudication);
  EXPECT_EQ(call_in_note(played_out.note), (Call{6, Side::kFirst, false}));
}

TEST(PlayGame, IsAFunctionOfTheTask) {
  RandomPlayer a("a");
  RandomPlayer b("b");
  const GameRecord one = play(task_of(a, b));
  const GameRecord two = play(task_of(a, b));
  EXPECT_EQ(one.moves, two.moves);
  GameTask other = task_of(a, b);
  other.seed = 43;
  EXPECT_NE(play(other).moves, one.moves);
}

TEST(PlayGame, AStopDropsTheGame) {
  std::atomic<bool> stop{false};
  ScriptedPlayer cho("c", [&](const GameState&, const SearchLimits&) {
    stop = true;
    return turn("a4a5");
  });
  RandomPlayer han("h");
  EXPECT_FALSE(play_game(task_of(cho, han), stop).has_value());
}

// A signal to the whole group may kill an engine before our handler has run.
TEST(PlayGame, ABreakdownDuringAStopIsNoForfeit) {
  std::atomic<bool> stop{false};
  std::thread late;
  ScriptedPlayer cho("c", [&](const GameState&, const SearchLimits&) {
    late = std::thread([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
      stop = true;
    });
    MoveChoice broken;
    broken.failure = "killed by signal 15";
    return broken;
  });
  RandomPlayer han("h");
  EXPECT_FALSE(play_game(task_of(cho, han), stop).has_value());
  late.join();
}

TEST(PlayGame, RefusesAnOpeningThatCannotBePlayed) {
  RandomPlayer a("a");
  RandomPlayer b("b");
  GameTask task = task_of(a, b);
  task.opening.moves = {parse_uci_move("a1a9").value_or_throw()};
  EXPECT_NE(error_of([&] { (void)play_game(task, kNoStop); }), "");
  task.opening.start_fen = "9/9";
  EXPECT_NE(error_of([&] { (void)play_game(task, kNoStop); }), "");
}

}  // namespace
}  // namespace cannonade
