// The body of Search<Eval>. Margins and reductions are in centipawns and plies; each stands because
// a match said so.
#pragma once

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

// Any legal position, for a search that has not run yet.
template <Evaluator Eval>
Position Search<Eval>::idle_position() {
  PieceMap pieces{};
  pieces[make_square(3, 0)] = Piece(Side::kFirst, PieceKind::kGeneral);
  pieces[make_square(5, 9)] = Piece(Side::kSecond, PieceKind::kGeneral);
  return Position::create(rulesets().front(), pieces, Side::kFirst, 0, 1).value_or_throw();
}

template <Evaluator Eval>
bool Search<Eval>::must_stop() {
  // There must be a first iteration to fall back on, unless it explodes: quiescence does in boards
  // full of pieces, which are accepted from outside.
  constexpr std::uint64_t kFirstIteration = 10'000;
  if (stopped_) return true;
  if (!may_stop_ && nodes_ < kFirstIteration) return false;
  if (limits_.nodes > 0 && nodes_ >= limits_.nodes) return stopped_ = true;
  if ((nodes_ & 1023) == 0) {
    if (stop_flag_ != nullptr && stop_flag_->load(std::memory_order_relaxed)) {
      return stopped_ = true;
    }
    if (budget_.limited && SearchClock::now() >= budget_.hard) return stopped_ = true;
  }
  return false;
}

template <Evaluator Eval>
Score Search<Eval>::outcome_score(const Outcome& outcome, int ply) const {
  if (!outcome.winner) return 0;
  const Score win = (outcome.by_points ? kCountWin : kMateScore) - ply;
  return *outcome.winner == position_.side_to_move() ? win : -win;
}

template <Evaluator Eval>
std::optional<Score> Search<Eval>::ended(int ply, const Danger& dangers) const {
  const Ruleset& rules = position_.rules();
  const int last = history_.last();
  const History::Entry& now = history_[last];
  const History::Entry& before = history_[last - 1];
  const auto mated = [&] { return dangers.in_check && has_no_turn(position_, dangers); };
  if (rules.bikjang && now.facing && before.facing) {
    if (mated()) return std::nullopt;
    return 0;
  }
  if (const int earlier = history_.previous_occurrence(last); earlier >= 0) {
    const int root = last - ply;
    const int first = earlier >= root && uses(SearchTerm::kRepetition)
                          ? earlier
                          : history_.previous_occurrence(earlier);
    if (first >= 0) {
      if (const auto loser = perpetual_checker(position_, history_, first)) {
        return *loser == position_.side_to_move() ? -kMateScore + ply : kMateScore - ply;
      }
      return level_score(Reason::kRepetition, ply);
    }
  }
  if (now.passed && before.passed) return level_score(Reason::kDoublePass, ply);
  if (position_.no_capture() >= rules.no_capture_limit) {
    if (mated()) return std::nullopt;
    return level_score(Reason::kNoProgress, ply);
  }
  if (rules.insufficient_material && position_.no_capture() == 0 &&
      insufficient_material(position_)) {
    if (mated()) return std::nullopt;
    return 0;
  }
  return std::nullopt;
}

template <Evaluator Eval>
void Search<Eval>::update_quiet(int ply, Move move, int bonus) {
  const Piece piece = position_.at(move.from());
  const auto side = static_cast<std::size_t>(index_of(piece.side()));
  const auto kind = static_cast<std::size_t>(index_of(piece.kind()));
  tables_->butterfly[side][move.from()][move.to()].update(bonus);
  for (const int back : {1, 2, 4}) {
    Continuation* c = frame(ply - back).continuation_update;
    if (c != nullptr) (*c)[kind][move.to()].update(bonus);
  }
}

template <Evaluator Eval>
void Search<Eval>::update_histories(int ply, int depth, Move best, const TriedMoves& quiets,
                                    const TriedMoves& captures) {
  const int bonus = std::min(16 * depth * depth + 64 * depth, 1600);
  const auto update_capture = [&](Move move, int amount) {
    if (!uses(SearchTerm::kCaptureHistory)) return;
    const auto mover = static_cast<std::size_t>(position_.at(move.from()).code());
    const auto victim = static_cast<std::size_t>(index_of(position_.at(move.to()).kind()));
    tables_->capture[mover][move.to()][victim].update(amount);
  };
  if (position_.is_capture(best)) {
    update_capture(best, bonus);
  } else {
    Frame& f = frame(ply);
    if (f.killers[0] != best) {
      f.killers[1] = f.killers[0];
      f.killers[0] = best;
    }
    const Move previous = frame(ply - 1).move;
    if (previous) {
      tables_
          ->counter[static_cast<std::size_t>(position_.at(previous.to()).code())][previous.to()] =
          best;
    }
    update_quiet(ply, best, bonus);
    for (const Move move : quiets) {
      if (move != best) update_quiet(ply, move, -bonus);
    }
  }
  for (const Move move : captures) {
    if (move != best) update_capture(move, -bonus);
  }
}

template <Evaluator Eval>
template <typename Search<Eval>::NodeType kType>
Score Search<Eval>::quiescence(int ply, int depth, Score alpha, Score beta) {
  constexpr bool kPv = kType == NodeType::kPv;
  if (must_stop()) return 0;
  if (kPv) {
    frame(ply).pv.clear();
    selective_depth_ = std::max(selective_depth_, ply);
  }
  const Danger dangers = dangers_.back();
  if (ply > 0) {
    if (const auto value = ended(ply, dangers)) return *value;
  }
  if (ply >= kMaxPly - 1) return dangers.in_check ? 0 : evaluate();
  if (history_.back().facing && !dangers.in_check && position_.rules().bikjang &&
      uses(SearchTerm::kPassBound)) {
    alpha = std::max(alpha, 0);  // J20: a pass draws
    if (alpha >= beta) return alpha;
  }

  TtData entry;
  const bool hit = use_table_ && table_.probe(position_.key(), entry);
  if (!kPv && hit && uses(SearchTerm::kTable)) {
    const Score score = from_table(entry.score, ply);
    if (entry.bound == Bound::kExact || (entry.bound == Bound::kLower && score >= beta) ||
        (entry.bound == Bound::kUpper && score <= alpha)) {
      return score;
    }
  }

  Frame& f = frame(ply);
  f.in_check = dangers.in_check;
  Score best = -kInfiniteScore;
  Score raw = 0;
  Score futility = -kInfiniteScore;
  if (!dangers.in_check) {
    raw = hit ? entry.eval : evaluate();
    if (!hit && use_table_) remember_evaluation(raw);
    best = corrected(raw);
    f.static_eval = best;
    if (hit) {
      const Score score = from_table(entry.score, ply);
      if (entry.bound == Bound::kExact || (entry.bound == Bound::kLower && score > best) ||
          (entry.bound == Bound::kUpper && score < best)) {
        best = score;
      }
    }
    if (best >= beta) return best;
    alpha = std::max(alpha, best);
    futility = best + 150;
  }

  const PickerContext context = picker_context(ply);
  MovePicker picker(position_, dangers, hit ? entry.move : kNoMove, context, true);
  const Score old_alpha = alpha;
  Move best_move;
  int count = 0;
  for (Move move = picker.next(false); move; move = picker.next(false)) {
    if (overlooked(ply, move)) continue;
    ++count;
    if (!dangers.in_check && best > -kCountWin) {
      const Score gain = futility + see_value(position_.game(), position_.at(move.to()).kind());
      if (gain <= alpha) {
        best = std::max(best, gain);
        continue;
      }
    } else if (dangers.in_check && best > -kCountWin && count > 3 && !position_.is_capture(move)) {
      break;  // one of the first evasions held
    }
    Undo undo;
    make(ply, move, undo);
    const Score score = -quiescence<kType>(ply + 1, depth - 1, -beta, -alpha);
    unmake(move, undo);
    if (stopped_) return 0;
    if (score > best) {
      best = score;
      if (score > alpha) {
        best_move = move;
        if (kPv) set_pv(ply, move);
        if (score >= beta) break;
        alpha = score;
      }
    }
  }
  if (dangers.in_check && count == 0) return -kMateScore + ply;
  if (!use_table_) return best;
  TtData data;
  data.move = best_move;
  data.score = to_table(best, ply);
  data.eval = raw;
  data.depth = 0;
  data.bound = best >= beta               ? Bound::kLower
               : kPv && alpha > old_alpha ? Bound::kExact
                                          : Bound::kUpper;
  data.pv = kPv;
  table_.store(position_.key(), data);
  return best;
}

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
      eval = f.static_eval = corrected(raw);
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
    // Razoring: hopeless by the static evaluation, let captures speak.
    if (uses(SearchTerm::kRazoring) && depth <= 3 && eval + 200 + 180 * depth < alpha) {
      const Score score = quiescence<NodeType::kNonPv>(ply, 0, alpha, alpha + 1);
      if (score <= alpha || stopped_) return score;
    }
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
    f.moves_made = count;
    const bool capture = position_.is_capture(move);
    const Piece mover = position_.at(move.from());
    const auto side = static_cast<std::size_t>(index_of(mover.side()));
    int history = 0;
    if (capture) {
      history =
          tables_->capture[static_cast<std::size_t>(mover.code())][move.to()]
                          [static_cast<std::size_t>(index_of(position_.at(move.to()).kind()))];
    } else {
      history = 2 * tables_->butterfly[side][move.from()][move.to()];
      for (const Continuation* c : context.continuations) {
        if (c != nullptr) {
          history += (*c)[static_cast<std::size_t>(index_of(mover.kind()))][move.to()];
        }
      }
    }

    if (!root && best > -kCountWin + kMaxPly) {
      const int reduced = std::max(depth - detail::reduction(depth, count), 0);
      if (!capture) {
        // Late move pruning.
        if (uses(SearchTerm::kLateMovePruning) && !kPv &&
            count > (4 + depth * depth) / (improving ? 1 : 2))
          skip_quiets = true;
        // Futility.
        if (uses(SearchTerm::kFutility) && !dangers.in_check && reduced <= 6 &&
            f.static_eval + 90 + 85 * reduced + history / 128 <= alpha) {
          skip_quiets = true;
          if (!move.is_pass()) continue;
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
      f.moves_made = count;
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
      if (!capture && (move == f.killers[0] || move == f.killers[1])) --r;
      r -= capture ? 0 : history / 8192;
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
    if (!dangers.in_check && (!best_move || !position_.is_capture(best_move)) &&
        !is_decided_score(best) && !(data.bound == Bound::kLower && best <= f.static_eval) &&
        !(data.bound == Bound::kUpper && best >= f.static_eval)) {
      tables_->correct(position_, best - f.static_eval, depth);
    }
  }
  return best;
}

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
        if (on_info) {
          SearchInfo info;
          info.depth = depth;
          info.selective_depth = selective_depth_;
          info.line = line + 1;
          info.score = score;
          info.bound = score <= alpha  ? Bound::kUpper
                       : score >= beta ? Bound::kLower
                                       : Bound::kExact;
          info.nodes = nodes_;
          info.time =
              std::chrono::duration_cast<std::chrono::milliseconds>(SearchClock::now() - start_);
          info.hashfull = table_.hashfull();
          info.moves = &kept.moves;
          on_info(info);
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
  // Better lines first, the order found where they are equal.
  std::stable_sort(result.lines.begin(), result.lines.end(),
                   [](const SearchLine& a, const SearchLine& b) { return a.score > b.score; });
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
