// `tuner fit` and the replay beneath it, on real games.
#include "tuner/fit.h"

#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "core/base/files.h"
#include "selfplay/generate.h"
#include "tests/selfplay/child_program.h"
#include "tests/selfplay/stored_games.h"

namespace cannonade {
namespace {

// A store of real games of a rule set.
std::filesystem::path games_of(const Ruleset& rules, const std::filesystem::path& folder,
                               std::uint64_t games = 60) {
  Tournament tournament;
  tournament.command = "generate";
  tournament.rules = rules;
  tournament.games = games;
  EngineConfig engine;
  engine.name = "material";
  engine.weights = "material";
  engine.hash_mb = 1;
  tournament.engines = {engine};
  tournament.pairings = make_pairings(PairingKind::kSelf, 1);
  tournament.limits.nodes = 40;
  RunControl control;
  control.threads = 2;
  const auto out = folder / (rules.id + ".db");
  EXPECT_TRUE(run_generate(std::move(tournament), out, control).complete);
  return out;
}

TEST(Fit, RealGamesOfEveryRulesetLowerTheLossAndAreTheSameForAnyThreads) {
  const TempFolder folder;
  for (const Ruleset& rules : rulesets()) {
    const auto store = games_of(rules, folder.path());
    FitOptions options;
    options.anchor_deviation = 10;
    options.folds = 2;
    const FitResult result = run_fit({rules, material_weights(rules), {store}, {}, {}}, options);
    EXPECT_EQ(result.replay.games, 60U);
    EXPECT_GT(result.positions, 200U);
    EXPECT_LT(result.loss_after, result.loss_before);
    EXPECT_TRUE(result.converged);
    EXPECT_LT(result.certificate.largest_step, 0.5);
    EXPECT_NEAR(result.loss_rounded, result.loss_after, 1e-3);
    // A soldier keeps 100 in the middle game.
    EXPECT_EQ(result.weights[offset_of(FeatureGroup::kMaterial) + valued_index(PieceKind::kSoldier)]
                  .middle,
              100);
    // Who is called undetermined has not moved, and nobody else has not been free to.
    const std::set<std::string> held(result.undetermined.begin(), result.undetermined.end());
    std::size_t seen_held = 0;
    for (const WeightTrust& w : result.trust.weights) {
      const std::string name = result.features.parameter_name(w.parameter);
      if (held.count(name) != 0) {
        ++seen_held;
        EXPECT_EQ(w.change, 0) << name;
        EXPECT_LT(w.pairs, TrustSettings().min_pairs) << name;
      } else if (name != "material.soldier.mg") {
        EXPECT_GE(w.pairs, TrustSettings().min_pairs) << name;
      }
    }
    EXPECT_EQ(seen_held, held.size());
    EXPECT_GT(held.size(), 0U);
    EXPECT_EQ(result.replay.seen, result.replay.kept + result.replay.in_check +
                                      result.replay.not_quiet + result.replay.decided +
                                      result.replay.thinned);
  }
}

TEST(Fit, RowsFromTheCacheGiveTheSameWeightsAndADamagedCacheIsFound) {
  const TempFolder folder;
  const Ruleset& rules = rulesets().front();
  FitOptions options;
  options.anchor_deviation = 10;
  FitInput input{rules, material_weights(rules), {games_of(rules, folder.path())}, {}, {}};
  const FitResult plain = run_fit(input, options);
  input.cache = folder.path() / "rows.bin";
  const FitResult first = run_fit(input, options);
  const FitResult second = run_fit(input, options);
  EXPECT_FALSE(first.from_cache);
  EXPECT_TRUE(second.from_cache);
  EXPECT_EQ(plain.weights, second.weights);
  EXPECT_EQ(first.replay.kept, second.replay.kept);
  options.filter.quiet_bound = 10;  // another filter: other rows
  EXPECT_FALSE(run_fit(input, options).from_cache);
  std::string bytes = read_file(input.cache).value_or_throw();
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  write_file_atomically(input.cache, bytes);
  EXPECT_THROW((void)run_fit(input, options), Error);
}

TEST(Fit, PresetsOfAVariantCanBePooledAndGroupsChosen) {
  const TempFolder folder;
  const Ruleset kja = find_ruleset("janggi-kja").value_or_throw();
  const Ruleset points = find_ruleset("janggi-point-count").value_or_throw();
  FitOptions options;
  options.folds = 2;
  options.choose_factors = true;
  FitInput input{points, material_weights(points), {games_of(points, folder.path())}, {}, {}};
  input.pool = PoolWith{kja, {games_of(kja, folder.path())}};
  const FitResult result = run_fit(input, options);
  EXPECT_EQ(result.pooled_with, "janggi-kja");
  EXPECT_GT(result.pool_curve.size(), 1U);
  EXPECT_FALSE(result.factor_trials.empty());
  EXPECT_LT(result.loss_after, result.loss_before);
  input.pool = PoolWith{find_ruleset("xiangqi").value_or_throw(), input.stores};
  EXPECT_THROW((void)run_fit(input, options), Error);
}

// Too few games for any weight to move are the user's to hear of, whatever the settings.
TEST(Fit, TooFewGamesAreRefusedInOneLine) {
  for (const std::uint64_t games : {1U, 2U, 6U}) {
    const TempFolder folder;
    const Ruleset& rules = rulesets().front();
    const auto store = games_of(rules, folder.path(), games);
    for (const double deviation : {0.0, 10.0}) {
      FitOptions options;
      options.anchor_deviation = deviation;
      options.folds = 2;
      const std::string message = error_of([&] {
        (void)run_fit({rules, material_weights(rules), {store}, {}, {}}, options);
      });
      EXPECT_NE(message, "") << games;
      EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    }
  }
}

TEST(Fit, AStoreOfAnotherRulesetIsRefusedByName) {
  const TempFolder folder;
  const auto store = games_of(rulesets().front(), folder.path());
  const Ruleset xiangqi = find_ruleset("xiangqi").value_or_throw();
  try {
    (void)run_fit({xiangqi, material_weights(xiangqi), {store}, {}, {}}, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUser);
    EXPECT_NE(std::string(error.what()).find("janggi-kja"), std::string::npos) << error.what();
  }
}

TEST(Fit, TheCommandWritesWeightsThatLoadAndPrintsItsJson) {
  const TempFolder folder;
  const Ruleset& rules = rulesets().front();
  const auto store = games_of(rules, folder.path());
  const auto config = folder.path() / "fit.toml";
  write_file_atomically(config, "rules = \"janggi-kja\"\nstart = \"material\"\n[fit]\nfolds = 2\n");
  std::vector<std::string> bytes;
  for (const std::string threads : {"1", "2"}) {
    const auto out = folder.path() / ("w" + threads + ".toml");
    const ProgramResult result =
        run_program("tuner",
                    {"fit", "--config", config.string(), "--data", store.string(), "--out",
                     out.string(), "--threads", threads, "--json", "--quiet"},
                    folder.path());
    ASSERT_EQ(result.code, 0) << result.err;
    const auto json = nlohmann::json::parse(result.out);
    for (const char* key :
         {"games", "positions", "passes", "gradient_norm", "loss_before", "loss_after",
          "validation_loss_before", "validation_loss_after", "validation_loss_error", "weights",
          "undetermined", "collinear", "calibration", "seconds"}) {
      EXPECT_TRUE(json.contains(key)) << key;
    }
    EXPECT_TRUE(Weights::load(out, rules).has_value());
    bytes.push_back(read_file(out).value_or_throw());
  }
  EXPECT_EQ(bytes[0], bytes[1]);

  const ProgramResult diff =
      run_program("tuner",
                  {"diff", std::string(CANNONADE_SOURCE_DIR) + "/configs/weights/janggi-kja.toml",
                   (folder.path() / "w1.toml").string()},
                  folder.path());
  EXPECT_EQ(diff.code, 0) << diff.err;
  EXPECT_NE(diff.out.find("features changed"), std::string::npos);

  const ProgramResult bad = run_program(
      "tuner",
      {"fit", "--config", config.string(), "--data", "/nonexistent.db", "--out", "/tmp/never.toml"},
      folder.path());
  EXPECT_EQ(bad.code, 2);
  EXPECT_NE(bad.err.find("/nonexistent.db"), std::string::npos);
  const ProgramResult nowhere =
      run_program("tuner",
                  {"fit", "--config", config.string(), "--data", store.string(), "--out",
                   (folder.path() / "none/w.toml").string()},
                  folder.path());
  EXPECT_EQ(nowhere.code, 2);
  EXPECT_NE(nowhere.err.find("there is no folder"), std::string::npos) << nowhere.err;
}

// What a person sees of a fit: how sure each weight is, and how sure the fall of the loss.
TEST(Fit, TheCommandTellsHowSureItIs) {
  const TempFolder folder;
  const auto store = games_of(rulesets().front(), folder.path());
  const auto config = folder / "fit.toml";
  write_file_atomically(
      config, "rules = \"janggi-kja\"\nstart = \"material\"\n[fit]\nanchor_deviation = 20\n");
  const ProgramResult told =
      run_program("tuner",
                  {"fit", "--config", config.string(), "--data", store.string(), "--out",
                   (folder / "w.toml").string(), "--quiet"},
                  folder.path());
  ASSERT_EQ(told.code, 0) << told.err;
  for (const char* part : {"held out ", " +- ", "largest remaining step", "weights undetermined",
                           "weights that moved most", "+- 95 %", "rounded"}) {
    EXPECT_NE(told.out.find(part), std::string::npos) << part << " in " << told.out;
  }
}

TEST(Fit, InterruptedWhileItReadsGamesItSaysSoAndWritesNothing) {
  const TempFolder folder;
  const auto store = games_of(rulesets().front(), folder.path());
  const auto config = folder / "fit.toml";
  write_file_atomically(config, "rules = \"janggi-kja\"\nstart = \"material\"\n");
  // The same store many times over, so that reading takes a while.
  std::vector<std::string> words{"fit", "--config", config.string(), "--out",
                                 (folder / "w.toml").string()};
  for (int i = 0; i < 200; ++i) words.insert(words.end(), {"--data", store.string()});
  ChildProgram child("tuner", words, folder.path());
  while (child.running() && child.err().find("replaying") == std::string::npos) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ASSERT_TRUE(child.running());
  child.send(SIGINT);
  EXPECT_EQ(child.wait(), 128 + SIGINT);
  EXPECT_NE(child.err().find("nothing was written"), std::string::npos) << child.err();
  EXPECT_FALSE(std::filesystem::exists(folder / "w.toml"));
}

TEST(Fit, InterruptedWhileItFitsItWritesTheBestSoFar) {
  const TempFolder folder;
  const Ruleset& rules = rulesets().front();
  const auto store = games_of(rules, folder.path());
  const auto config = folder / "fit.toml";
  write_file_atomically(
      config, "rules = \"janggi-kja\"\nstart = \"material\"\n[fit]\nchoose_factors = true\n");
  ChildProgram child("tuner",
                     {"fit", "--config", config.string(), "--data", store.string(), "--out",
                      (folder / "w.toml").string()},
                     folder.path());
  while (child.running() && child.err().find("choosing the groups") == std::string::npos) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ASSERT_TRUE(child.running());
  child.send(SIGINT);
  EXPECT_EQ(child.wait(), 128 + SIGINT);
  EXPECT_NE(child.err().find("the best weights so far are in"), std::string::npos) << child.err();
  EXPECT_TRUE(Weights::load(folder / "w.toml", rules).has_value());
}

TEST(Explain, TheCommandPrintsATableAndRefusesOtherRulesetsWeights) {
  const TempFolder folder;
  const ProgramResult told = run_program(
      "tuner", {"explain", "--weights", "material", "--rules", "janggi-kja"}, folder.path());
  EXPECT_EQ(told.code, 0) << told.err;
  EXPECT_NE(told.out.find("material"), std::string::npos);
  // Cho has a soldier more, which counts 100.
  const ProgramResult json =
      run_program("tuner",
                  {"explain", "--weights", "material", "--rules", "janggi-kja", "--json", "--fen",
                   "rnba1abnr/4k4/1c5c1/p1p1p1p2/9/9/P1P1P1P1P/1C5C1/4K4/RNBA1ABNR w - - 0 1"},
                  folder.path());
  const auto object = nlohmann::json::parse(json.out);
  EXPECT_EQ(object.at("score"), 100);
  EXPECT_EQ(object.at("groups").at("material").at("net"), 100.0);
  EXPECT_EQ(object.at("features").at("material.soldier").at("cho"), 5);
  EXPECT_EQ(object.at("features").at("material.soldier").at("han"), 4);
  const ProgramResult refused =
      run_program("tuner",
                  {"explain", "--weights",
                   std::string(CANNONADE_SOURCE_DIR) + "/configs/weights/janggi-kja.toml",
                   "--rules", "xiangqi-casual"},
                  folder.path());
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("not for xiangqi-casual"), std::string::npos) << refused.err;
}

}  // namespace
}  // namespace cannonade
