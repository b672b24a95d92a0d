// Keeps a data set in a file, so that a second fit need not replay the games.
//
// Format (little-endian, no padding between parts):
//   header    128 bytes: magic "CNDROWS1"; u32 version (kDatasetCacheVersion); u32 block bytes; u64
//   counts
//             of text bytes, atoms, entries, rows, samples; u64 max_phase; u64 payload bytes;
//             zeros; the last 8 bytes are the FNV-1a fingerprint of all other header bytes and the
//             block table
//   table     one FNV-1a fingerprint (u64) a block of the payload (1 MiB; the last may be shorter)
//   payload   text (JSON: features, groups, origin), atoms, entries, row_begin, phase_begin, key,
//   offset,
//             scale, sample_begin, samples: the columns of DatasetColumns as they lie in memory
// The file ends where the payload ends. The fingerprints find accidents, not an adversary; but
// whatever a file says, sizes are checked against the file's own before memory is taken, and every
// index before it is followed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "tuner/dataset.h"

namespace cannonade {

inline constexpr std::uint32_t kDatasetCacheVersion = 1;

// Published atomically. Throws Error(kInternal) if the system refuses.
void write_dataset_cache(const std::filesystem::path& path, const Dataset& dataset);

// Fails, naming the path and what is wrong, on a file that is missing, of another format or
// version, truncated, too long, over `max_bytes`, or damaged (with the first damaged block's
// place).
[[nodiscard]] Expected<Dataset> read_dataset_cache(const std::filesystem::path& path,
                                                   std::size_t max_bytes = std::size_t{64} << 30);

}  // namespace cannonade
