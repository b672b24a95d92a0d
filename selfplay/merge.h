// Joining the shards of one run into one store.
//
// Always holds: merging reads its inputs only, adds to the output only games that it lacks, and
// refuses to go on when the same game differs in two places. So it may be repeated, interrupted and
// fed with half-finished shards, with shards whose machine died before the first game, or with an
// earlier merge.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "selfplay/store.h"

namespace cannonade {

struct MergeReport {
  struct ShardGap {
    Shard shard;
    bool given = false;  // a store of this shard was among the inputs
    std::uint64_t missing = 0;
  };

  std::string run_id;
  std::uint64_t planned = 0;  // the largest plan among the inputs and the output
  std::uint64_t present = 0;
  std::uint64_t added = 0;    // by this merge
  std::uint64_t already = 0;  // read again and found equal
  std::uint64_t missing = 0;
  std::vector<IdRange> missing_ranges;  // the first kNamedRanges, in order
  bool all_ranges = true;               // missing_ranges is all of them
  std::vector<ShardGap> gaps;           // shards that lack games, when the run was sharded
  std::vector<std::string> revisions;   // of the programs that began the inputs, each once
  std::vector<std::filesystem::path>
      blank;  // inputs whose writer died before its run was on record
};
constexpr std::size_t kNamedRanges = 1000;

// A file that a writer made and died before it could say of what run.
[[nodiscard]] bool is_blank_store(const std::filesystem::path& path);

// Joins `shards` (at least one that is not blank) into `out`, which is begun when it does not exist
// and marked complete when nothing is missing. Facts are not joined. User errors: inputs of
// different runs, an input that is the output, games that differ, and what Store refuses. Two
// records of one game are equal when all but the wall clock is.
MergeReport merge_stores(const std::filesystem::path& out,
                         std::span<const std::filesystem::path> shards);

}  // namespace cannonade
