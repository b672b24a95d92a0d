// TBB's parallel loops, whose order the thread sanitizer understands: what stands before a loop
// happens before its bodies, and they before what stands behind it. TBB's library sees to that, but
// it is not instrumented, so under that sanitizer a loop says it once more, by atomics of its own.
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_sort.h>

#include <algorithm>
#include <atomic>

namespace cannonade {

#if defined(__SANITIZE_THREAD__)

// Lives around a loop, in the thread that runs it, whether the loop ends or throws.
class LoopOrder {
 public:
  LoopOrder() { begun_.store(1, std::memory_order_release); }
  ~LoopOrder() { (void)ended_.load(std::memory_order_acquire); }
  LoopOrder(const LoopOrder&) = delete;
  LoopOrder& operator=(const LoopOrder&) = delete;
  // A body, between what every thread does before it and after it.
  template <class Body, class Argument>
  void run(const Body& body, const Argument& argument) {
    (void)begun_.load(std::memory_order_acquire);
    const struct End {
      std::atomic<int>& ended;
      ~End() { ended.fetch_add(1, std::memory_order_acq_rel); }
    } end{ended_};
    body(argument);
  }

 private:
  std::atomic<int> begun_{0};
  std::atomic<int> ended_{0};
};

template <class Index, class Body>
void parallel_loop(Index first, Index last, const Body& body) {
  LoopOrder order;
  tbb::parallel_for(first, last, [&](Index i) { order.run(body, i); });
}
template <class Index, class Body>
void parallel_loop(const tbb::blocked_range<Index>& range, const Body& body) {
  LoopOrder order;
  tbb::parallel_for(range, [&](const tbb::blocked_range<Index>& part) { order.run(body, part); });
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
