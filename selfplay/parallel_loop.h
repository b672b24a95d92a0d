// TBB's parallel loops, whose order the thread sanitizer understands: what stands before a loop
// happens before its bodies, and they before what stands behind it. TBB's library sees to that, but
// it is not instrumented. So under that sanitizer a loop is a group of tasks whose order is also
// told by atomics that are instrumented, and its bodies are never inlined into functions of TBB's,
// whose reports tests/tsan.supp leaves out.
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_sort.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <atomic>
#include <cstddef>

namespace cannonade {

#if defined(__SANITIZE_THREAD__)

// body(k) for every k below `count`; lives as long as the loop does.
template <class Body>
class WatchedLoop {
 public:
  WatchedLoop(std::size_t count, const Body& body) : count_(count), body_(body) {}

  // Whether it ends or throws, the group's destructor reads the count that every task lowers last.
  // (tbb::parallel_for counts on the caller's stack and reads that only inside the library: later,
  // when that memory holds something else, the tasks' last writes would look like a race with it.)
  void run() {
    tbb::task_group tasks;
    begun_.store(true, std::memory_order_release);
    const auto threads = static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
    for (std::size_t i = 0; i < std::min(threads, count_); ++i) {
      // The closure is written after begun_; it is read unwatched.
      tasks.run([this]() __attribute__((no_sanitize("thread"))) { work(); });
    }
    tasks.wait();
  }

 private:
  void work() {
    (void)begun_.load(std::memory_order_acquire);
    try {
      // Relaxed: the tasks of a loop are not ordered among themselves.
      for (std::size_t k = 0; (k = next_.fetch_add(1, std::memory_order_relaxed)) < count_;) {
        body_(k);
      }
    } catch (...) {
      next_.store(count_, std::memory_order_relaxed);
      throw;
    }
  }

  const std::size_t count_;
  const Body& body_;
  std::atomic<bool> begun_{false};
  std::atomic<std::size_t> next_{0};
};

template <class Index, class Body>
void parallel_loop(Index first, Index last, const Body& body) {
  if (first >= last) return;
  const auto nth = [&](std::size_t k) { body(first + static_cast<Index>(k)); };
  WatchedLoop(static_cast<std::size_t>(last - first), nth).run();
}
template <class Index, class Body>
void parallel_loop(const tbb::blocked_range<Index>& range, const Body& body) {
  const std::size_t grain = std::max<std::size_t>(range.grainsize(), 1);
  const auto part = [&](std::size_t k) {
    const std::size_t begin = k * grain;
    body(tbb::blocked_range<Index>(
        range.begin() + static_cast<Index>(begin),
        range.begin() + static_cast<Index>(std::min(begin + grain, range.size())),
        range.grainsize()));
  };
  parallel_loop(std::size_t{0}, (range.size() + grain - 1) / grain, part);
}
// By one thread, for the library's moves cannot be told of.
template <class Iterator, class Less>
void parallel_order(Iterator first, Iterator last, const Less& less) {
  std::sort(first, last, less);
}

#else

// body(i) for every i from `first` up to `last`.
template <class Index, class Body>
void parallel_loop(Index first, Index last, const Body& body) {
  tbb::parallel_for(first, last, body);
}
// body(part) for parts of the range that make it up.
template <class Index, class Body>
void parallel_loop(const tbb::blocked_range<Index>& range, const Body& body) {
  tbb::parallel_for(range, body);
}
// As std::sort.
template <class Iterator, class Less>
void parallel_order(Iterator first, Iterator last, const Less& less) {
  tbb::parallel_sort(first, last, less);
}

#endif

}  // namespace cannonade
