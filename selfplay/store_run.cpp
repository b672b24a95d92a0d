#include "selfplay/store_run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <ctime>
#include <functional>

#include "selfplay/store_columns.h"

namespace cannonade {
namespace fs = std::filesystem;
namespace {

std::string now_utc() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

}  // namespace

void check_run(const RunInfo& run) {
  if (run.settings.size() > kMaxSettings || run.engines.size() > kMaxEngines ||
      run.games > kMaxGameId || run.shard.index < 1 || run.shard.count < run.shard.index ||
      run.shard.count > kMaxShards) {
    throw internal_error("a run that no store can hold");
  }
}

StoredRun read_run(SQLite::Database& database, const fs::path& path) {
  const std::function<std::string()> where = [&] { return path.string() + ": its run record"; };
  StoredRun stored;
  RunInfo& run = stored.run;
  SQLite::Statement query(database,
                          "SELECT run_id, command, rules, seed, settings, games, shard_index,"
                          " shard_count, revision, complete, ended FROM run");
  if (!query.executeStep()) throw user_error(path.string() + " is damaged: it has no run record");
  const Columns row(query, where);
  const std::string stored_id = row.text(0, kMaxName, "run id");
  run.command = row.text(1, kMaxName, "command");
  run.rules = row.text(2, kMaxName, "rules");
  run.seed = static_cast<std::uint64_t>(row.integer(3, INT64_MIN, INT64_MAX, "seed"));
  run.settings = row.text(4, kMaxSettings, "settings");
  run.games = static_cast<std::uint64_t>(
      row.integer(5, 0, static_cast<std::int64_t>(kMaxGameId), "number of games"));
  run.shard.index = static_cast<int>(row.integer(6, 1, kMaxShards, "shard"));
  run.shard.count = static_cast<int>(row.integer(7, run.shard.index, kMaxShards, "shard"));
  run.revision = row.text(8, kMaxName, "revision");
  stored.complete = row.integer(9, 0, 1, "completion") == 1;
  stored.ended = row.text(10, kMaxName, "ending");
  SQLite::Statement engines(database, "SELECT name, hash FROM engines ORDER BY number");
  while (engines.executeStep()) {
    const Columns engine(engines, where);
    if (run.engines.size() == kMaxEngines) engine.refuse("too many engines");
    run.engines.push_back(
        {engine.text(0, kMaxName, "engine name"), engine.text(1, kMaxName, "engine hash")});
  }
  if (run_id(run) != stored_id) {
    throw user_error(path.string() + " is damaged: its run id does not fit its settings");
  }
  return stored;
}

void write_run(SQLite::Database& database, const RunInfo& run) {
  SQLite::Statement insert(database,
                           "INSERT INTO run VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 0, '')");
  insert.bind(1, run_id(run));
  insert.bind(2, run.command);
  insert.bind(3, run.rules);
  insert.bind(4, static_cast<std::int64_t>(run.seed));
  insert.bind(5, run.settings);
  insert.bind(6, static_cast<std::int64_t>(run.games));
  insert.bind(7, run.shard.index);
  insert.bind(8, run.shard.count);
  insert.bind(9, run.revision);
  insert.exec();
  SQLite::Statement engine(database, "INSERT INTO engines (name, hash) VALUES (?1, ?2)");
  for (const EngineId& id : run.engines) {
    engine.bind(1, id.name);
    engine.bind(2, id.hash);
    engine.exec();
    engine.reset();
  }
}

void require_same_run(const fs::path& path, const RunInfo& stored, const RunInfo& asked) {
  if (run_id(stored) != run_id(asked)) {
    throw user_error(
        fmt::format("{} holds another run: {}", path.string(), run_differences(stored, asked)));
  }
  if (stored.shard != asked.shard) {
    throw user_error(fmt::format("{} holds shard {}/{} of this run, not {}/{}", path.string(),
                                 stored.shard.index, stored.shard.count, asked.shard.index,
                                 asked.shard.count));
  }
}

void write_session(SQLite::Database& database, const std::string& revision) {
  SQLite::Statement session(database,
                            "INSERT INTO sessions (revision, host, began) VALUES (?1, ?2, ?3)");
  session.bind(1, revision);
  session.bind(2, host_name());
  session.bind(3, now_utc());
  session.exec();
}

std::vector<WriterSession> read_sessions(SQLite::Database& database, const fs::path& path) {
  std::vector<WriterSession> sessions;
  SQLite::Statement query(database, "SELECT revision, host, began FROM sessions ORDER BY number");
  const std::function<std::string()> where = [&] {
    return fmt::format("{}: its session {}", path.string(), sessions.size() + 1);
  };
  const Columns columns(query, where);
  while (query.executeStep()) {
    sessions.push_back({columns.text(0, kMaxName, "revision"), columns.text(1, kMaxName, "host"),
                        columns.text(2, kMaxName, "began")});
  }
  return sessions;
}

}  // namespace cannonade
