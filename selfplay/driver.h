// Plays the games of a schedule on oneTBB workers into a store, each exactly once.
//
// The schedule is only a number: workers take the next id that the store lacks, so ten million
// planned games cost no memory and a long game never keeps others from starting. Finished games go
// through a bounded queue to one writer thread, which commits whatever has gathered in one
// transaction; when the disk is slower than the workers, they wait. Which worker plays a game never
// changes the game: a worker must play id `i` the same way whatever it played before.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "core/game/game_record.h"
#include "selfplay/store.h"

namespace cannonade {

// Made, used and destroyed on one thread.
class GameWorker {
 public:
  virtual ~GameWorker() = default;
  // The game `id`; none when `stop` was raised before its end.
  virtual std::optional<GameRecord> play(std::uint64_t id, const std::atomic<bool>& stop) = 0;
};
using MakeWorker = std::function<std::unique_ptr<GameWorker>()>;

struct DriveOptions {
  int threads = 1;
  // Raised from outside (a signal): games in play are dropped, finished ones are committed.
  const std::atomic<bool>* stop = nullptr;
  // Both are called on the writer's thread. `on_game` sees each game of this session once it is
  // committed; false ends the run: nothing more is begun. `on_tick` comes some ten times a second.
  std::function<bool(const GameRecord&)> on_game;
  std::function<void()> on_tick;
};

enum class DriveEnd : std::uint8_t {
  kComplete,     // no game of the plan (and shard) is missing
  kDecided,      // on_game ended it
  kInterrupted,  // stop was raised
};

struct DriveResult {
  DriveEnd end = DriveEnd::kComplete;
  std::uint64_t played = 0;  // games committed in this session
  double seconds = 0;
};

// Whatever a worker, the store or a callback throws ends the run and is thrown on, after all games
// that were finished have been offered to the store.
[[nodiscard]] DriveResult drive(Store& store, const MakeWorker& make_worker,
                                const DriveOptions& options);

}  // namespace cannonade
