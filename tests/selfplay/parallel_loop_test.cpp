// Loops over threads, and what the thread sanitizer sees of them: under it, these tests also hold
// that the order around a loop is known to it, and that a race inside of one is reported.
#include "selfplay/parallel_loop.h"

#include <gtest/gtest.h>

#include <chrono>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/with_threads.h"

namespace cannonade {
namespace {

constexpr int kThreads = 4;

// Overwrites the part of the stack that a loop has used before.
[[gnu::noinline]] double use_the_stack(int depth) {
  volatile double memory[64];
  for (int i = 0; i < 64; ++i) memory[i] = i;
  return depth == 0 ? memory[1] : use_the_stack(depth - 1) + memory[2];
}

TEST(ParallelLoop, TakesEveryIndexOnce) {
  with_threads(kThreads, [] {
    std::vector<std::atomic<int>> taken(1000);
    parallel_loop(-500, 500, [&](int i) { ++taken[static_cast<std::size_t>(i + 500)]; });
    for (const std::atomic<int>& times : taken) EXPECT_EQ(times, 1);
    parallel_loop(std::size_t{3}, std::size_t{3}, [](std::size_t) { FAIL() << "nothing to do"; });
  });
}

TEST(ParallelLoop, PartsMakeUpTheRange) {
  with_threads(kThreads, [] {
    std::vector<std::atomic<int>> taken(1003);
    parallel_loop(tbb::blocked_range<std::size_t>(3, 1003, 64), [&](const auto& part) {
      EXPECT_LE(part.size(), 1000U);
      for (std::size_t i = part.begin(); i < part.end(); ++i) ++taken[i];
    });
    EXPECT_EQ(std::accumulate(taken.begin(), taken.begin() + 3, 0), 0);
    EXPECT_TRUE(std::all_of(taken.begin() + 3, taken.end(), [](int times) { return times == 1; }));
    parallel_loop(tbb::blocked_range<std::size_t>(7, 7), [](const auto&) { FAIL(); });
  });
}

TEST(ParallelLoop, WhatStandsAroundItIsOrderedAlsoWhereItsMemoryIsUsedAgain) {
  with_threads(kThreads, [] {
    double sum = 0;
    for (int round = 0; round < 300; ++round) {
      std::vector<double> results(64, 1.0);
      parallel_loop(std::size_t{0}, results.size(),
                    [&](std::size_t i) { results[i] += use_the_stack(2); });
      for (const double result : results) sum += result;
      sum += use_the_stack(12);
    }
    EXPECT_EQ(sum, 300 * (64 * 6.0 + 25.0));
  });
}

TEST(ParallelLoop, LoopsInLoopsAreOrderedToo) {
  with_threads(kThreads, [] {
    for (int round = 0; round < 50; ++round) {
      std::vector<double> outer(8);
      parallel_loop(std::size_t{0}, outer.size(), [&](std::size_t i) {
        std::vector<double> inner(32);
        parallel_loop(tbb::blocked_range<std::size_t>(0, inner.size(), 4), [&](const auto& part) {
          for (std::size_t k = part.begin(); k < part.end(); ++k) inner[k] = use_the_stack(1);
        });
        outer[i] = std::accumulate(inner.begin(), inner.end(), use_the_stack(5));
      });
      for (const double sum : outer) EXPECT_EQ(sum, 11.0 + 32 * 3.0);
    }
  });
}

TEST(ParallelLoop, ABodyThatThrowsEndsItAndWhatWasWrittenCanBeRead) {
  with_threads(kThreads, [] {
    for (int round = 0; round < 50; ++round) {
      std::vector<int> written(200);
      try {
        parallel_loop(0, 200, [&](int i) {
          written[static_cast<std::size_t>(i)] = 1;
          if (i % 50 == 7) throw std::runtime_error("body " + std::to_string(i));
        });
        FAIL() << "nothing was thrown";
      } catch (const std::runtime_error& error) {
        EXPECT_TRUE(std::string(error.what()).starts_with("body "));
      }
      EXPECT_GE(std::accumulate(written.begin(), written.end(), 0), 1);
    }
  });
}

TEST(ParallelLoop, OrdersAsASortDoes) {
  std::vector<int> numbers(10'000);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<int>(i * 7919 % 10'000);
  parallel_order(numbers.begin(), numbers.end(), std::less<>());
  EXPECT_TRUE(std::is_sorted(numbers.begin(), numbers.end()));
}

#if defined(__SANITIZE_THREAD__)
// The bodies are small enough to be inlined, and one has a type of TBB's among its parameters:
// neither may make the sanitizer take their race for one of the library's, which it leaves out.
void race(bool by_parts) {
  with_threads(kThreads, [&] {
    long shared = 0;
    std::atomic<int> inside{0};
    // Two bodies at the same time, if need be after a while.
    const auto meet = [&] {
      ++inside;
      const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
      while (inside.load() < 2 && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    };
    if (by_parts) {
      parallel_loop(tbb::blocked_range<int>(0, 2, 1), [&](const tbb::blocked_range<int>& part) {
        shared += part.begin();
        meet();
      });
    } else {
      parallel_loop(0, 2, [&](int i) {
        shared += i;
        meet();
      });
    }
    std::fprintf(stderr, "sum %ld\n", shared);
  });
  std::exit(0);
}

TEST(ParallelLoopDeathTest, ARaceInABodyIsReported) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(race(false), testing::ExitedWithCode(66), "WARNING: ThreadSanitizer: data race");
  EXPECT_EXIT(race(true), testing::ExitedWithCode(66), "WARNING: ThreadSanitizer: data race");
}
#endif

}  // namespace
}  // namespace cannonade
