#include "selfplay/store_schema.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <array>
#include <string_view>
#include <system_error>

namespace cannonade {
namespace {

struct SchemaObject {
  std::string_view name;
  const char* sql;
};

// SQLite keeps this text word for word, which is what check_schema() compares.
constexpr std::array<SchemaObject, 8> kSchema{{
    {"run",
     "CREATE TABLE run (one INTEGER PRIMARY KEY CHECK (one = 1), run_id TEXT NOT NULL,"
     " command TEXT NOT NULL, rules TEXT NOT NULL, seed INTEGER NOT NULL, settings TEXT NOT NULL,"
     " games INTEGER NOT NULL, shard_index INTEGER NOT NULL, shard_count INTEGER NOT NULL,"
     " revision TEXT NOT NULL, complete INTEGER NOT NULL, ended TEXT NOT NULL) STRICT"},
    {"engines",
     "CREATE TABLE engines (number INTEGER PRIMARY KEY, name TEXT NOT NULL, hash TEXT NOT NULL)"
     " STRICT"},
    {"players",
     "CREATE TABLE players (number INTEGER PRIMARY KEY, name TEXT NOT NULL, hash TEXT NOT NULL,"
     " UNIQUE (name, hash)) STRICT"},
    {"games",
     "CREATE TABLE games (id INTEGER PRIMARY KEY, pair INTEGER NOT NULL, rules TEXT NOT NULL,"
     " start_fen TEXT NOT NULL, opening_plies INTEGER NOT NULL, first INTEGER NOT NULL"
     " REFERENCES players, second INTEGER NOT NULL REFERENCES players, moves BLOB NOT NULL,"
     " scores BLOB NOT NULL, winner INTEGER NOT NULL, reason TEXT NOT NULL,"
     " by_points INTEGER NOT NULL, first_points INTEGER NOT NULL, second_points INTEGER NOT NULL,"
     " nodes INTEGER NOT NULL, milliseconds INTEGER NOT NULL, note TEXT NOT NULL,"
     " checksum INTEGER NOT NULL) STRICT"},
    // Narrow: the ids are read from it without touching the games.
    {"games_by_pair", "CREATE INDEX games_by_pair ON games (pair)"},
    {"facts", "CREATE TABLE facts (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT"},
    {"sessions",
     "CREATE TABLE sessions (number INTEGER PRIMARY KEY, revision TEXT NOT NULL,"
     " host TEXT NOT NULL, began TEXT NOT NULL) STRICT"},
    {"game_list",
     "CREATE VIEW game_list AS SELECT (SELECT run_id FROM run) AS run_id, g.id, g.pair, g.rules,"
     " a.name AS first, a.hash AS first_hash, b.name AS second, b.hash AS second_hash,"
     " g.start_fen, g.opening_plies, length(g.moves) / 2 AS plies, g.winner, g.reason,"
     " g.by_points, g.first_points / 2.0 AS first_points, g.second_points / 2.0 AS second_points,"
     " g.nodes, g.milliseconds, g.note FROM games g LEFT JOIN players a ON a.number = g.first"
     " LEFT JOIN players b ON b.number = g.second"},
}};

// SQLite finds missing pages by itself, but reads the missing end of the last one as zeros, and a
// file of one byte as empty. With a log beside it the file need not be whole.
void check_length(SQLite::Database& database, const std::filesystem::path& path) {
  std::error_code error;
  for (const char* suffix : {"-wal", "-journal"}) {
    std::filesystem::path log = path;
    log += suffix;
    const std::uintmax_t size = std::filesystem::file_size(log, error);
    if (!error && size > 0) return;
  }
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  const auto page = static_cast<std::uintmax_t>(database.execAndGet("PRAGMA page_size").getInt64());
  if (!error && page > 0 && size % page != 0) {
    throw user_error(fmt::format("{} is damaged: it is cut short", path.string()));
  }
}

}  // namespace

Error store_error(const std::filesystem::path& path, const std::string& doing,
                  const SQLite::Exception& error) {
  const auto user = [&](std::string_view why) {
    return user_error(fmt::format("cannot {} {}: {}", doing, path.string(), why));
  };
  switch (error.getErrorCode() & 0xFF) {
    case SQLITE_NOTADB:
      return user("it is not a store");
    case SQLITE_CORRUPT:
    case SQLITE_FORMAT:
    case SQLITE_MISMATCH:
    case SQLITE_ERROR:
      return user(fmt::format("the file is damaged ({})", error.what()));
    case SQLITE_TOOBIG:
      return user("the file is damaged (a value is too large)");
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return user("another process holds it");
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
      return user(error.what());
    default:
      return internal_error(fmt::format("cannot {} {}: {}; what was committed before is kept",
                                        doing, path.string(), error.what()));
  }
}

void guard_connection(SQLite::Database& database) {
  sqlite3* handle = database.getHandle();
  constexpr int kLongestValue = 4 << 20;  // settings are the longest text; no row comes near
  sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, kLongestValue);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  constexpr int kPatienceMs = 10'000;  // a checkpoint of another connection
  database.setBusyTimeout(kPatienceMs);
  database.exec("PRAGMA cell_size_check = ON");
}

bool is_blank(SQLite::Database& database, const std::filesystem::path& path) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (!error && size == 1) return false;  // SQLite takes it for an empty one
  return database.execAndGet("SELECT count(*) FROM sqlite_schema").getInt64() == 0 &&
         database.execAndGet("PRAGMA application_id").getInt64() == 0;
}

void create_schema(SQLite::Database& database) {
  database.exec(fmt::format("PRAGMA application_id = {}", kStoreApplicationId));
  database.exec(fmt::format("PRAGMA user_version = {}", kStoreVersion));
  for (const SchemaObject& object : kSchema) database.exec(object.sql);
}

void check_schema(SQLite::Database& database, const std::filesystem::path& path) {
  if (database.execAndGet("PRAGMA application_id").getInt64() != kStoreApplicationId) {
    throw user_error(fmt::format("{} is not a store", path.string()));
  }
  const std::int64_t version = database.execAndGet("PRAGMA user_version").getInt64();
  if (version != kStoreVersion) {
    throw user_error(fmt::format("{} is a store of format {}; this program reads format {}",
                                 path.string(), version, kStoreVersion));
  }
  check_length(database, path);
  for (const SchemaObject& object : kSchema) {
    SQLite::Statement query(database, "SELECT sql FROM sqlite_schema WHERE name = ?1");
    query.bind(1, std::string(object.name));
    if (!query.executeStep() || query.getColumn(0).getString() != object.sql) {
      throw user_error(fmt::format("{} is damaged: its table {} is not as this program makes it",
                                   path.string(), object.name));
    }
  }
}

}  // namespace cannonade
