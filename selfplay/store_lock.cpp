#include "selfplay/store_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "core/base/error.h"

namespace cannonade {
namespace {

// One lock for all names of a file.
std::filesystem::path lock_path(const std::filesystem::path& store) {
  std::error_code error;
  std::filesystem::path path = std::filesystem::weakly_canonical(store, error);
  if (error) path = store;
  path += "-lock";
  return path;
}

bool machine_failed(int code) {
  return code == ENOSPC || code == EDQUOT || code == EIO || code == EMFILE || code == ENFILE;
}

std::string this_host() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown host";
}

std::string holder(int fd) {
  std::array<char, 300> text{};
  const ssize_t n = ::pread(fd, text.data(), text.size() - 1, 0);
  std::string who(text.data(), n > 0 ? static_cast<std::size_t>(n) : 0);
  while (!who.empty() && who.back() == '\n') who.pop_back();
  return who.empty() ? "another process" : who;
}

}  // namespace

StoreLock::StoreLock(const std::filesystem::path& store) : path_(lock_path(store)) {
  for (;;) {
    fd_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (fd_ < 0) {
      const int code = errno;
      throw Error(machine_failed(code) ? ErrorKind::kInternal : ErrorKind::kUser,
                  fmt::format("cannot write {}: {} ({})", store.string(), std::strerror(code),
                              path_.string()));
    }
    if (::flock(fd_, LOCK_EX | LOCK_NB) != 0) {
      const int code = errno;
      if (code == EINTR) {
        ::close(fd_);
        continue;
      }
      const std::string who = holder(fd_);
      ::close(fd_);
      if (code == EWOULDBLOCK) {
        throw user_error(fmt::format("{} is in use by {}", store.string(), who));
      }
      throw internal_error(fmt::format("cannot lock {}: {}", path_.string(), std::strerror(code)));
    }
    // The last holder may have removed the file between our open and our lock.
    struct stat ours {};
    struct stat there {};
    if (::fstat(fd_, &ours) == 0 && ::stat(path_.c_str(), &there) == 0 &&
        ours.st_ino == there.st_ino && ours.st_dev == there.st_dev) {
      break;
    }
    ::close(fd_);
  }
  const std::string who = fmt::format("process {} on {}\n", ::getpid(), this_host());
  // For the message only: a full disk must not keep anyone from reading on.
  if (::ftruncate(fd_, 0) == 0) {
    [[maybe_unused]] const ssize_t written = ::pwrite(fd_, who.data(), who.size(), 0);
  }
}

StoreLock::~StoreLock() {
  if (fd_ < 0) return;
  ::unlink(path_.c_str());  // while the lock is held: see the loop above
  ::close(fd_);
}

StoreLock::StoreLock(StoreLock&& other) noexcept
    : path_(std::move(other.path_)), fd_(std::exchange(other.fd_, -1)) {}

}  // namespace cannonade
