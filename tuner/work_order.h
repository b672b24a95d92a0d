// Games that are wanted from other machines: a tournament as a file, each of them playing its shard
// of it into a store in the order's folder.
//
// The file is TOML with every key commented. It says all that decides the games, with absolute
// paths: whoever sees the same files under the same names plays the same games.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "selfplay/run_control.h"
#include "selfplay/tournament.h"

namespace cannonade {

struct WorkOrder {
  std::string title;  // "janggi-kja generation 1: games"
  Tournament tournament;
  std::filesystem::path shards;  // the folder for the shards' stores
};
void write_work_order(const std::filesystem::path& file, const WorkOrder& order);
// User errors: not readable, not an order.
[[nodiscard]] WorkOrder read_work_order(const std::filesystem::path& file);

// The store that `shard` plays into.
[[nodiscard]] std::filesystem::path shard_store(const WorkOrder& order, const Shard& shard);

struct ShardResult {
  std::uint64_t planned = 0;  // of the shard
  std::uint64_t stored = 0;
  std::uint64_t played = 0;  // in this session
  double seconds = 0;        // of this session
  bool complete = false;
};
// Plays what is left of control.shard; user errors as in run_generate and run_match.
[[nodiscard]] ShardResult play_order(const WorkOrder& order, const RunControl& control);

}  // namespace cannonade
