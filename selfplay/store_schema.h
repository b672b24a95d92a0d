// The store's tables and how a connection is set up: inside of selfplay/store.cpp, which documents
// the format in its header.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <filesystem>
#include <string>

#include "core/base/error.h"

namespace cannonade {

constexpr std::uint32_t kStoreApplicationId = 0x436E6E64;  // "Cnnd"
constexpr int kStoreVersion = 2;

// What SQLite reported, as our error: the file or the place is the user's, the machine is not.
[[nodiscard]] Error store_error(const std::filesystem::path& path, const std::string& doing,
                                const SQLite::Exception& error);

// Limits and switches for a file that may come from a stranger; before anything else is asked.
void guard_connection(SQLite::Database& database);

// True for a file in which no run was begun: empty, or a database without any table.
[[nodiscard]] bool is_blank(SQLite::Database& database, const std::filesystem::path& path);

// Inside the caller's transaction.
void create_schema(SQLite::Database& database);

// Throws a user error unless the file is a store of this version with exactly these tables, cut
// short nowhere.
void check_schema(SQLite::Database& database, const std::filesystem::path& path);

}  // namespace cannonade
