#include "tuner/work_order.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>
#include <vector>

#include "core/base/files.h"
#include "selfplay/generate.h"
#include "selfplay/match.h"

namespace cannonade {
namespace {

namespace fs = std::filesystem;

// An engine's file is part of it: weights and programs are named from there.
struct OrderedEngine {
  EngineConfig config;
};
void declare(SettingsTable& table, OrderedEngine& engine) {
  table.add_path("file", engine.config.file, "names are relative to this file");
  declare(table, engine.config);
}

// As the file has it.
struct OrderText {
  std::string title;
  fs::path shards;
  std::string command;
  Ruleset rules = rulesets().front();
  std::uint64_t seed = 0;
  std::uint64_t games = 0;
  std::vector<std::string> pairings;
  std::vector<OrderedEngine> engines;
  MoveLimits limits;
  OpeningSettings openings;
  AdjudicationSettings adjudication;
};
void declare(SettingsTable& table, OrderText& order) {
  table.add("title", order.title, "what it is for");
  table.add_path("shards", order.shards, "the folder of the shards' stores");
  table.add("command", order.command, "generate or match");
  table.add("rules", order.rules, "rule set");
  table.add("seed", order.seed, 0, INT64_MAX, "of everything that is drawn");
  table.add("games", order.games, 1, 1'000'000'000, "over all shards");
  table.add("pairings", order.pairings, "who plays whom: two engines by their place, from 0");
  table.add_table("limits", order.limits, "of every engine that has none of its own");
  table.add_table("openings", order.openings, "where games start");
  table.add_table("adjudication", order.adjudication, "stopping decided games");
  table.add_tables("engine", order.engines, "who plays");
}

Pairing parse_pairing(const std::string& text, std::size_t engines, const fs::path& file) {
  Pairing pairing;
  const char* const end = text.data() + text.size();
  const auto a = std::from_chars(text.data(), end, pairing.a);
  if (a.ec == std::errc() && a.ptr != end && *a.ptr == '-') {
    const auto b = std::from_chars(a.ptr + 1, end, pairing.b);
    if (b.ec == std::errc() && b.ptr == end && pairing.a < engines && pairing.b < engines) {
      return pairing;
    }
  }
  throw user_error(fmt::format("{}: pairings: '{}' given; allowed: A-B, each below {}",
                               file.string(), text, engines));
}

fs::path absolute_or_empty(const fs::path& path) {
  return path.empty() ? path : fs::absolute(path).lexically_normal();
}

}  // namespace

void write_work_order(const fs::path& file, const WorkOrder& order) {
  const Tournament& tournament = order.tournament;
  OrderText text;
  text.title = order.title;
  text.shards = absolute_or_empty(order.shards);
  text.command = tournament.command;
  text.rules = tournament.rules;
  text.seed = tournament.seed;
  text.games = tournament.games;
  for (const Pairing& pairing : tournament.pairings) {
    text.pairings.push_back(fmt::format("{}-{}", pairing.a, pairing.b));
  }
  for (const EngineConfig& config : tournament.engines) {
    text.engines.push_back({config});
    // Engines made by hand name their weights from where the program runs.
    fs::path& from = text.engines.back().config.file;
    from = fs::absolute(from.empty() ? fs::path("engine.toml") : from).lexically_normal();
  }
  text.limits = tournament.limits;
  text.openings = tournament.openings;
  text.openings.book = absolute_or_empty(text.openings.book);
  text.adjudication = tournament.adjudication;
  SettingsTable table;
  declare(table, text);
  write_file_atomically(file, reference_text(table));
}

WorkOrder read_work_order(const fs::path& file) {
  OrderText text;
  SettingsTable table;
  declare(table, text);
  read_toml(file, table);
  WorkOrder order;
  order.title = text.title;
  order.shards = text.shards;
  Tournament& tournament = order.tournament;
  tournament.command = text.command;
  tournament.rules = text.rules;
  tournament.seed = text.seed;
  tournament.games = text.games;
  for (OrderedEngine& engine : text.engines) {
    tournament.engines.push_back(std::move(engine.config));
  }
  for (const std::string& pairing : text.pairings) {
    tournament.pairings.push_back(parse_pairing(pairing, tournament.engines.size(), file));
  }
  tournament.limits = text.limits;
  tournament.openings = text.openings;
  tournament.adjudication = text.adjudication;
  return order;
}

fs::path shard_store(const WorkOrder& order, const Shard& shard) {
  return order.shards / fmt::format("{}-of-{}.db", shard.index, shard.count);
}

ShardResult play_order(const WorkOrder& order, const RunControl& control) {
  std::error_code error;
  fs::create_directories(order.shards, error);  // a failure shows when the store is made
  const fs::path store = shard_store(order, control.shard);
  if (order.tournament.command == "match") {
    MatchPlan plan;
    plan.tournament = order.tournament;
    plan.allow_identical = true;  // whoever gave the order has decided
    const MatchResult match = run_match(std::move(plan), store, control);
    return {match.planned, match.stored, match.played, match.seconds, match.complete};
  }
  const GenerateResult games = run_generate(order.tournament, store, control);
  return {games.planned, games.summary.games(), games.played, games.seconds, games.complete};
}

}  // namespace cannonade
