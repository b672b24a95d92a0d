// The terms of the search that can be left out, so that a match can tell what each is worth.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/error.h"

namespace cannonade {

enum class SearchTerm : std::uint8_t {
  kAspiration,         // a window around the last iteration's score
  kTable,              // cutoffs by the transposition table; its moves and evaluations stay
  kNullMove,           // a free turn still fails high
  kReverseFutility,    // far above beta by the static evaluation
  kInternalReduction,  // no table move: a shallower search makes one
  kLateMovePruning,    // enough quiet turns have been tried
  kHistoryPruning,     // a quiet turn that never worked
  kSeePruning,         // the exchange loses too much
  kSingular,           // the table's move is far better than the rest: deeper
  kReductions,         // late turns at less depth first
  kKillers,            // quiet turns that cut in the sibling nodes are reduced less
  kContinuation,       // history by the turns one, two and four plies ago
  kCaptureHistory,     // history of captures
  kPassBound,          // facing generals: a pass draws at least (J20)
  kRepetition,         // a second occurrence inside the tree counts as the third
  kCount,
};

constexpr std::size_t kSearchTerms = static_cast<std::size_t>(SearchTerm::kCount);
inline constexpr std::array<std::string_view, kSearchTerms> kSearchTermNames{"aspiration",
                                                                             "table",
                                                                             "null_move",
                                                                             "reverse_futility",
                                                                             "internal_reduction",
                                                                             "late_move_pruning",
                                                                             "history_pruning",
                                                                             "see_pruning",
                                                                             "singular",
                                                                             "reductions",
                                                                             "killers",
                                                                             "continuation",
                                                                             "capture_history",
                                                                             "pass_bound",
                                                                             "repetition"};

// All of them, less those left out.
class SearchTerms {
 public:
  [[nodiscard]] bool has(SearchTerm term) const {
    return (left_out_ >> static_cast<unsigned>(term) & 1) == 0;
  }
  void leave_out(SearchTerm term) { left_out_ |= 1U << static_cast<unsigned>(term); }
  [[nodiscard]] bool complete() const { return left_out_ == 0; }
  // The names left out, in order, separated by commas.
  [[nodiscard]] std::string left_out() const {
    std::string text;
    for (std::size_t i = 0; i < kSearchTerms; ++i) {
      if (has(static_cast<SearchTerm>(i))) continue;
      if (!text.empty()) text += ',';
      text += kSearchTermNames[i];
    }
    return text;
  }

 private:
  std::uint32_t left_out_ = 0;
};

[[nodiscard]] inline Expected<SearchTerm> find_search_term(std::string_view name) {
  std::string known;
  for (std::size_t i = 0; i < kSearchTerms; ++i) {
    if (kSearchTermNames[i] == name) return static_cast<SearchTerm>(i);
    known += (i == 0 ? "" : ", ") + std::string(kSearchTermNames[i]);
  }
  return Failure{"the search has no term '" + std::string(name) + "'; it has " + known};
}

}  // namespace cannonade
