// A search on a thread of its own, so that a front end can listen meanwhile.
//
// Always holds: a search that was started is answered exactly once, by its `finished`; an open one
// (infinite or pondering) not before stop() or ponder_hit(); and when stop() returns, it has been
// answered. All functions are called by one thread, the front end's; the callbacks run on the
// search's.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "core/search/time.h"
#include "selfplay/engine.h"

namespace cannonade {

struct SearchJob {
  Position position;
  History history;
  SearchLimits limits;
  int lines = 1;
  bool infinite = false;   // answer only when told to, even when there is nothing left to search
  bool pondering = false;  // the clock of `limits` runs against us from ponder_hit() on
  int mate = 0;            // done when a mate in so many own turns is found; 0: no matter
  Move last;               // the turn that led here, kNoMove for none
};

class BackgroundSearch {
 public:
  using OnInfo = std::function<void(const SearchInfo&)>;
  using Finished = std::function<void(const SearchResult&)>;

  BackgroundSearch() = default;
  ~BackgroundSearch() { stop(); }
  BackgroundSearch(const BackgroundSearch&) = delete;
  BackgroundSearch& operator=(const BackgroundSearch&) = delete;

  // Ends the search before, if one runs. `engine` is the search's own until it has answered.
  void start(Engine& engine, SearchJob job, OnInfo on_info, Finished finished);
  void stop();
  // The expected turn was played: go on by the clock, counting what was thought already.
  void ponder_hit();

 private:
  void run(Engine& engine, const OnInfo& on_info, const Finished& finished);
  // A finished iteration: whether it was the last one wanted.
  [[nodiscard]] bool enough(const SearchInfo& info);

  std::optional<SearchJob> job_;
  SearchClock::time_point begin_;
  int root_moves_ = 0;  // turns to choose from
  std::thread worker_;
  std::thread timer_;  // of the clock that ponder_hit() starts
  std::atomic<bool> stop_{false};

  std::mutex mutex_;
  std::condition_variable changed_;
  bool pondering_ = false;
  bool open_ = false;                                // the answer is held back
  bool over_ = false;                                // the engine is done
  std::optional<SearchClock::time_point> soft_end_;  // no new iteration after, once pondered
};

}  // namespace cannonade
