// A child process spoken to in lines, every wait with a deadline (Boost.Process and Asio).
//
// Always holds: nothing here blocks beyond its deadline, whatever the child does; what it writes to
// standard error is read along and its tail kept; the destructor leaves no process behind.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace cannonade {

class EngineProcess {
 public:
  using Deadline = std::chrono::steady_clock::time_point;

  enum class Read : std::uint8_t {
    kLine,
    kTimeout,
    kClosed,   // the child closed its output: it is gone, or as good as gone
    kTooLong,  // no end of line within kMaxLine bytes
  };
  static constexpr std::size_t kMaxLine = 1 << 20;
  static constexpr std::size_t kStderrTail = 2000;

  // Starts `program` with `words` behind its name, without a shell. Throws Error(kUser) when the
  // system cannot start it.
  EngineProcess(const std::filesystem::path& program, const std::vector<std::string>& words);
  // Kills whatever is left of the child's process group.
  ~EngineProcess();
  EngineProcess(const EngineProcess&) = delete;
  EngineProcess& operator=(const EngineProcess&) = delete;

  // Sends `line` and its end. False when the child is gone or does not read in time.
  [[nodiscard]] bool send(std::string_view line, Deadline deadline);
  // The next line of its standard output, without its end.
  [[nodiscard]] Read read_line(std::string* line, Deadline deadline);
  // Waits for the child to go by itself.
  void wait_until(Deadline deadline);

  [[nodiscard]] std::string stderr_tail();
  // "exit code 3", "killed by signal 11", "still running".
  [[nodiscard]] std::string state();

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace cannonade
