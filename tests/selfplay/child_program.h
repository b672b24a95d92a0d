// Our own programs as child processes, for tests of what only a process has: exit codes, signals,
// death.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace cannonade {

// Runs from the moment it is made; output goes to files in `folder`.
class ChildProgram {
 public:
  ChildProgram(const std::string& program, const std::vector<std::string>& words,
               const std::filesystem::path& folder)
      : out_(folder / "stdout.txt"), err_(folder / "stderr.txt") {
    std::vector<std::string> all = words;
    all.insert(all.begin(), std::string(CANNONADE_BIN_DIR) + "/" + program);
    std::vector<char*> argv;
    for (std::string& word : all) argv.push_back(word.data());
    argv.push_back(nullptr);
    pid_ = ::fork();
    if (pid_ != 0) return;
    // A group of its own, so that a signal to it does not reach the tests.
    ::setpgid(0, 0);
    redirect(out_, STDOUT_FILENO);
    redirect(err_, STDERR_FILENO);
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  ~ChildProgram() {
    if (pid_ > 0) {
      ::kill(pid_, SIGKILL);
      (void)wait();
    }
  }
  ChildProgram(const ChildProgram&) = delete;
  ChildProgram& operator=(const ChildProgram&) = delete;

  void send(int signal) const { ::kill(pid_, signal); }
  // Its exit code, or minus the signal that ended it.
  int wait() {
    int status = 0;
    ::waitpid(pid_, &status, 0);
    pid_ = -1;
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
  }
  [[nodiscard]] bool running() {
    int status = 0;
    const pid_t gone = ::waitpid(pid_, &status, WNOHANG);
    if (gone == pid_) pid_ = -1;
    return gone == 0;
  }
  [[nodiscard]] std::string out() const { return text_of(out_); }
  [[nodiscard]] std::string err() const { return text_of(err_); }

 private:
  static void redirect(const std::filesystem::path& file, int descriptor) {
    const int opened = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    ::dup2(opened, descriptor);
    ::close(opened);
  }
  static std::string text_of(const std::filesystem::path& file) {
    std::ifstream stream(file);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
  }

  std::filesystem::path out_;
  std::filesystem::path err_;
  pid_t pid_ = -1;
};

struct ProgramResult {
  int code = 0;
  std::string out;
  std::string err;
};
inline ProgramResult run_program(const std::string& program, const std::vector<std::string>& words,
                                 const std::filesystem::path& folder) {
  ChildProgram child(program, words, folder);
  ProgramResult result;
  result.code = child.wait();
  result.out = child.out();
  result.err = child.err();
  return result;
}

}  // namespace cannonade
