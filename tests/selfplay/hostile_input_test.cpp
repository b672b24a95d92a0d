// What comes from strangers: text that reaches SQL, names that SQLite would take for something
// else, files too large to be read.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <new>
#include <string>
#include <vector>

#include "core/base/files.h"
#include "selfplay/engine_config.h"
#include "selfplay/import_games.h"
#include "selfplay/levels.h"
#include "selfplay/merge.h"
#include "selfplay/opening_book.h"
#include "selfplay/store.h"
#include "tests/selfplay/stored_games.h"
#include "tests/support/rulesets.h"

namespace cannonade {
namespace {

namespace fs = std::filesystem;

const std::string kInjected =
    "x'); DROP TABLE games; --\"; DELETE FROM run; /* ?1 :a @b $c */ \\' %s {} \xEF\xBB\xBF";

// Every string of a run and of a game, and a fact's key and value.
TEST(HostileInput, TextThatLooksLikeSqlIsStoredAsItIs) {
  const TempFolder folder;
  const std::string& evil = kInjected;
  RunInfo run = sample_run();
  run.command = run.rules = run.settings = run.revision = evil;
  run.engines = {{evil, evil}, {"beta" + evil, evil}};
  GameRecord game = random_game("janggi-kja", 0);
  game.rules = game.start_fen = game.note = evil;
  game.players = {evil, evil + "2"};
  game.player_hashes = {evil, evil};
  GameRecord next = game;
  next.id = 1;
  {
    Store store = Store::create_or_resume(folder / "run.db", run);
    store.add(game);
    store.set_fact(evil, evil);
    EXPECT_EQ(store.fact(evil), evil);
    EXPECT_EQ(store.fact("' OR ''='"), std::nullopt);
    store.mark_complete(evil);
    EXPECT_EQ(store.ended(), evil);
  }
  {
    // Players are looked up by their names, in a store that has them.
    Store store = Store::create_or_resume(folder / "run.db", run);
    store.add(next);
  }
  const Store store = Store::open_read_only(folder / "run.db");
  EXPECT_EQ(store.finished().size(), 2U);
  expect_same_game(store.find(0).value(), game);
  expect_same_game(store.find(1).value(), next);
  EXPECT_EQ(store.fact(evil), evil);
  EXPECT_EQ(store.ended(), evil);
  EXPECT_EQ(store.run().command, evil);
  EXPECT_EQ(store.run().rules, evil);
  EXPECT_EQ(store.run().settings, evil);
  EXPECT_EQ(store.run().engines, run.engines);
  ASSERT_EQ(store.sessions().size(), 2U);
  EXPECT_EQ(store.sessions()[0].revision, evil);
  const std::vector<fs::path> parts{folder / "run.db"};
  EXPECT_EQ(merge_stores(folder / "merged.db", parts).missing, 98U);
  expect_same_game(Store::open_read_only(folder / "merged.db").find(1).value(), next);
}

// Tests of paths are given in a folder of their own, as a user gives them.
class WorkingFolder {
 public:
  explicit WorkingFolder(const fs::path& folder) : before_(fs::current_path()) {
    fs::current_path(folder);
  }
  ~WorkingFolder() { fs::current_path(before_); }
  WorkingFolder(const WorkingFolder&) = delete;
  WorkingFolder& operator=(const WorkingFolder&) = delete;

 private:
  fs::path before_;
};

TEST(HostileInput, EveryFileNameIsAFileToTheStore) {
  const TempFolder folder;
  const WorkingFolder here(folder.path());
  for (const char* name :
       {":memory:", "file::memory:", "file:x.db?mode=memory", "a?mode=memory&cache=shared", "b#c",
        "%41.db", "d'e\"f;g", "-h", " i ", "\xEC\x9E\xA5\xEA\xB8\xB0.db"}) {
    { Store::create_or_resume(name, sample_run()).add(random_game("janggi-kja", 0)); }
    ASSERT_TRUE(fs::is_regular_file(folder / name)) << name;
    EXPECT_EQ(Store::open_read_only(name).finished().size(), 1U) << name;
    fs::remove(folder / name);
    EXPECT_TRUE(fs::is_empty(folder.path())) << name;
  }
}

// A process that may not take so much memory, and what it makes of `work`: its exit code.
template <class Work>
int with_memory(std::size_t megabytes, Work&& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit limit{megabytes << 20, megabytes << 20};
    ::setrlimit(RLIMIT_AS, &limit);
    int code = 99;
    try {
      work();
      code = 0;
    } catch (const Error& error) {
      code = error.kind() == ErrorKind::kUser ? 2 : 3;
    } catch (const std::bad_alloc&) {
      code = 50;
    } catch (...) {
    }
    ::_exit(code);
  }
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;  // they take address space without end
#elif defined(__has_feature)
constexpr bool kSanitized =
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);  // clang's
#else
constexpr bool kSanitized = false;
#endif

// A file without blocks on the disk says that it holds 8 GB.
TEST(HostileInput, FilesThatAreTooLargeAreRefusedBeforeMemoryIsTaken) {
  if (kSanitized) GTEST_SKIP() << "a sanitizer takes memory as it likes";
  const TempFolder folder;
  const auto sparse = [&](const char* name) {
    const fs::path path = folder / name;
    write_file_atomically(path, "");
    fs::resize_file(path, std::uintmax_t{8} << 30);
    return path;
  };
  const fs::path toml = sparse("a.toml");
  EXPECT_EQ(with_memory(700, [&] { (void)read_engine_config(toml); }), 2);
  EXPECT_EQ(with_memory(700, [&] { (void)load_levels(toml, kKja); }), 2);
  EXPECT_EQ(with_memory(700, [&] { (void)Weights::load(toml, kKja).value_or_throw(); }), 2);
  EXPECT_EQ(with_memory(700, [&] { (void)read_opening_book(toml, kKja, 8); }), 2);
  for (const char* name : {"a.pgn", "a.gib", "a.epd", "a.csv", "a.txt"}) {
    const fs::path path = sparse(name);
    const auto ignore = [](const fs::path&, std::size_t, const std::string&) {};
    EXPECT_EQ(
        with_memory(700, [&] { (void)import_games({path}, kKja, {}, folder / "out.db", ignore); }),
        2)
        << name;
  }
  EXPECT_FALSE(fs::exists(folder / "out.db"));
  // A store is read a page at a time: this one is cut short or damaged, whichever is seen first.
  const fs::path store = folder / "run.db";
  { Store::create_or_resume(store, sample_run()).add(random_game("janggi-kja", 0)); }
  fs::resize_file(store, std::uintmax_t{8} << 30);
  EXPECT_EQ(with_memory(700, [&] { (void)Store::open_read_only(store).find(0).value(); }), 0);
}

// Names and comments of other people's games: longer than a store takes.
TEST(HostileInput, ImportedGamesWithEndlessNamesAreKept) {
  const TempFolder folder;
  const std::string name(100'000, 'n');
  write_file_atomically(folder / "a.pgn", "[White \"" + name + "\"]\n[Black \"" + name +
                                              "2\"]\n[Event \"" + name + "\"]\n[Result \"*\"]\n\n" +
                                              "1. a4b4 {" + name + "} *\n");
  const auto ignore = [](const fs::path&, std::size_t, const std::string&) {};
  const ImportReport report = import_games({folder / "a.pgn"}, kKja, {}, folder / "out.db", ignore);
  EXPECT_EQ(report.added, 1U);
  const GameRecord game = Store::open_read_only(folder / "out.db").find(0).value();
  EXPECT_EQ(game.moves.size(), 1U);
  EXPECT_LE(game.players[0].size(), kMaxName);
  EXPECT_LE(game.note.size(), kMaxStoredNote);
}

}  // namespace
}  // namespace cannonade
