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

class LoopOrder {
 public:
  // Around the loop, by the thread that runs it.
  LoopOrder() { begun_.store(1, std::memory_order_release); }
  void join() const { (void)ended_.load(std::memory_order_acquire); }
  // A body, between what every thread does before it and after it.
  template <class Body, class Argument>
  void run(const Body& body, const Argument& argument) {
    (void)begun_.load(std::memory_order_acquire);
    body(argument);
    ended_.fetch_add(1, std::memory_order_acq_rel);
  }

 private:
  std::atomic<int> begun_{0};
  std::atomic<int> ended_{0};
};

template <class Index, class Body>
void parallel_loop(Index first, Index last, const Body& body) {
  LoopOrder order;
  tbb::parallel_for(first, last, [&](Index i) { order.run(body, i); });
  order.join();
}
template <class Index, class Body>
void parallel_loop(const tbb::blocked_range<Index>& range, const Body& body) {
  LoopOrder order;
  tbb::parallel_for(range, [&](const tbb::blocked_range<Index>& part) { order.run(body, part); });
  order.join();
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
