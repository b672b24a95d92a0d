#include "selfplay/engine.h"

#include <gtest/gtest.h>

#include "core/base/rng.h"
#include "core/game/game_state.h"
#include "core/notation/fen.h"
#include "core/notation/uci_move.h"
#include "selfplay/bench_positions.h"
#include "tests/support/rulesets.h"

namespace cannonade {
namespace {

SearchResult think(const Ruleset& rules, const std::string& fen, const SearchLimits& limits,
                   const std::vector<std::string>& moves = {}, int lines = 1) {
  GameState game(parse_fen(rules, fen).value_or_throw());
  for (const std::string& move : moves) game.play(parse_uci_move(move).value_or_throw());
  Engine engine("test", material_weights(rules), 4);
  return engine.search(game.position(), game.history(), limits, nullptr, {}, lines);
}

SearchLimits depth(int plies) {
  SearchLimits limits;
  limits.depth = plies;
  return limits;
}

TEST(Engine, FindsMatesAndTheirDistance) {
  // J108: a5a10 mates although the generals are left facing.
  const auto janggi = think(kKja, "4k4/9/3R1R3/8p/9/R8/8P/9/9/4K4 w - - 0 1", depth(4));
  EXPECT_EQ(janggi.score, kMateScore - 1);
  // X070: a chariot on the seventh and one on the last rank.
  const auto xiangqi = think(kCasual, "3k5/R8/9/9/9/1R7/9/9/9/5K3 w - - 0 1", depth(4));
  EXPECT_EQ(xiangqi.score, kMateScore - 1);
  EXPECT_EQ(to_uci(xiangqi.move), "b5b10");
  // Mate in two turns of Red's: the score counts three plies.
  const auto two = think(kCasual, "3k5/9/R8/1R7/9/9/9/9/9/5K3 w - - 0 1", depth(6));
  EXPECT_EQ(two.score, kMateScore - 3);
}

TEST(Engine, AStalemateWinsInXiangqi) {
  // X074: c1c9 leaves Black without a turn.
  const auto result = think(kCasual, "3k5/9/9/9/9/9/9/9/9/2R1K4 w - - 0 1", depth(4));
  EXPECT_EQ(result.score, kMateScore - 1);
}

TEST(Engine, NodesAndDepthGiveTheSameSearchEveryTime) {
  for (const Ruleset& rules : rulesets()) {
    SearchLimits limits;
    limits.nodes = 20000;
    const auto a = think(rules, std::string(start_fen(rules.game)), limits, {}, 3);
    const auto b = think(rules, std::string(start_fen(rules.game)), limits, {}, 3);
    EXPECT_EQ(a.nodes, b.nodes);
    EXPECT_EQ(a.move, b.move);
    ASSERT_EQ(a.lines.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(a.lines[i].moves, b.lines[i].moves);
      EXPECT_EQ(a.lines[i].score, b.lines[i].score);
    }
    EXPECT_EQ(a.nodes, limits.nodes) << "a hard limit is met exactly";
  }
}

TEST(Engine, EveryTermLeftOutChangesTheSearchAndStillFindsTheMate) {
  const auto searched = [](const Ruleset& rules, const std::string& fen, SearchTerms terms,
                           int plies) {
    const GameState game(parse_fen(rules, fen).value_or_throw());
    Engine engine("test", default_weights(rules), 4, {}, terms);
    return engine.search(game.position(), game.history(), depth(plies));
  };
  for (std::size_t t = 0; t < kSearchTerms; ++t) {
    SearchTerms terms;
    terms.leave_out(static_cast<SearchTerm>(t));
    const SearchResult mate = searched(kCasual, "3k5/9/R8/1R7/9/9/9/9/9/5K3 w - - 0 1", terms, 6);
    EXPECT_EQ(mate.score, kMateScore - 3) << kSearchTermNames[t];
    // Bench positions are many enough that each term has its say somewhere.
    bool differs = false;
    for (const Ruleset& rules : {kKja, kCasual}) {
      for (const std::string_view fen : bench_positions(rules.game)) {
        differs = differs || searched(rules, std::string(fen), {}, 9).nodes !=
                                 searched(rules, std::string(fen), terms, 9).nodes;
        if (differs) break;
      }
    }
    EXPECT_TRUE(differs) << kSearchTermNames[t];
  }
}

TEST(Engine, AnEarlierGameLeavesNoTrace) {
  Engine engine("test", material_weights(kKja), 4);
  const auto other =
      parse_fen(kKja, "rnba2bn1/5a3/4kc1c1/p2pp3R/6p2/7P1/PP1P1BP2/RC1N3C1/3K1A3/1B1A2N2 w - - 0 1")
          .value_or_throw();
  const Position start = parse_fen(kKja, start_fen(kKja.game)).value_or_throw();
  const auto fresh = engine.search(start, History(start), depth(7));
  (void)engine.search(other, History(other), depth(7));
  engine.new_game(kKja, 0);
  const auto again = engine.search(start, History(start), depth(7));
  EXPECT_EQ(fresh.nodes, again.nodes);
  EXPECT_EQ(fresh.move, again.move);
}

TEST(Engine, SearchMovesAreTheOnlyOnesTried) {
  SearchLimits limits = depth(4);
  limits.search_moves = {parse_uci_move("a4b4").value_or_throw(),
                         parse_uci_move("i4h4").value_or_throw()};
  const auto result = think(kKja, std::string(start_fen(kKja.game)), limits, {}, 5);
  ASSERT_EQ(result.lines.size(), 2U);
  for (const SearchLine& line : result.lines) {
    EXPECT_TRUE(line.moves.front() == limits.search_moves[0] ||
                line.moves.front() == limits.search_moves[1]);
  }
}

TEST(Engine, TheSideBehindTakesBikjang) {
  // Cho is a chariot and more behind, faces and is to move: any turn that stays facing draws (J20).
  const auto result = think(kKja, "9/4k4/8r/9/9/9/P8/9/4K4/9 w - - 0 1", depth(6));
  EXPECT_EQ(result.score, 0);
}

TEST(Engine, PointCountMakesTheDoublePassAWin) {
  // Han has passed; Cho leads by more than the bonus and ends the game by passing too (J24, J29).
  const auto ahead = think(kPointCount, "9/5k3/9/9/9/9/9/9/3K5/RR7 b - - 0 1", depth(3), {"f9f9"});
  EXPECT_GE(ahead.score, kCountWin - kMaxPly);
  // Under KJA the same double pass is a draw, and a chariot up there is more to be had.
  const auto kja = think(kKja, "9/5k3/9/9/9/9/9/9/3K5/RR7 b - - 0 1", depth(3), {"f9f9"});
  EXPECT_GT(kja.score, 0);
}

TEST(Engine, ACheckerMayNotRepeatForEver) {
  // The repetition of J130 is lost for the checker: after two rounds the engine deviates.
  const std::vector<std::string> moves{"e5d5", "d10e10", "d5e5", "e10d10",
                                       "e5d5", "d10e10", "d5e5", "e10d10"};
  GameState game(parse_fen(kKja, "3k5/9/9/p6p1/9/4R4/8P/9/r8/5K3 w - - 0 1").value_or_throw());
  for (std::size_t i = 0; i + 2 < moves.size(); ++i) {
    ASSERT_FALSE(game.outcome());
    game.play(parse_uci_move(moves[i]).value_or_throw());
  }
  Engine engine("test", material_weights(kKja), 4);
  const auto result = engine.search(game.position(), game.history(), depth(6));
  EXPECT_NE(to_uci(result.move), "d5e5");
}

TEST(Engine, PlaysLegalTurnsToTheEndOfEveryGame) {
  for (const Ruleset& rules : rulesets()) {
    Engine engine("test", material_weights(rules), 1);
    for (std::uint64_t g = 0; g < 6; ++g) {
      Rng rng(11, g);
      GameState game(parse_fen(rules, start_fen(rules.game)).value_or_throw());
      engine.new_game(rules, g);
      while (!game.outcome()) {
        MoveList list;
        generate(game.position(), list);
        Move move = list[rng.below(list.size())];
        if (rng.below(4) != 0) {
          SearchLimits limits;
          limits.nodes = 1 + rng.below(200);
          move = engine.choose(game, limits).move;
        }
        ASSERT_TRUE(game.legal(move)) << to_fen(game.position()) << " " << to_uci(move);
        game.play(move);
      }
    }
  }
}

TEST(Engine, ManyPiecesDoNotOverflowAnything) {
  // More pieces than a set has are accepted; scores stay below those of decided games.
  const Position crowd =
      parse_fen(kKja, "3k5/9/9/PPPPPPPPP/RRRRRRRRR/CCCCCCCCC/NNNNNNNNN/BBBBBBBBB/9/5K3 w - - 0 1")
          .value_or_throw();
  Engine engine("test", material_weights(kKja), 1);
  EXPECT_LT(engine.static_score(crowd), kCountWin - kMaxPly);
  EXPECT_GT(engine.static_score(crowd), 5000);
  EXPECT_TRUE(engine.search(crowd, History(crowd), depth(2)).move);
}

}  // namespace
}  // namespace cannonade
