#include "selfplay/store.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <functional>
#include <thread>

#include "core/base/files.h"
#include "tests/selfplay/stored_games.h"

namespace cannonade {
namespace {

namespace fs = std::filesystem;

// Runs `work` in a child process and gives its exit status as wait(2) does.
int in_child(const std::function<int()>& work, const std::function<void(pid_t)>& meanwhile = {}) {
  const pid_t child = ::fork();
  if (child == 0) {
    int code = 99;
    try {
      code = work();
    } catch (const Error& error) {
      code = error.kind() == ErrorKind::kUser ? 2 : 3;
    } catch (...) {
    }
    ::_exit(code);
  }
  if (meanwhile) meanwhile(child);
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return status;
}

TEST(Store, EveryFieldOfEveryGameReadsBackInIndexOrder) {
  const TempFolder folder;
  std::vector<GameRecord> games;
  const char* const rules[] = {"janggi-kja", "janggi-point-count", "xiangqi-casual"};
  for (std::uint64_t id = 0; id < 30; ++id) games.push_back(random_game(rules[id % 3], id));
  games[3].note = "engine said \xff and \0 went";
  games[4].moves.clear();
  games[4].scores.clear();
  games[4].opening_plies = 0;
  std::ranges::fill(games[5].scores, kNoScore);
  games[6].outcome = {std::nullopt, Reason::kUnfinished, false};
  {
    Store store = Store::create_or_resume(folder / "run.db", sample_run());
    for (std::size_t i = games.size(); i-- > 20;) store.add(games[i]);
    store.add_batch(std::span(games).first(20));
    EXPECT_EQ(store.finished().size(), 30U);
    EXPECT_EQ(store.finished().first_missing(), 30U);
    EXPECT_EQ(store.remaining(), 70U);
  }
  const Store store = Store::open_read_only(folder / "run.db");
  const std::vector<GameRecord> read = all_games(store);
  ASSERT_EQ(read.size(), games.size());
  for (std::size_t i = 0; i < games.size(); ++i) expect_same_game(read[i], games[i]);
  expect_same_game(store.find(17).value(), games[17]);
  EXPECT_FALSE(store.find(30));
  GameReader part = store.read(5, 8);
  GameRecord game;
  for (const std::uint64_t id : {5, 6, 7}) {
    ASSERT_TRUE(part.next(game));
    EXPECT_EQ(game.id, id);
  }
  EXPECT_FALSE(part.next(game));
  EXPECT_FALSE(part.next(game));
}

TEST(Store, KeepsWhatIdentifiesTheRun) {
  const TempFolder folder;
  const RunInfo run = sample_run();
  { Store::create_or_resume(folder / "run.db", run).set_fact("wrong adjudications", "3 of 40"); }
  const Store store = Store::open_read_only(folder / "run.db");
  EXPECT_EQ(store.id(), run_id(run));
  EXPECT_EQ(store.run().seed, run.seed);
  EXPECT_EQ(store.run().engines, run.engines);
  EXPECT_EQ(store.run().settings, run.settings);
  EXPECT_EQ(store.run().games, 100U);
  EXPECT_EQ(store.run().revision, "test");
  EXPECT_EQ(store.fact("wrong adjudications"), "3 of 40");
  EXPECT_EQ(store.fact("other"), std::nullopt);
}

TEST(Store, AClosedStoreIsOneFileAndALockLeavesNothingBehind) {
  const TempFolder folder;
  {
    Store store = Store::create_or_resume(folder / "run.db", sample_run());
    store.add(random_game("janggi-kja", 0));
    EXPECT_TRUE(fs::exists(folder / "run.db-lock"));
  }
  { const Store reader = Store::open_read_only(folder / "run.db"); }
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder.path())) {
    names.push_back(entry.path().filename().string());
  }
  EXPECT_EQ(names, std::vector<std::string>{"run.db"});
}

TEST(Store, OtherSettingsAreRefusedWithWhatDiffers) {
  const TempFolder folder;
  { Store::create_or_resume(folder / "run.db", sample_run()).add(random_game("janggi-kja", 0)); }
  RunInfo other = sample_run();
  other.settings = "nodes = 2000\nopenings.random_plies = 2\n";
  const auto open = [&] { (void)Store::create_or_resume(folder / "run.db", other); };
  EXPECT_NE(error_of(open).find("nodes is 1000 there and 2000 here"), std::string::npos);
  other = sample_run();
  other.seed = 5;
  EXPECT_NE(error_of(open).find("seed is 18364758544493064720 there and 5 here"),
            std::string::npos);
  other = sample_run();
  other.engines[1].hash = "00000000000000cc";
  EXPECT_NE(error_of(open).find("00000000000000cc here"), std::string::npos);
  other = sample_run();
  other.settings += "adjudication.resign = true\n";
  EXPECT_NE(error_of(open).find("adjudication.resign is not set there and true here"),
            std::string::npos);
  other = sample_run();
  other.shard = {2, 8};
  EXPECT_NE(error_of(open).find("holds shard 1/1 of this run, not 2/8"), std::string::npos);
  other = sample_run();
  other.revision = "newer";
  EXPECT_EQ(Store::create_or_resume(folder / "run.db", other).finished().size(), 1U);
}

TEST(Store, ThePlanGrowsAndNeverShrinks) {
  const TempFolder folder;
  {
    Store store = Store::create_or_resume(folder / "run.db", sample_run(2));
    store.add(random_game("janggi-kja", 0));
    store.add(random_game("janggi-kja", 1));
    EXPECT_EQ(store.remaining(), 0U);
    store.mark_complete("all games played");
  }
  {
    Store same = Store::create_or_resume(folder / "run.db", sample_run(1));
    EXPECT_TRUE(same.complete());
    EXPECT_EQ(same.ended(), "all games played");
    EXPECT_EQ(same.run().games, 2U);
  }
  Store more = Store::create_or_resume(folder / "run.db", sample_run(5));
  EXPECT_FALSE(more.complete());
  EXPECT_EQ(more.remaining(), 3U);
  more.add(random_game("janggi-kja", 4));
}

TEST(Store, ASecondWriterIsRefusedAndAReaderIsNot) {
  const TempFolder folder;
  fs::create_symlink(folder / "run.db", folder / "link.db");
  Store store = Store::create_or_resume(folder / "run.db", sample_run());
  store.add(random_game("janggi-kja", 0));
  const auto here =
      error_of([&] { (void)Store::create_or_resume(folder / "run.db", sample_run()); });
  EXPECT_NE(here.find("in use by process " + std::to_string(::getpid())), std::string::npos)
      << here;
  EXPECT_NE(error_of([&] { (void)Store::create_or_resume(folder / "link.db", sample_run()); }), "");
  EXPECT_EQ(in_child([&] {
              (void)Store::create_or_resume(folder / "run.db", sample_run());
              return 0;
            }),
            2 << 8);
  EXPECT_EQ(in_child([&] {
              return Store::open_read_only(folder / "run.db").finished().size() == 1 ? 0 : 1;
            }),
            0);
  store.add(random_game("janggi-kja", 1));
}

TEST(Store, AReaderSeesOneMoment) {
  const TempFolder folder;
  Store writer = Store::create_or_resume(folder / "run.db", sample_run(2));
  writer.add(random_game("janggi-kja", 0));
  const Store reader = Store::open_read_only(folder / "run.db");
  writer.extend(50);
  writer.add(random_game("janggi-kja", 49));
  EXPECT_EQ(reader.finished().size(), 1U);
  EXPECT_EQ(all_games(reader).size(), 1U);
  EXPECT_EQ(Store::open_read_only(folder / "run.db").finished().size(), 2U);
}

TEST(Store, WhatCannotBeStoredIsABugAndChangesNothing) {
  const TempFolder folder;
  RunInfo run = sample_run(10);
  run.shard = {1, 2};
  Store store = Store::create_or_resume(folder / "run.db", run);
  const auto refused = [&](const std::vector<GameRecord>& games) {
    return !error_of([&] { store.add_batch(games); }, ErrorKind::kInternal).empty();
  };
  const GameRecord good = random_game("janggi-kja", 0);
  GameRecord bad = random_game("janggi-kja", 1);
  bad.scores.pop_back();
  EXPECT_TRUE(refused({good, bad}));
  EXPECT_TRUE(refused({random_game("janggi-kja", 2)})) << "the other shard's";
  EXPECT_TRUE(refused({random_game("janggi-kja", 12)})) << "beyond the plan";
  EXPECT_TRUE(refused({good, good})) << "twice in a batch";
  EXPECT_TRUE(store.finished().empty());
  store.add(good);
  EXPECT_TRUE(refused({good})) << "twice";
  EXPECT_EQ(all_games(store).size(), 1U);
  Store reader = Store::open_read_only(folder / "run.db");
  EXPECT_FALSE(error_of([&] { reader.add(good); }, ErrorKind::kInternal).empty());
}

TEST(Store, EveryReportedGameSurvivesKillAtAnyMoment) {
  const TempFolder folder;
  const fs::path path = folder / "run.db";
  constexpr std::uint64_t kGames = 400;
  std::vector<GameRecord> games;
  for (std::uint64_t id = 0; id < kGames; ++id) games.push_back(random_game("janggi-kja", id % 7));
  for (std::uint64_t id = 0; id < kGames; ++id) games[id].id = id;
  Rng rng(11);
  std::uint64_t before = 0;
  for (int round = 0; round < 25; ++round) {
    int reports[2];
    ASSERT_EQ(::pipe(reports), 0);
    std::uint64_t reported = 0;
    const int status = in_child(
        [&] {
          Store store = Store::create_or_resume(path, sample_run(kGames));
          for (const GameRecord& game : games) {
            if (store.finished().contains(game.id)) continue;
            store.add(game);
            if (::write(reports[1], "x", 1) != 1) return 1;
          }
          return 0;
        },
        [&](pid_t child) {
          ::usleep(static_cast<useconds_t>(rng.below(12'000)));
          ::kill(child, SIGKILL);
        });
    ::close(reports[1]);
    char byte = 0;
    while (::read(reports[0], &byte, 1) == 1) ++reported;
    ::close(reports[0]);
    if (WIFEXITED(status)) {
      ASSERT_EQ(WEXITSTATUS(status), 0);
    }
    Store store = Store::create_or_resume(path, sample_run(kGames));
    EXPECT_GE(store.finished().size(), before + reported);
    EXPECT_LE(store.finished().size(), before + reported + 1);
    EXPECT_EQ(store.finished().first_missing(), store.finished().size());
    before = store.finished().size();
  }
  Store store = Store::create_or_resume(path, sample_run(kGames));
  for (const GameRecord& game : games) {
    if (!store.finished().contains(game.id)) store.add(game);
  }
  const std::vector<GameRecord> read = all_games(store);
  ASSERT_EQ(read.size(), kGames);
  for (std::size_t i = 0; i < kGames; ++i) expect_same_game(read[i], games[i]);
}

// A power cut may lose the end of the log: what is left is whole games from the front, and the
// store goes on from there.
TEST(Store, ALogThatLostItsEndLosesWholeGamesFromTheEnd) {
  const TempFolder folder;
  constexpr std::uint64_t kGames = 12;
  Store writer = Store::create_or_resume(folder / "run.db", sample_run());
  for (std::uint64_t id = 0; id < kGames; ++id) writer.add(random_game("janggi-kja", id));
  const std::string file = *read_file(folder / "run.db");
  const std::string log = *read_file(folder / "run.db-wal");
  ASSERT_FALSE(log.empty());
  std::uint64_t longest = 0;
  Rng rng(2);
  for (int round = 0; round < 20; ++round) {
    std::string cut = log.substr(0, rng.below(log.size() + 1));
    if (round % 2 == 1 && !cut.empty()) {  // or blocks that never arrived
      const std::size_t hole = rng.below(cut.size());
      cut.replace(hole, 512, std::string(std::min<std::size_t>(512, cut.size() - hole), '\0'));
    }
    write_file_atomically(folder / "cut.db", file);
    write_file_atomically(folder / "cut.db-wal", cut);
    Store store = Store::create_or_resume(folder / "cut.db", sample_run());
    const std::uint64_t kept = store.finished().size();
    EXPECT_EQ(store.finished().first_missing(), kept);
    const std::vector<GameRecord> games = all_games(store);
    ASSERT_EQ(games.size(), kept);
    for (std::size_t i = 0; i < games.size(); ++i) {
      expect_same_game(games[i], random_game("janggi-kja", i));
    }
    store.add(random_game("janggi-kja", kept));
    longest = std::max(longest, kept);
  }
  EXPECT_GT(longest, 2U);
}

TEST(Store, AGameIsFoundAfterThePlanGrew) {
  const TempFolder folder;
  Store store = Store::create_or_resume(folder / "run.db", sample_run(1));
  EXPECT_FALSE(store.find(0));
  store.extend(10);
  store.add(random_game("janggi-kja", 7));
  EXPECT_TRUE(store.find(7));
  EXPECT_FALSE(store.find(kMaxGameId + 5));
}

// A full disk as a process meets it: no file may grow beyond a limit.
TEST(Store, WhenTheDiskIsFullTheErrorIsTheMachinesAndWhatWasCommittedIsThere) {
  const TempFolder folder;
  int reports[2];
  ASSERT_EQ(::pipe(reports), 0);
  const int status = in_child([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{256 << 10, 256 << 10};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    Store store = Store::create_or_resume(folder / "run.db", sample_run(100'000));
    for (std::uint64_t id = 0; id < 100'000; ++id) {
      store.add(random_game("janggi-kja", id));
      if (::write(reports[1], "x", 1) != 1) return 1;
    }
    return 0;
  });
  ::close(reports[1]);
  std::uint64_t reported = 0;
  char byte = 0;
  while (::read(reports[0], &byte, 1) == 1) ++reported;
  ::close(reports[0]);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 3);
  EXPECT_GT(reported, 10U);
  Store store = Store::create_or_resume(folder / "run.db", sample_run(100'000));
  EXPECT_EQ(store.finished().size(), reported);
  EXPECT_EQ(all_games(store).size(), reported);
  store.add(random_game("janggi-kja", reported));
}

TEST(Store, AFinishedRunOfManyGamesOpensFromItsIdsAlone) {
  const TempFolder folder;
  const fs::path path = folder / "run.db";
  { Store::create_or_resume(path, sample_run()).add(random_game("janggi-kja", 0)); }
  const std::string plan = folder / "plan";
  ASSERT_EQ(std::system(("sqlite3 '" + path.string() +
                         "' 'EXPLAIN QUERY PLAN SELECT id FROM games' > '" + plan + "'")
                            .c_str()),
            0);
  EXPECT_NE(read_file(plan)->find("COVERING INDEX"), std::string::npos) << *read_file(plan);
}

TEST(Shard, IdsAreDealtInPairsAndEveryIdBelongsToOneShard) {
  for (const int count : {1, 2, 3, 8}) {
    for (const std::uint64_t games : {0U, 1U, 2U, 15U, 16U, 17U, 100U}) {
      std::uint64_t total = 0;
      for (int index = 1; index <= count; ++index) {
        const Shard shard{index, count};
        std::uint64_t owned = 0;
        for (std::uint64_t id = 0; id < games; ++id) owned += shard.owns(id) ? 1 : 0;
        EXPECT_EQ(shard.owned_below(games), owned) << index << "/" << count << " of " << games;
        total += owned;
      }
      EXPECT_EQ(total, games);
    }
  }
  EXPECT_TRUE((Shard{2, 8}.owns(2) && Shard{2, 8}.owns(3) && !Shard{2, 8}.owns(4)));
}

TEST(Shard, TextIsReadOrRefused) {
  EXPECT_EQ(*parse_shard("3/8"), (Shard{3, 8}));
  for (const char* bad : {"", "3", "0/8", "9/8", "3/8x", "-1/2", "1/0", "1/99999999", "a/b", "/"}) {
    EXPECT_FALSE(parse_shard(bad)) << bad;
  }
}

}  // namespace
}  // namespace cannonade
