// A night whose games other machines play: the same weights, whatever happens to a machine.
#include "tuner/night_shards.h"

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/base/files.h"
#include "tests/selfplay/child_program.h"
#include "tests/selfplay/stored_games.h"
#include "tuner/work_order.h"

namespace cannonade {
namespace {

namespace fs = std::filesystem;

// Verified over several rounds, by a test that decides before its last game.
const char* const kShardedNight = R"(
title = "Test"
seed = 5
[[job]]
kind = "tune"
rules = ["janggi-kja"]
generations = 1
[job.generate]
games = 20
nodes = 30
[job.fit]
folds = 2
anchor_deviation = 20
[job.verify]
games = 60
round_games = 4
nodes = 30
elo0 = -300
elo1 = -100
[job.against_start]
games = 6
nodes = 30
)";

class NightShardsTest : public testing::Test {
 protected:
  void SetUp() override { write_file_atomically(folder_ / "night.toml", kShardedNight); }

  [[nodiscard]] std::vector<std::string> head(const std::string& out) const {
    return {"overnight",
            "--config",
            (folder_ / "night.toml").string(),
            "--out",
            (folder_ / out).string(),
            "--join",
            "--quiet",
            "--json"};
  }
  [[nodiscard]] std::vector<std::string> shard(const std::string& out, int i, int n) const {
    return {"overnight",
            "--out",
            (folder_ / out).string(),
            "--shard",
            std::to_string(i) + "/" + std::to_string(n),
            "--threads",
            "1",
            "--quiet",
            "--json"};
  }
  [[nodiscard]] ProgramResult tuner(const std::vector<std::string>& words) const {
    return run_program("tuner", words, folder_.path());
  }
  // All weights files of a night, by their path in it.
  [[nodiscard]] std::map<std::string, std::string> weights_of(const std::string& out) const {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder_ / out)) {
      if (entry.path().extension() != ".toml") continue;
      files[fs::relative(entry.path(), folder_ / out).string()] =
          read_file(entry.path()).value_or_throw();
    }
    return files;
  }
  void expect_equal_nights(const std::string& a, const std::string& b) const {
    const auto there = weights_of(a);
    const auto here = weights_of(b);
    ASSERT_FALSE(there.empty());
    for (const auto& [file, text] : there) EXPECT_EQ(here.count(file), 1U) << file;
    for (const auto& [file, text] : here) {
      ASSERT_EQ(there.count(file), 1U) << file;
      EXPECT_EQ(text, there.at(file)) << file;
    }
  }

  TempFolder folder_;
};

TEST_F(NightShardsTest, EndsWithTheWeightsOfOneMachine) {
  const ProgramResult whole =
      tuner({"overnight", "--config", (folder_ / "night.toml").string(), "--out",
             (folder_ / "whole").string(), "--threads", "2", "--quiet", "--json"});
  ASSERT_EQ(whole.code, 0) << whole.err;

  constexpr int kShards = 2;
  int visits = 0;
  std::map<std::string, int> rounds;
  ProgramResult result = tuner(head("shards"));
  for (; result.code == 1; result = tuner(head("shards"))) {
    ASSERT_LT(++visits, 100);
    const auto json = nlohmann::json::parse(result.out);
    EXPECT_FALSE(json.at("complete"));
    EXPECT_GT(json.at("awaited").at("games"), 0);
    ++rounds[json.at("awaited").at("title")];
    for (int i = 1; i <= kShards; ++i) {
      const ProgramResult played = tuner(shard("shards", i, kShards));
      ASSERT_EQ(played.code, 0) << played.err;
      EXPECT_TRUE(nlohmann::json::parse(played.out).at("complete"));
    }
  }
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(rounds.at("janggi-kja generation 1: games"), 1);

  // The same verdicts after the same games, so the same file of the best, byte for byte.
  expect_equal_nights("whole", "shards");
  const auto there = nlohmann::json::parse(whole.out);
  const auto here = nlohmann::json::parse(result.out);
  const auto& a = there.at("rule_sets").at(0).at("generations").at(0);
  const auto& b = here.at("rule_sets").at(0).at("generations").at(0);
  EXPECT_EQ(a.at("promoted"), b.at("promoted"));
  for (const char* key : {"games", "pentanomial", "llr", "verdict"}) {
    EXPECT_EQ(a.at("verify").at(key), b.at("verify").at(key)) << key;
  }
  // No round was ordered that was not needed.
  const int games = b.at("verify").at("games");
  EXPECT_EQ(rounds.at("janggi-kja generation 1: verify"), (games + 3) / 4);
  EXPECT_GT(games, 4) << "there should be rounds";
  EXPECT_LT(games, 60) << "the test should decide before the plan ends";
  // Nothing is left that only served the way.
  EXPECT_FALSE(fs::exists(order_file(folder_ / "shards")));
  for (const auto& entry : fs::recursive_directory_iterator(folder_ / "shards")) {
    EXPECT_NE(entry.path().extension(), ".shards") << entry.path();
  }
  // A shard that comes late finds nothing to do.
  const ProgramResult late = tuner(shard("shards", 1, kShards));
  EXPECT_EQ(late.code, 0);
  EXPECT_TRUE(nlohmann::json::parse(late.out).at("awaited").is_null());
}

TEST_F(NightShardsTest, KilledShardsAndHeadsChangeNothingAndOneMachineCanFinish) {
  ASSERT_EQ(tuner({"overnight", "--config", (folder_ / "night.toml").string(), "--out",
                   (folder_ / "whole").string(), "--quiet"})
                .code,
            0);
  ASSERT_EQ(tuner(head("n")).code, 1);
  // A shard killed on its way; the night must then still await the rest of it.
  {
    ChildProgram child("tuner", shard("n", 1, 2), folder_.path());
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    child.send(SIGKILL);
    (void)child.wait();
  }
  ASSERT_EQ(tuner(shard("n", 2, 2)).code, 0);
  ProgramResult result = tuner(head("n"));
  if (result.code == 1) {
    ASSERT_EQ(tuner(shard("n", 1, 2)).code, 0);
    // A head killed on its way.
    ChildProgram child("tuner", head("n"), folder_.path());
    std::this_thread::sleep_for(std::chrono::milliseconds(40));
    child.send(SIGKILL);
    (void)child.wait();
    result = tuner(head("n"));
  }
  ASSERT_EQ(result.code, 1) << result.err;
  // One machine goes on with what the shards have begun.
  ASSERT_EQ(tuner({"overnight", "--config", (folder_ / "night.toml").string(), "--out",
                   (folder_ / "n").string(), "--quiet"})
                .code,
            0);
  expect_equal_nights("whole", "n");
}

TEST_F(NightShardsTest, MistakesAreNamed) {
  const auto refused = [&](const std::vector<std::string>& words, const std::string& what) {
    const ProgramResult result = tuner(words);
    EXPECT_EQ(result.code, 2);
    EXPECT_NE(result.err.find(what), std::string::npos) << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  };
  refused(shard("nowhere", 1, 2), "no night in");
  refused({"overnight", "--out", (folder_ / "x").string()}, "--config");
  std::vector<std::string> both = head("x");
  both.insert(both.end(), {"--shard", "1/2"});
  refused(both, "exclude each other");
  refused({"overnight", "--out", (folder_ / "x").string(), "--shard", "3/2"}, "shard");
  EXPECT_FALSE(fs::exists(folder_ / "x"));

  ASSERT_EQ(tuner(head("n")).code, 1);
  std::string order = read_file(order_file(folder_ / "n")).value_or_throw();
  order.replace(order.find("\"0-0\""), 5, "\"0-7\"");
  write_file_atomically(order_file(folder_ / "n"), order);
  refused(shard("n", 1, 2), "pairings: '0-7' given");
}

// Everything that decides the games goes through the file.
TEST(WorkOrder, TheFileHoldsTheWholeTournament) {
  const TempFolder folder;
  const fs::path engines = folder / "engines";
  fs::create_directories(engines);
  write_file_atomically(engines / "w.toml", material_weights(rulesets().front()).to_toml());
  write_file_atomically(engines / "odd.sh", "#!/bin/sh\n");
  fs::permissions(engines / "odd.sh", fs::perms::owner_all);
  WorkOrder order;
  order.title = "a \"title\"";
  order.shards = folder / "games.shards";
  Tournament& t = order.tournament;
  t.command = "match";
  t.rules = find_ruleset("janggi-point-count").value_or_throw();
  t.seed = 77;
  t.games = 12;
  t.engines.resize(2);
  t.engines[0].name = "one";
  t.engines[0].weights = "w.toml";
  t.engines[0].file = engines / "one.toml";
  t.engines[0].hash_mb = 3;
  t.engines[1].name = "two";
  t.engines[1].command = {"./odd.sh", "--fast"};
  t.engines[1].file = engines / "two.toml";
  t.engines[1].protocol = Protocol::kUcci;
  t.engines[1].options = {{"Use NNUE", "false"}};
  t.engines[1].variants = {{"xiangqi-casual", "xiangqi"}};
  t.engines[1].on_failure = FailurePolicy::kVoid;
  t.engines[1].limits.clock = parse_time_control("10+0.1").value_or_throw();
  t.pairings = {{0, 1}, {1, 1}};
  t.limits.nodes = 500;
  t.openings.plies = 6;
  t.openings.max_score = 90;
  t.openings.han = SetUp::kLeft;
  t.openings.book = folder / "book.epd";
  t.adjudication.resign_plies = 7;
  t.adjudication.play_out = 0.3;
  write_work_order(folder / "order.toml", order);
  const WorkOrder read = read_work_order(folder / "order.toml");
  EXPECT_EQ(read.title, order.title);
  EXPECT_EQ(read.shards, order.shards);
  const Tournament& r = read.tournament;
  EXPECT_EQ(r.command, t.command);
  EXPECT_EQ(r.rules.id, t.rules.id);
  EXPECT_EQ(r.seed, t.seed);
  EXPECT_EQ(r.games, t.games);
  EXPECT_EQ(r.pairings, t.pairings);
  ASSERT_EQ(r.engines.size(), 2U);
  const auto text = [](auto settings) {
    SettingsTable table;
    declare(table, settings);
    return reference_text(table);
  };
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(text(r.engines[i]), text(t.engines[i]));
    EXPECT_EQ(r.engines[i].file, t.engines[i].file);
  }
  EXPECT_EQ(weights_file(r.engines[0], r.rules), engines / "w.toml");
  EXPECT_EQ(find_program(r.engines[1]), engines / "odd.sh");
  EXPECT_EQ(text(r.limits), text(t.limits));
  EXPECT_EQ(text(r.openings), text(t.openings));
  EXPECT_EQ(text(r.adjudication), text(t.adjudication));
}

}  // namespace
}  // namespace cannonade
