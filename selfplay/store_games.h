// Games into and out of the store's tables: inside of selfplay/store.cpp. (GameReader, which
// everybody may use, is declared in store.h.)
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "selfplay/store.h"

namespace cannonade {

class GameWriter {
 public:
  explicit GameWriter(SQLite::Database& database) : database_(database) {}

  // Inserts inside the caller's transaction; throws SQLite::Exception. After a rollback forget()
  // must be called.
  void insert(const GameRecord& game);
  void forget();

 private:
  std::int64_t player(const std::string& name, const std::string& hash);

  SQLite::Database& database_;
  std::optional<SQLite::Statement> insert_;
  std::map<std::pair<std::string, std::string>, std::int64_t> players_;  // a cache
};

// Empty when the store can hold the game, else why not.
[[nodiscard]] std::string why_not_storable(const GameRecord& game);

struct GameReader::Impl {
  Impl(SQLite::Database& database, std::filesystem::path store, std::uint64_t planned, Shard part);

  std::filesystem::path path;
  std::uint64_t games;
  Shard shard;
  SQLite::Statement query;
  std::string text;
  bool done = false;
};

}  // namespace cannonade
