// Progress on standard error: a live block on a terminal, a plain line a minute elsewhere.
#pragma once

#include <chrono>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "selfplay/run_control.h"

namespace cannonade {

// The block's lines, none longer than `width` characters.
[[nodiscard]] std::vector<std::string> progress_block(const ProgressState& state, int width);
// All of it in one line.
[[nodiscard]] std::string progress_line(const ProgressState& state);
// "0:07", "2:13:05", "3 d 4 h"; "?" for what is not known (negative or not finite).
[[nodiscard]] std::string duration_text(double seconds);

enum class ProgressStyle : std::uint8_t { kQuiet, kLines, kLive };

class ProgressPrinter {
 public:
  // Live on a terminal, lines otherwise, nothing when `quiet`.
  explicit ProgressPrinter(bool quiet, std::FILE* out = stderr);
  ProgressPrinter(ProgressStyle style, std::FILE* out) : style_(style), out_(out) {}

  // Prints when it is time to. From one thread at a time.
  void show(const ProgressState& state);
  // The last state, whatever the time; the block stays on the screen, and what is shown after it
  // goes below.
  void finish(const ProgressState& state);

 private:
  using Clock = std::chrono::steady_clock;

  void draw(const ProgressState& state);

  ProgressStyle style_;
  std::FILE* out_;
  std::size_t lines_on_screen_ = 0;
  std::optional<Clock::time_point> last_;
};

}  // namespace cannonade
