#include "selfplay/run_digest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tests/browser/demo_page.h"
#include "tests/selfplay/short_games.h"
#include "tests/selfplay/stored_games.h"

namespace cannonade {
namespace {

TEST(RunDigest, SplitsEndingsByWhoWon) {
  const RulesDigest digest =
      digest_of({played(0, {"a4a5"}, kChoWins), played(1, {"a4a5"}, kHanWins),
                 played(2, {"c4c5"}, kDrawn), played(3, {"c4c5"}, kDrawn)});
  EXPECT_EQ(digest.endings(Reason::kCheckmate), (std::array<std::uint64_t, 3>{1, 0, 0}));
  EXPECT_EQ(digest.endings(Reason::kResignation), (std::array<std::uint64_t, 3>{0, 1, 0}));
  EXPECT_EQ(digest.endings(Reason::kRepetition), (std::array<std::uint64_t, 3>{0, 0, 2}));
  EXPECT_EQ(digest.summary().first(), (Trinomial{1, 2, 1}));
}

TEST(RunDigest, CountsDifferentGamesByTurnAndFindsTheSameOnes) {
  const auto line = {"a4a5", "i7i6", "a5a6", "i6i5"};
  GameRecord swapped = played(7, line, kDrawn);
  std::swap(swapped.players[0], swapped.players[1]);
  std::swap(swapped.player_hashes[0], swapped.player_hashes[1]);
  const RulesDigest digest = digest_of({played(5, line, kDrawn), played(3, line, kDrawn), swapped,
                                        played(4, {"a4a5", "i7i6", "c4c5", "i6i5"}, kDrawn),
                                        played(9, {"c4c5", "i7i6"}, kDrawn)});
  const auto distinct = digest.distinct();
  EXPECT_EQ(distinct[0], 1U);      // one start
  EXPECT_EQ(distinct[1], 2U);      // after two turns: a4a5 and c4c5
  EXPECT_EQ(distinct[2], 3U);      // after four
  EXPECT_EQ(distinct.back(), 3U);  // and for good
  // Seats swapped is another game, though the turns are the same.
  const auto groups = digest.duplicates(10);
  ASSERT_EQ(groups.size(), 1U);
  EXPECT_EQ(groups[0].games, 2U);
  EXPECT_EQ(groups[0].first_id, 3U);
  EXPECT_EQ(digest.summary().duplicates(), 1U);
}

TEST(RunDigest, ScoresAreFromTheFirstMoversViewOnePositionAGame) {
  GameRecord game = played(0, {"a4a5", "i7i6"}, kChoWins);
  game.scores = {kNoScore, -700};  // Han thinks that Han is losing: +700 for Cho
  GameRecord black_starts = played(1, {"i7i6"}, kHanWins);
  black_starts.start_fen =
      "rnba1abnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBA1ABNR b - - 0 1";
  black_starts.scores = {700};  // Han to move: -700 for Cho
  GameRecord mate = played(2, {"a4a5"}, kChoWins);
  mate.scores = {kMateScore - 1};
  const RulesDigest digest = digest_of({game, black_starts, mate, played(3, {"a4a5"}, kDrawn)});
  std::map<double, Trinomial> found;
  std::uint64_t games = 0;
  for (const ScoreBin& bin : digest.scores()) {
    games += bin.first.games();
    if (bin.first.games() > 0) found[bin.score_sum] = bin.first;
  }
  EXPECT_EQ(games, 3U);  // the game without scores is not there
  EXPECT_EQ(found.at(700), (Trinomial{1, 0, 0}));
  EXPECT_EQ(found.at(-700), (Trinomial{0, 0, 1}));
  EXPECT_EQ(found.at(kScoreReach), (Trinomial{1, 0, 0}));
}

TEST(RunDigest, TheOrderOfGamesDoesNotMatter) {
  std::vector<GameRecord> games;
  for (std::uint64_t id = 0; id < 12; ++id) games.push_back(demo_game("xiangqi-casual", id, 40));
  const RulesDigest forth = digest_of(games);
  std::reverse(games.begin(), games.end());
  const RulesDigest back = digest_of(games);
  EXPECT_EQ(forth.distinct(), back.distinct());
  for (std::size_t i = 0; i < forth.scores().size(); ++i) {
    EXPECT_EQ(forth.scores()[i].first, back.scores()[i].first);
    EXPECT_EQ(forth.scores()[i].score_sum, back.scores()[i].score_sum);
  }
}

TEST(RunDigest, RefusesAGameOfAnUnknownRuleSet) {
  GameRecord game = played(17, {}, kDrawn);
  game.rules = "go";
  RunDigest digest;
  EXPECT_NE(error_of([&] { digest.add(game); }).find("game 17"), std::string::npos);
}

}  // namespace
}  // namespace cannonade
