// What a night's phases promise one by one: a failure is tried once more and then named, a kill in
// any of them changes nothing, old games are fitted with new ones, and a row of rejections ends it.
#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/base/files.h"
#include "tests/selfplay/child_program.h"
#include "tests/selfplay/stored_games.h"
#include "tuner/night_phase.h"

namespace cannonade {
namespace {

namespace fs = std::filesystem;

// Whatever it measures, a candidate is promoted under kAnyone and rejected under kNoOne.
const char* const kAnyone = "elo0 = -1000\nelo1 = -200\nalpha = 0.45\nbeta = 0.45\n";
const char* const kNoOne = "elo0 = 200\nelo1 = 1000\nalpha = 0.45\nbeta = 0.45\n";

// A tune job for xiangqi: `keys` of the job itself, `verify` of its match, `tables` behind them.
std::string tune_job(const std::string& keys, const std::string& verify,
                     const std::string& tables = "") {
  return "seed = 5\n[[job]]\nkind = \"tune\"\nrules = [\"xiangqi-casual\"]\n" + keys +
         "[job.generate]\ngames = 24\nnodes = 30\n"
         "[job.fit]\nfolds = 2\nanchor_deviation = 20\n"
         "[job.verify]\ngames = 40\nnodes = 20\n" +
         verify + tables;
}

class NightPhases : public testing::Test {
 protected:
  [[nodiscard]] fs::path config() const { return folder_ / "night.toml"; }
  [[nodiscard]] fs::path place(const std::string& out) const {
    return folder_ / out / "xiangqi-casual";
  }
  [[nodiscard]] std::vector<std::string> words(const std::string& out) const {
    return {"overnight", "--config", config().string(), "--out", (folder_ / out).string(),
            "--threads", "2",        "--json"};
  }
  [[nodiscard]] nlohmann::json run(const std::string& out, const std::string& text) const {
    write_file_atomically(config(), text);
    const ProgramResult result = run_program("tuner", words(out), folder_.path());
    EXPECT_EQ(result.code, 0) << result.err;
    return nlohmann::json::parse(result.out, nullptr, false);
  }
  TempFolder folder_;
};

TEST_F(NightPhases, TheWindowIsOfGenerationsWhoseGamesAreFitted) {
  for (const int window : {1, 2}) {
    const nlohmann::json json =
        run("window" + std::to_string(window),
            tune_job("generations = 3\nwindow = " + std::to_string(window) + "\n", kAnyone));
    const auto& generations = json.at("rule_sets")[0].at("generations");
    ASSERT_EQ(generations.size(), 3U);
    EXPECT_EQ(generations[0].at("fit").at("games"), 24);
    EXPECT_EQ(generations[2].at("fit").at("games"), 24 * window);
  }
}

TEST_F(NightPhases, GenerationsGrowInGamesAndNodes) {
  std::string text = tune_job("generations = 2\n", kAnyone);
  text.replace(text.find("nodes = 30"), 10, "nodes = 30\ngames_growth = 1.5\nnodes_growth = 2");
  const nlohmann::json grown = run("grown", text);
  const auto& generations = grown.at("rule_sets")[0].at("generations");
  EXPECT_EQ(generations[0].at("generate").at("games"), 24);
  EXPECT_EQ(generations[1].at("generate").at("games"), 36);
  EXPECT_NE(read_file(place("grown") / "generation-02" / "candidate.toml")
                .value_or_throw()
                .find("\"nodes\" = \"60\""),
            std::string::npos);
}

TEST_F(NightPhases, ARowOfRejectionsEndsItAndEveryCandidateIsKept) {
  const nlohmann::json json =
      run("rejected", tune_job("generations = 6\nstop_after_rejections = 2\n", kNoOne));
  const auto& rules = json.at("rule_sets")[0];
  EXPECT_EQ(rules.at("generations").size(), 2U);
  EXPECT_EQ(rules.at("complete"), true);
  EXPECT_EQ(rules.at("best_generation"), 0);
  for (const auto& generation : rules.at("generations")) {
    EXPECT_EQ(generation.at("promoted"), false);
    EXPECT_EQ(generation.at("verify").at("verdict"), "H0");
  }
  for (const char* kept : {"generation-01", "generation-02"}) {
    for (const char* file : {"candidate.toml", "fit.json", "games.db", "verify.db"}) {
      EXPECT_TRUE(fs::exists(place("rejected") / kept / file)) << kept << file;
    }
  }
  EXPECT_FALSE(fs::exists(place("rejected") / "best.toml"));
}

TEST_F(NightPhases, TheBestIsMeasuredAgainstAllThatIsNamedAndItsFileSaysSo) {
  write_file_atomically(folder_ / "anchor.toml", "name = \"rock\"\nweights = \"material\"\n");
  const std::string four = "games = 4\nnodes = 20\n";
  const nlohmann::json json = run(
      "measured", tune_job("generations = 2\nanchor = \"anchor.toml\"\n", kAnyone,
                           "[job.against_start]\n" + four + "[job.against_first]\n" + four +
                               "[job.against_shipped]\n" + four + "[job.against_anchor]\n" + four));
  const auto& rules = json.at("rule_sets")[0];
  EXPECT_EQ(rules.at("best_generation"), 2);
  EXPECT_EQ(rules.at("first_generation"), 1);
  const std::string best = read_file(place("measured") / "best.toml").value_or_throw();
  const std::string page = read_file(folder_ / "measured" / "report.html").value_or_throw();
  for (const auto& [key, opponent] :
       std::vector<std::pair<std::string, std::string>>{{"against_start", "generation 0"},
                                                        {"against_first", "generation 1"},
                                                        {"against_shipped", "shipped weights"},
                                                        {"against_anchor", "rock"}}) {
    EXPECT_EQ(rules.at(key).at("games"), 4) << key;
    EXPECT_EQ(rules.at(key).at("b"), opponent);
    // All games are played; the verifications' test, which a few games decide, is asked of them,
    // too: for the weaker if most are lost.
    const auto verdict = rules.at(key).at("verdict").get<std::string>();
    EXPECT_EQ(verdict, rules.at(key).at("elo") < -600 ? "H0" : "H1") << rules.at(key);
    const std::size_t line = best.find("\"" + key + "\" = \"Elo ");
    ASSERT_NE(line, std::string::npos) << key;
    EXPECT_NE(best.substr(line, best.find('\n', line) - line)
                  .find("against " + opponent + " in 4 games at 20 nodes, " + verdict),
              std::string::npos)
        << best.substr(line, 120);
    EXPECT_NE(page.find(opponent), std::string::npos) << opponent;
  }
  // Begun again it tells the same of the same weights.
  const nlohmann::json again = nlohmann::json::parse(
      run_program("tuner", words("measured"), folder_.path()).out, nullptr, false);
  EXPECT_EQ(again.at("rule_sets")[0].at("against_first").at("elo"),
            rules.at("against_first").at("elo"));
  EXPECT_EQ(read_file(place("measured") / "best.toml").value_or_throw(), best);
}

// What the morning report says of the games: how different they were, and what stopping them early
// costs.
TEST_F(NightPhases, TheReportTellsDiversityAndWhatAdjudicationGotWrong) {
  (void)run("plain", tune_job("", kAnyone));
  const std::string plain = read_file(folder_ / "plain" / "report.html").value_or_throw();
  EXPECT_NE(plain.find("No game for a fit was adjudicated"), std::string::npos);
  EXPECT_NE(plain.find("Duplicates"), std::string::npos);
  EXPECT_NE(plain.find("Openings"), std::string::npos);
  const nlohmann::json json = run("called", tune_job("", kAnyone,
                                                     "[job.generate.adjudication]\n"
                                                     "max_plies = 20\nplay_out = 0.5\n"));
  const auto& games = json.at("rule_sets")[0].at("generations")[0].at("generate");
  EXPECT_GT(games.at("openings"), 1);
  const auto& calls = games.at("adjudication");
  ASSERT_GT(calls.at("called"), 0);
  ASSERT_GT(calls.at("played_out"), 0);
  const std::string called = read_file(folder_ / "called" / "report.html").value_or_throw();
  EXPECT_NE(called.find("of " + std::to_string(calls.at("played_out").get<int>()) +
                        " played out although a call had been made, " +
                        std::to_string(calls.at("wrong").get<int>()) + " ended otherwise"),
            std::string::npos);
}

TEST_F(NightPhases, AnAnchorWithoutGamesAndGamesWithoutAnAnchorAreRefused) {
  write_file_atomically(folder_ / "anchor.toml", "weights = \"material\"\n");
  for (const std::string& text : {tune_job("anchor = \"anchor.toml\"\n", kAnyone),
                                  tune_job("", kAnyone, "[job.against_anchor]\ngames = 4\n")}) {
    write_file_atomically(config(), text);
    const ProgramResult result = run_program("tuner", words("refused"), folder_.path());
    EXPECT_EQ(result.code, 2);
    EXPECT_NE(result.err.find("against_anchor"), std::string::npos) << result.err;
    EXPECT_FALSE(fs::exists(folder_ / "refused"));
  }
}

// Not at the end of the night, when it is their turn.
TEST_F(NightPhases, EnginesAndBooksThatCannotBeUsedAreToldBeforeTheFirstGame) {
  write_file_atomically(folder_ / "anchor.toml", "command = \"no-such-program\"\n");
  write_file_atomically(folder_ / "book.epd", "9/9/9 w\n");
  write_file_atomically(config(), tune_job("anchor = \"anchor.toml\"\n", kAnyone,
                                           "[job.verify.openings]\nbook = \"book.epd\"\n"
                                           "[job.against_anchor]\ngames = 4\n"
                                           "[[job]]\nkind = \"match\"\nrules = [\"janggi-kja\"]\n"
                                           "[job.match]\nopponent = \"lost.toml\"\nnodes = 10\n"));
  const ProgramResult result = run_program("tuner", words("refused"), folder_.path());
  EXPECT_EQ(result.code, 2);
  for (const char* part : {"no-such-program", "book.epd:1", "lost.toml"}) {
    EXPECT_NE(result.err.find(part), std::string::npos) << part << " in " << result.err;
  }
  EXPECT_FALSE(fs::exists(folder_ / "refused"));
}

// Killed as soon as the file appears that each phase begins or ends with; the next start finds
// whatever the kill left.
TEST_F(NightPhases, KilledInEachPhaseItEndsWithTheSameWeights) {
  const std::string text = tune_job("generations = 2\n", kAnyone,
                                    "[job.against_start]\ngames = 20\nnodes = "
                                    "100\n[job.against_first]\ngames = 20\nnodes = 100\n");
  (void)run("whole", text);
  const std::vector<std::string> phases{"start.toml",               // before the first generation
                                        "generation-01/from.toml",  // before its games
                                        "generation-01/games.db",   // among them
                                        "generation-01/rows.bin",   // in the fit
                                        "generation-01/fit.json",   // between its two files
                                        "generation-01/candidate.toml",
                                        "generation-01/verify.db",
                                        "best.toml",  // at a promotion
                                        "generation-02/games.db",
                                        "generation-02/candidate.toml",
                                        "generation-02/verify.db",
                                        "against-start.db",
                                        "against-first.db"};
  int kills = 0;
  for (const std::string& phase : phases) {
    ChildProgram child("tuner", words("killed"), folder_.path());
    const fs::path mark = place("killed") / phase;
    while (child.running() && !fs::exists(mark)) {
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    if (!child.running()) continue;
    child.send(SIGKILL);
    ASSERT_EQ(child.wait(), -SIGKILL);
    ++kills;
  }
  // A night that was through before the last marks were seen would have tested nothing.
  EXPECT_GE(kills, static_cast<int>(phases.size()) - 1);
  (void)run("killed", text);
  for (const char* file :
       {"generation-01/candidate.toml", "generation-02/candidate.toml", "best.toml"}) {
    EXPECT_EQ(read_file(place("killed") / file).value_or_throw(),
              read_file(place("whole") / file).value_or_throw())
        << file;
  }
}

// Games that cannot be gone on with fail the phase, twice.
TEST_F(NightPhases, APhaseThatFailsTwiceIsNamedAndTheOtherRuleSetsGoOn) {
  std::string text = tune_job("", kAnyone);
  text.replace(text.find("[\"xiangqi-casual\"]"), 18, "[\"xiangqi-casual\", \"janggi-kja\"]");
  write_file_atomically(config(), text);
  fs::create_directories(place("failing") / "generation-01");
  write_file_atomically(place("failing") / "generation-01" / "games.db", "no store at all");
  const ProgramResult result = run_program("tuner", words("failing"), folder_.path());
  EXPECT_EQ(result.code, 3);
  const auto count = [&](const std::string& part) {
    int found = 0;
    for (std::size_t at = result.err.find(part); at != std::string::npos;
         at = result.err.find(part, at + 1)) {
      ++found;
    }
    return found;
  };
  EXPECT_EQ(count("xiangqi-casual: games failed, trying once more"), 1) << result.err;
  EXPECT_EQ(count("xiangqi-casual: given up: generation 1, games: "), 1) << result.err;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_NE(json["rule_sets"][0]["failure"].get<std::string>().find("games.db"), std::string::npos);
  EXPECT_EQ(json["rule_sets"][1]["complete"], true);
}

class Phase : public testing::Test {
 protected:
  NightSettings night_{"", 1, {NightJob{}}};
  std::string config_;
  std::vector<std::string> notes_;
  PhaseObserver observer_{{}, {}, [this](const std::string& note) { notes_.push_back(note); }};
  std::atomic<bool> stop_{false};
  NightContext context_{night_, config_, 0,         rulesets().front(),     "",
                        1,      &stop_,  observer_, std::filesystem::path()};
};

TEST_F(Phase, AFailureIsTriedOnceMore) {
  int tries = 0;
  context_.in_phase("fit", 1, [&] {
    if (++tries == 1) throw user_error("the disk was full");
  });
  EXPECT_EQ(tries, 2);
  ASSERT_EQ(notes_.size(), 1U);
  EXPECT_NE(notes_[0].find("fit failed, trying once more: the disk was full"), std::string::npos);
}

TEST_F(Phase, ASecondFailureIsNamedWithItsGeneration) {
  int tries = 0;
  const std::string message = error_of(
      [&] {
        context_.in_phase("verification", 3, [&] {
          ++tries;
          throw std::runtime_error("no memory");
        });
      },
      ErrorKind::kInternal);
  EXPECT_EQ(tries, 2);
  EXPECT_NE(message.find("generation 3, verification: no memory"), std::string::npos) << message;
}

TEST_F(Phase, AnInterruptIsNoFailure) {
  int tries = 0;
  EXPECT_THROW(context_.in_phase("games", 1,
                                 [&] {
                                   ++tries;
                                   stop_ = true;
                                   throw user_error("interrupted");
                                 }),
               Interrupted);
  EXPECT_EQ(tries, 1);
  EXPECT_TRUE(notes_.empty());
}

}  // namespace
}  // namespace cannonade
