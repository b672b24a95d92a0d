// The store: one SQLite file holds one run (or one shard of it) and its finished games. A game is
// committed in a transaction or it never happened; games are keyed by their index in the run's
// schedule and read in that order.
//
// On disk, format 2: application_id 0x436E6E64 ("Cnnd"), user_version 2; the tables are in
// store_schema.cpp, every one STRICT:
//   run       one row: run_id, command, rules, seed (its 64 bits as a signed number), settings,
//             games (planned), shard_index, shard_count, revision, complete, ended (why)
//   engines   the run's engines in order: name, hash
//   players   whoever played: name, hash; a game refers to two of them
//   games     id, pair, rules, start_fen, opening_plies, first, second, moves, scores, winner
//             (1 the first mover, -1 the second, 0 none), reason, by_points, first_points and
//             second_points (in half points), nodes, milliseconds, note, checksum
//   facts     text by key, for whoever drives the run
//   sessions  one row every time that a writer opened the file: revision, host, time
//   game_list a view of games with run id and names beside them, for sqlite3's shell
// `moves` is two bytes a turn, little end first: from * 128 + to, squares as core/board/types.h
// numbers them. `scores` is two bytes a turn, signed, or empty when no turn has one. `checksum` is
// of all that is read of a game, its players' names and hashes included: SQLite finds damage to its
// own structure only, and a flipped bit in a score would pass for a score.
//
// What survives: a game whose add() returned survives any death of the process. A power cut takes
// at most the last StoreOptions::power_loss_games games that were added, never a part of one. While
// a writer has the file open it is in write-ahead mode (`-wal` and `-shm` stand beside it; copy
// them along or not at all); closed in order it is one plain file that also reads from a read-only
// place.
//
// A Store belongs to one thread at a time. Errors: what is wrong with the file or the place is a
// user error that names it; a machine that fails (disk full) is an internal error, and everything
// committed before it is still there.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/game/game_record.h"
#include "selfplay/id_set.h"
#include "selfplay/run_info.h"

namespace cannonade {

struct StoreOptions {
  // How many of the games last added a power cut may take; 1: none, the disk is waited for in every
  // transaction. 0 counts as 1.
  int power_loss_games = 100;
};

// A game beyond these is refused, whoever wrote it.
constexpr std::size_t kMaxStoredPlies = 20'000;
constexpr std::size_t kMaxStoredNote = 16'384;  // bytes; a longer note is cut when it is written
constexpr std::uint64_t kNoEnd = kMaxGameId + 1;

// Games in index order, one at a time, as they were when the first was read. Does not outlive the
// store.
class GameReader {
 public:
  ~GameReader();
  GameReader(GameReader&&) noexcept;
  GameReader& operator=(GameReader&&) noexcept;
  // False after the last game. Throws a user error naming store and game for a record that cannot
  // be: squares off the board, an unknown reason, blobs too long or of different lengths, another
  // checksum. (Whether the turns are legal is only known by replaying them.)
  [[nodiscard]] bool next(GameRecord& game);

 private:
  friend class Store;
  struct Impl;
  explicit GameReader(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// One time that a writer opened the store.
struct WriterSession {
  std::string revision;  // of the program
  std::string host;
  std::string began;  // UTC, "2025-05-03T22:04:05Z"
};

class Store {
 public:
  // Opens `path` for writing: a new file, or the unfinished (or finished) one of the same run and
  // shard. A plan larger than the stored one extends it, a smaller one changes nothing. User
  // errors: made by other settings (the message says what differs), another shard, in use by
  // another process, damaged, not a store, no such folder, not writable.
  [[nodiscard]] static Store create_or_resume(const std::filesystem::path& path, const RunInfo& run,
                                              const StoreOptions& options = {});
  // One of its own that nobody keeps: gone with the store, or with the process however it ends.
  [[nodiscard]] static Store temporary(const RunInfo& run);
  // The store as it is at this moment, also while another process writes. Long-lived readers keep
  // a writer's log from being emptied.
  [[nodiscard]] static Store open_read_only(const std::filesystem::path& path);
  ~Store();
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;

  // The run, as stored.
  [[nodiscard]] const std::filesystem::path& path() const;
  [[nodiscard]] const RunInfo& run() const;
  [[nodiscard]] const std::string& id() const;  // run_id(run())
  // Marked complete by mark_complete(); a plan that was extended since is not.
  [[nodiscard]] bool complete() const;
  [[nodiscard]] const std::string& ended() const;  // why it is complete

  // What is there. Ids are read once, on the first call, and kept up to date by add().
  [[nodiscard]] const IdSet& finished() const;
  // The planned games of this shard that are not there yet.
  [[nodiscard]] std::uint64_t remaining() const;

  // Writing. A batch is one transaction: all of it or nothing. An id that is already there, beyond
  // the plan or another shard's is an internal error.
  void add(const GameRecord& game) { add_batch({&game, 1}); }
  void add_batch(std::span<const GameRecord> games);
  // Raises the plan (never lowers it); a complete store whose plan grows is no longer complete.
  void extend(std::uint64_t games);
  void mark_complete(std::string_view why);  // "all games played", "sprt: H1"; on disk on return
  void set_fact(const std::string& key, const std::string& value);

  // Reading. Ids in [from, to), in order.
  [[nodiscard]] GameReader read(std::uint64_t from = 0, std::uint64_t to = kNoEnd) const;
  void for_each(const std::function<void(const GameRecord&)>& visit) const;
  [[nodiscard]] std::optional<GameRecord> find(std::uint64_t id) const;
  [[nodiscard]] std::optional<std::string> fact(const std::string& key) const;
  [[nodiscard]] std::vector<WriterSession> sessions() const;  // first one first

 private:
  struct Impl;
  explicit Store(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace cannonade
