// The body of Search<Eval>::run: iterative deepening over the main search, and the quiet score.
#pragma once

#include <algorithm>

#include "core/search/search.h"

namespace cannonade {

template <Evaluator Eval>
void Search<Eval>::set_root(const Position& root, const History& history) {
  position_ = root;
  history_ = history;
  history_.reserve(static_cast<std::size_t>(history.size() + kMaxPly + 8));
  limits_ = {};
  budget_ = {};
  stop_flag_ = nullptr;
  nodes_ = 0;
  stopped_ = false;
  may_stop_ = false;
  null_ban_until_ = 0;
  dangers_.clear();
  dangers_.push_back(danger(position_));
  for (Frame& f : stack_) {
    f.killers = {};
    f.excluded = kNoMove;
    f.move = kNoMove;
    f.continuation = nullptr;
    f.continuation_update = nullptr;
    f.static_eval = 0;
    f.in_check = false;
    f.cutoffs = 0;
  }
}

template <Evaluator Eval>
Score Search<Eval>::quiet_score(const Position& position, const History& history) {
  set_root(position, history);
  use_table_ = false;
  const Score score = quiescence<NodeType::kPv>(0, 0, -kInfiniteScore, kInfiniteScore);
  use_table_ = true;
  return score;
}

template <Evaluator Eval>
SearchResult Search<Eval>::run(const Position& root, const History& history,
                               const SearchLimits& limits, const std::atomic<bool>* stop,
                               const std::function<void(const SearchInfo&)>& on_info, int lines) {
  start_ = SearchClock::now();
  set_root(root, history);
  limits_ = limits;
  budget_ = time_budget(limits, root.side_to_move(), start_);
  stop_flag_ = stop;
  table_.new_search();

  SearchResult result;
  MoveList legal;
  generate(position_, dangers_.back(), MoveKind::kAll, legal);
  root_moves_.clear();
  for (const Move move : legal) {
    if (limits.search_moves.empty() ||
        std::find(limits.search_moves.begin(), limits.search_moves.end(), move) !=
            limits.search_moves.end()) {
      root_moves_.push_back(move);
    }
  }
  if (root_moves_.empty()) return result;
  result.move = root_moves_.front();
  lines = std::clamp(lines, 1, static_cast<int>(root_moves_.size()));
  result.lines.assign(static_cast<std::size_t>(lines), {});

  const auto tell = [&](std::size_t line, Score score, Bound bound) {
    if (!on_info) return;
    SearchInfo info;
    info.depth = root_depth_;
    info.selective_depth = selective_depth_;
    info.line = static_cast<int>(line) + 1;
    info.score = score;
    info.bound = bound;
    info.nodes = nodes_;
    info.time = std::chrono::duration_cast<std::chrono::milliseconds>(SearchClock::now() - start_);
    info.hashfull = table_.hashfull();
    info.moves = &result.lines[line].moves;
    on_info(info);
  };
  // Better lines first, the order found where they are equal.
  const auto sort_lines = [&] {
    std::stable_sort(result.lines.begin(), result.lines.end(),
                     [](const SearchLine& a, const SearchLine& b) { return a.score > b.score; });
  };

  const int deepest = limits.depth > 0 ? std::min(limits.depth, kMaxPly / 2) : kMaxPly / 2;
  for (int depth = 1; depth <= deepest && !stopped_; ++depth) {
    root_depth_ = depth;
    selective_depth_ = 0;
    root_done_.clear();
    for (int line = 0; line < lines && !stopped_; ++line) {
      SearchLine& kept = result.lines[static_cast<std::size_t>(line)];
      // The line's own best turn of the last iteration is tried first.
      if (!kept.moves.empty()) {
        const auto at = std::find(root_moves_.begin(), root_moves_.end(), kept.moves.front());
        std::rotate(root_moves_.begin(), at, at + 1);
      }
      Score window = uses(SearchTerm::kAspiration) && depth >= 4 && !is_decided_score(kept.score)
                         ? 18
                         : 2 * kInfiniteScore;
      Score alpha = std::max(kept.score - window, -kInfiniteScore);
      Score beta = std::min(kept.score + window, kInfiniteScore);
      int shallower = 0;
      for (;;) {
        const Score score =
            search<NodeType::kPv>(0, std::max(depth - shallower, 1), alpha, beta, false);
        const auto& pv = frame(0).pv;
        const bool improved = !pv.empty() && score > alpha;
        if (stopped_) {
          // What an unfinished iteration proved better than its first turn still counts.
          if (line == 0 && !pv.empty()) kept.moves = pv;
          break;
        }
        if (improved) {
          kept.score = score;
          kept.moves = pv;
        }
        if (lines == 1) {
          tell(0, score,
               score <= alpha  ? Bound::kUpper
               : score >= beta ? Bound::kLower
                               : Bound::kExact);
        }
        if (score <= alpha) {
          beta = (alpha + beta) / 2;
          alpha = std::max(score - window, -kInfiniteScore);
          shallower = 0;
        } else if (score >= beta) {
          beta = std::min(score + window, kInfiniteScore);
          if (shallower < 3 && !is_decided_score(score)) ++shallower;
        } else {
          break;
        }
        window += window;
        if (window > 1500 || is_decided_score(score)) {
          alpha = -kInfiniteScore;
          beta = kInfiniteScore;
          shallower = 0;
        }
      }
      if (!kept.moves.empty()) root_done_.push_back(kept.moves.front());
    }
    if (!stopped_) result.depth = depth;
    if (!stopped_ && lines > 1) {  // a later line can turn out better: told when all are known
      sort_lines();
      for (std::size_t i = 0; i < result.lines.size(); ++i) {
        tell(i, result.lines[i].score, Bound::kExact);
      }
    }
    may_stop_ = true;
    if (must_stop()) break;
    if (limits.soft_nodes > 0 && nodes_ >= limits.soft_nodes) break;
    if (budget_.limited && SearchClock::now() >= budget_.soft) break;
    if (stop != nullptr && stop->load(std::memory_order_relaxed)) break;
    // A forced turn needs no thought on a clock.
    if (budget_.limited && limits.movetime.count() == 0 && root_moves_.size() == 1 && depth >= 4) {
      break;
    }
    if (!limits.infinite && limits.depth == 0 && depth >= 8 &&
        is_mate_score(result.lines[0].score) &&
        kMateScore - std::abs(result.lines[0].score) <= depth / 2 && lines == 1) {
      break;
    }
  }
  sort_lines();
  const SearchLine& best = result.lines.front();
  if (!best.moves.empty()) {
    result.move = best.moves.front();
    if (best.moves.size() > 1) result.ponder = best.moves[1];
  }
  result.score = best.score;
  result.nodes = nodes_;
  return result;
}

}  // namespace cannonade
