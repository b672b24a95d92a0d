#include <gtest/gtest.h>

#include "core/notation/fen.h"
#include "core/notation/text.h"
#include "core/notation/uci_move.h"
#include "core/search/time.h"
#include "selfplay/uci_go.h"
#include "selfplay/uci_options.h"
#include "selfplay/uci_text.h"

namespace cannonade {
namespace {

using std::chrono::milliseconds;

const Ruleset kRules = find_ruleset("janggi-kja").value_or_throw();

GameState game_of(std::string_view fen) {
  return GameState(parse_fen(kRules, fen).value_or_throw());
}

GoCommand go(const std::string& words, Protocol protocol = Protocol::kUci, bool ms = true,
             bool second = false) {
  GameState game = game_of(start_fen(Game::kJanggi));
  if (second) game.play(parse_uci_move("a4a5").value_or_throw());
  return parse_go(split_words(words), game, protocol, ms);
}

TEST(UciGo, ReadsEveryLimit) {
  const GoCommand all =
      go("wtime 100 btime 200 winc 3 binc 4 movestogo 5 depth 6 nodes 7 movetime 8 mate 9");
  EXPECT_TRUE(all.faults.empty());
  EXPECT_EQ(all.limits.remaining, (std::array{milliseconds(100), milliseconds(200)}));
  EXPECT_EQ(all.limits.increment, (std::array{milliseconds(3), milliseconds(4)}));
  EXPECT_EQ(all.limits.moves_to_go, 5);
  EXPECT_EQ(all.limits.depth, 6);
  EXPECT_EQ(all.limits.nodes, 7U);
  EXPECT_EQ(all.limits.movetime, milliseconds(8));
  EXPECT_EQ(all.mate, 9);
  EXPECT_FALSE(all.infinite);
  EXPECT_TRUE(go("").infinite);
  EXPECT_TRUE(go("searchmoves a4a5").infinite);
  EXPECT_TRUE(go("ponder wtime 5").ponder);
}

TEST(UciGo, WhiteIsTheFirstMoverWhoeverMoves) {
  EXPECT_EQ(go("wtime 100 btime 200", Protocol::kUci, true, true).limits.remaining,
            (std::array{milliseconds(100), milliseconds(200)}));
}

TEST(UciGo, TakesNumbersBeyondTheLimitsAsTheNearest) {
  EXPECT_EQ(go("depth -3").limits.depth, 1);
  EXPECT_EQ(go("nodes 0").limits.nodes, 1U);
  EXPECT_EQ(go("wtime -500 winc -1").limits.remaining[0], milliseconds(1));
  EXPECT_EQ(go("wtime -500 winc -1").limits.increment[0], milliseconds(0));
  // A hundred days and more must not run over anywhere in a clock of nanoseconds.
  const milliseconds longest = go("movetime 99999999999999999999999").limits.movetime;
  EXPECT_GT(longest, std::chrono::hours(24 * 100));
  EXPECT_GT(time_budget(go("wtime 9223372036854775807 winc 9223372036854775807").limits,
                        Side::kFirst, SearchClock::now())
                .hard,
            SearchClock::now());
}

TEST(UciGo, SaysWhatItPassesOverAndStillBoundsTheSearch) {
  for (const char* words : {"depth x", "depth", "nodes 1e6", "movetime 5s", "btime 100"}) {
    const GoCommand command = go(words);
    EXPECT_EQ(command.limits.depth, 1) << words;
    EXPECT_FALSE(command.infinite) << words;
    EXPECT_FALSE(command.faults.empty()) << words;
  }
  EXPECT_EQ(go("depth 4 quickly").faults.size(), 1U);
  EXPECT_EQ(go("depth 4 quickly").limits.depth, 4);
  // A limit whose number is missing does not swallow the next word.
  EXPECT_EQ(go("nodes depth 4").limits.depth, 4);
}

TEST(UciGo, UcciCountsForTheMoverInSecondsOrMilliseconds) {
  const GoCommand command =
      go("time 30 increment 2 opptime 20 oppincrement 1", Protocol::kUcci, false, true);
  EXPECT_EQ(command.limits.remaining, (std::array{milliseconds(20'000), milliseconds(30'000)}));
  EXPECT_EQ(command.limits.increment, (std::array{milliseconds(1000), milliseconds(2000)}));
  EXPECT_EQ(go("time 30", Protocol::kUcci, true).limits.remaining[0], milliseconds(30));
  EXPECT_TRUE(go("depth infinite", Protocol::kUcci).infinite);
  EXPECT_TRUE(go("depth infinite", Protocol::kUcci).faults.empty());
}

TEST(UciText, ScoresAreCentipawnsOrMatesInTurns) {
  EXPECT_EQ(score_text(0), "cp 0");
  EXPECT_EQ(score_text(-35), "cp -35");
  EXPECT_EQ(score_text(kMateScore - 1), "mate 1");
  EXPECT_EQ(score_text(kMateScore - 3), "mate 2");
  EXPECT_EQ(score_text(-(kMateScore - 2)), "mate -1");
  EXPECT_EQ(score_text(-(kMateScore - 4)), "mate -2");
  // Won by the count, not by mate.
  EXPECT_EQ(score_text(kCountWin - 5), "cp 19995");
}

TEST(UciText, LinesOfBothProtocols) {
  const std::vector<Move> moves{parse_uci_move("h3h10").value_or_throw(),
                                parse_uci_move("e9e9").value_or_throw()};
  SearchInfo info;
  info.depth = 5;
  info.selective_depth = 9;
  info.line = 2;
  info.score = kMateScore - 5;
  info.bound = Bound::kLower;
  info.nodes = 3000;
  info.time = milliseconds(10);
  info.hashfull = 7;
  info.moves = &moves;
  EXPECT_EQ(info_line(info, Protocol::kUci),
            "info depth 5 seldepth 9 multipv 2 score mate 3 lowerbound nodes 3000 nps 300000 "
            "hashfull 7 time 10 pv h3h10 e9e9");
  info.score = 12;
  EXPECT_EQ(info_line(info, Protocol::kUcci),
            "info depth 5 seldepth 9 score 12 nodes 3000 nps 300000 hashfull 7 time 10 pv h2h9 "
            "e8e8");
  SearchResult result;
  EXPECT_EQ(bestmove_line(result, Protocol::kUci), "bestmove (none)");
  EXPECT_EQ(bestmove_line(result, Protocol::kUcci), "nobestmove");
  result.move = moves[0];
  EXPECT_EQ(bestmove_line(result, Protocol::kUci), "bestmove h3h10");
  result.ponder = moves[1];
  EXPECT_EQ(bestmove_line(result, Protocol::kUci), "bestmove h3h10 ponder e9e9");
}

TEST(UciOptions, ARefusedValueLeavesTheOldOne) {
  int size = 4;
  std::string kind = "one";
  UciOptions options;
  options.add_spin({"Size", "size"}, size, 1, 8, [&] {
    if (size == 7) throw user_error("seven is unlucky");
    if (size == 8) throw std::bad_alloc();
  });
  options.add_combo({"Kind", ""}, kind, {"one", "Two"});
  EXPECT_EQ(options.set(Protocol::kUci, "SIZE", "5"), std::nullopt);
  EXPECT_EQ(size, 5);
  EXPECT_EQ(options.set(Protocol::kUci, "Size", "9"),
            "option Size: '9' given; allowed: whole number, 1 to 8");
  EXPECT_EQ(options.set(Protocol::kUci, "Size", "7"), "option Size: seven is unlucky");
  EXPECT_EQ(options.set(Protocol::kUci, "Size", "8"), "option Size: there is not enough memory");
  EXPECT_EQ(size, 5);
  EXPECT_EQ(options.set(Protocol::kUci, "Kind", "tWO"), std::nullopt);
  EXPECT_EQ(kind, "Two");
  EXPECT_EQ(options.set(Protocol::kUcci, "Kind", "one"), "no option 'Kind'; known are size");
  // Defaults are what was there at first.
  EXPECT_EQ(options.declarations(Protocol::kUci),
            (std::vector<std::string>{"option name Size type spin min 1 max 8 default 4",
                                      "option name Kind type combo var one var Two default one"}));
  EXPECT_EQ(options.declarations(Protocol::kUcci),
            std::vector<std::string>{"option size type spin min 1 max 8 default 4"});
}

}  // namespace
}  // namespace cannonade
