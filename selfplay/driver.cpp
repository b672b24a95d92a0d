#include "selfplay/driver.h"

#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

namespace cannonade {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kQueueGames = 256;
constexpr std::size_t kBatchGames = 64;
constexpr std::chrono::milliseconds kTick{100};

// Arenas are kept: the workers of the last session still stand in theirs and begin at once.
tbb::task_arena& arena_of(int threads) {
  static std::mutex mutex;
  static std::map<int, std::unique_ptr<tbb::task_arena>> arenas;
  const std::lock_guard lock(mutex);
  std::unique_ptr<tbb::task_arena>& arena = arenas[threads];
  if (!arena) arena = std::make_unique<tbb::task_arena>(threads);
  return *arena;
}

// Hands out the ids that are missing, in order.
class Schedule {
 public:
  explicit Schedule(const Store& store)
      : finished_(store.finished()), shard_(store.run().shard), games_(store.run().games) {}

  std::optional<std::uint64_t> next() {
    const std::lock_guard lock(mutex_);
    const auto count = static_cast<std::uint64_t>(shard_.count);
    const auto own = static_cast<std::uint64_t>(shard_.index - 1);
    for (;;) {
      next_ = finished_.first_missing(next_);
      if (next_ >= games_) return std::nullopt;
      if (shard_.owns(next_)) return next_++;
      const std::uint64_t ahead = (own + count - next_ / 2 % count) % count;
      next_ = (next_ / 2 + ahead) * 2;
    }
  }

 private:
  std::mutex mutex_;
  IdSet finished_;  // as the session began
  Shard shard_;
  std::uint64_t games_ = 0;
  std::uint64_t next_ = 0;
};

// Finished games on their way to the writer, a bounded number. (TBB's bounded queue has no wait
// with a time limit, which the writer needs for its ticks, and cannot hand over all at once.)
class HandOver {
 public:
  // Waits while it is full.
  void put(GameRecord&& game) {
    std::unique_lock lock(mutex_);
    room_.wait(lock, [this] { return games_.size() < kQueueGames; });
    games_.push_back(std::move(game));
    lock.unlock();
    news_.notify_one();
  }
  // After the last put().
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    news_.notify_one();
  }
  // Everything that is there, after waiting `patience` at most for something to be. False when it
  // is closed: nothing will follow.
  bool take(std::vector<GameRecord>* games, std::chrono::milliseconds patience) {
    games->clear();
    std::unique_lock lock(mutex_);
    news_.wait_for(lock, patience, [this] { return closed_ || !games_.empty(); });
    games_.swap(*games);
    const bool open = !closed_;
    lock.unlock();
    room_.notify_all();
    return open;
  }

 private:
  std::mutex mutex_;
  std::condition_variable room_;
  std::condition_variable news_;
  std::vector<GameRecord> games_;
  bool closed_ = false;
};

// Tells the thread sanitizer what TBB, which it cannot see into, guarantees: a task sees all that
// was written before it was spawned. (The task's own closure is read before that, unwatched.)
void order_with_tasks() {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
}

class Session {
 public:
  Session(Store& store, const MakeWorker& make_worker, const DriveOptions& options)
      : store_(store), make_worker_(make_worker), options_(options), schedule_(store) {}

  DriveResult run() {
    const auto start = Clock::now();
    std::thread writer([this] { write(); });
    {
      const int threads = std::max(options_.threads, 1);
      // As many as asked, more than there are cores too. Twice and some: a worker that has run out
      // of work looks around in its old arena before it comes over, on a busy machine for half a
      // second, and no core should wait for it.
      const tbb::global_control allowed(tbb::global_control::max_allowed_parallelism,
                                        2 * static_cast<std::size_t>(threads) + 2);
      order_with_tasks();
      arena_of(threads).execute([&] {
        tbb::task_group group;
        for (int i = 0; i < threads; ++i)
          group.run([this]() __attribute__((no_sanitize("thread"))) { work(); });
        group.wait();
      });
    }
    queue_.close();
    writer.join();
    rethrow_fault();

    DriveResult result;
    result.played = played_;
    result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    result.end = decided_                  ? DriveEnd::kDecided
                 : store_.remaining() == 0 ? DriveEnd::kComplete
                                           : DriveEnd::kInterrupted;
    return result;
  }

 private:
  void work() {
    order_with_tasks();
    try {
      std::unique_ptr<GameWorker> worker;
      while (!stop_.load(std::memory_order_relaxed)) {
        const std::optional<std::uint64_t> id = schedule_.next();
        if (!id) return;
        if (!worker) worker = make_worker_();
        std::optional<GameRecord> game = worker->play(*id, stop_);
        if (!game) return;
        queue_.put(std::move(*game));
      }
    } catch (...) {
      fail();
    }
  }

  // The writer goes on emptying the queue after a fault, so that no worker is left waiting.
  void write() {
    std::vector<GameRecord> games;
    auto next_tick = Clock::now();
    for (bool more = true; more;) {
      more = queue_.take(&games, kTick);
      if (options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed)) stop_ = true;
      commit(games);
      if (options_.on_tick && Clock::now() >= next_tick) {
        next_tick = Clock::now() + kTick;
        guarded([this] { options_.on_tick(); });
      }
    }
  }

  void commit(const std::vector<GameRecord>& games) {
    for (std::size_t begin = 0; begin < games.size() && !store_failed_; begin += kBatchGames) {
      const std::size_t size = std::min(kBatchGames, games.size() - begin);
      const std::span<const GameRecord> batch(games.data() + begin, size);
      guarded([&] {
        store_failed_ = true;
        store_.add_batch(batch);
        store_failed_ = false;
        played_ += size;
        for (const GameRecord& game : batch) {
          if (options_.on_game && !decided_ && !options_.on_game(game)) {
            decided_ = true;
            stop_ = true;
          }
        }
      });
    }
  }

  template <class Action>
  void guarded(const Action& action) {
    try {
      action();
    } catch (...) {
      fail();
    }
  }
  void fail() {
    const std::lock_guard lock(fault_mutex_);
    if (!fault_) fault_ = std::current_exception();
    stop_ = true;
  }
  void rethrow_fault() {
    const std::lock_guard lock(fault_mutex_);
    if (fault_) std::rethrow_exception(fault_);
  }

  Store& store_;
  const MakeWorker& make_worker_;
  const DriveOptions& options_;
  Schedule schedule_;
  HandOver queue_;
  std::atomic<bool> stop_{false};

  // The writer's.
  std::uint64_t played_ = 0;
  bool decided_ = false;
  bool store_failed_ = false;

  std::mutex fault_mutex_;
  std::exception_ptr fault_;
};

}  // namespace

DriveResult drive(Store& store, const MakeWorker& make_worker, const DriveOptions& options) {
  return Session(store, make_worker, options).run();
}

}  // namespace cannonade
