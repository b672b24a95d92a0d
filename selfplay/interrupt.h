// Ctrl-C and SIGTERM as a flag. For programs: a library only sees the flag.
#pragma once

#include <atomic>

namespace cannonade {

// While one lives, the first SIGINT or SIGTERM raises the flag and the second ends the process as
// it would have without us. One at a time.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  [[nodiscard]] const std::atomic<bool>& flag() const;
  // What a shell expects of a program that the signal ended: 128 + its number; 0 without one.
  [[nodiscard]] int exit_code() const;
};

}  // namespace cannonade
