// What every node of Search<Eval> needs, endings and histories, and the quiescence search.
#pragma once

#include <algorithm>

#include "core/search/search.h"

namespace cannonade {

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
    best = f.static_eval = raw;
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

}  // namespace cannonade
