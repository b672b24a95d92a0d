#include "selfplay/background_search.h"

#include <algorithm>
#include <utility>

#include "core/board/movegen.h"

namespace cannonade {

void BackgroundSearch::start(Engine& engine, SearchJob job, OnInfo on_info, Finished finished) {
  stop();
  begin_ = SearchClock::now();
  MoveList legal;
  generate(job.position, legal);
  root_moves_ = static_cast<int>(job.limits.search_moves.empty() ? legal.size()
                                                                 : job.limits.search_moves.size());
  job.lines = std::clamp(job.lines, 1, std::max(root_moves_, 1));
  stop_ = false;
  pondering_ = job.pondering;
  open_ = job.pondering || job.infinite;
  over_ = false;
  soft_end_.reset();
  job_ = std::move(job);
  worker_ = std::thread([this, &engine, on_info = std::move(on_info),
                         finished = std::move(finished)] { run(engine, on_info, finished); });
}

void BackgroundSearch::run(Engine& engine, const OnInfo& on_info, const Finished& finished) {
  SearchLimits limits = job_->limits;
  limits.infinite = limits.infinite || job_->infinite || job_->pondering;
  if (job_->pondering) {
    limits.movetime = {};
    limits.remaining = {};
  }
  const SearchResult result = engine.search(
      job_->position, job_->history, limits, &stop_,
      [&](const SearchInfo& info) {
        on_info(info);
        if (enough(info)) stop_ = true;
      },
      job_->lines, job_->last);
  {
    std::unique_lock lock(mutex_);
    over_ = true;
    changed_.notify_all();
    changed_.wait(lock, [this] { return !open_; });
  }
  finished(result);
}

bool BackgroundSearch::enough(const SearchInfo& info) {
  if (info.bound != Bound::kExact) return false;
  if (job_->mate > 0 && info.line == 1 && info.score >= kMateScore - (2 * job_->mate - 1)) {
    return true;
  }
  const std::lock_guard lock(mutex_);
  return soft_end_ && SearchClock::now() >= *soft_end_;
}

void BackgroundSearch::stop() {
  if (!worker_.joinable()) return;
  stop_ = true;
  {
    const std::lock_guard lock(mutex_);
    open_ = false;
  }
  changed_.notify_all();
  worker_.join();
  if (timer_.joinable()) timer_.join();
}

void BackgroundSearch::ponder_hit() {
  if (!worker_.joinable()) return;
  const std::lock_guard lock(mutex_);
  if (!std::exchange(pondering_, false)) return;
  open_ = job_->infinite;
  changed_.notify_all();
  const TimeBudget budget = time_budget(job_->limits, job_->position.side_to_move(), begin_);
  if (!budget.limited || over_) return;
  // A turn without a choice needs no more thought.
  if (SearchClock::now() >= budget.soft || root_moves_ == 1) {
    stop_ = true;
    return;
  }
  soft_end_ = budget.soft;
  timer_ = std::thread([this, hard = budget.hard] {
    std::unique_lock held(mutex_);
    if (!changed_.wait_until(held, hard, [this] { return over_; })) stop_ = true;
  });
}

}  // namespace cannonade
