// A fit's progress on standard error: one line that rewrites itself on a terminal, a plain line now
// and then elsewhere. For programs.
#pragma once

#include <chrono>
#include <cstdio>
#include <optional>
#include <string>

#include "tuner/fit.h"

namespace cannonade {

class FitPrinter {
 public:
  explicit FitPrinter(bool quiet, std::FILE* out = stderr);
  void show(const std::string& title, const FitProgress& progress);
  // Ends the line.
  void finish();

 private:
  std::FILE* out_;
  bool quiet_;
  bool live_;
  bool open_ = false;
  std::string last_phase_;
  std::optional<std::chrono::steady_clock::time_point> last_;
};

}  // namespace cannonade
