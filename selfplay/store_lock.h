// One writer a store: a lock beside the file that dies with its process, however it dies.
//
// The lock is flock(2) on `<store>-lock`, a file of its own: closing a second descriptor of the
// database would drop SQLite's own record locks. The file names its holder and goes when the lock
// does; one left behind by a killed process is harmless.
#pragma once

#include <filesystem>

namespace cannonade {

class StoreLock {
 public:
  // Takes the lock without waiting. Throws a user error that names the holder when another process
  // (or another Store of this one) has it, or when the place cannot be written.
  explicit StoreLock(const std::filesystem::path& store);
  ~StoreLock();
  StoreLock(StoreLock&& other) noexcept;
  StoreLock(const StoreLock&) = delete;
  StoreLock& operator=(const StoreLock&) = delete;
  StoreLock& operator=(StoreLock&&) = delete;

 private:
  std::filesystem::path path_;
  int fd_ = -1;
};

}  // namespace cannonade
