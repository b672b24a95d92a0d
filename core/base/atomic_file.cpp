#include "core/base/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "core/base/error.h"

namespace cannonade {

AtomicFile::AtomicFile(std::filesystem::path path) : path_(std::move(path)), temporary_(path_) {
  std::error_code error;
  if (std::filesystem::is_directory(path_, error)) {
    throw user_error(fmt::format("cannot write {}: it is a folder", path_.string()));
  }
  temporary_ += fmt::format(".tmp{}", ::getpid());
  file_ = std::fopen(temporary_.c_str(), "wbe");
  if (file_ == nullptr) {
    const int code = errno;
    throw Error(
        code == ENOSPC || code == EDQUOT || code == EIO ? ErrorKind::kInternal : ErrorKind::kUser,
        fmt::format("cannot write {}: {}", path_.string(), std::strerror(code)));
  }
}

AtomicFile::~AtomicFile() {
  if (file_ == nullptr) return;
  std::fclose(file_);
  ::unlink(temporary_.c_str());
}

void AtomicFile::append(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) give_up();
}

void AtomicFile::commit() {
  if (std::fflush(file_) != 0 || ::fsync(::fileno(file_)) != 0) give_up();
  if (std::fclose(std::exchange(file_, nullptr)) != 0 ||
      ::rename(temporary_.c_str(), path_.c_str()) != 0) {
    const int code = errno;
    ::unlink(temporary_.c_str());
    throw internal_error(fmt::format("cannot write {}: {}", path_.string(), std::strerror(code)));
  }
  std::filesystem::path folder = path_.parent_path();
  if (folder.empty()) folder = ".";
  const int directory = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory >= 0) {
    ::fsync(directory);
    ::close(directory);
  }
}

void AtomicFile::give_up() {
  throw internal_error(fmt::format("cannot write {}: {}", path_.string(), std::strerror(errno)));
}

}  // namespace cannonade
