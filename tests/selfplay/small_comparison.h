// A comparison that is played in a moment, and what it takes to look at one: for tests.
#pragma once

#include <gtest/gtest.h>

#include "selfplay/compare.h"
#include "selfplay/store.h"
#include "tests/selfplay/stored_games.h"

namespace cannonade {

inline EngineConfig engine(const std::string& name) {
  EngineConfig config;
  config.name = name;
  config.hash_mb = 1;
  return config;
}

inline ComparePlan small_plan(std::uint64_t games) {
  ComparePlan plan;
  plan.engines = {engine("one")};
  plan.games = games;
  plan.seed = 5;
  plan.design.nodes = {8, 20};
  plan.design.han_bonus = {0, 10};
  plan.design.setups.games = 1;
  plan.openings.plies = 6;
  return plan;
}

inline RunControl threads(int count) {
  RunControl control;
  control.threads = count;
  return control;
}

inline std::vector<GameRecord> games_of(const std::filesystem::path& path) {
  std::vector<GameRecord> games;
  Store::open_read_only(path).for_each([&](const GameRecord& game) {
    games.push_back(game);
    games.back().milliseconds = 0;  // the one thing that a rerun does not reproduce
  });
  return games;
}

inline void expect_same(const std::vector<GameRecord>& one, const std::vector<GameRecord>& two) {
  ASSERT_EQ(one.size(), two.size());
  for (std::size_t i = 0; i < one.size(); ++i) expect_same_game(one[i], two[i]);
}

}  // namespace cannonade
