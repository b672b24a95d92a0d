// What came before: for every position since the start its key, whether the side to move stood in
// check, whether the generals faced, and whether a pass led to it. Enough for every rule that looks
// back.
//
// Always holds: the last entry describes the current position; entry 0 is the start, where a
// history begins (a position from outside has no past).
#pragma once

#include <cstdint>
#include <vector>

#include "core/board/movegen.h"
#include "core/board/position.h"

namespace cannonade {

class History {
 public:
  struct Entry {
    std::uint64_t key = 0;
    std::int32_t last_capture = 0;  // index of the entry behind the last capture (or 0)
    bool in_check = false;          // the side to move stands in check
    bool facing = false;            // the generals face
    bool passed = false;            // a pass led here
  };

  explicit History(const Position& start) { reset(start, danger(start).in_check); }

  void reset(const Position& start, bool in_check) {
    entries_.clear();
    entries_.push_back({start.key(), 0, in_check, start.generals_face(), false});
  }
  // After Position::make.
  void push(const Position& after, bool in_check, bool passed) {
    const auto index = static_cast<std::int32_t>(entries_.size());
    const std::int32_t last_capture =
        after.no_capture() == 0 ? index : entries_.back().last_capture;
    entries_.push_back({after.key(), last_capture, in_check, after.generals_face(), passed});
  }
  // After a turn that no player made (the search's null move): nothing before it repeats.
  void push_null(const Position& after) {
    entries_.push_back({after.key(), static_cast<std::int32_t>(entries_.size()), false,
                        after.generals_face(), false});
  }
  void pop() { entries_.pop_back(); }
  void reserve(std::size_t plies) { entries_.reserve(plies + 1); }

  [[nodiscard]] int size() const { return static_cast<int>(entries_.size()); }
  [[nodiscard]] int last() const { return size() - 1; }
  [[nodiscard]] const Entry& operator[](int i) const {
    return entries_[static_cast<std::size_t>(i)];
  }
  [[nodiscard]] const Entry& back() const { return entries_.back(); }

  // How often the current board and side to move have stood, this time included. No allocation.
  [[nodiscard]] int repetitions() const;
  // The latest earlier entry with the current board and side to move; -1 for none.
  [[nodiscard]] int previous_occurrence(int before) const;

  // Whether every turn of `mover_parity`'s side (entries with the parity of that index) between
  // entry `since`, exclusive, and the last, inclusive, gave check. False when there is none.
  [[nodiscard]] bool always_checked(int since, int parity) const;

 private:
  std::vector<Entry> entries_;
};

}  // namespace cannonade
