// Files that are no store, damaged, cut short or made by a stranger: refused with a line that names
// them, and left as they are.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <utility>
#include <vector>

#include "core/base/files.h"
#include "selfplay/store.h"
#include "tests/selfplay/stored_games.h"

namespace cannonade {
namespace {

namespace fs = std::filesystem;

TEST(Store, PlacesThatCannotBeAreTheUsersMistakeAndAreNamed) {
  const TempFolder folder;
  const auto create = [&](const fs::path& path) {
    return error_of([&] { (void)Store::create_or_resume(path, sample_run()); });
  };
  const auto read = [&](const fs::path& path) {
    return error_of([&] { (void)Store::open_read_only(path); });
  };
  EXPECT_NE(create(folder / "no/run.db").find("there is no folder"), std::string::npos);
  EXPECT_NE(create(folder.path()).find("is a folder"), std::string::npos);
  EXPECT_NE(create("/proc/run.db").find("/proc/run.db"), std::string::npos);
  write_file_atomically(folder / "plain", "x");
  EXPECT_NE(create(folder / "plain/run.db").find("there is no folder"), std::string::npos);
  EXPECT_NE(read(folder / "missing.db").find("no such file"), std::string::npos);
  EXPECT_NE(read(folder.path()).find("is a folder"), std::string::npos);
  write_file_atomically(folder / "empty.db", "");
  EXPECT_NE(read(folder / "empty.db").find("is empty"), std::string::npos);
}

TEST(Store, AFileThatIsNoStoreIsRefusedAndLeftAsItIs) {
  const TempFolder folder;
  const std::string text(5000, 'x');
  write_file_atomically(folder / "notes.txt", text);
  EXPECT_NE(error_of([&] {
              (void)Store::create_or_resume(folder / "notes.txt", sample_run());
            }).find("not a store"),
            std::string::npos);
  EXPECT_NE(
      error_of([&] { (void)Store::open_read_only(folder / "notes.txt"); }).find("not a store"),
      std::string::npos);
  EXPECT_EQ(*read_file(folder / "notes.txt"), text);
  // Somebody else's database.
  ASSERT_EQ(
      std::system(("sqlite3 '" + (folder / "other.db").string() +
                   "' 'PRAGMA journal_mode=WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1)' "
                   "> /dev/null")
                      .c_str()),
      0);
  const std::string before = *read_file(folder / "other.db");
  EXPECT_NE(error_of([&] {
              (void)Store::create_or_resume(folder / "other.db", sample_run());
            }).find("not a store"),
            std::string::npos);
  EXPECT_EQ(*read_file(folder / "other.db"), before);
}

TEST(Store, ATruncatedFileIsRefusedAtEveryLength) {
  const TempFolder folder;
  {
    Store store = Store::create_or_resume(folder / "run.db", sample_run());
    for (std::uint64_t id = 0; id < 40; ++id) store.add(random_game("janggi-kja", id));
  }
  const std::string whole = *read_file(folder / "run.db");
  for (std::size_t length = 1; length < whole.size(); length += 1777) {
    write_file_atomically(folder / "cut.db", whole.substr(0, length));
    EXPECT_NE(error_of([&] { (void)Store::open_read_only(folder / "cut.db"); }), "") << length;
    EXPECT_NE(error_of([&] { (void)Store::create_or_resume(folder / "cut.db", sample_run()); }), "")
        << length;
  }
}

// Whatever the bytes are, reading ends with games or a user error; nothing crashes or hangs.
TEST(Store, DamagedBytesNeverCrashAReader) {
  const TempFolder folder;
  {
    Store store = Store::create_or_resume(folder / "run.db", sample_run());
    for (std::uint64_t id = 0; id < 40; ++id) store.add(random_game("janggi-kja", id));
  }
  const std::string whole = *read_file(folder / "run.db");
  Rng rng(5);
  int refused = 0;
  for (int round = 0; round < 150; ++round) {
    std::string damaged = whole;
    const std::uint64_t hits = 1 + rng.below(200);
    for (std::uint64_t i = 0; i < hits; ++i) {
      damaged[rng.below(damaged.size())] = static_cast<char>(rng.below(256));
    }
    write_file_atomically(folder / "damaged.db", damaged);
    try {
      const Store store = Store::open_read_only(folder / "damaged.db");
      (void)store.finished();
      (void)all_games(store);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUser) << error.what();
      ++refused;
    }
  }
  EXPECT_GT(refused, 50);
}

// A few bytes that flip where SQLite does not look: the games that are read are those that were
// written, or reading is refused.
TEST(Store, DamageNeverPassesForAGame) {
  const TempFolder folder;
  std::vector<GameRecord> written;
  {
    Store store = Store::create_or_resume(folder / "run.db", sample_run());
    for (std::uint64_t id = 0; id < 40; ++id) {
      written.push_back(random_game("janggi-kja", id));
      store.add(written.back());
    }
  }
  const std::string whole = *read_file(folder / "run.db");
  Rng rng(6);
  int refused = 0;
  for (int round = 0; round < 300; ++round) {
    std::string damaged = whole;
    const std::uint64_t at = rng.below(damaged.size() - 4);
    const std::uint64_t hits = 1 + rng.below(4);
    for (std::uint64_t i = 0; i < hits; ++i) {
      damaged[at + i] = static_cast<char>(rng.below(256));
    }
    std::ofstream(folder / "damaged.db", std::ios::binary) << damaged;
    try {
      const Store store = Store::open_read_only(folder / "damaged.db");
      for (const GameRecord& game : all_games(store)) {
        ASSERT_LT(game.id, written.size()) << round;
        expect_same_game(game, written[game.id]);
        ASSERT_FALSE(testing::Test::HasFailure()) << "bytes at " << at;
      }
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUser) << error.what();
      ++refused;
    }
  }
  EXPECT_GT(refused, 100);
}

// A stranger's file with the right tables and impossible values, made with sqlite3's own shell.
TEST(Store, ImpossibleValuesAreRefusedNamingStoreAndGame) {
  const TempFolder folder;
  const fs::path path = folder / "run.db";
  {
    Store store = Store::create_or_resume(path, sample_run());
    for (std::uint64_t id = 0; id < 3; ++id) store.add(random_game("janggi-kja", id));
  }
  const std::string whole = *read_file(path);
  const std::pair<const char*, const char*> cases[] = {
      {"UPDATE games SET moves = x'FFFF' WHERE id = 1", "not on the board"},
      {"UPDATE games SET moves = x'0000', scores = x'' WHERE id = 1", "not on the board"},
      {"UPDATE games SET moves = CAST(moves || x'01' AS BLOB) WHERE id = 1",
       "whole number of turns"},
      {"UPDATE games SET moves = zeroblob(50000), scores = x'' WHERE id = 1", "too long"},
      {"UPDATE games SET moves = zeroblob(30000000), scores = x'' WHERE id = 1", "too large"},
      {"UPDATE games SET scores = x'0102' WHERE id = 1", "scores"},
      {"UPDATE games SET reason = 'boredom' WHERE id = 1", "boredom"},
      {"UPDATE games SET winner = 2 WHERE id = 1", "winner"},
      {"UPDATE games SET opening_plies = 5000 WHERE id = 1", "opening"},
      {"UPDATE games SET opening_plies = -1 WHERE id = 1", "opening"},
      {"UPDATE games SET pair = -7 WHERE id = 1", "pair"},
      {"UPDATE games SET first = 99 WHERE id = 1", "first player"},
      {"UPDATE games SET first_points = 1000000 WHERE id = 1", "points"},
      {"UPDATE games SET nodes = nodes + 1 WHERE id = 1", "not as it was written"},
      {"UPDATE players SET name = 'gamma' WHERE name = 'alpha'", "not as it was written"},
      {"UPDATE games SET id = 1000 WHERE id = 1", "not of this run"},
      {"UPDATE games SET id = -1 WHERE id = 1", "id"},
      {"UPDATE games SET note = hex(zeroblob(20000)) WHERE id = 1", "note"},
      {"UPDATE run SET settings = 'other'", "run id does not fit"},
      {"UPDATE run SET games = -4", "number of games"},
      {"UPDATE run SET shard_count = 0", "shard"},
      {"DELETE FROM run", "no run record"},
      {"DROP TABLE facts", "table facts"},
      {"PRAGMA user_version = 1", "format 1"},
      {"PRAGMA application_id = 1", "not a store"},
  };
  for (const auto& [sql, expected] : cases) {
    write_file_atomically(path, whole);
    ASSERT_EQ(std::system(("sqlite3 '" + path.string() + "' \"" + sql + "\"").c_str()), 0) << sql;
    const std::string message = error_of([&] {
      const Store store = Store::open_read_only(path);
      (void)all_games(store);
      (void)store.finished();
    });
    EXPECT_NE(message.find(expected), std::string::npos) << sql << ": " << message;
    EXPECT_NE(message.find(path.string()), std::string::npos) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace cannonade
