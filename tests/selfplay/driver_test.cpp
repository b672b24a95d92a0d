#include "selfplay/driver.h"

#include <gtest/gtest.h>

#include <chrono>
#include <mutex>
#include <set>
#include <thread>

#include "tests/selfplay/stored_games.h"

namespace cannonade {
namespace {

using std::chrono::milliseconds;

// Game `id` at once, or after what the test does first.
class FakeWorker : public GameWorker {
 public:
  explicit FakeWorker(std::function<void(std::uint64_t)> before = {})
      : before_(std::move(before)) {}
  std::optional<GameRecord> play(std::uint64_t id, const std::atomic<bool>& stop) override {
    if (before_) before_(id);
    if (stop) return std::nullopt;
    return random_game("janggi-kja", id);
  }

 private:
  std::function<void(std::uint64_t)> before_;
};

MakeWorker workers(std::function<void(std::uint64_t)> before = {}) {
  return [before] { return std::make_unique<FakeWorker>(before); };
}

std::vector<std::uint64_t> ids_in(const Store& store) {
  std::vector<std::uint64_t> ids;
  store.for_each([&](const GameRecord& game) { ids.push_back(game.id); });
  return ids;
}

TEST(Driver, PlaysEveryGameOnceAndSaysSo) {
  for (const int threads : {1, 2, 5}) {
    const TempFolder folder;
    Store store = Store::create_or_resume(folder / "run.db", sample_run(200));
    std::set<std::uint64_t> seen;
    DriveOptions options;
    options.threads = threads;
    options.on_game = [&](const GameRecord& game) {
      EXPECT_TRUE(store.finished().contains(game.id));  // what is reported is committed
      EXPECT_TRUE(seen.insert(game.id).second);
      return true;
    };
    const DriveResult result = drive(store, workers(), options);
    EXPECT_EQ(result.end, DriveEnd::kComplete);
    EXPECT_EQ(result.played, 200U);
    EXPECT_EQ(seen.size(), 200U);
    EXPECT_EQ(ids_in(store).size(), 200U);
    // And nothing is left to do.
    EXPECT_EQ(drive(store, workers([](std::uint64_t) { FAIL(); }), options).played, 0U);
  }
}

TEST(Driver, ASecondSessionPlaysOnlyWhatIsMissing) {
  const TempFolder folder;
  Store store = Store::create_or_resume(folder / "run.db", sample_run(60));
  for (const std::uint64_t id : {0, 7, 8, 59}) store.add(random_game("janggi-kja", id));
  std::mutex mutex;
  std::set<std::uint64_t> played;
  const auto note = [&](std::uint64_t id) {
    const std::lock_guard lock(mutex);
    EXPECT_TRUE(played.insert(id).second);
  };
  DriveOptions options;
  options.threads = 3;
  EXPECT_EQ(drive(store, workers(note), options).played, 56U);
  EXPECT_EQ(played.size(), 56U);
  for (const std::uint64_t id : {0, 7, 8, 59}) EXPECT_FALSE(played.contains(id));
}

TEST(Driver, AShardPlaysItsPairsOnly) {
  std::set<std::uint64_t> all;
  for (int index = 1; index <= 3; ++index) {
    const TempFolder folder;
    RunInfo run = sample_run(50);
    run.shard = {index, 3};
    Store store = Store::create_or_resume(folder / "run.db", run);
    DriveOptions options;
    options.threads = 2;
    EXPECT_EQ(drive(store, workers(), options).end, DriveEnd::kComplete);
    for (const std::uint64_t id : ids_in(store)) {
      EXPECT_EQ(id / 2 % 3, static_cast<std::uint64_t>(index - 1));
      EXPECT_TRUE(all.insert(id).second);
    }
  }
  EXPECT_EQ(all.size(), 50U);
}

// The ids come from a counter: a plan of any size costs nothing.
TEST(Driver, TenMillionPlannedGamesCostNothing) {
  const TempFolder folder;
  Store store = Store::create_or_resume(folder / "run.db", sample_run(10'000'000));
  DriveOptions options;
  options.threads = 2;
  options.on_game = [&](const GameRecord&) { return store.finished().size() < 20; };
  const auto start = std::chrono::steady_clock::now();
  const DriveResult result = drive(store, workers(), options);
  EXPECT_EQ(result.end, DriveEnd::kDecided);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(3));
}

// Threads that played in an earlier session must be there for the next one at once.
TEST(Driver, AllThreadsAreThereAtOnceSessionAfterSession) {
  for (const int threads : {2, 4, 2, 2, 4}) {
    const TempFolder folder;
    Store store = Store::create_or_resume(folder / "run.db", sample_run(8));
    std::atomic<int> waiting{0};
    std::atomic<int> too_late{0};
    const auto meet = [&](std::uint64_t id) {
      if (id >= static_cast<std::uint64_t>(threads)) return;
      ++waiting;
      for (int i = 0; waiting < threads; ++i) {
        std::this_thread::sleep_for(milliseconds(1));
        if (i == 3000) {
          ++too_late;
          return;
        }
      }
    };
    DriveOptions options;
    options.threads = threads;
    EXPECT_EQ(drive(store, workers(meet), options).end, DriveEnd::kComplete);
    EXPECT_EQ(too_late, 0) << threads;
  }
}

TEST(Driver, ALongGameHoldsNobodyBack) {
  const TempFolder folder;
  Store store = Store::create_or_resume(folder / "run.db", sample_run(100));
  std::atomic<bool> others_done{false};
  std::atomic<bool> given_up{false};
  std::atomic<int> finished{0};
  const auto before = [&](std::uint64_t id) {
    // Game 0 lasts until all others have been played.
    for (int i = 0; id == 0 && !others_done; ++i) {
      std::this_thread::sleep_for(milliseconds(1));
      if (i == 20'000) {
        given_up = true;
        return;
      }
    }
  };
  DriveOptions options;
  options.threads = 2;
  options.on_game = [&](const GameRecord&) {
    if (++finished == 99) others_done = true;
    return true;
  };
  EXPECT_EQ(drive(store, workers(before), options).end, DriveEnd::kComplete);
  EXPECT_TRUE(others_done);
  EXPECT_FALSE(given_up);
}

// Workers that are faster than the writer wait for it: memory stays bounded.
TEST(Driver, ASlowWriterSlowsTheWorkers) {
  const TempFolder folder;
  Store store = Store::create_or_resume(folder / "run.db", sample_run(2000));
  std::atomic<std::int64_t> begun{0};
  std::int64_t committed = 0;
  std::int64_t most_ahead = 0;
  std::int64_t slow = 0;
  DriveOptions options;
  options.threads = 2;
  options.on_game = [&](const GameRecord&) {
    ++committed;
    most_ahead = std::max(most_ahead, begun.load() - committed);
    if (++slow % 100 == 0) std::this_thread::sleep_for(milliseconds(5));
    return true;
  };
  (void)drive(store, workers([&](std::uint64_t) { ++begun; }), options);
  // The queue's 256, as many in the writer's hands, and what is in play.
  EXPECT_LE(most_ahead, 2 * 256 + 2 * 2);
}

TEST(Driver, DecidingEndsTheRunEarly) {
  const TempFolder folder;
  Store store = Store::create_or_resume(folder / "run.db", sample_run(100'000));
  std::uint64_t seen = 0;
  DriveOptions options;
  options.threads = 2;
  options.on_game = [&](const GameRecord&) { return ++seen < 10; };
  const DriveResult result = drive(store, workers(), options);
  EXPECT_EQ(result.end, DriveEnd::kDecided);
  EXPECT_EQ(seen, 10U);
  EXPECT_GE(result.played, 10U);
  EXPECT_LT(result.played, 1000U);
}

TEST(Driver, AStopKeepsWhatIsFinished) {
  const TempFolder folder;
  Store store = Store::create_or_resume(folder / "run.db", sample_run(100'000));
  std::atomic<bool> stop{false};
  DriveOptions options;
  options.threads = 2;
  options.stop = &stop;
  options.on_game = [&](const GameRecord& game) {
    if (game.id >= 40) stop = true;
    return true;
  };
  const DriveResult result = drive(store, workers(), options);
  EXPECT_EQ(result.end, DriveEnd::kInterrupted);
  EXPECT_EQ(ids_in(store).size(), result.played);
  stop = false;
  options.on_game = {};
  RunInfo run = sample_run(100'000);
  EXPECT_GT(store.remaining(), 0U);
}

TEST(Driver, TicksWhileGamesAreLong) {
  const TempFolder folder;
  Store store = Store::create_or_resume(folder / "run.db", sample_run(1));
  std::atomic<int> ticks{0};
  DriveOptions options;
  options.on_tick = [&] { ++ticks; };
  const auto wait_for_ticks = [&](std::uint64_t) {
    for (int i = 0; ticks < 3 && i < 5000; ++i) std::this_thread::sleep_for(milliseconds(1));
  };
  (void)drive(store, workers(wait_for_ticks), options);
  EXPECT_GE(ticks, 3);
}

TEST(Driver, AWorkersFaultIsThrownOnAndNothingFinishedIsLost) {
  const TempFolder folder;
  Store store = Store::create_or_resume(folder / "run.db", sample_run(1000));
  const auto explode = [](std::uint64_t id) {
    if (id == 30) throw internal_error("worker exploded");
  };
  DriveOptions options;
  options.threads = 2;
  std::uint64_t reported = 0;
  options.on_game = [&](const GameRecord&) {
    ++reported;
    return true;
  };
  EXPECT_EQ(error_of([&] { (void)drive(store, workers(explode), options); }, ErrorKind::kInternal),
            "worker exploded");
  EXPECT_EQ(ids_in(store).size(), reported);
  EXPECT_GE(reported, 29U);
}

TEST(Driver, AFaultInMakingAWorkerIsThrownOn) {
  const TempFolder folder;
  Store store = Store::create_or_resume(folder / "run.db", sample_run(10));
  const MakeWorker broken = []() -> std::unique_ptr<GameWorker> {
    throw user_error("no such engine");
  };
  EXPECT_EQ(error_of([&] { (void)drive(store, broken, {}); }), "no such engine");
}

TEST(Driver, AFaultOfTheStoreOrACallbackEndsTheRunWithoutADeadlock) {
  const TempFolder folder;
  Store store = Store::create_or_resume(folder / "run.db", sample_run(5000));
  DriveOptions options;
  options.threads = 2;
  options.on_game = [](const GameRecord& game) -> bool {
    if (game.id >= 20) throw internal_error("callback exploded");
    return true;
  };
  EXPECT_EQ(error_of([&] { (void)drive(store, workers(), options); }, ErrorKind::kInternal),
            "callback exploded");
  // A game that the store refuses: an id twice.
  const MakeWorker wrong = [] {
    class Worker : public GameWorker {
      std::optional<GameRecord> play(std::uint64_t, const std::atomic<bool>&) override {
        return random_game("janggi-kja", 0);
      }
    };
    return std::make_unique<Worker>();
  };
  options.on_game = {};
  EXPECT_NE(error_of([&] { (void)drive(store, wrong, options); }, ErrorKind::kInternal), "");
}

}  // namespace
}  // namespace cannonade
