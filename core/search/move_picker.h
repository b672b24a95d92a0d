// Turns one at a time, the promising first: the table's move, captures that do not lose material,
// quiet turns by history, captures that lose. Later stages are generated only when reached.
#pragma once

#include <array>

#include "core/board/movegen.h"
#include "core/board/see.h"
#include "core/search/tables.h"

namespace cannonade {

// What a node knows of its turns.
struct PickerContext {
  const SearchTables* tables = nullptr;
  std::array<const Continuation*, 3> continuations{};  // of turns before; null where there is none

  [[nodiscard]] int quiet_history(const Position& position, Move move) const {
    const Piece mover = position.at(move.from());
    const auto side = static_cast<std::size_t>(index_of(mover.side()));
    const auto kind = static_cast<std::size_t>(index_of(mover.kind()));
    int score = 2 * tables->butterfly[side][move.from()][move.to()];
    for (const Continuation* c : continuations) {
      if (c != nullptr) score += (*c)[kind][move.to()];
    }
    return score;
  }
  [[nodiscard]] int capture_history(const Position& position, Move move) const {
    const auto mover = static_cast<std::size_t>(position.at(move.from()).code());
    const auto victim = static_cast<std::size_t>(index_of(position.at(move.to()).kind()));
    return tables->capture[mover][move.to()][victim];
  }
};

class MovePicker {
 public:
  // All turns, or captures alone (in check: all evasions).
  MovePicker(const Position& position, const Danger& dangers, Move table_move,
             const PickerContext& context, bool captures_only);

  // kNoMove at the end. `skip_quiets` leaves out what has not been given yet but quiet turns.
  Move next(bool skip_quiets);
  // The last move came from the captures that lose material.
  [[nodiscard]] bool in_bad_captures() const { return stage_ == Stage::kBadCaptures; }

 private:
  enum class Stage : std::uint8_t {
    kTable,
    kGenerateCaptures,
    kGoodCaptures,
    kGenerateQuiets,
    kQuiets,
    kBadCaptures,
    kGenerateEvasions,
    kEvasions,
    kDone,
  };

  [[nodiscard]] int capture_score(Move move) const;
  Move pick_best();
  // The list's turn `i` is worth `score`: |score| < 2^20.
  void rank(std::size_t i, int score) {
    ranks_[i] = score * kPlaces + static_cast<int>(kPlaces - 1 - i);
  }

  const Position& position_;
  const Danger& dangers_;
  const PickerContext& context_;
  Move table_move_;
  bool captures_only_;
  Stage stage_;
  MoveList list_;
  // What a turn is worth and, below that, its place, earlier ones first: one maximum finds both.
  static constexpr int kPlaces = 2048;
  static_assert(MoveList::kCapacity <= kPlaces);
  std::array<int, MoveList::kCapacity> ranks_;
  std::size_t at_ = 0;
  std::array<Move, 64> bad_captures_;
  std::size_t bad_count_ = 0;
  std::size_t bad_at_ = 0;
};

}  // namespace cannonade
