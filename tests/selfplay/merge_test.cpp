#include "selfplay/merge.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/selfplay/stored_games.h"

namespace cannonade {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMergedGames = 50;

// The shard's store with its games, but those for which `leave_out` is true.
fs::path make_shard(const TempFolder& folder, Shard shard,
                    const std::function<bool(std::uint64_t)>& leave_out = {}) {
  const fs::path path =
      folder / ("shard" + std::to_string(shard.index) + "of" + std::to_string(shard.count) + ".db");
  RunInfo run = sample_run(kMergedGames);
  run.shard = shard;
  Store store = Store::create_or_resume(path, run);
  for (std::uint64_t id = 0; id < kMergedGames; ++id) {
    if (!shard.owns(id) || store.finished().contains(id)) continue;
    if (leave_out && leave_out(id)) continue;
    store.add(random_game("janggi-kja", id));
  }
  return path;
}

void expect_whole(const fs::path& path) {
  const Store store = Store::open_read_only(path);
  std::uint64_t next = 0;
  store.for_each(
      [&](const GameRecord& game) { expect_same_game(game, random_game("janggi-kja", next++)); });
  EXPECT_EQ(next, kMergedGames);
  EXPECT_TRUE(store.complete());
  EXPECT_EQ(store.run().shard, Shard{});
}

TEST(Merge, ShardsJoinIntoTheRunOfOneMachine) {
  const TempFolder folder;
  std::vector<fs::path> shards;
  for (int i = 4; i >= 1; --i) shards.push_back(make_shard(folder, {i, 4}));
  const MergeReport report = merge_stores(folder / "all.db", shards);
  EXPECT_EQ(report.present, kMergedGames);
  EXPECT_EQ(report.added, kMergedGames);
  EXPECT_EQ(report.already, 0U);
  EXPECT_EQ(report.missing, 0U);
  EXPECT_TRUE(report.missing_ranges.empty());
  EXPECT_EQ(report.revisions, std::vector<std::string>{"test"});
  expect_whole(folder / "all.db");
}

TEST(Merge, TwiceIsOnce) {
  const TempFolder folder;
  const std::vector<fs::path> shards{make_shard(folder, {1, 2}), make_shard(folder, {2, 2})};
  (void)merge_stores(folder / "all.db", shards);
  const MergeReport again = merge_stores(folder / "all.db", shards);
  EXPECT_EQ(again.added, 0U);
  EXPECT_EQ(again.already, kMergedGames);
  const std::vector<fs::path> doubled{shards[0], shards[0], shards[1]};
  EXPECT_EQ(merge_stores(folder / "other.db", doubled).added, kMergedGames);
  // An earlier merge among the inputs.
  const std::vector<fs::path> mixed{folder / "all.db", shards[1]};
  EXPECT_EQ(merge_stores(folder / "third.db", mixed).already, 24U);
  for (const char* name : {"all.db", "other.db", "third.db"}) expect_whole(folder / name);
}

TEST(Merge, MissingGamesAreCountedAndNamedAndLaterFilledIn) {
  const TempFolder folder;
  const auto half = [](std::uint64_t id) { return id >= 20; };
  const std::vector<fs::path> given{make_shard(folder, {1, 3}), make_shard(folder, {2, 3}, half)};
  const MergeReport report = merge_stores(folder / "all.db", given);
  // Shard 1 owns 0 1 6 7 12 13 ... 48 49 (18 ids), shard 2 owns 2 3 8 9 14 15 20 21 ... 44 45 (16).
  EXPECT_EQ(report.present, 18U + 6U);
  EXPECT_EQ(report.missing, 26U);
  ASSERT_EQ(report.gaps.size(), 2U);
  EXPECT_EQ(report.gaps[0].shard, (Shard{2, 3}));
  EXPECT_TRUE(report.gaps[0].given);
  EXPECT_EQ(report.gaps[0].missing, 10U);
  EXPECT_EQ(report.gaps[1].shard, (Shard{3, 3}));
  EXPECT_FALSE(report.gaps[1].given);
  EXPECT_EQ(report.gaps[1].missing, 16U);
  ASSERT_GE(report.missing_ranges.size(), 4U);
  EXPECT_EQ(report.missing_ranges[0], (IdRange{4, 6}));
  EXPECT_EQ(report.missing_ranges[3], (IdRange{20, 24}));
  EXPECT_TRUE(report.all_ranges);
  EXPECT_FALSE(Store::open_read_only(folder / "all.db").complete());

  const std::vector<fs::path> rest{make_shard(folder, {2, 3}), make_shard(folder, {3, 3})};
  const MergeReport filled = merge_stores(folder / "all.db", rest);
  EXPECT_EQ(filled.added, 26U);
  EXPECT_EQ(filled.already, 6U);
  expect_whole(folder / "all.db");
}

TEST(Merge, AShardThatIsBeingWrittenGivesWhatIsCommitted) {
  const TempFolder folder;
  RunInfo run = sample_run(kMergedGames);
  run.shard = {1, 2};
  Store writer = Store::create_or_resume(folder / "shard1of2.db", run);
  writer.add(random_game("janggi-kja", 0));
  const std::vector<fs::path> shards{folder / "shard1of2.db"};
  EXPECT_EQ(merge_stores(folder / "all.db", shards).present, 1U);
  writer.add(random_game("janggi-kja", 1));
  EXPECT_EQ(merge_stores(folder / "all.db", shards).added, 1U);
}

// A shard that is killed on its way to its first game leaves an empty file, or an empty database.
TEST(Merge, AShardThatWasNotYetBegunIsPassedOverAndNamed) {
  const TempFolder folder;
  { std::ofstream(folder / "empty.db"); }
  {
    SQLite::Database database((folder / "header.db").string(),
                              SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    database.exec("PRAGMA journal_mode = WAL; PRAGMA user_version = 0");
    database.exec("VACUUM");
  }
  ASSERT_GT(fs::file_size(folder / "header.db"), 0U);
  const std::vector<fs::path> shards{folder / "empty.db", make_shard(folder, {1, 2}),
                                     folder / "header.db"};
  const MergeReport report = merge_stores(folder / "all.db", shards);
  EXPECT_EQ(report.present, 26U);
  EXPECT_EQ(report.missing, 24U);
  EXPECT_EQ(report.blank, (std::vector<fs::path>{shards[0], shards[2]}));
  const std::vector<fs::path> nothing{shards[0]};
  EXPECT_NE(error_of([&] { (void)merge_stores(folder / "none.db", nothing); }), "");
  EXPECT_FALSE(fs::exists(folder / "none.db"));
  const std::vector<fs::path> nowhere{folder / "nowhere.db"};
  EXPECT_NE(error_of([&] { (void)merge_stores(folder / "none.db", nowhere); }).find("no such file"),
            std::string::npos);
}

TEST(Merge, APlanThatGrewIsTakenOver) {
  const TempFolder folder;
  std::vector<fs::path> shards{make_shard(folder, {1, 2}), make_shard(folder, {2, 2})};
  (void)merge_stores(folder / "all.db", shards);
  RunInfo run = sample_run(kMergedGames + 4);
  run.shard = {1, 2};
  Store::create_or_resume(shards[0], run).add(random_game("janggi-kja", kMergedGames + 2));
  const MergeReport report = merge_stores(folder / "all.db", shards);
  EXPECT_EQ(report.planned, kMergedGames + 4);
  EXPECT_EQ(report.missing, 3U);
  EXPECT_FALSE(Store::open_read_only(folder / "all.db").complete());
}

TEST(Merge, OtherRunsAndDifferingGamesAreRefusedAndTheOutputKeepsItsGames) {
  const TempFolder folder;
  const std::vector<fs::path> good{make_shard(folder, {1, 2})};
  (void)merge_stores(folder / "all.db", good);
  const std::uint64_t before = Store::open_read_only(folder / "all.db").finished().size();

  RunInfo other = sample_run(kMergedGames);
  other.seed = 9;
  { Store::create_or_resume(folder / "other.db", other).add(random_game("janggi-kja", 2)); }
  const std::vector<fs::path> mixed{good[0], folder / "other.db"};
  const auto message = error_of([&] { (void)merge_stores(folder / "all.db", mixed); });
  EXPECT_NE(message.find("another run"), std::string::npos) << message;
  EXPECT_NE(message.find("seed is 9"), std::string::npos) << message;
  const std::vector<fs::path> alone{folder / "other.db"};
  EXPECT_NE(error_of([&] { (void)merge_stores(folder / "all.db", alone); }).find("another run"),
            std::string::npos);

  RunInfo twin = sample_run(kMergedGames);
  { Store::create_or_resume(folder / "twin.db", twin).add(random_game("janggi-kja", 0, 77)); }
  const std::vector<fs::path> contradicting{folder / "twin.db"};
  EXPECT_NE(error_of([&] { (void)merge_stores(folder / "all.db", contradicting); }).find("game 0"),
            std::string::npos);

  const std::vector<fs::path> itself{folder / "all.db"};
  EXPECT_NE(error_of([&] { (void)merge_stores(folder / "all.db", itself); }), "");
  EXPECT_NE(error_of([&] { (void)merge_stores(folder / "new.db", {}); }), "");
  EXPECT_NE(error_of([&] { (void)merge_stores(good[0], alone); }), "");
  EXPECT_EQ(Store::open_read_only(folder / "all.db").finished().size(), before);
}

TEST(Merge, TheWallClockAloneDoesNotMakeGamesDiffer) {
  const TempFolder folder;
  const std::vector<fs::path> shards{make_shard(folder, {1, 2})};
  (void)merge_stores(folder / "all.db", shards);
  GameRecord slower = random_game("janggi-kja", 0);
  slower.milliseconds += 1000;
  { Store::create_or_resume(folder / "twin.db", sample_run(kMergedGames)).add(slower); }
  const std::vector<fs::path> twin{folder / "twin.db"};
  EXPECT_EQ(merge_stores(folder / "all.db", twin).already, 1U);
}

TEST(Merge, MoreShardsThanAreReadSideBySide) {
  const TempFolder folder;
  constexpr int kShards = 70;
  std::vector<fs::path> shards;
  RunInfo run = sample_run(2 * kShards);
  for (int i = 1; i <= kShards; ++i) {
    run.shard = {i, kShards};
    shards.push_back(folder / std::to_string(i));
    const auto id = static_cast<std::uint64_t>(2 * (i - 1));
    Store store = Store::create_or_resume(shards.back(), run);
    GameRecord game = random_game("janggi-kja", 0);
    game.id = id;
    store.add(game);
  }
  const MergeReport report = merge_stores(folder / "all.db", shards);
  EXPECT_EQ(report.present, 70U);
  EXPECT_EQ(report.missing, 70U);
  EXPECT_EQ(report.gaps.size(), 70U);
}

}  // namespace
}  // namespace cannonade
