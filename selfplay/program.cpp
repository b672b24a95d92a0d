#include "selfplay/program.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>

#include "core/base/error.h"

namespace cannonade {
namespace {

constexpr int kUserMistake = 2;
constexpr int kBroken = 3;

std::string usage(std::string_view program, std::string_view purpose,
                  std::span<const Command> commands) {
  std::string text = fmt::format("{}: {}\n\n", program, purpose);
  for (const Command& command : commands) {
    text += fmt::format("  {} {:<10} {}\n", program, command.name, command.summary);
  }
  return text + fmt::format("\n{} COMMAND --help shows a command's options.\n", program);
}

int dispatch(std::string_view program, std::string_view purpose, std::span<const Command> commands,
             int argc, char** argv) {
  if (argc < 2) throw user_error(fmt::format("no command given (see {} --help)", program));
  const std::string_view word = argv[1];
  if (word == "--help" || word == "-h" || word == "help") {
    fmt::print("{}", usage(program, purpose, commands));
    return 0;
  }
  for (const Command& command : commands) {
    if (command.name == word) return command.run(argc - 1, argv + 1);
  }
  throw user_error(fmt::format("unknown command '{}' (see {} --help)", word, program));
}

}  // namespace

int run_program(std::string_view program, std::string_view purpose,
                std::span<const Command> commands, int argc, char** argv) noexcept {
  try {
    const int code = dispatch(program, purpose, commands, argc, argv);
    // What was reported must have arrived: a full disk behind a redirection is not a success.
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
      throw internal_error(
          fmt::format("cannot write to standard output: {}", std::strerror(errno)));
    }
    return code;
  } catch (const Error& error) {
    const bool user = error.kind() == ErrorKind::kUser;
    std::fflush(stdout);
    fmt::print(stderr, "{}: {}{}\n", program, user ? "" : "internal error: ", error.what());
    return user ? kUserMistake : kBroken;
  } catch (const std::exception& error) {
    std::fflush(stdout);
    fmt::print(stderr, "{}: internal error: {}\n", program, error.what());
    return kBroken;
  }
}

}  // namespace cannonade
