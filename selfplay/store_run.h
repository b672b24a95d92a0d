// The store's rows about the run itself, its engines and its sessions: inside of
// selfplay/store.cpp, which documents the format in its header. All throw SQLite::Exception as
// well.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <filesystem>
#include <string>
#include <vector>

#include "selfplay/store.h"

namespace cannonade {

struct StoredRun {
  RunInfo run;
  bool complete = false;
  std::string ended;
};

// An internal error for a run that is larger than what read_run() takes.
void check_run(const RunInfo& run);

// Throws a user error that names `path` for values that cannot be, and for a run that is not the
// one that its id stands for.
[[nodiscard]] StoredRun read_run(SQLite::Database& database, const std::filesystem::path& path);

// Inside the caller's transaction, once.
void write_run(SQLite::Database& database, const RunInfo& run);

// Throws a user error that says what differs.
void require_same_run(const std::filesystem::path& path, const RunInfo& stored,
                      const RunInfo& asked);

// Notes that a writer of this revision opened the store now, on this machine.
void write_session(SQLite::Database& database, const std::string& revision);
[[nodiscard]] std::vector<WriterSession> read_sessions(SQLite::Database& database,
                                                       const std::filesystem::path& path);

}  // namespace cannonade
