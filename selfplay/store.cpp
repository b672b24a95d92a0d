#include "selfplay/store.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "selfplay/store_columns.h"
#include "selfplay/store_games.h"
#include "selfplay/store_lock.h"
#include "selfplay/store_run.h"
#include "selfplay/store_schema.h"

namespace cannonade {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kMaxFact = 1 << 20;

// A path as SQLite takes it for nothing else: ":memory:" and "" are no files to it.
std::string sqlite_name(const fs::path& path) {
  return (path.is_absolute() ? path : "." / path).string();
}

// A path as SQLite's URI.
std::string uri_of(const fs::path& path, std::string_view query) {
  std::string uri = "file:";
  for (const char c : path.string()) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '/' || c == '.' || c == '-' || c == '_';
    if (plain) {
      uri += c;
    } else {
      uri += fmt::format("%{:02x}", static_cast<unsigned char>(c));
    }
  }
  return uri + std::string(query);
}

void check_place(const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) {
    throw user_error(fmt::format("{} is a folder, not a store", path.string()));
  }
  const fs::path folder = path.parent_path();
  if (!folder.empty() && !fs::is_directory(folder, error)) {
    throw user_error(
        fmt::format("cannot write {}: there is no folder {}", path.string(), folder.string()));
  }
}

}  // namespace

struct Store::Impl {
  Impl(fs::path p, StoreLock l, SQLite::Database d)
      : path(std::move(p)), lock(std::move(l)), database(std::move(d)) {}
  Impl(fs::path p, SQLite::Database d) : path(std::move(p)), database(std::move(d)) {}
  ~Impl() {
    finder.reset();  // statements, so that the connection is at rest
    games.forget();
    // Back to one plain file; refused, without harm, while somebody reads.
    if (ours) database.tryExec("PRAGMA journal_mode = DELETE");
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  // Runs `work`, whose SQLite errors become ours.
  template <class Work>
  auto guarded(const std::string& doing, Work&& work) const {
    try {
      return work();
    } catch (const SQLite::Exception& error) {
      throw store_error(path, doing, error);
    }
  }
  // A blank database becomes a store with its run, or stays blank.
  void make(const RunInfo& wanted) {
    SQLite::Transaction transaction(database);
    create_schema(database);
    write_run(database, wanted);
    transaction.commit();
    load_run();
  }
  void load_run() {
    StoredRun stored = read_run(database, path);
    run = std::move(stored.run);
    complete = stored.complete;
    ended = std::move(stored.ended);
    id = run_id(run);
  }
  void load_ids() {
    const std::function<std::string()> where = [&] { return path.string(); };
    SQLite::Statement query(database, "SELECT id FROM games");
    const Columns row(query, where);
    while (query.executeStep()) {
      const auto game = static_cast<std::uint64_t>(
          row.integer(0, 0, static_cast<std::int64_t>(kMaxGameId), "game id"));
      if (game >= run.games || !run.shard.owns(game)) {
        row.refuse(fmt::format("game {} is not of this run", game));
      }
      ids.insert(game);
    }
    ids_loaded = true;
  }
  void require_writer() const {
    if (!ours) throw internal_error(path.string() + " was opened for reading only");
  }
  // A transaction whose commit waits for the disk, everything committed before it included.
  template <class Work>
  void synced(Work&& work) {
    if (options.power_loss_games > 1) database.exec("PRAGMA synchronous = FULL");
    work();
    unsynced = 0;
    if (options.power_loss_games > 1) database.exec("PRAGMA synchronous = NORMAL");
  }

  fs::path path;
  std::optional<StoreLock> lock;  // outlives the connection
  SQLite::Database database;
  StoreOptions options;
  RunInfo run;
  std::string id;
  bool complete = false;
  std::string ended;
  IdSet ids;
  bool ids_loaded = false;
  bool ours = false;  // opened for writing and found to be this run's
  int unsynced = 0;   // games that a power cut could take
  GameWriter games{database};
  std::optional<GameReader> finder;  // find()'s
};

Store::Store(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Store::~Store() = default;
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;

Store Store::create_or_resume(const fs::path& path, const RunInfo& run,
                              const StoreOptions& options) {
  check_run(run);
  check_place(path);
  StoreLock lock(path);
  try {
    SQLite::Database database(sqlite_name(path), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    guard_connection(database);
    auto impl = std::make_unique<Impl>(path, std::move(lock), std::move(database));
    SQLite::Database& db = impl->database;
    impl->options = options;
    const bool blank = is_blank(db, path);
    if (!blank) {
      check_schema(db, path);
      impl->load_run();
      require_same_run(path, impl->run, run);
    }
    impl->ours = true;
    if (db.execAndGet("PRAGMA journal_mode = WAL").getString() != "wal") {
      throw internal_error(path.string() + ": its file system cannot hold a write-ahead log");
    }
    db.exec(options.power_loss_games > 1 ? "PRAGMA synchronous = NORMAL"
                                         : "PRAGMA synchronous = FULL");
    if (blank) impl->make(run);
    impl->load_ids();
    write_session(db, run.revision);
    Store store(std::move(impl));
    store.extend(run.games);
    return store;
  } catch (const SQLite::Exception& error) {
    throw store_error(path, "open", error);
  }
}

Store Store::temporary(const RunInfo& run) {
  check_run(run);
  const fs::path name = "the temporary store";
  try {
    // No name: SQLite keeps it in memory and, what is too much, in a file that has none either.
    SQLite::Database database("", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    guard_connection(database);
    auto impl = std::make_unique<Impl>(name, std::move(database));
    impl->ours = true;
    impl->make(run);
    impl->ids_loaded = true;
    return Store(std::move(impl));
  } catch (const SQLite::Exception& error) {
    throw store_error(name, "open", error);
  }
}

Store Store::open_read_only(const fs::path& path) {
  std::error_code error_code;
  const fs::file_status status = fs::status(path, error_code);
  if (!fs::exists(status))
    throw user_error(fmt::format("cannot read {}: no such file", path.string()));
  if (fs::is_directory(status)) {
    throw user_error(fmt::format("{} is a folder, not a store", path.string()));
  }
  const auto open = [&](const std::string& name, int flags) {
    SQLite::Database database(name, SQLite::OPEN_READONLY | flags);
    guard_connection(database);
    database.exec("BEGIN");  // everything read later is of one moment
    auto impl = std::make_unique<Impl>(path, std::move(database));
    if (is_blank(impl->database, path)) {
      throw user_error(fmt::format("{} is empty: no run was begun in it", path.string()));
    }
    check_schema(impl->database, path);
    impl->load_run();
    return Store(std::move(impl));
  };
  constexpr int kReadOnly = 8;  // SQLITE_READONLY: a dead writer left what only a writer can mend
  try {
    return open(sqlite_name(path), 0);
  } catch (const SQLite::Exception& error) {
    if ((error.getErrorCode() & 0xFF) == kReadOnly) {
      try {
        SQLite::Database mended(sqlite_name(path), SQLite::OPEN_READWRITE);
        (void)mended.execAndGet("SELECT count(*) FROM sqlite_master");
        return open(sqlite_name(path), 0);
      } catch (const SQLite::Exception& again) {
        throw store_error(path, "read", again);
      }
    }
    // A file left in write-ahead mode in a place where SQLite cannot make its shared memory: with
    // an empty log the file alone is the truth.
    fs::path log = path;
    log += "-wal";
    const bool no_log = !fs::exists(log, error_code) || fs::file_size(log, error_code) == 0;
    constexpr int kCannotOpen = 14;  // SQLITE_CANTOPEN
    if ((error.getErrorCode() & 0xFF) != kCannotOpen || !no_log) {
      throw store_error(path, "read", error);
    }
  }
  try {
    return open(uri_of(path, "?immutable=1"), SQLite::OPEN_URI);
  } catch (const SQLite::Exception& error) {
    throw store_error(path, "read", error);
  }
}

const fs::path& Store::path() const {
  return impl_->path;
}
const RunInfo& Store::run() const {
  return impl_->run;
}
const std::string& Store::id() const {
  return impl_->id;
}
bool Store::complete() const {
  return impl_->complete;
}
const std::string& Store::ended() const {
  return impl_->ended;
}

const IdSet& Store::finished() const {
  if (!impl_->ids_loaded) impl_->guarded("read", [&] { impl_->load_ids(); });
  return impl_->ids;
}

std::uint64_t Store::remaining() const {
  return impl_->run.shard.owned_below(impl_->run.games) - finished().size();
}

void Store::add_batch(std::span<const GameRecord> games) {
  Impl& impl = *impl_;
  impl.require_writer();
  if (games.empty()) return;
  for (const GameRecord& game : games) {
    std::string wrong = why_not_storable(game);
    if (game.id >= impl.run.games || !impl.run.shard.owns(game.id)) wrong = "it is not of this run";
    if (impl.ids.contains(game.id)) wrong = "it is there already";
    if (!wrong.empty()) {
      throw internal_error(
          fmt::format("{}: cannot add game {}: {}", impl.path.string(), game.id, wrong));
    }
  }
  const auto write = [&] {
    SQLite::Transaction transaction(impl.database, SQLite::TransactionBehavior::IMMEDIATE);
    for (const GameRecord& game : games) impl.games.insert(game);
    transaction.commit();
  };
  try {
    const std::size_t at_risk = static_cast<std::size_t>(impl.unsynced) + games.size();
    if (at_risk >= static_cast<std::size_t>(std::max(impl.options.power_loss_games, 1))) {
      impl.synced(write);
    } else {
      write();
      impl.unsynced = static_cast<int>(at_risk);
    }
  } catch (const SQLite::Exception& error) {
    impl.games.forget();
    throw store_error(impl.path, "write", error);
  }
  for (const GameRecord& game : games) impl.ids.insert(game.id);
}

void Store::extend(std::uint64_t games) {
  Impl& impl = *impl_;
  impl.require_writer();
  if (games <= impl.run.games) return;
  if (games > kMaxGameId) throw internal_error("a plan that no store can hold");
  impl.guarded("write", [&] {
    SQLite::Statement update(impl.database, "UPDATE run SET games = ?1, complete = 0, ended = ''");
    update.bind(1, static_cast<std::int64_t>(games));
    update.exec();
  });
  impl.run.games = games;
  impl.finder.reset();  // it knows the old plan
  impl.complete = false;
  impl.ended.clear();
}

void Store::mark_complete(std::string_view why) {
  Impl& impl = *impl_;
  impl.require_writer();
  const std::string ended(why.substr(0, kMaxName));
  impl.guarded("write", [&] {
    impl.synced([&] {
      SQLite::Statement update(impl.database, "UPDATE run SET complete = 1, ended = ?1");
      update.bind(1, ended);
      update.exec();
    });
  });
  impl.complete = true;
  impl.ended = ended;
}

void Store::set_fact(const std::string& key, const std::string& value) {
  impl_->require_writer();
  if (key.size() > kMaxName || value.size() > kMaxFact) throw internal_error("a fact too long");
  impl_->guarded("write", [&] {
    SQLite::Statement insert(impl_->database,
                             "INSERT INTO facts VALUES (?1, ?2)"
                             " ON CONFLICT (key) DO UPDATE SET value = excluded.value");
    insert.bind(1, key);
    insert.bind(2, value);
    insert.exec();
  });
}

std::optional<std::string> Store::fact(const std::string& key) const {
  return impl_->guarded("read", [&]() -> std::optional<std::string> {
    SQLite::Statement query(impl_->database, "SELECT value FROM facts WHERE key = ?1");
    query.bind(1, key);
    if (!query.executeStep()) return std::nullopt;
    const std::function<std::string()> where = [&] {
      return fmt::format("{}: its fact {}", impl_->path.string(), key);
    };
    return Columns(query, where).text(0, kMaxFact, "value");
  });
}

std::vector<WriterSession> Store::sessions() const {
  return impl_->guarded("read", [&] { return read_sessions(impl_->database, impl_->path); });
}

GameReader Store::read(std::uint64_t from, std::uint64_t to) const {
  return impl_->guarded("read", [&] {
    auto reader = std::make_unique<GameReader::Impl>(impl_->database, impl_->path, impl_->run.games,
                                                     impl_->run.shard);
    reader->query.bind(1, static_cast<std::int64_t>(std::min(from, kNoEnd)));
    reader->query.bind(2, static_cast<std::int64_t>(std::min(to, kNoEnd)));
    return GameReader(std::move(reader));
  });
}

void Store::for_each(const std::function<void(const GameRecord&)>& visit) const {
  GameReader reader = read();
  GameRecord game;
  while (reader.next(game)) visit(game);
}

std::optional<GameRecord> Store::find(std::uint64_t id) const {
  // Prepared once: a merge looks up every game that it has already.
  if (!impl_->finder) impl_->finder.emplace(read(0, 0));
  GameReader::Impl& finder = *impl_->finder->impl_;
  return impl_->guarded("read", [&]() -> std::optional<GameRecord> {
    finder.query.reset();
    finder.query.bind(1, static_cast<std::int64_t>(std::min(id, kNoEnd - 1)));
    finder.query.bind(2, static_cast<std::int64_t>(std::min(id, kNoEnd - 1) + 1));
    finder.done = false;
    GameRecord game;
    const bool found = impl_->finder->next(game);
    finder.query.tryReset();
    return found ? std::optional(std::move(game)) : std::nullopt;
  });
}

}  // namespace cannonade
