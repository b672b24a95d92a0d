// The overnight loop as a program: the same weights for any number of threads and whatever
// interrupts it.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/base/files.h"
#include "core/base/rng.h"
#include "tests/selfplay/child_program.h"
#include "tests/selfplay/stored_games.h"

namespace cannonade {
namespace {

namespace fs = std::filesystem;

const char* const kNight = R"(
title = "Test"
seed = 5
[[job]]
kind = "tune"
rules = ["janggi-kja", "xiangqi-casual"]
generations = 2
[job.generate]
games = 24
nodes = 30
[job.fit]
folds = 2
anchor_deviation = 20
[job.verify]
games = 12
nodes = 30
[job.against_start]
games = 4
nodes = 30
)";

class NightTest : public testing::Test {
 protected:
  void SetUp() override { write_file_atomically(config(), kNight); }
  [[nodiscard]] fs::path config() const { return folder_.path() / "night.toml"; }
  [[nodiscard]] std::vector<std::string> words(const std::string& out,
                                               const std::string& threads = "2") const {
    return {"overnight", "--config", config().string(), "--out", (folder_.path() / out).string(),
            "--threads", threads,    "--quiet",         "--json"};
  }
  // All weights files of a night, by their path in it.
  [[nodiscard]] std::map<std::string, std::string> weights_of(const std::string& out) const {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path() / out)) {
      if (entry.path().extension() != ".toml") continue;
      files[fs::relative(entry.path(), folder_.path() / out).string()] =
          read_file(entry.path()).value_or_throw();
    }
    return files;
  }

  TempFolder folder_;
};

TEST_F(NightTest, AnyNumberOfThreadsGivesTheSameWeightsAndAReport) {
  const ProgramResult one = run_program("tuner", words("one", "1"), folder_.path());
  ASSERT_EQ(one.code, 0) << one.err;
  const ProgramResult two = run_program("tuner", words("two", "2"), folder_.path());
  ASSERT_EQ(two.code, 0) << two.err;
  const auto weights = weights_of("one");
  EXPECT_EQ(weights, weights_of("two"));
  EXPECT_TRUE(weights.count("xiangqi-casual/generation-02/candidate.toml"));
  EXPECT_NE(weights.at("janggi-kja/generation-01/candidate.toml"),
            weights.at("janggi-kja/generation-01/from.toml"));

  const auto json = nlohmann::json::parse(two.out);
  ASSERT_EQ(json["rule_sets"].size(), 2U);
  for (const auto& rules : json["rule_sets"]) {
    EXPECT_TRUE(rules["complete"]);
    ASSERT_EQ(rules["generations"].size(), 2U);
    EXPECT_EQ(rules["generations"][0]["generate"]["games"], 24);
    EXPECT_GT(rules["generations"][0]["fit"]["positions"], 0);
    EXPECT_LT(rules["generations"][0]["fit"]["loss_after"],
              rules["generations"][0]["fit"]["loss_before"]);
    EXPECT_EQ(rules["generations"][1]["promoted"],
              rules["generations"][1]["verify"]["verdict"] == "H1");
  }
  const std::string page = read_file(folder_.path() / "two" / "report.html").value_or_throw();
  EXPECT_NE(page.find("janggi-kja"), std::string::npos);
  EXPECT_EQ(page.find("http://"), page.find("http://www.w3.org")) << "nothing from the network";

  // Run again, a finished night only tells its result.
  const ProgramResult again = run_program("tuner", words("two"), folder_.path());
  EXPECT_EQ(again.code, 0);
  EXPECT_EQ(weights, weights_of("two"));
}

// The best that a tune job has promoted is what the jobs after it play with.
TEST_F(NightTest, JobsAfterATuneJobPlayWithItsWeights) {
  write_file_atomically(folder_.path() / "material.toml", "weights = \"material\"\n");
  write_file_atomically(config(), R"(
seed = 5
[[job]]
kind = "tune"
rules = ["xiangqi-casual"]
[job.generate]
games = 24
nodes = 30
[job.fit]
folds = 2
anchor_deviation = 20
[job.verify]
games = 12
nodes = 30
elo0 = -1000
elo1 = -200
alpha = 0.4
beta = 0.4
[[job]]
kind = "match"
rules = ["xiangqi-casual", "janggi-kja"]
[job.match]
opponent = "material.toml"
games = 4
nodes = 30
)");
  const ProgramResult night = run_program("tuner", words("jobs"), folder_.path());
  ASSERT_EQ(night.code, 0) << night.err;
  const auto json = nlohmann::json::parse(night.out);
  ASSERT_EQ(json["matches"].size(), 2U);
  for (const auto& match : json["matches"]) {
    EXPECT_EQ(match["games"], 4);
    EXPECT_EQ(match["opponent"], "material");
    EXPECT_EQ(match["complete"], true);
  }
  // For janggi, which the first job did not tune, the compiled-in weights.
  EXPECT_EQ(json["rule_sets"][0]["best_generation"], 1);
  const auto files = weights_of("jobs");
  EXPECT_EQ(files.at("job-2/weights/xiangqi-casual.toml"),
            files.at("job-1/xiangqi-casual/best.toml"));
  EXPECT_TRUE(files.count("job-2/weights/janggi-kja.toml"));
  const std::string page = read_file(folder_.path() / "jobs" / "report.html").value_or_throw();
  EXPECT_NE(page.find("xiangqi-casual against material"), std::string::npos);
}

TEST_F(NightTest, ACompareJobPlaysBothRuleSetsWithTheNightsWeights) {
  write_file_atomically(config(), R"(
seed = 5
[[job]]
kind = "compare"
[job.compare]
games = 40
nodes = [20, 40]
han_bonus = [0.5]
)");
  const ProgramResult night = run_program("tuner", words("compare"), folder_.path());
  ASSERT_EQ(night.code, 0) << night.err;
  const auto json = nlohmann::json::parse(night.out);
  ASSERT_EQ(json["comparisons"].size(), 1U);
  const auto& comparison = json["comparisons"][0];
  EXPECT_EQ(comparison["complete"], true);
  EXPECT_GT(comparison["kja"]["games"], 0);
  EXPECT_EQ(comparison["kja"]["games"], comparison["point_count"]["games"]);
  EXPECT_TRUE(comparison.contains("fair_bonus"));
  EXPECT_EQ(weights_of("compare").size(), 2U);
  const std::string page = read_file(folder_.path() / "compare" / "report.html").value_or_throw();
  EXPECT_NE(page.find("Games of the comparison"), std::string::npos);
  // Begun again it has nothing left to do and says the same.
  const ProgramResult again = run_program("tuner", words("compare"), folder_.path());
  const auto there = nlohmann::json::parse(again.out);
  EXPECT_EQ(there["comparisons"][0]["kja"], comparison["kja"]);
  EXPECT_EQ(there["comparisons"][0]["played"], 0);
}

TEST_F(NightTest, ALadderJobWritesLevelsOfTheNightsWeights) {
  write_file_atomically(config(), R"(
seed = 5
[[job]]
kind = "ladder"
rules = ["xiangqi-casual"]
[job.ladder]
levels = 3
probes = 3
survey_games = 10
round_games = 10
confirm_games = 10
rounds = 1
yardstick_games = 4
profile_games = 2
profile_nodes = 50
[job.ladder.weakest]
nodes = 10
noise = 300
[job.ladder.strongest]
nodes = 60
)");
  const ProgramResult night = run_program("tuner", words("ladder"), folder_.path());
  ASSERT_EQ(night.code, 0) << night.err;
  const auto json = nlohmann::json::parse(night.out);
  ASSERT_EQ(json["ladders"].size(), 1U);
  EXPECT_EQ(json["ladders"][0]["complete"], true);
  EXPECT_GE(json["ladders"][0]["levels"].size(), 2U);
  const auto files = weights_of("ladder");
  EXPECT_TRUE(files.count("xiangqi-casual/levels.toml"));
  EXPECT_TRUE(files.count("weights/xiangqi-casual.toml"));
  const std::string page = read_file(folder_.path() / "ladder" / "report.html").value_or_throw();
  EXPECT_NE(page.find("Recaptures missed"), std::string::npos);
  // Of a job the settings that its kind uses are kept, and no others.
  const std::string settings = read_file(folder_.path() / "ladder" / "night.txt").value_or_throw();
  EXPECT_NE(settings.find("job[0].ladder.probes = 3"), std::string::npos);
  EXPECT_EQ(settings.find("job[0].generate"), std::string::npos);
  EXPECT_EQ(settings.find("job[0].compare"), std::string::npos);
}

TEST_F(NightTest, AMatchJobWithoutOpponentOrLimitIsRefused) {
  for (const std::string match : {"games = 4\nnodes = 30\n", "opponent = \"night.toml\"\n"}) {
    write_file_atomically(config(), "[[job]]\nkind = \"match\"\nrules = [\"janggi-kja\"]\n" +
                                        std::string("[job.match]\n") + match);
    const ProgramResult night = run_program("tuner", words("refused"), folder_.path());
    EXPECT_EQ(night.code, 2);
    EXPECT_NE(night.err.find("a match job needs"), std::string::npos) << night.err;
    EXPECT_FALSE(fs::exists(folder_.path() / "refused"));
  }
}

TEST_F(NightTest, KilledAtAnyMomentItEndsWithTheSameWeights) {
  const ProgramResult whole = run_program("tuner", words("whole"), folder_.path());
  ASSERT_EQ(whole.code, 0) << whole.err;
  Rng rng(3);
  for (const std::string name : {"a", "b"}) {
    int kills = 0;
    for (bool done = false; !done;) {
      ChildProgram child("tuner", words(name), folder_.path());
      // Longer each time, so that what cannot be cut comes to its end under a sanitizer, too.
      const auto most = static_cast<std::uint64_t>(400 * std::pow(1.1, kills));
      const auto until =
          std::chrono::steady_clock::now() + std::chrono::milliseconds(20 + rng.below(most));
      while (child.running() && std::chrono::steady_clock::now() < until) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
      }
      if (child.running()) {
        child.send(rng.below(3) == 0 ? SIGINT : SIGKILL);
        ++kills;
        (void)child.wait();
      } else {
        done = true;
      }
      ASSERT_LT(kills, 200);
    }
    EXPECT_GT(kills, 0);
    EXPECT_EQ(weights_of("whole"), weights_of(name));
  }
}

TEST_F(NightTest, AnotherNightsFolderIsRefusedAndLeftAlone) {
  ASSERT_EQ(run_program("tuner", words("x"), folder_.path()).code, 0);
  const auto before = weights_of("x");
  std::string other = kNight;
  other.replace(other.find("seed = 5"), 8, "seed = 6");
  write_file_atomically(config(), other);
  const ProgramResult refused = run_program("tuner", words("x"), folder_.path());
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("other settings"), std::string::npos) << refused.err;
  EXPECT_NE(refused.err.find("seed"), std::string::npos) << refused.err;
  EXPECT_EQ(before, weights_of("x"));
}

TEST_F(NightTest, ARulesetThatFailsIsNamedAndTheOthersGoOn) {
  // Weights of janggi cannot start xiangqi.
  std::string text = kNight;
  const std::string start = std::string(CANNONADE_SOURCE_DIR) + "/configs/weights/janggi-kja.toml";
  text.replace(text.find("rules ="), 7, "start = \"" + start + "\"\nrules =");
  text.replace(text.find("\"janggi-kja\", \"xiangqi-casual\""), 30,
               "\"xiangqi-casual\", \"janggi-kja\"");
  write_file_atomically(config(), text);
  const ProgramResult result = run_program("tuner", words("f"), folder_.path());
  EXPECT_EQ(result.code, 3);
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_NE(json["rule_sets"][0]["failure"].get<std::string>().find("not for xiangqi-casual"),
            std::string::npos);
  EXPECT_TRUE(json["rule_sets"][1]["complete"]);
}

TEST_F(NightTest, FaultsOfTheFileAreNamedBeforeAnythingIsMade) {
  for (const auto& [from, to] :
       std::vector<std::pair<std::string, std::string>>{{"generations = 2", "generations = 0"},
                                                        {"seed = 5", "sede = 5"},
                                                        {"\"janggi-kja\"", "\"shogi\""},
                                                        {"nodes = 30", "nodes = \"many\""}}) {
    std::string text = kNight;
    text.replace(text.find(from), from.size(), to);
    write_file_atomically(config(), text);
    const ProgramResult result = run_program("tuner", words("bad"), folder_.path());
    EXPECT_EQ(result.code, 2) << to;
    EXPECT_NE(result.err.find("night.toml"), std::string::npos) << result.err;
    EXPECT_FALSE(fs::exists(folder_.path() / "bad")) << to;
  }
}

}  // namespace
}  // namespace cannonade
