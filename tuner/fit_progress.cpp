#include "tuner/fit_progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include "selfplay/progress.h"

namespace cannonade {

FitPrinter::FitPrinter(bool quiet, std::FILE* out)
    : out_(out), quiet_(quiet), live_(::isatty(::fileno(out)) != 0) {}

void FitPrinter::show(const std::string& title, const FitProgress& progress) {
  if (quiet_) return;
  const auto now = std::chrono::steady_clock::now();
  const auto pause = live_ ? std::chrono::milliseconds(200) : std::chrono::milliseconds(60000);
  const bool new_phase = progress.phase != last_phase_;
  if (last_ && now - *last_ < pause && !new_phase) return;
  last_ = now;
  last_phase_ = progress.phase;
  std::string text = fmt::format("{}: {}", title, progress.phase);
  if (progress.share >= 0) text += fmt::format(" {:.0f} %", 100 * progress.share);
  if (progress.loss > 0) text += fmt::format(", loss {:.6f}", progress.loss);
  if (progress.eta_seconds >= 0)
    text += fmt::format(", ETA {}", duration_text(progress.eta_seconds));
  if (live_) {
    fmt::print(out_, "\r\x1b[K{}", text);
    open_ = true;
  } else {
    fmt::print(out_, "{}\n", text);
  }
  std::fflush(out_);
}

void FitPrinter::finish() {
  if (open_) fmt::print(out_, "\r\x1b[K");
  open_ = false;
  std::fflush(out_);
}

}  // namespace cannonade
