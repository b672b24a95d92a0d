#include "core/game/history.h"

namespace cannonade {

int History::previous_occurrence(int before) const {
  const Entry& current = entries_.back();
  // Boards on both sides of a capture differ, and so do the sides to move at an odd distance.
  for (int i = before - 2; i >= current.last_capture; i -= 2) {
    if ((*this)[i].key == current.key) return i;
  }
  return -1;
}

int History::repetitions() const {
  int times = 0;
  for (int i = last(); i >= 0; i = previous_occurrence(i)) ++times;
  return times;
}

bool History::always_checked(int since, int parity) const {
  int i = last();
  if (((i ^ parity) & 1) != 0) --i;
  if (i <= since) return false;
  for (; i > since; i -= 2) {
    if (!(*this)[i].in_check) return false;
  }
  return true;
}

}  // namespace cannonade
