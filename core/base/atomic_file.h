// A file that is written piece by piece and appears whole or not at all.
#pragma once

#include <cstdio>
#include <filesystem>
#include <string_view>

namespace cannonade {

// Writes under a temporary name in the same folder; commit() syncs it and renames it to `path`.
// Without commit() nothing is left and any old file is as it was. Throws a user error when the
// place cannot be written at all, an internal one when the machine fails later (disk full).
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void append(std::string_view text);
  void commit();

 private:
  [[noreturn]] void give_up();

  std::filesystem::path path_;
  std::filesystem::path temporary_;
  std::FILE* file_ = nullptr;
};

}  // namespace cannonade
