#include "core/base/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace cannonade {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
};

std::string reason() {
  return std::strerror(errno);
}

[[noreturn]] void give_up(const std::filesystem::path& temporary,
                          const std::filesystem::path& path) {
  const std::string why = reason();
  ::unlink(temporary.c_str());
  throw internal_error(fmt::format("cannot write {}: {}", path.string(), why));
}

}  // namespace

Expected<std::string> read_file(const std::filesystem::path& path, std::size_t max_bytes) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return Failure{fmt::format("cannot read {}: {}", path.string(), reason())};
  struct stat info {};
  if (::fstat(file.get(), &info) != 0 || S_ISDIR(info.st_mode)) {
    return Failure{fmt::format("cannot read {}: {}", path.string(),
                               S_ISDIR(info.st_mode) ? "it is a folder" : reason())};
  }
  const auto too_large = [&] {
    return Failure{fmt::format("{} is larger than {} bytes", path.string(), max_bytes)};
  };
  // Devices and pipes do not tell their size; those are counted as they come.
  if (static_cast<std::uintmax_t>(info.st_size) > max_bytes) return too_large();
  std::string content;
  char buffer[1 << 16];
  for (;;) {
    const ssize_t n = ::read(file.get(), buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return Failure{fmt::format("cannot read {}: {}", path.string(), reason())};
    if (n == 0) return content;
    if (content.size() + static_cast<std::size_t>(n) > max_bytes) return too_large();
    content.append(buffer, static_cast<std::size_t>(n));
  }
}

void write_file_atomically(const std::filesystem::path& path, std::string_view content) {
  std::filesystem::path folder = path.parent_path();
  if (folder.empty()) folder = ".";
  std::filesystem::path temporary = path;
  temporary += fmt::format(".tmp{}", ::getpid());
  {
    const Descriptor file(
        ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
    if (file.get() < 0) {
      const bool machine = errno == ENOSPC || errno == EDQUOT || errno == EIO;
      throw Error(machine ? ErrorKind::kInternal : ErrorKind::kUser,
                  fmt::format("cannot write {}: {}", path.string(), reason()));
    }
    while (!content.empty()) {
      const ssize_t n = ::write(file.get(), content.data(), content.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) give_up(temporary, path);
      content.remove_prefix(static_cast<std::size_t>(n));
    }
    if (::fsync(file.get()) != 0) give_up(temporary, path);
  }
  if (::rename(temporary.c_str(), path.c_str()) != 0) give_up(temporary, path);
  const Descriptor directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.get() >= 0) ::fsync(directory.get());
}

std::uint64_t fingerprint(std::string_view bytes) {
  std::uint64_t hash = 0xCBF29CE484222325ULL;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
  return hash;
}

std::string fingerprint_hex(std::string_view bytes) {
  return fmt::format("{:016x}", fingerprint(bytes));
}

}  // namespace cannonade
