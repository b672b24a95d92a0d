#include "selfplay/engine_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <utility>  // Asio 1.74 forgets it

#include <algorithm>
#include <array>
#include <boost/asio.hpp>
#include <boost/process.hpp>
#include <boost/process/extend.hpp>
#include <csignal>
#include <mutex>
#include <thread>

#include "core/base/error.h"

namespace cannonade {
namespace {

namespace asio = boost::asio;
namespace process = boost::process;
using std::chrono::milliseconds;

constexpr milliseconds kPoll{5};

// Pipes are made and children forked one at a time: a descriptor made by one thread must not slip
// into another's child, where it would keep a dead engine's output open.
std::mutex& fork_mutex() {
  static std::mutex mutex;
  return mutex;
}

void close_on_exec(int descriptor) {
  ::fcntl(descriptor, F_SETFD, ::fcntl(descriptor, F_GETFD) | FD_CLOEXEC);
}

// In the child, between fork and exec.
struct ChildSetup : process::extend::handler {
  template <class Executor>
  void on_exec_setup(Executor& /*executor*/) const {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::signal(SIGPIPE, SIG_DFL);
  }
};

}  // namespace

struct EngineProcess::Inside {
  asio::io_context context;
  process::async_pipe input{context};
  process::async_pipe output{context};
  process::async_pipe errors{context};
  process::child child;

  std::string outgoing;
  asio::streambuf incoming{kMaxLine};
  std::array<char, 4096> error_bytes{};
  std::string error_tail;

  void read_errors() {
    errors.async_read_some(asio::buffer(error_bytes),
                           [this](const boost::system::error_code& fault, std::size_t size) {
                             if (fault) return;
                             error_tail.append(error_bytes.data(), size);
                             if (error_tail.size() > 2 * kStderrTail) {
                               error_tail.erase(0, error_tail.size() - kStderrTail);
                             }
                             read_errors();
                           });
  }

  // Runs the context until `done`; false when the deadline came first.
  bool run_until(const bool& done, Deadline deadline) {
    if (context.stopped()) context.restart();
    while (!done) {
      if (context.run_one_until(deadline) == 0) return done;
    }
    return true;
  }
};

EngineProcess::EngineProcess(const std::filesystem::path& program,
                             const std::vector<std::string>& words) {
  static std::once_flag once;
  // Writing to a child that has gone must be an error, not our end.
  std::call_once(once, [] { ::signal(SIGPIPE, SIG_IGN); });
  try {
    const std::lock_guard lock(fork_mutex());
    inside_ = std::make_unique<Inside>();
    for (process::async_pipe* pipe : {&inside_->input, &inside_->output, &inside_->errors}) {
      close_on_exec(pipe->native_source());
      close_on_exec(pipe->native_sink());
    }
    inside_->child =
        process::child(process::exe = program.string(), process::args = words,
                       process::std_in<inside_->input, process::std_out> inside_->output,
                       process::std_err > inside_->errors, ChildSetup{});
  } catch (const std::system_error& fault) {
    throw user_error(fmt::format("cannot start {}: {}", program.string(), fault.code().message()));
  }
  inside_->read_errors();
}

EngineProcess::~EngineProcess() {
  try {
    std::error_code ignored;
    // Its pid is still reserved until it is waited for, so the group is its own.
    if (inside_->child.valid()) {
      ::kill(-inside_->child.id(), SIGKILL);
      inside_->child.wait(ignored);
    }
    inside_->input.close();
    inside_->output.close();
    inside_->errors.close();
  } catch (...) {  // it is killed; that a pipe cannot be closed helps nobody to know
  }
}

bool EngineProcess::send(std::string_view line, Deadline deadline) {
  inside_->outgoing = fmt::format("{}\n", line);
  bool done = false;
  boost::system::error_code result;
  asio::async_write(inside_->input, asio::buffer(inside_->outgoing),
                    [&](const boost::system::error_code& fault, std::size_t /*size*/) {
                      result = fault;
                      done = true;
                    });
  if (inside_->run_until(done, deadline)) return !result;
  inside_->input.cancel();
  inside_->run_until(done, Deadline::max());
  return false;
}

EngineProcess::Read EngineProcess::read_line(std::string* line, Deadline deadline) {
  bool done = false;
  boost::system::error_code result;
  std::size_t size = 0;
  asio::async_read_until(inside_->output, inside_->incoming, '\n',
                         [&](const boost::system::error_code& fault, std::size_t bytes) {
                           result = fault;
                           size = bytes;
                           done = true;
                         });
  if (!inside_->run_until(done, deadline)) {
    inside_->output.cancel();
    inside_->run_until(done, Deadline::max());
    return Read::kTimeout;
  }
  if (result == asio::error::not_found) return Read::kTooLong;
  if (result) return Read::kClosed;
  const auto begin = asio::buffers_begin(inside_->incoming.data());
  line->assign(begin, begin + static_cast<std::ptrdiff_t>(size - 1));
  if (!line->empty() && line->back() == '\r') line->pop_back();
  inside_->incoming.consume(size);
  return Read::kLine;
}

void EngineProcess::wait_until(Deadline deadline) {
  std::error_code ignored;
  while (inside_->child.running(ignored) && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(kPoll);
  }
}

std::string EngineProcess::stderr_tail() {
  // What has arrived but not been read yet.
  if (inside_->context.stopped()) inside_->context.restart();
  inside_->context.poll();
  std::string tail = inside_->error_tail;
  if (tail.size() > kStderrTail) tail.erase(0, tail.size() - kStderrTail);
  while (!tail.empty() && (tail.back() == '\n' || tail.back() == '\r')) tail.pop_back();
  return tail;
}

std::string EngineProcess::state() {
  std::error_code ignored;
  if (inside_->child.running(ignored)) return "still running";
  const int status = inside_->child.native_exit_code();
  if (WIFSIGNALED(status)) return fmt::format("killed by signal {}", WTERMSIG(status));
  return fmt::format("exit code {}", WEXITSTATUS(status));
}

}  // namespace cannonade
