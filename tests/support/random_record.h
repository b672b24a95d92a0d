// Random games as records, for the tests of whatever stores, writes or reads games.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "core/base/rng.h"
#include "core/game/game_record.h"
#include "core/game/game_state.h"
#include "core/notation/fen.h"

namespace cannonade {

// Game `id` of a run: random turns until the rules end it, or a resignation at 300.
inline GameRecord random_game(const std::string& rules_id, std::uint64_t id,
                              std::uint64_t seed = 1) {
  const Ruleset rules = find_ruleset(rules_id).value_or_throw();
  Rng rng(seed, id);
  GameRecord game;
  game.id = id;
  game.pair = id / 2;
  game.rules = rules.id;
  game.start_fen = rules.game == Game::kJanggi ? set_up_fen(static_cast<SetUp>(rng.below(4)),
                                                            static_cast<SetUp>(rng.below(4)))
                                               : std::string(start_fen(rules.game));
  game.players = {"alpha", "beta \"2\""};
  game.player_hashes = {"00000000000000aa", "00000000000000bb"};
  GameState state(parse_fen(rules, game.start_fen).value_or_throw());
  constexpr std::size_t kLongest = 300;
  while (!state.outcome() && state.moves().size() < kLongest) {
    MoveList list;
    generate(state.position(), list);
    state.play(list[rng.below(list.size())]);
    game.scores.push_back(
        state.moves().size() <= 2
            ? kNoScore
            : static_cast<std::int16_t>(static_cast<int>(rng.below(2001)) - 1000));
  }
  game.opening_plies = 2;
  game.moves = state.moves();
  game.outcome = state.outcome().value_or(
      Outcome{~state.position().side_to_move(), Reason::kResignation, false});
  const Points points = count_points(state.position());
  game.points_halves = {points.first_halves, points.second_halves};
  game.nodes = rng.below(1'000'000);
  game.milliseconds = static_cast<std::int64_t>(rng.below(1000));
  return game;
}

inline void expect_same_game(const GameRecord& a, const GameRecord& b) {
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(a.pair, b.pair);
  EXPECT_EQ(a.rules, b.rules);
  EXPECT_EQ(a.start_fen, b.start_fen);
  EXPECT_EQ(a.opening_plies, b.opening_plies);
  EXPECT_EQ(a.players, b.players);
  EXPECT_EQ(a.player_hashes, b.player_hashes);
  EXPECT_EQ(a.moves, b.moves);
  EXPECT_EQ(a.scores, b.scores);
  EXPECT_EQ(a.outcome, b.outcome);
  EXPECT_EQ(a.points_halves, b.points_halves);
  EXPECT_EQ(a.nodes, b.nodes);
  EXPECT_EQ(a.milliseconds, b.milliseconds);
  EXPECT_EQ(a.note, b.note);
}

}  // namespace cannonade
