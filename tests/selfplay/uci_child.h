// The built `selfplay uci` as a child process, for tests: every wait has an end.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "selfplay/engine_process.h"

namespace cannonade {

class UciChild {
 public:
  using Clock = std::chrono::steady_clock;

  // Generous: the machine may be busy, and a hang is as plain after half a minute.
  static constexpr std::chrono::seconds kPatience{30};
  // How many times as long a sanitized program may take where the time is what is tested.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  static constexpr int kSlower = 10;
#else
  static constexpr int kSlower = 1;
#endif

  UciChild() : process_(std::string(CANNONADE_BIN_DIR) + "/selfplay", {"uci"}) {}

  void send(std::string_view line) {
    EXPECT_TRUE(process_.send(line, Clock::now() + kPatience)) << process_.state();
  }

  // The lines up to one whose first word is `word`, that one included.
  std::vector<std::string> read_to(const std::string& word) {
    std::vector<std::string> lines;
    const auto deadline = Clock::now() + kPatience;
    std::string line;
    for (;;) {
      const EngineProcess::Read read = process_.read_line(&line, deadline);
      if (read != EngineProcess::Read::kLine) {
        ADD_FAILURE() << "no " << word << " (" << process_.state() << ", " << process_.stderr_tail()
                      << ")" << (lines.empty() ? "" : "; the last line was " + lines.back());
        lines.emplace_back();
        return lines;
      }
      lines.push_back(line);
      if (line == word || line.starts_with(word + " ")) return lines;
    }
  }

  // Sends, and gives the line that answers.
  std::string ask(std::string_view line, const std::string& word) {
    send(line);
    return read_to(word).back();
  }

  // What `line` makes it say, in all: until it answers `isready`. Not while it searches.
  std::vector<std::string> says(std::string_view line) {
    send(line);
    send("isready");
    std::vector<std::string> lines = read_to("readyok");
    lines.pop_back();
    return lines;
  }

  // What comes of its own within `time`.
  std::vector<std::string> hear(std::chrono::milliseconds time) {
    std::vector<std::string> lines;
    const auto deadline = Clock::now() + time;
    std::string line;
    while (process_.read_line(&line, deadline) == EngineProcess::Read::kLine) {
      lines.push_back(line);
    }
    return lines;
  }

  // "exit code 0" once it has gone.
  std::string end() {
    process_.wait_until(Clock::now() + kPatience);
    return process_.state();
  }

 private:
  EngineProcess process_;
};

// The words behind `key` in a line; empty when it is not there.
inline std::string word_after(const std::string& line, const std::string& key) {
  const std::string padded = " " + line + " ";
  const std::size_t at = padded.find(" " + key + " ");
  if (at == std::string::npos) return "";
  const std::size_t begin = at + key.size() + 2;
  return padded.substr(begin, padded.find(' ', begin) - begin);
}

inline std::vector<std::string> lines_with(const std::vector<std::string>& lines,
                                           const std::string& piece) {
  std::vector<std::string> found;
  for (const std::string& line : lines) {
    if (line.find(piece) != std::string::npos) found.push_back(line);
  }
  return found;
}

}  // namespace cannonade
