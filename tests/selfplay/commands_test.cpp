// The program `selfplay` from outside: exit codes, messages, JSON, and death at any moment.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/base/rng.h"
#include "core/board/ruleset.h"
#include "core/notation/fen.h"
#include "selfplay/interrupt.h"
#include "selfplay/store.h"
#include "tests/selfplay/child_program.h"
#include "tests/selfplay/stored_games.h"

namespace cannonade {
namespace {

using Json = nlohmann::json;
using std::chrono::milliseconds;

ProgramResult selfplay(const TempFolder& folder, const std::vector<std::string>& words) {
  return run_program("selfplay", words, folder.path());
}

TEST(Commands, PerftCountsAndReports) {
  const TempFolder folder;
  const ProgramResult result =
      selfplay(folder, {"perft", "--rules", "janggi", "--depth", "3", "--json"});
  EXPECT_EQ(result.code, 0);
  const Json json = Json::parse(result.out);
  EXPECT_EQ(json.at("rules"), "janggi-kja");
  EXPECT_EQ(json.at("fen"), start_fen(Game::kJanggi));
  EXPECT_EQ(json.at("depth"), 3);
  EXPECT_EQ(json.at("nodes"), 33348);
  EXPECT_TRUE(json.at("seconds").is_number());
  EXPECT_TRUE(json.at("nps").is_number());
  const Json divided = Json::parse(
      selfplay(folder, {"perft", "--rules=xiangqi", "--depth=2", "--divide", "--json"}).out);
  EXPECT_EQ(divided.at("divide").size(), 44U);
  EXPECT_EQ(divided.at("nodes"), 1920);
}

TEST(Commands, InspectTellsWhatTheRulesSay) {
  const TempFolder folder;
  const Json start = Json::parse(selfplay(folder, {"inspect", "--rules", "janggi", "--json"}).out);
  EXPECT_EQ(start.at("side"), "cho");
  EXPECT_EQ(start.at("legal").size(), 32U);
  EXPECT_TRUE(start.at("outcome").is_null());
  EXPECT_EQ(start.at("repetition"), 1);
  EXPECT_EQ(start.at("no_capture_plies"), 0);
  EXPECT_EQ(start.at("generals_facing"), false);
  EXPECT_EQ(start.at("in_check"), false);

  const Json passed = Json::parse(
      selfplay(folder, {"inspect", "--rules", "janggi-points", "--moves", "e2e2 e9e9", "--json"})
          .out);
  EXPECT_EQ(passed.at("outcome"),
            Json::parse(R"({"winner":"han","reason":"double_pass","decided_by":"points"})"));
  EXPECT_EQ(passed.at("points"), Json::parse(R"({"cho":72,"han":73.5})"));
  EXPECT_EQ(passed.at("no_capture_plies"), 2);

  const std::string text =
      selfplay(folder, {"inspect", "--rules", "janggi-points", "--moves", "e2e2 e9e9"}).out;
  for (const char* part :
       {"cho to move\n", "RNBA1ABNR w - - 2 2\n", "han wins by double_pass, decided by points\n",
        "points: cho 72, han 73.5\n", "2 turns without a capture\n", "32 legal turns: "}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
  }

  const Json facing = Json::parse(
      selfplay(folder, {"inspect", "--rules", "janggi", "--fen",
                        "9/4k4/9/p8/9/9/P8/9/3K5/R8 w - - 0 1", "--moves", "d2e2", "--json"})
          .out);
  EXPECT_EQ(facing.at("generals_facing"), true);
  const Json xiangqi =
      Json::parse(selfplay(folder, {"inspect", "--rules", "xiangqi", "--json"}).out);
  EXPECT_EQ(xiangqi.at("side"), "red");
  EXPECT_EQ(xiangqi.at("legal").size(), 44U);
}

TEST(Commands, AUsersMistakeIsOneLineAndExitTwo) {
  const TempFolder folder;
  std::ofstream(folder / "run.toml") << "rules = 'janggi'\nengines = 'e.toml'\nnodes = 5\n";
  std::ofstream(folder / "unknown.toml") << "rules = 'janggi'\nengines = 'e.toml'\nnods = 5\n";
  std::ofstream(folder / "e.toml") << "weights = 'material'\n";
  const auto run = (folder / "run.toml").string();
  const auto out = (folder / "out.db").string();
  const std::vector<std::vector<std::string>> mistakes{
      {},
      {"fly"},
      {"perft"},
      {"perft", "--rules", "chess", "--depth", "1"},
      {"perft", "--rules", "janggi", "--depth", "-1"},
      {"perft", "--rules", "janggi", "--depth", "99"},
      {"perft", "--rules", "janggi", "--depth", "1", "--fen", "9/9 w"},
      {"perft", "--rules", "janggi", "--depth", "1", "--what"},
      {"inspect", "--rules", "janggi", "--moves", "a4a9"},
      {"inspect", "--rules", "janggi", "--moves", "e2e2 e9e9 e2e2"},
      {"inspect", "--rules", "janggi", "--moves", "hello"},
      {"generate"},
      {"generate", "--config", run},
      {"generate", "--config", (folder / "none.toml").string(), "--out", out},
      {"generate", "--config", (folder / "unknown.toml").string(), "--out", out},
      {"generate", "--config", run, "--out", out, "--shard", "3/2"},
      {"generate", "--config", run, "--out", out, "--games", "0"},
      {"generate", "--config", run, "--out", (folder / "no" / "such" / "out.db").string()},
      {"match", "--rules", "janggi", "--a", "nowhere.toml", "--b", (folder / "e.toml").string(),
       "--nodes", "5"},
      {"match", "--rules", "janggi", "--a", (folder / "e.toml").string(), "--b",
       (folder / "e.toml").string(), "--nodes", "5"},
      {"match", "--rules", "janggi", "--a", (folder / "e.toml").string(), "--b",
       (folder / "e.toml").string(), "--games", "7", "--nodes", "5"},
      {"match", "--rules", "janggi", "--a", (folder / "e.toml").string(), "--b",
       (folder / "e.toml").string(), "--nodes", "5", "--sprt", "10,0"},
  };
  for (const auto& words : mistakes) {
    const ProgramResult result = selfplay(folder, words);
    std::string shown;
    for (const std::string& word : words) shown += word + " ";
    EXPECT_EQ(result.code, 2) << shown;
    EXPECT_EQ(result.out, "") << shown;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << shown << result.err;
    EXPECT_EQ(result.err.find("selfplay: "), 0U) << result.err;
  }
  EXPECT_FALSE(std::filesystem::exists(out));
}

TEST(Commands, EveryCommandHasHelpWithAnExample) {
  const TempFolder folder;
  const ProgramResult all = selfplay(folder, {"--help"});
  EXPECT_EQ(all.code, 0);
  for (const char* command : {"perft", "inspect", "bench", "generate", "match", "stats"}) {
    EXPECT_NE(all.out.find(std::string("selfplay ") + command), std::string::npos);
    const ProgramResult help = selfplay(folder, {command, "--help"});
    EXPECT_EQ(help.code, 0) << command;
    EXPECT_NE(help.out.find("xample"), std::string::npos) << command << help.out;
  }
}

// A run of small games, and its games as they must be.
class RunOfGames {
 public:
  explicit RunOfGames(const TempFolder& folder, int games = 60, const std::string& more = "")
      : folder_(folder) {
    std::ofstream(folder / "e.toml") << "weights = 'material'\nhash_mb = 1\n";
    std::ofstream(folder / "run.toml")
        << "rules = 'janggi'\nengines = 'e.toml'\nnodes = 40\nseed = 5\ngames = " << games << "\n"
        << more << "[openings]\nplies = 4\n[adjudication]\nmax_plies = 120\n";
  }
  [[nodiscard]] std::vector<std::string> words(const std::string& out, int threads = 2) const {
    return {"generate",
            "--config",
            (folder_ / "run.toml").string(),
            "--out",
            (folder_ / out).string(),
            "--threads",
            std::to_string(threads),
            "--json"};
  }
  // Everything but the wall clock.
  [[nodiscard]] std::vector<std::string> games(const std::string& out) const {
    std::vector<std::string> result;
    Store::open_read_only(folder_ / out).for_each([&](const GameRecord& game) {
      std::string text = fmt::format("{} {} {} {} {} {}", game.id, game.pair, game.start_fen,
                                     reason_name(game.outcome.reason), game.nodes, game.note);
      for (const Move move : game.moves) text += fmt::format(" {}", move.raw());
      for (const int score : game.scores) text += fmt::format(" {}", score);
      result.push_back(text);
    });
    return result;
  }

 private:
  const TempFolder& folder_;
};

TEST(Commands, GenerateReportsInJson) {
  const TempFolder folder;
  const RunOfGames run(folder, 8);
  const ProgramResult result = selfplay(folder, run.words("run.db"));
  EXPECT_EQ(result.code, 0) << result.err;
  const Json json = Json::parse(result.out);
  EXPECT_EQ(json.at("games"), 8);
  EXPECT_EQ(json.at("complete"), true);
  EXPECT_EQ(result.err, "");  // no line in the first minute on a pipe
}

TEST(Commands, KilledAtRandomMomentsARunHasEveryGameOnceAndTheSameContent) {
  const TempFolder folder;
  const RunOfGames run(folder, 300);
  ASSERT_EQ(selfplay(folder, run.words("whole.db", 1)).code, 0);
  const auto whole = run.games("whole.db");
  ASSERT_EQ(whole.size(), 300U);

  Rng rng(2024);
  int killed = 0;
  std::size_t seen = 0;
  for (int attempt = 0; attempt < 400 && killed < 50; ++attempt) {
    ChildProgram child("selfplay", run.words("killed.db"), folder.path());
    std::this_thread::sleep_for(std::chrono::microseconds(rng.below(60'000)));
    child.send(SIGKILL);
    const int code = child.wait();
    if (code == -SIGKILL) ++killed;
    // Nothing that was there is lost, from one death to the next.
    if (!std::filesystem::exists(folder / "killed.db")) continue;
    try {
      const std::size_t now = run.games("killed.db").size();
      EXPECT_GE(now, seen);
      seen = now;
    } catch (const Error&) {
      EXPECT_EQ(seen, 0U);  // killed while the file was being made
    }
    if (code == 0) std::filesystem::remove(folder / "killed.db"), seen = 0;
  }
  EXPECT_GE(killed, 50);
  ASSERT_EQ(selfplay(folder, run.words("killed.db")).code, 0);
  EXPECT_EQ(run.games("killed.db"), whole);
}

// Waits until a run that goes on has so many games; why not, when it never has.
std::string wait_for_games(const RunOfGames& run, const std::string& out, std::size_t games) {
  std::string last = "no attempt";
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (std::chrono::steady_clock::now() < end) {
    try {
      const std::size_t there = run.games(out).size();
      if (there >= games) return "";
      last = fmt::format("{} games", there);
    } catch (const Error& fault) {  // not there yet
      last = fault.what();
    }
    std::this_thread::sleep_for(milliseconds(10));
  }
  return last;
}

TEST(Commands, InterruptedARunKeepsItsGamesAndPrintsHowToGoOn) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const TempFolder folder;
    const RunOfGames run(folder, 100'000);
    ChildProgram child("selfplay", run.words("run.db"), folder.path());
    ASSERT_EQ(wait_for_games(run, "run.db", 20), "");
    child.send(signal);
    EXPECT_EQ(child.wait(), 128 + signal);
    const Json json = Json::parse(child.out());
    EXPECT_EQ(json.at("complete"), false);
    EXPECT_EQ(json.at("games"), run.games("run.db").size());
    EXPECT_NE(child.err().find("to go on:\nselfplay generate --config "), std::string::npos)
        << child.err();
    EXPECT_FALSE(std::filesystem::exists(folder / "run.db-wal"));  // closed in order
  }
}

// Played to its end, and begun again when there is nothing left to play.
TEST(Commands, AFinishedRunSaysThatItIsComplete) {
  const TempFolder folder;
  const RunOfGames run(folder, 6);
  std::vector<std::string> generate = run.words("done.db");
  generate.pop_back();  // for a person
  std::ofstream(folder / "f.toml") << "weights = 'material'\nhash_mb = 2\n";
  const std::vector<std::string> match{"match",
                                       "--rules",
                                       "janggi-kja",
                                       "--a",
                                       (folder / "e.toml").string(),
                                       "--b",
                                       (folder / "f.toml").string(),
                                       "--games",
                                       "4",
                                       "--nodes",
                                       "20",
                                       "--out",
                                       (folder / "match.db").string()};
  for (int i = 0; i < 2; ++i) {
    const std::string generated = selfplay(folder, generate).out;
    const std::string matched = selfplay(folder, match).out;
    EXPECT_NE(generated.find(i == 0 ? "\ncomplete: 6 of 6 games; 6 in this session, "
                                    : "\ncomplete: 6 of 6 games\n"),
              std::string::npos)
        << generated;
    EXPECT_NE(matched.find(i == 0 ? "\ncomplete: 4 of 4 games; 4 in this session, "
                                  : "\ncomplete: 4 of 4 games\n"),
              std::string::npos)
        << matched;
  }
}

TEST(Commands, AMatchWithoutAnOutLeavesNothingBehindHoweverItEnds) {
  const TempFolder folder;
  const RunOfGames run(folder, 2);
  std::ofstream(folder / "f.toml") << "weights = 'material'\nhash_mb = 2\n";
  std::filesystem::create_directories(folder / "tmp");
  ASSERT_EQ(::setenv("TMPDIR", (folder / "tmp").c_str(), 1), 0);
  for (const int signal : {SIGKILL, SIGTERM}) {
    ChildProgram child("selfplay",
                       {"match", "--rules", "janggi-kja", "--a", (folder / "e.toml").string(),
                        "--b", (folder / "f.toml").string(), "--games", "100000", "--nodes", "200"},
                       folder.path());
    std::this_thread::sleep_for(milliseconds(700));
    EXPECT_TRUE(child.running()) << child.err();
    child.send(signal);
    (void)child.wait();
    EXPECT_TRUE(std::filesystem::is_empty(folder / "tmp"));
  }
  ::unsetenv("TMPDIR");
}

TEST(Commands, ASecondProcessOnTheSameStoreIsRefused) {
  const TempFolder folder;
  const RunOfGames run(folder, 100'000);
  ChildProgram first("selfplay", run.words("run.db"), folder.path());
  std::filesystem::create_directories(folder / "other");
  ASSERT_EQ(wait_for_games(run, "run.db", 1), "");
  const ProgramResult second = run_program("selfplay", run.words("run.db"), folder / "other");
  EXPECT_EQ(second.code, 2) << second.err;
  EXPECT_NE(second.err.find("run.db"), std::string::npos) << second.err;
  first.send(SIGINT);
  EXPECT_EQ(first.wait(), 130);
}

TEST(Commands, ASignalEndsATurnThatWouldTakeForEver) {
  const TempFolder folder;
  const RunOfGames run(folder, 10);
  std::ofstream(folder / "run.toml") << "rules = 'janggi'\nengines = 'e.toml'\ndepth = 60\n";
  std::ofstream(folder / "hung.toml")
      << "command = ['" << CANNONADE_SOURCE_DIR
      << "/tests/selfplay/misbehaving_engine.sh', 'silence']\nhang_seconds = 3600\n";
  std::ofstream(folder / "hung-run.toml") << "rules = 'janggi'\nengines = 'hung.toml'\nnodes = 1\n";
  std::vector<std::string> hung = run.words("hung.db");
  hung[2] = (folder / "hung-run.toml").string();
  for (const auto& words : {run.words("run.db"), hung}) {
    ChildProgram child("selfplay", words, folder.path());
    std::this_thread::sleep_for(milliseconds(400));
    const auto begin = std::chrono::steady_clock::now();
    child.send(SIGINT);
    EXPECT_EQ(child.wait(), 128 + SIGINT) << child.err();
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
    EXPECT_EQ(Json::parse(child.out()).at("games"), 0);  // no forfeit is made of it
  }
}

TEST(Interrupt, TheFirstSignalRaisesTheFlagAndTheSecondIsNotCaught) {
  const auto handler = [] {
    struct sigaction action {};
    sigaction(SIGINT, nullptr, &action);
    return action.sa_handler;
  };
  const InterruptGuard guard;
  EXPECT_FALSE(guard.flag());
  EXPECT_EQ(guard.exit_code(), 0);
  EXPECT_NE(handler(), SIG_DFL);
  ASSERT_EQ(::raise(SIGINT), 0);
  EXPECT_TRUE(guard.flag());
  EXPECT_EQ(guard.exit_code(), 130);
  EXPECT_EQ(handler(), SIG_DFL);
}

}  // namespace
}  // namespace cannonade
