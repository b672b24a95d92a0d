// Legal turns.
//
// Once a node, `danger()` works out whether the side to move is in check and which of its turns
// could possibly expose its general: those that leave a `from` point or enter a `to` point. All
// other turns but the general's own are legal as they stand; only suspects get an exact test. The
// generator itself (core/board/generator.h) is one template over game, side and sink.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/board/position.h"
#include "core/board/types.h"

namespace cannonade {

// A list of turns on the stack. No position can have more: each point is entered by at most eight
// sliding pieces, and leapers and steppers have at most eight turns each, so 8 * 90 + 8 * 90 bounds
// them all; the rest is room for the generator's block writes.
class MoveList {
 public:
  static constexpr std::size_t kCapacity = 1472;

  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(end_ - moves_.data()); }
  [[nodiscard]] bool empty() const { return end_ == moves_.data(); }
  [[nodiscard]] Move operator[](std::size_t i) const { return Move::from_raw(moves_[i]); }
  void clear() { end_ = moves_.data(); }
  void push(Move move) { *end_++ = move.raw(); }
  [[nodiscard]] bool contains(Move move) const {
    for (const Move m : *this) {
      if (m == move) return true;
    }
    return false;
  }

  MoveList() = default;
  MoveList(const MoveList&) = delete;
  MoveList& operator=(const MoveList&) = delete;

  class Iterator {
   public:
    explicit Iterator(const std::uint16_t* at) : at_(at) {}
    Move operator*() const { return Move::from_raw(*at_); }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return at_ != other.at_; }

   private:
    const std::uint16_t* at_;
  };
  [[nodiscard]] Iterator begin() const { return Iterator(moves_.data()); }
  [[nodiscard]] Iterator end() const { return Iterator(end_); }

  // For the generator: raw access to the end.
  [[nodiscard]] std::uint16_t* raw_begin() { return moves_.data(); }
  [[nodiscard]] std::uint16_t* raw_end() { return end_; }
  void set_raw_end(std::uint16_t* end) { end_ = end; }

 private:
  std::array<std::uint16_t, kCapacity> moves_;
  std::uint16_t* end_ = moves_.data();
};

// What threatens the general of the side to move.
struct Danger {
  bool in_check = false;
  Bitboard from;  // a turn that leaves one of these may expose the general
  Bitboard to;    // a turn that enters one of these may
  [[nodiscard]] bool quiet() const { return !in_check && (from | to).empty(); }
};

enum class MoveKind {
  kAll,
  kCaptures,
  kQuiets,  // with the pass
};

// True when `side`'s general could be taken. In xiangqi facing generals do not count here.
[[nodiscard]] bool in_check(const Position& position, Side side);

[[nodiscard]] Danger danger(const Position& position);

// Appends the legal turns of the side to move. `dangers` is danger(position).
void generate(const Position& position, const Danger& dangers, MoveKind kind, MoveList& list);
inline void generate(const Position& position, MoveList& list) {
  generate(position, danger(position), MoveKind::kAll, list);
}

// True for exactly the turns that generate() lists; any Move may be asked.
[[nodiscard]] bool is_legal(const Position& position, const Danger& dangers, Move move);

// True when no legal turn exists.
[[nodiscard]] bool has_no_turn(const Position& position, const Danger& dangers);

}  // namespace cannonade
