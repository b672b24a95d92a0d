// Reading and publishing files.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/error.h"

namespace cannonade {

// The whole file. Fails with the path and the system's reason; refuses files over `max_bytes`
// before memory is taken.
[[nodiscard]] Expected<std::string> read_file(const std::filesystem::path& path,
                                              std::size_t max_bytes = std::size_t{1} << 30);

// Publishes `content` under `path`: temporary name in the same folder, fsync, rename, fsync of the
// folder (leveldb's order). A reader sees the old file or the new one, never a part. Throws a user
// error for a place that cannot be, an internal one when the machine fails; an old file stays.
void write_file_atomically(const std::filesystem::path& path, std::string_view content);

// FNV-1a, 64 bits: a fingerprint for provenance and caches, not against an adversary.
[[nodiscard]] std::uint64_t fingerprint(std::string_view bytes);
[[nodiscard]] std::string fingerprint_hex(std::string_view bytes);

}  // namespace cannonade
