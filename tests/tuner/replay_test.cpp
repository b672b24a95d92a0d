// From stored games to rows: each option of the filter by itself, results as the rules gave them,
// and rows that are the evaluation.
#include "tuner/replay.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "core/game/game_state.h"
#include "core/notation/fen.h"
#include "eval/sinks.h"
#include "selfplay/engine.h"
#include "selfplay/generate.h"
#include "tests/selfplay/stored_games.h"
#include "tests/tuner/synthetic.h"

namespace cannonade {
namespace {

using Plies = std::map<std::uint32_t, std::set<int>>;  // of each game

// Nothing is left out but positions in check.
FilterSettings keep_all() {
  FilterSettings filter;
  filter.skip_plies = 0;
  filter.quiet_bound = 80'000;
  filter.score_bound = 40'000;
  filter.max_per_game = 10'000;
  return filter;
}

class Replay : public testing::Test {
 protected:
  // Games of our engine with itself, played once for all tests.
  [[nodiscard]] std::vector<GameRecord> games(const Ruleset& rules) const {
    static std::map<std::string, std::vector<GameRecord>> played;
    std::vector<GameRecord>& mine = played[rules.id];
    if (!mine.empty()) return mine;
    Tournament tournament;
    tournament.command = "generate";
    tournament.rules = rules;
    tournament.games = 12;
    EngineConfig engine;
    engine.name = "ours";
    engine.hash_mb = 1;
    tournament.engines = {engine};
    tournament.pairings = make_pairings(PairingKind::kSelf, 1);
    tournament.limits.nodes = 40;
    tournament.openings.plies = 4;
    RunControl control;
    control.threads = 2;
    const auto file = folder_ / (rules.id + "-played.db");
    EXPECT_TRUE(run_generate(std::move(tournament), file, control).complete);
    mine = all_games(Store::open_read_only(file));
    return mine;
  }
  [[nodiscard]] std::filesystem::path store(const Ruleset& rules,
                                            const std::vector<GameRecord>& games,
                                            const std::string& name = "games.db") const {
    RunInfo run = sample_run(1000);
    run.rules = rules.id;
    Store store = Store::create_or_resume(folder_ / name, run);
    for (const GameRecord& game : games) store.add(game);
    return folder_ / name;
  }
  [[nodiscard]] Dataset rows(const Ruleset& rules, const std::vector<GameRecord>& games,
                             const FilterSettings& filter) {
    report_ = {};
    std::filesystem::remove(folder_ / "games.db");
    return replay_stores({store(rules, games)}, rules, material_weights(rules), filter, report_);
  }
  [[nodiscard]] Plies plies(const Ruleset& rules, const std::vector<GameRecord>& games,
                            const FilterSettings& filter) {
    Plies result;
    const Dataset data = rows(rules, games, filter);
    for (const SampleInfo& sample : data.columns().samples) {
      result[sample.game].insert(sample.ply);
    }
    return result;
  }
  // The plies of each game whose positions `wanted` takes.
  template <class Wanted>
  [[nodiscard]] static Plies plies_where(const Ruleset& rules, const std::vector<GameRecord>& games,
                                         const Wanted& wanted) {
    Plies result;
    for (std::uint32_t g = 0; g < games.size(); ++g) {
      GameState state(parse_fen(rules, games[g].start_fen).value_or_throw());
      for (std::size_t ply = 0; ply < games[g].moves.size(); ++ply) {
        if (wanted(games[g], static_cast<int>(ply), state)) {
          result[g].insert(static_cast<int>(ply));
        }
        state.play(games[g].moves[ply]);
      }
    }
    return result;
  }

  TempFolder folder_;
  ReplayReport report_;
};

bool out_of_check(const GameRecord& game, int ply, const GameState& state) {
  return ply >= game.opening_plies && !state.dangers().in_check;
}

TEST_F(Replay, PositionsInCheckAndTheOpeningsTurnsAreNeverKept) {
  for (const Ruleset& rules : rulesets()) {
    const auto all = games(rules);
    EXPECT_EQ(plies(rules, all, keep_all()), plies_where(rules, all, out_of_check)) << rules.id;
    EXPECT_GT(report_.in_check, 0U) << rules.id;
    EXPECT_EQ(report_.kept + report_.in_check, report_.seen);
  }
}

TEST_F(Replay, TheFirstPliesAreLeftOut) {
  const Ruleset& rules = rulesets().front();
  const auto all = games(rules);
  FilterSettings filter = keep_all();
  filter.skip_plies = 21;
  EXPECT_EQ(plies(rules, all, filter),
            plies_where(rules, all, [](const GameRecord& game, int ply, const GameState& state) {
              return ply >= 21 && out_of_check(game, ply, state);
            }));
}

TEST_F(Replay, PositionsThatAreNotQuietAreLeftOut) {
  for (const Ruleset& rules : rulesets()) {
    const auto all = games(rules);
    Engine engine("quiescence", material_weights(rules), 1);
    const PackedWeights packed(material_weights(rules));
    FilterSettings filter = keep_all();
    filter.quiet_bound = 40;
    EXPECT_EQ(plies(rules, all, filter),
              plies_where(rules, all,
                          [&](const GameRecord& game, int ply, const GameState& state) {
                            return out_of_check(game, ply, state) &&
                                   std::abs(engine.quiet_score(state.position(), state.history()) -
                                            evaluate(state.position(), packed)) <= 40;
                          }))
        << rules.id;
    EXPECT_GT(report_.not_quiet, 0U) << rules.id;
  }
}

TEST_F(Replay, DecidedPositionsAreLeftOut) {
  const Ruleset& rules = rulesets().front();
  const auto all = games(rules);
  Engine engine("quiescence", material_weights(rules), 1);
  FilterSettings filter = keep_all();
  filter.score_bound = 300;
  EXPECT_EQ(plies(rules, all, filter),
            plies_where(rules, all, [&](const GameRecord& game, int ply, const GameState& state) {
              return out_of_check(game, ply, state) &&
                     std::abs(engine.quiet_score(state.position(), state.history())) <= 300;
            }));
  EXPECT_GT(report_.decided, 0U);
}

TEST_F(Replay, AGameGivesSoManyPositionsAtMostSpreadOverAllOfIt) {
  const Ruleset& rules = rulesets().front();
  const auto all = games(rules);
  const Plies whole = plies(rules, all, keep_all());
  FilterSettings filter = keep_all();
  filter.max_per_game = 7;
  const Plies thinned = plies(rules, all, filter);
  std::uint64_t left_out = 0;
  for (const auto& [game, kept] : thinned) {
    const std::vector<int> had(whole.at(game).begin(), whole.at(game).end());
    ASSERT_EQ(kept.size(), std::min<std::size_t>(7, had.size()));
    left_out += had.size() - kept.size();
    // One of each seventh of what there was.
    for (std::size_t i = 0; i < 7 && had.size() > 7; ++i) {
      const auto from = kept.lower_bound(had[i * had.size() / 7]);
      const std::size_t end = (i + 1) * had.size() / 7;
      ASSERT_NE(from, kept.end());
      EXPECT_TRUE(end >= had.size() || *from < had[end]);
    }
  }
  EXPECT_EQ(report_.thinned, left_out);
}

TEST_F(Replay, TheTailOfAnAdjudicatedGameIsLeftOutWhereAskedFor) {
  const Ruleset& rules = rulesets().front();
  auto all = games(rules);
  constexpr Reason kReason[] = {Reason::kAdjudication, Reason::kResignation, Reason::kTime};
  for (std::size_t g = 0; g < all.size(); ++g) {
    // Before its end, so that the rules do not say otherwise.
    const std::size_t length = all[g].moves.size() * 2 / 3;
    all[g].moves.resize(length);
    all[g].scores.resize(length);
    all[g].outcome = {Side::kFirst, kReason[g % 3], false};
  }
  for (const int tail : {0, 10}) {
    FilterSettings filter = keep_all();
    filter.adjudicated_tail = tail;
    EXPECT_EQ(plies(rules, all, filter),
              plies_where(rules, all,
                          [&](const GameRecord& game, int ply, const GameState& state) {
                            const int end = static_cast<int>(game.moves.size()) -
                                            (game.outcome.reason == Reason::kTime ? 0 : tail);
                            return ply < end && out_of_check(game, ply, state);
                          }))
        << tail;
  }
}

// Whatever decided it, the points' count among that.
TEST_F(Replay, ResultsAreThoseThatTheRulesGave) {
  for (const Ruleset& rules : rulesets()) {
    const auto all = games(rules);
    const Dataset data = rows(rules, all, keep_all());
    for (const SampleInfo& sample : data.columns().samples) {
      const Outcome& outcome = all[sample.game].outcome;
      const SampleResult expected = !outcome.winner                   ? SampleResult::kDrawn
                                    : *outcome.winner == Side::kFirst ? SampleResult::kFirstWon
                                                                      : SampleResult::kFirstLost;
      ASSERT_EQ(sample.result, expected);
    }
    std::array<std::uint64_t, 3> results{};
    std::uint64_t by_points = 0;
    for (const GameRecord& game : all) {
      ++results[!game.outcome.winner ? 1U : *game.outcome.winner == Side::kFirst ? 2U : 0U];
      by_points += game.outcome.by_points ? 1U : 0U;
    }
    ASSERT_EQ(report_.sources.size(), 1U);
    EXPECT_EQ(report_.sources[0].results, results);
    if (rules.count_points) {
      EXPECT_GT(by_points, 0U) << "no game was decided by points: nothing was tested";
    }
  }
}

TEST_F(Replay, ScoresAreTheFirstMovers) {
  const Ruleset& rules = rulesets().front();
  const auto all = games(rules);
  const Dataset data = rows(rules, all, keep_all());
  for (const SampleInfo& sample : data.columns().samples) {
    const GameRecord& game = all[sample.game];
    const std::int16_t score = game.scores[sample.ply];
    if (score == kNoScore) {
      ASSERT_EQ(sample.search_score, kNoSearchScore);
    } else {
      ASSERT_EQ(sample.search_score, sample.ply % 2 == 0 ? score : -score);
    }
  }
}

// From outside the replay: the row's sum over the weights by the definition of a row, against the
// evaluation that the engine plays by. Rounding to whole centipawns is all that may differ.
TEST_F(Replay, EveryRowTimesTheWeightsIsTheEvaluation) {
  for (const Ruleset& rules : rulesets()) {
    const Weights weights = default_weights(rules);
    const PackedWeights packed(weights);
    Eigen::VectorXd vector(2 * kFeatureCount);
    for (int i = 0; i < kFeatureCount; ++i) {
      vector[i] = weights[i].middle;
      vector[kFeatureCount + i] = weights[i].end;
    }
    const auto all = games(rules);
    const Dataset data =
        replay_stores({store(rules, all, rules.id)}, rules, weights, keep_all(), report_);
    ASSERT_GT(data.rows(), 200U);
    for (std::size_t row = 0; row < data.rows(); ++row) {
      const SampleInfo& sample = data.samples_of(row).front();
      const GameRecord& game = all[sample.game];
      GameState state(parse_fen(rules, game.start_fen).value_or_throw());
      for (std::uint16_t ply = 0; ply < sample.ply; ++ply) state.play(game.moves[ply]);
      const Score value = evaluate(state.position(), packed);
      const double first_movers = sample.ply % 2 == 0 ? value : -value;
      ASSERT_NEAR(naive_score(data, row, vector), first_movers, 2.01)
          << rules.id << ": game " << sample.game << ", ply " << sample.ply;
    }
  }
}

TEST_F(Replay, GamesOfSeveralStoresKeepTheirSourceAndTheirPairsApart) {
  const Ruleset& rules = rulesets().front();
  const auto all = games(rules);
  const std::vector<std::filesystem::path> stores{store(rules, all, "one.db"),
                                                  store(rules, {all[3], all[5]}, "two.db")};
  const Dataset data = replay_stores(stores, rules, material_weights(rules), keep_all(), report_);
  ASSERT_EQ(report_.sources.size(), 2U);
  EXPECT_EQ(report_.sources[0].games, all.size());
  EXPECT_EQ(report_.sources[1].games, 2U);
  EXPECT_EQ(report_.games, all.size() + 2);
  std::map<std::uint32_t, std::set<int>> sources_of_pair;
  std::set<std::uint32_t> of_second;
  for (const SampleInfo& sample : data.columns().samples) {
    sources_of_pair[sample.pair].insert(sample.source);
    if (sample.source == 1) of_second.insert(sample.game);
  }
  for (const auto& [pair, sources] : sources_of_pair) EXPECT_EQ(sources.size(), 1U) << pair;
  EXPECT_EQ(of_second, (std::set<std::uint32_t>{12, 13}));
}

TEST_F(Replay, GamesWithoutAResultAreCountedAndNotUsed) {
  const Ruleset& rules = rulesets().front();
  auto all = games(rules);
  all[2].outcome = {std::nullopt, Reason::kUnfinished, false};
  const Dataset data = rows(rules, all, keep_all());
  EXPECT_EQ(report_.without_result, 1U);
  EXPECT_EQ(report_.games, all.size() - 1);
}

TEST_F(Replay, ATurnThatCannotBeIsNamedByStoreGameAndPly) {
  const Ruleset& rules = rulesets().front();
  auto all = games(rules);
  ASSERT_GT(all[4].moves.size(), 8U);
  all[4].moves[7] = all[4].moves[6];  // the piece is no longer there
  const std::string illegal = error_of([&] { (void)rows(rules, all, keep_all()); });
  EXPECT_NE(illegal.find("games.db: game 4, ply 7"), std::string::npos) << illegal;
  all = games(rules);
  all[4].moves.push_back(all[4].moves.back());  // behind the end
  all[4].scores.push_back(0);
  const std::string over = error_of([&] { (void)rows(rules, all, keep_all()); });
  EXPECT_NE(over.find("games.db: game 4, ply " + std::to_string(all[4].moves.size() - 1)),
            std::string::npos)
      << over;
}

}  // namespace
}  // namespace cannonade
