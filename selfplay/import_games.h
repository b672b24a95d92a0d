// Games from outside (PGN, GIB, EPD, CSV, UCI move lists) into a store, so that fitting, comparing
// and reporting can use them like games of our own.
//
// The store's run is the files' contents and how they are read: importing the same files again into
// the same store adds nothing, and goes on where it was interrupted.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/notation/told_game.h"
#include "core/notation/uci_list.h"
#include "selfplay/store.h"

namespace cannonade {

enum class ImportFormat : std::uint8_t { kRecognise, kPgn, kGib, kEpd, kCsv, kList };
[[nodiscard]] std::string_view import_format_name(ImportFormat format);
// By the file's ending, or else by what is in it (UTF-8).
[[nodiscard]] ImportFormat recognise_format(const std::filesystem::path& path,
                                            std::string_view text);

struct ImportOptions {
  ImportFormat format = ImportFormat::kRecognise;
  RankBase ranks = RankBase::kRecognise;  // of move lists
};

struct ImportedFile {
  std::filesystem::path path;
  ImportFormat format = ImportFormat::kRecognise;
  std::string encoding;
  std::size_t replaced = 0;  // bytes that mean nothing in the encoding
  ImportCounts counts;
};

struct ImportReport {
  std::vector<ImportedFile> files;
  ImportCounts total;
  std::uint64_t added = 0;                       // to the store by this call
  std::map<std::string, std::uint64_t> endings;  // by reason
};

// `remark` gets every line worth telling: a game cut short or left out and why. Line 0 means the
// whole file. Throws a user error for a file that cannot be read and when no game was found.
ImportReport import_games(
    const std::vector<std::filesystem::path>& files, const Ruleset& rules,
    const ImportOptions& options, const std::filesystem::path& out,
    const std::function<void(const std::filesystem::path& file, std::size_t line,
                             const std::string& what)>& remark);

}  // namespace cannonade
