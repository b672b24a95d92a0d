// The body of Search<Eval>::search: one node of the main search. Margins and reductions are in
// centipawns and plies; benchmarks/terms.sh measures what each term is worth.
#pragma once

#include <algorithm>
#include <cmath>

#include "core/search/search.h"

namespace cannonade {

namespace detail {

// Late move reductions by depth and turn number.
inline const auto kReductions = [] {
  std::array<std::array<std::int8_t, 64>, 64> table{};
  for (std::size_t depth = 1; depth < 64; ++depth) {
    for (std::size_t moves = 1; moves < 64; ++moves) {
      const double r =
          0.6 + std::log(static_cast<double>(depth)) * std::log(static_cast<double>(moves)) / 2.2;
      table[depth][moves] = static_cast<std::int8_t>(r);
    }
  }
  return table;
}();

inline int reduction(int depth, int moves) {
  return kReductions[static_cast<std::size_t>(std::min(depth, 63))]
                    [static_cast<std::size_t>(std::min(moves, 63))];
}

}  // namespace detail

template <Evaluator Eval>
template <typename Search<Eval>::NodeType kType>
Score Search<Eval>::search(int ply, int depth, Score alpha, Score beta, bool cut_node) {
  constexpr bool kPv = kType == NodeType::kPv;
  const bool root = ply == 0;
  if (depth <= 0) return quiescence<kType>(ply, 0, alpha, beta);
  if (must_stop()) return 0;
  if (kPv) {
    frame(ply).pv.clear();
    selective_depth_ = std::max(selective_depth_, ply);
  }
  const Danger dangers = dangers_.back();
  Frame& f = frame(ply);
  f.in_check = dangers.in_check;
  if (!root) {
    if (const auto value = ended(ply, dangers)) return *value;
    if (ply >= kMaxPly - 1) return dangers.in_check ? 0 : evaluate();
    // A mate found already is better than any that could come from here.
    alpha = std::max(alpha, -kMateScore + ply);
    beta = std::min(beta, kMateScore - ply - 1);
    if (alpha >= beta) return alpha;
    if (history_.back().facing && !dangers.in_check && position_.rules().bikjang &&
        uses(SearchTerm::kPassBound)) {
      alpha = std::max(alpha, 0);  // J20: a pass draws
      if (alpha >= beta) return alpha;
    }
  }

  const bool singular_test = static_cast<bool>(f.excluded);
  const std::uint64_t key = position_.key();
  TtData entry;
  const bool hit = !singular_test && table_.probe(key, entry);
  const Score table_score = hit ? from_table(entry.score, ply) : 0;
  Move table_move = hit ? entry.move : kNoMove;
  if (root && !root_moves_.empty()) table_move = root_moves_.front();
  const bool near_limit = position_.no_capture() + 10 >= position_.rules().no_capture_limit;
  if (!kPv && hit && entry.depth >= depth && !near_limit && uses(SearchTerm::kTable)) {
    if (entry.bound == Bound::kExact || (entry.bound == Bound::kLower && table_score >= beta) ||
        (entry.bound == Bound::kUpper && table_score <= alpha)) {
      if (table_score >= beta && table_move && !position_.is_capture(table_move) &&
          is_legal(position_, dangers, table_move)) {
        update_quiet(ply, table_move, std::min(64 * depth, 600));
      }
      return table_score;
    }
  }

  Score raw = 0;
  Score eval = 0;
  bool improving = false;
  if (!dangers.in_check) {
    if (singular_test) {
      eval = f.static_eval;
    } else {
      raw = hit ? entry.eval : evaluate();
      if (!hit) remember_evaluation(raw);
      eval = f.static_eval = raw;
      if (hit && (entry.bound == Bound::kExact ||
                  (entry.bound == Bound::kLower ? table_score > eval : table_score < eval))) {
        eval = table_score;
      }
    }
    const Frame& two_back = frame(ply - 2);
    improving = ply < 2 || two_back.in_check || f.static_eval > two_back.static_eval;
  } else {
    f.static_eval = ply >= 2 ? frame(ply - 2).static_eval : 0;
  }
  frame(ply + 2).killers = {};
  frame(ply + 1).excluded = kNoMove;
  frame(ply + 1).cutoffs = 0;

  if (!kPv && !dangers.in_check && !singular_test) {
    // Reverse futility.
    if (uses(SearchTerm::kReverseFutility) && depth <= 8 &&
        eval - 75 * (depth - (improving ? 1 : 0)) >= beta && !is_decided_score(eval) &&
        eval >= beta) {
      return beta + (eval - beta) / 3;
    }
    // Null move: a free turn for the other side still fails high. It is not a pass of the game, so
    // that the answer to it cannot be a double pass.
    if (uses(SearchTerm::kNullMove) && depth >= 3 && eval >= beta &&
        f.static_eval >= beta - 20 * depth + 150 && frame(ply - 1).move && ply >= null_ban_until_ &&
        !is_decided_score(beta)) {
      const int r = 3 + depth / 4 + std::min((eval - beta) / 180, 3);
      const Square general = position_.general(position_.side_to_move());
      Undo undo;
      ++nodes_;
      f.move = kNoMove;
      f.continuation = nullptr;
      f.continuation_update = nullptr;
      position_.make(Move(general, general), undo);
      table_.prefetch(position_.key());
      dangers_.push_back(danger(position_));
      history_.push_null(position_);
      Score score = -search<NodeType::kNonPv>(ply + 1, depth - r, -beta, -beta + 1, !cut_node);
      history_.pop();
      dangers_.pop_back();
      position_.unmake(Move(general, general), undo);
      if (stopped_) return 0;
      if (score >= beta) {
        if (is_decided_score(score)) score = beta;
        if (depth < 12 || null_ban_until_ > 0) return score;
        null_ban_until_ = ply + 3 * (depth - r) / 4;
        const Score verified = search<NodeType::kNonPv>(ply, depth - r, beta - 1, beta, false);
        null_ban_until_ = 0;
        if (stopped_) return 0;
        if (verified >= beta) return score;
      }
    }
  }
  // Internal iterative reduction.
  if (uses(SearchTerm::kInternalReduction) && depth >= 4 && !table_move && (kPv || cut_node) &&
      !singular_test) {
    --depth;
  }

  const PickerContext context = picker_context(ply);
  MovePicker picker(position_, dangers, table_move, context, false);
  TriedMoves quiets;
  TriedMoves captures;
  const Score old_alpha = alpha;
  Score best = -kInfiniteScore;
  Move best_move;
  int count = 0;
  bool skip_quiets = false;
  bool some_overlooked = false;
  for (Move move = picker.next(skip_quiets); move; move = picker.next(skip_quiets)) {
    if (move == f.excluded) continue;
    if (overlooked(ply, move)) {
      some_overlooked = true;
      continue;
    }
    if (root) {
      if (!root_moves_.empty() &&
          std::find(root_moves_.begin(), root_moves_.end(), move) == root_moves_.end()) {
        continue;
      }
      if (std::find(root_done_.begin(), root_done_.end(), move) != root_done_.end()) continue;
    }
    ++count;
    const bool capture = position_.is_capture(move);
    const int history =
        capture ? context.capture_history(position_, move) : context.quiet_history(position_, move);

    if (!root && best > -kCountWin + kMaxPly) {
      const int reduced = std::max(depth - detail::reduction(depth, count), 0);
      if (!capture) {
        // Late move pruning.
        if (uses(SearchTerm::kLateMovePruning) && !kPv &&
            count > (4 + depth * depth) / (improving ? 1 : 2)) {
          skip_quiets = true;
        }
        if (uses(SearchTerm::kHistoryPruning) && reduced <= 4 && history < -3000 * reduced - 1000) {
          continue;
        }
        if (uses(SearchTerm::kSeePruning) && reduced <= 8 &&
            !see_at_least(position_, move, -25 * reduced * reduced)) {
          continue;
        }
      } else if (uses(SearchTerm::kSeePruning) && depth <= 7 &&
                 !see_at_least(position_, move, -90 * depth - history / 64)) {
        continue;
      }
    }

    // Singular extension: how the rest does when the table's move is left out.
    int extension = 0;
    if (uses(SearchTerm::kSingular) && !root && depth >= 7 && move == table_move &&
        !singular_test && hit && entry.depth >= depth - 3 && entry.bound != Bound::kUpper &&
        !is_decided_score(table_score) && ply < 2 * root_depth_) {
      const Score margin_beta = table_score - 2 * depth;
      f.excluded = move;
      const Score score =
          search<NodeType::kNonPv>(ply, (depth - 1) / 2, margin_beta - 1, margin_beta, cut_node);
      f.excluded = kNoMove;
      if (stopped_) return 0;
      if (score < margin_beta) {
        extension = !kPv && score < margin_beta - 25 ? 2 : 1;
      } else if (margin_beta >= beta) {
        return margin_beta;  // several turns fail high
      } else if (table_score >= beta) {
        extension = -2;
      } else if (cut_node) {
        extension = -1;
      }
    }

    Undo undo;
    make(ply, move, undo);
    // A child that is searched without a variation must not leave an earlier one's to be told.
    if (kPv) frame(ply + 1).pv.clear();
    const bool gives_check = dangers_.back().in_check;
    const int next_depth = depth - 1 + extension;
    Score score = 0;
    if (uses(SearchTerm::kReductions) && depth >= 2 && count > 1 + (root ? 1 : 0) &&
        (!capture || picker.in_bad_captures() || cut_node)) {
      int r = detail::reduction(depth, count);
      if (!improving) ++r;
      if (cut_node) ++r;
      if (kPv) --r;
      if (gives_check) --r;
      if (dangers.in_check) --r;
      if (capture) --r;
      if (frame(ply + 1).cutoffs > 3) ++r;
      if (!capture && uses(SearchTerm::kKillers) &&
          (move == f.killers[0] || move == f.killers[1])) {
        --r;
      }
      r -= capture ? 0 : history / HistoryScore::kLimit;
      const int reduced_depth = std::clamp(next_depth - r, 1, next_depth + (kPv ? 1 : 0));
      score = -search<NodeType::kNonPv>(ply + 1, reduced_depth, -alpha - 1, -alpha, true);
      if (score > alpha && reduced_depth < next_depth) {
        score = -search<NodeType::kNonPv>(ply + 1, next_depth, -alpha - 1, -alpha, !cut_node);
      }
    } else if (!kPv || count > 1) {
      score = -search<NodeType::kNonPv>(ply + 1, next_depth, -alpha - 1, -alpha, !cut_node);
    }
    if (kPv && (count == 1 || (score > alpha && (root || score < beta)))) {
      score = -search<NodeType::kPv>(ply + 1, next_depth, -beta, -alpha, false);
    }
    unmake(move, undo);
    if (stopped_) return 0;

    if (score > best) {
      best = score;
      if (score > alpha) {
        best_move = move;
        if (kPv) set_pv(ply, move);
        if (score >= beta) {
          ++f.cutoffs;
          break;
        }
        alpha = score;
      }
    }
    if (move != best_move) (capture ? captures : quiets).push(move);
  }

  if (count == 0) {
    if (singular_test) return alpha;
    if (root) return best;
    if (some_overlooked) return f.static_eval;  // there are turns, only none comes to mind
    // No turn: mated, or stalemated, which loses too (J21, X13).
    return -kMateScore + ply;
  }
  if (best == -kInfiniteScore) best = alpha;  // everything was pruned
  if (best_move && best >= beta) update_histories(ply, depth, best_move, quiets, captures);
  if (!singular_test) {
    TtData data;
    data.move = best_move;
    data.score = to_table(best, ply);
    data.eval = raw;
    data.depth = depth;
    data.bound = best >= beta               ? Bound::kLower
                 : kPv && alpha > old_alpha ? Bound::kExact
                                            : Bound::kUpper;
    data.pv = kPv;
    if (!root || root_done_.empty()) table_.store(key, data);
  }
  return best;
}

}  // namespace cannonade
