#include "selfplay/interrupt.h"

#include <csignal>

namespace cannonade {
namespace {

std::atomic<bool> raised{false};
std::atomic<int> signal_number{0};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

// Only what a signal handler may do.
extern "C" void on_signal(int signal) {
  signal_number.store(signal);
  raised.store(true);
}

void install(void (*handler)(int), int flags) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  raised.store(false);
  signal_number.store(0);
  // Reset by the first signal, so that the second one is not caught.
  install(on_signal, static_cast<int>(SA_RESETHAND) | SA_RESTART);
}

InterruptGuard::~InterruptGuard() {
  install(SIG_DFL, 0);
}

const std::atomic<bool>& InterruptGuard::flag() const {
  return raised;
}

int InterruptGuard::exit_code() const {
  constexpr int kSignalBase = 128;
  return signal_number.load() == 0 ? 0 : kSignalBase + signal_number.load();
}

}  // namespace cannonade
