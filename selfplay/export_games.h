// A store's games as text for other programs and for people.
#pragma once

#include <cstdint>
#include <filesystem>

#include "core/notation/columns.h"
#include "selfplay/store.h"

namespace cannonade {

enum class ExportFormat : std::uint8_t { kPgn, kEpd, kCsv };

struct ExportOptions {
  ExportFormat format = ExportFormat::kPgn;
  MoveStyle style = MoveStyle::kUci;  // of PGN
  bool scores = true;                 // in PGN
};

// Writes all games in index order to `out`, which appears whole or not at all, and gives their
// number. The bytes depend on the games alone: not on shards, resumes, the order in which games
// ended, or the clock. Throws a user error that names store and game when one cannot be played
// under its rule set.
std::uint64_t export_games(const Store& store, const ExportOptions& options,
                           const std::filesystem::path& out);

}  // namespace cannonade
