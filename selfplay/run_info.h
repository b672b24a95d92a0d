// What identifies a run and one machine's share of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace cannonade {

// Shard `index` of `count`, both from 1. Ids are dealt out two by two (0 and 1 to the first shard,
// 2 and 3 to the second, ...), so that a pair is never torn and every shard's games are spread over
// the whole schedule.
struct Shard {
  int index = 1;
  int count = 1;

  [[nodiscard]] bool owns(std::uint64_t id) const {
    return id / 2 % static_cast<std::uint64_t>(count) == static_cast<std::uint64_t>(index - 1);
  }
  // How many of the ids below `games` are this shard's.
  [[nodiscard]] std::uint64_t owned_below(std::uint64_t games) const;
  bool operator==(const Shard&) const = default;
};
// "3/8": 1 <= index <= count <= 1 000 000.
[[nodiscard]] Expected<Shard> parse_shard(std::string_view text);

struct EngineId {
  std::string name;
  std::string hash;  // fingerprint of configuration and weights
  bool operator==(const EngineId&) const = default;
};

// What a run is. Everything but the plan, the shard and the revision is its identity: the run id is
// a fingerprint of it, and a store goes on only under the same one.
struct RunInfo {
  std::string command;  // generate, match, compare, ladder, import
  std::string rules;    // rule set id; several joined by commas
  std::uint64_t seed = 0;
  std::vector<EngineId> engines;
  // Everything else that decides the games, canonical: one `key = value` a line, keys in a fixed
  // order; not the number of games, threads, paths or anything else that does not change a game.
  std::string settings;

  std::uint64_t games = 0;  // planned: ids 0 to games - 1, over all shards
  Shard shard;
  std::string revision;  // of the program that plays
};
// 16 hexadecimal digits.
[[nodiscard]] std::string run_id(const RunInfo& run);
// The first few settings in which two runs differ, for a message: "seed is 7 there and 8 here".
[[nodiscard]] std::string run_differences(const RunInfo& there, const RunInfo& here);

// What a store can hold.
constexpr std::uint64_t kMaxGameId = std::uint64_t{1} << 62;
constexpr std::size_t kMaxSettings = 1 << 20;  // bytes
constexpr std::size_t kMaxEngines = 10'000;
constexpr std::size_t kMaxName = 1024;  // bytes of any short text
constexpr int kMaxShards = 1'000'000;

}  // namespace cannonade
