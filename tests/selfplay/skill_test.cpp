#include "selfplay/skill.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/base/rng.h"
#include "core/board/see.h"
#include "core/game/game_state.h"
#include "core/notation/fen.h"
#include "core/notation/uci_move.h"
#include "selfplay/engine.h"
#include "selfplay/simple_players.h"
#include "selfplay/skilled_evaluator.h"
#include "tests/support/rulesets.h"

namespace cannonade {
namespace {

Move turn(const char* text) {
  return parse_uci_move(text).value_or_throw();
}

Skill weak() {
  Skill skill;
  skill.nodes = 30;
  skill.noise = 300;
  skill.overlook = 1;
  return skill;
}

GameState game_of(const Ruleset& rules, const std::string& fen,
                  const std::vector<std::string>& moves = {}) {
  GameState game(parse_fen(rules, fen).value_or_throw());
  for (const std::string& move : moves) game.play(parse_uci_move(move).value_or_throw());
  return game;
}

// Positions and the turn before, from random play.
template <class Visit>
void visit_positions(const Ruleset& rules, int games, const Visit& visit) {
  for (int i = 0; i < games; ++i) {
    Rng rng(7, static_cast<std::uint64_t>(i));
    GameState game = game_of(rules, std::string(start_fen(rules.game)));
    for (int ply = 0; ply < 80 && !game.outcome(); ++ply) {
      MoveList legal;
      generate(game.position(), legal);
      visit(game, legal);
      game.play(legal[rng.below(legal.size())]);
    }
  }
}

TEST(Skill, ErrorsOfJudgementAreNormalWithTheirDeviation) {
  Skill skill;
  skill.noise = 150;
  double sum = 0;
  double squares = 0;
  int within = 0;
  constexpr int kDraws = 40'000;
  for (int i = 0; i < kDraws; ++i) {
    const Score error = judgement_error(skill, splitmix64(static_cast<std::uint64_t>(i)), 5);
    sum += error;
    squares += error * error;
    within += std::abs(error) <= 150 ? 1 : 0;
    ASSERT_LE(std::abs(error), 3.5 * 150);
  }
  EXPECT_NEAR(sum / kDraws, 0, 4 * 150 / std::sqrt(kDraws));
  EXPECT_NEAR(std::sqrt(squares / kDraws), 150, 3);
  EXPECT_NEAR(static_cast<double>(within) / kDraws, 0.68, 0.02);  // a normal's share within one
}

TEST(Skill, AnErrorIsAFunctionOfPositionAndGameSeed) {
  const Skill skill = weak();
  EXPECT_EQ(judgement_error(skill, 11, 5), judgement_error(skill, 11, 5));
  int same = 0;
  for (std::uint64_t key = 0; key < 200; ++key) {
    same += judgement_error(skill, key, 5) == judgement_error(skill, key, 6) ? 1 : 0;
  }
  EXPECT_LT(same, 10);
}

TEST(Skill, LongTurnsFarAwayAndHardPiecesAreEasiestToMiss) {
  // A chariot and a cannon side by side with room; the last turn was far off or near.
  const GameState game = game_of(kKja, "4k4/9/9/9/4p4/9/9/9/R1P5C/2B1K1N2 w - - 0 1");
  const Position& p = game.position();
  const Move none;
  EXPECT_GT(sight_difficulty(p, none, turn("a2a10")), sight_difficulty(p, none, turn("a2a3")));
  EXPECT_GT(sight_difficulty(p, turn("i9i10"), turn("a2a3")),
            sight_difficulty(p, turn("b3b4"), turn("a2a3")));
  // Of leaps, the elephant's is harder to follow than the horse's.
  EXPECT_GT(sight_difficulty(p, none, turn("c1e4")), sight_difficulty(p, none, turn("g1f3")));
  visit_positions(kKja, 2, [](const GameState& each, const MoveList& legal) {
    for (const Move move : legal) {
      const double difficulty = sight_difficulty(each.position(), kNoMove, move);
      ASSERT_GT(difficulty, 0);
      ASSERT_LE(difficulty, 1);
    }
  });
}

TEST(Skill, NeitherRecapturesNorMatesInOneAreOverlookedUnlessCareless) {
  const Skill keen = weak();
  Skill careless = keen;
  careless.careless = true;
  int overlooked = 0;
  int chances_missed_by_the_careless = 0;
  for (const Ruleset& rules : {kCasual, kKja}) {
    visit_positions(rules, 12, [&](const GameState& game, const MoveList& legal) {
      const Move last = game.moves().empty() ? kNoMove : game.moves().back();
      for (const Move move : legal) {
        const bool chance =
            is_recapture(game.position(), last, move) || mates_at_once(game.position(), move);
        const bool missed = overlooks(keen, 3, game.position(), last, move);
        overlooked += missed ? 1 : 0;
        if (chance) {
          ASSERT_FALSE(missed) << to_uci(move);
          if (overlooks(careless, 3, game.position(), last, move)) ++chances_missed_by_the_careless;
        }
        ASSERT_EQ(missed, overlooks(keen, 3, game.position(), last, move));
      }
    });
  }
  EXPECT_GT(overlooked, 1000);
  EXPECT_GT(chances_missed_by_the_careless, 5);
}

TEST(Skill, OverlookingGrowsWithTheKnob) {
  std::vector<int> counts;
  for (const double chance : {0.0, 0.3, 0.6, 1.0}) {
    Skill skill = weak();
    skill.overlook = chance;
    int count = 0;
    visit_positions(kCasual, 3, [&](const GameState& game, const MoveList& legal) {
      for (const Move move : legal) count += overlooks(skill, 3, game.position(), kNoMove, move);
    });
    counts.push_back(count);
  }
  EXPECT_EQ(counts[0], 0);
  EXPECT_TRUE(std::is_sorted(counts.begin(), counts.end()));
  EXPECT_GT(counts[3], 2 * counts[1]);
}

TEST(Skill, BetweenTwoSkillsNodesGoGeometricallyAndTheRestLinearly) {
  Skill low = weak();
  low.nodes = 10;
  low.depth = 1;
  Skill high;
  high.nodes = 1000;
  high.depth = 5;
  const Skill middle = skill_between(low, high, 0.5, 0.2);
  EXPECT_EQ(middle.nodes, 100U);
  EXPECT_EQ(middle.depth, 3);
  EXPECT_DOUBLE_EQ(middle.noise, 150);
  EXPECT_DOUBLE_EQ(middle.overlook, 0.5);
  EXPECT_FALSE(middle.careless);
  EXPECT_TRUE(skill_between(low, high, 0.1, 0.2).careless);
  EXPECT_EQ(skill_between(low, high, 1, 0.2), high);
}

TEST(SkilledEvaluator, ErrsOnlyInsideWhatAnEvaluationMaySay) {
  SkilledEvaluator evaluator{std::make_shared<PackedWeights>(material_weights(kCasual)), weak()};
  evaluator.skill.noise = 3000;
  visit_positions(kCasual, 3, [&](const GameState& game, const MoveList& /*legal*/) {
    ASSERT_LE(std::abs(evaluator(game.position())), 15'000);
  });
}

TEST(SkilledEngine, PlaysTheMateInOneHoweverBlindAndNoisy) {
  // The positions of the engine's own tests: a5a10, b5b10 mate; the score says so without noise.
  struct Case {
    const Ruleset& rules;
    const char* fen;
  };
  for (const Case& each : {Case{kKja, "4k4/9/3R1R3/8p/9/R8/8P/9/9/4K4 w - - 0 1"},
                           // X074: c1c9 stalemates, which wins.
                           Case{kCasual, "3k5/9/9/9/9/9/9/9/9/2R1K4 w - - 0 1"},
                           Case{kCasual, "3k5/R8/9/9/9/1R7/9/9/9/4K4 w - - 0 1"}}) {
    for (std::uint64_t seed = 0; seed < 25; ++seed) {
      Skill skill = weak();
      skill.nodes = 1;
      skill.noise = 3000;
      Engine engine("weak", material_weights(each.rules), 1, skill);
      engine.new_game(each.rules, seed);
      const GameState game = game_of(each.rules, each.fen);
      const MoveChoice choice = engine.choose(game, {});
      ASSERT_TRUE(mates_at_once(game.position(), choice.move)) << to_uci(choice.move);
      ASSERT_EQ(choice.score, kMateScore - 1);
    }
  }
}

TEST(SkilledEngine, TakesBackHoweverBlindAndNoisy) {
  // Black's chariot has taken Red's horse on c3, which the soldier-guarded chariot on c1 covers.
  for (std::uint64_t seed = 0; seed < 25; ++seed) {
    Skill skill = weak();
    skill.noise = 600;
    Engine engine("weak", material_weights(kCasual), 1, skill);
    engine.new_game(kCasual, seed);
    const GameState game = game_of(kCasual, "3ak4/9/2r6/9/9/9/P7P/2N6/9/2R2K3 b - - 0 1", {"c8c3"});
    const MoveChoice choice = engine.choose(game, {});
    ASSERT_EQ(to_uci(choice.move), "c1c3") << seed;
  }
}

TEST(SkilledEngine, DoesNotGiveItsLastPiecesAwayWhenLosing) {
  // Black is lost; its horse could throw itself at soldiers that are covered.
  int given = 0;
  for (std::uint64_t seed = 0; seed < 25; ++seed) {
    Skill skill;
    skill.nodes = 60;
    skill.noise = 250;
    Engine engine("weak", material_weights(kCasual), 1, skill);
    engine.new_game(kCasual, seed);
    const GameState game = game_of(kCasual, "4k4/9/9/9/4n4/9/2P1P1P2/R7R/4A4/4K1B2 b - - 0 1");
    const MoveChoice choice = engine.choose(game, {});
    ASSERT_TRUE(game.legal(choice.move));
    given += see_at_least(game.position(), choice.move, -50) ? 0 : 1;
  }
  EXPECT_EQ(given, 0);
}

TEST(SkilledEngine, IsAFunctionOfTheGameSeed) {
  const GameState game = game_of(kCasual, std::string(start_fen(Game::kXiangqi)));
  const auto play = [&](std::uint64_t seed) {
    Engine engine("weak", material_weights(kCasual), 1, weak());
    engine.new_game(kCasual, seed + 1000);  // an earlier game leaves no trace
    (void)engine.choose(game, {});
    engine.new_game(kCasual, seed);
    return engine.choose(game, {});
  };
  std::vector<Move> chosen;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const MoveChoice one = play(seed);
    const MoveChoice other = play(seed);
    EXPECT_EQ(one.move, other.move);
    EXPECT_EQ(one.score, other.score);
    if (std::find(chosen.begin(), chosen.end(), one.move) == chosen.end()) {
      chosen.push_back(one.move);
    }
  }
  EXPECT_GT(chosen.size(), 2U) << "weak players vary from game to game";
}

TEST(SkilledEngine, BoundsAloneChangeNothingElse) {
  const GameState game = game_of(kCasual, std::string(start_fen(Game::kXiangqi)));
  Skill bounded;
  bounded.nodes = 700;
  Engine level("level", material_weights(kCasual), 1, bounded);
  Engine full("full", material_weights(kCasual), 1);
  SearchLimits limits;
  limits.nodes = 700;
  level.new_game(kCasual, 3);
  full.new_game(kCasual, 4);
  const MoveChoice a = level.choose(game, {});
  const MoveChoice b = full.choose(game, limits);
  EXPECT_EQ(a.move, b.move);
  EXPECT_EQ(a.score, b.score);
  EXPECT_EQ(a.nodes, b.nodes);
}

TEST(SimplePlayers, TheTakerMatesElseTakesTheMostValuablePiece) {
  Taker taker("taker");
  taker.new_game(kCasual, 1);
  const GameState mate = game_of(kCasual, "3k5/R8/9/9/9/1R7/9/9/9/4K4 w - - 0 1");
  EXPECT_TRUE(mates_at_once(mate.position(), taker.choose(mate, {}).move));
  // A soldier and a chariot stand on the chariot's lines, both guarded.
  const GameState greedy = game_of(kCasual, "3ak4/9/4r4/9/9/p3R4/9/9/9/3K5 w - - 0 1");
  EXPECT_EQ(to_uci(taker.choose(greedy, {}).move), "e5e8");
}

TEST(SimplePlayers, TheRandomMoverPlaysEveryLegalTurnInTime) {
  const GameState game = game_of(kCasual, "4k4/9/9/9/4P4/9/9/9/9/4K4 w - - 0 1");
  MoveList legal;
  generate(game.position(), legal);
  RandomMover mover("random");
  std::vector<std::string> seen;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    mover.new_game(kCasual, seed);
    const Move move = mover.choose(game, {}).move;
    ASSERT_TRUE(game.legal(move));
    mover.new_game(kCasual, seed);
    ASSERT_EQ(move, mover.choose(game, {}).move);
    const std::string text = to_uci(move);
    if (std::find(seen.begin(), seen.end(), text) == seen.end()) seen.push_back(text);
  }
  EXPECT_EQ(seen.size(), legal.size());
}

}  // namespace
}  // namespace cannonade
