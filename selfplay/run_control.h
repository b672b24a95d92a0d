// What whoever starts a run has to say while it goes, and what the run tells of itself.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "core/game/ending.h"
#include "selfplay/intervals.h"
#include "selfplay/run_info.h"
#include "selfplay/sprt.h"
#include "selfplay/statistics.h"

namespace cannonade {

// A run in play, as a person would ask about it.
struct ProgressState {
  std::string title;          // "match janggi-kja: best against material"
  std::uint64_t done = 0;     // games that the store has, of this shard
  std::uint64_t planned = 0;  // of this shard
  std::uint64_t played = 0;   // in this session
  double seconds = 0;         // of this session
  std::string who;            // whose wins, draws and losses these are
  Trinomial counts;
  std::array<std::uint64_t, kReasons> endings{};
  std::optional<MatchStatistics> statistics;  // matches
  std::optional<SprtResult> sprt;             // matches with a sequential test

  [[nodiscard]] double games_per_second() const {
    return seconds > 0 ? static_cast<double>(played) / seconds : 0;
  }
};

struct RunControl {
  int threads = 1;
  // Raised from outside: what is in play is dropped, what is finished is kept.
  const std::atomic<bool>* stop = nullptr;
  // Called some ten times a second from another thread than the caller's, and once at the end.
  std::function<void(const ProgressState&)> on_progress;
  Shard shard;
  int power_loss_games = 100;  // StoreOptions
};

}  // namespace cannonade
