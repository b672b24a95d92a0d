// The search: iterative deepening, principal variation search with a transposition table,
// quiescence.
//
// A search is a function of the position, its history, the limits and what the same object searched
// before in the same game: under node and depth limits it gives the same result every time. All of
// the game's endings are known inside the tree: a second occurrence counts as the third (a checker
// loses, otherwise level), the pass is a turn like any other, level endings under point count are
// decided.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "core/board/movegen.h"
#include "core/game/ending.h"
#include "core/game/history.h"
#include "core/search/evaluator.h"
#include "core/search/limits.h"
#include "core/search/move_picker.h"
#include "core/search/search_types.h"
#include "core/search/tables.h"
#include "core/search/terms.h"
#include "core/search/time.h"
#include "core/search/tt.h"

namespace cannonade {

template <Evaluator Eval>
class Search {
 public:
  Search(Eval evaluator, std::size_t hash_megabytes, SearchTerms terms = {})
      : evaluator_(std::move(evaluator)),
        terms_(terms),
        table_(hash_megabytes),
        tables_(std::make_unique<SearchTables>()),
        stack_(kMaxPly + 8) {}

  // Forgets every earlier game.
  void new_game() {
    table_.clear();
    std::destroy_at(tables_.get());
    std::construct_at(tables_.get());
  }
  void resize_hash(std::size_t megabytes) { table_.resize(megabytes); }
  [[nodiscard]] Eval& evaluator() { return evaluator_; }

  // The value after captures have been played out, side to move's view; a function of the position
  // alone. Position and history must not be over.
  [[nodiscard]] Score quiet_score(const Position& position, const History& history);

  // `stop` may be set by another thread. `on_info` may be empty. `lines` > 1 asks for that many
  // principal variations.
  SearchResult run(const Position& root, const History& history, const SearchLimits& limits,
                   const std::atomic<bool>* stop = nullptr,
                   const std::function<void(const SearchInfo&)>& on_info = {}, int lines = 1);

 private:
  enum class NodeType : std::uint8_t { kPv, kNonPv };

  struct Frame {
    Move move;      // the turn made from this node
    Move excluded;  // left out while a singular extension is tested
    Score static_eval = 0;
    bool in_check = false;
    int cutoffs = 0;
    std::array<Move, 2> killers{};               // quiet turns that cut in sibling nodes
    const Continuation* continuation = nullptr;  // of the turn made from this node
    Continuation* continuation_update = nullptr;
    std::vector<Move> pv;
  };

  // Turns tried at a node before the best one; more than fit are simply not remembered.
  class TriedMoves {
   public:
    void push(Move move) {
      if (count_ < moves_.size()) moves_[count_++] = move;
    }
    [[nodiscard]] const Move* begin() const { return moves_.data(); }
    [[nodiscard]] const Move* end() const { return moves_.data() + count_; }

   private:
    std::array<Move, 48> moves_;
    std::size_t count_ = 0;
  };

  Frame& frame(int ply) { return stack_[static_cast<std::size_t>(ply + 4)]; }

  template <NodeType kType>
  Score search(int ply, int depth, Score alpha, Score beta, bool cut_node);
  template <NodeType kType>
  Score quiescence(int ply, int depth, Score alpha, Score beta);

  // The value of an ending that the node itself is, whatever is played: draws and counts. Mates are
  // found by having no turns.
  [[nodiscard]] std::optional<Score> ended(int ply, const Danger& dangers) const;
  [[nodiscard]] Score outcome_score(const Outcome& outcome, int ply) const;
  [[nodiscard]] Score level_score(Reason reason, int ply) const {
    return outcome_score(level_outcome(position_, reason), ply);
  }

  void make(int ply, Move move, Undo& undo) {
    ++nodes_;
    Frame& f = frame(ply);
    f.move = move;
    const Piece piece = position_.at(move.from());
    auto& continuation = tables_->continuation[static_cast<std::size_t>(piece.code())][move.to()];
    f.continuation = f.continuation_update = &continuation;
    table_.prefetch(position_.key_after(move));
    position_.make(move, undo);
    dangers_.push_back(danger(position_));
    history_.push(position_, dangers_.back().in_check, move.is_pass());
  }
  void unmake(Move move, const Undo& undo) {
    history_.pop();
    dangers_.pop_back();
    position_.unmake(move, undo);
  }

  [[nodiscard]] PickerContext picker_context(int ply) {
    PickerContext context;
    context.tables = tables_.get();
    if (uses(SearchTerm::kContinuation)) {
      context.continuations = {frame(ply - 1).continuation, frame(ply - 2).continuation,
                               frame(ply - 4).continuation};
    }
    return context;
  }

  void set_root(const Position& root, const History& history);
  void update_histories(int ply, int depth, Move best, const TriedMoves& quiets,
                        const TriedMoves& captures);
  void update_quiet(int ply, Move move, int bonus);
  void set_pv(int ply, Move move) {
    auto& pv = frame(ply).pv;
    const auto& child = frame(ply + 1).pv;
    pv.clear();
    pv.push_back(move);
    pv.insert(pv.end(), child.begin(), child.end());
  }

  [[nodiscard]] bool uses(SearchTerm term) const { return terms_.has(term); }
  [[nodiscard]] Score evaluate() { return evaluator_(position_); }
  // Into the table before anything is known of the score, for most nodes end at once and are seen
  // again: a bound that says nothing.
  void remember_evaluation(Score eval) {
    TtData data;
    data.score = kInfiniteScore;
    data.bound = Bound::kUpper;
    data.eval = eval;
    table_.store(position_.key(), data);
  }
  // Never with an evaluator that sees everything: the question is not even compiled.
  [[nodiscard]] bool overlooked(int ply, Move move) {
    if constexpr (OverlookingEvaluator<Eval>) {
      return ply > 0 && !dangers_.back().in_check &&
             evaluator_.overlooks(position_, frame(ply - 1).move, move);
    } else {
      return false;
    }
  }
  [[nodiscard]] bool must_stop();
  static Score to_table(Score score, int ply) {
    if (score >= kCountWin - kMaxPly) return score + ply;
    if (score <= -(kCountWin - kMaxPly)) return score - ply;
    return score;
  }
  static Score from_table(Score score, int ply) {
    if (score >= kCountWin - kMaxPly) return score - ply;
    if (score <= -(kCountWin - kMaxPly)) return score + ply;
    return score;
  }

  Eval evaluator_;
  SearchTerms terms_;
  TranspositionTable table_;
  std::unique_ptr<SearchTables> tables_;
  std::vector<Frame> stack_;

  // The running search.
  Position position_ = idle_position();
  History history_{position_};
  std::vector<Danger> dangers_;
  std::vector<Move> root_moves_;
  std::vector<Move> root_done_;  // first moves of better lines (MultiPV)
  SearchLimits limits_;
  TimeBudget budget_;
  SearchClock::time_point start_;
  const std::atomic<bool>* stop_flag_ = nullptr;
  std::uint64_t nodes_ = 0;
  int root_depth_ = 0;
  int selective_depth_ = 0;
  bool stopped_ = false;
  bool use_table_ = true;
  bool may_stop_ = false;  // a first iteration is there to fall back on
  int null_ban_until_ = 0;

  static Position idle_position();
};

}  // namespace cannonade

#include "core/search/search_node.h"  // IWYU pragma: export
#include "core/search/search_run.h"   // IWYU pragma: export
#include "core/search/search_tree.h"  // IWYU pragma: export
