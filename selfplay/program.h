// What a program's main does: find the command, run it, and tell a user's mistake (exit 2) from a
// bug or a broken machine (exit 3), each in one line on standard error.
#pragma once

#include <span>
#include <string_view>

namespace cannonade {

struct Command {
  std::string_view name;
  std::string_view summary;
  // Gets the words from its own name on; returns the exit code.
  int (*run)(int argc, char** argv);
};

[[nodiscard]] int run_program(std::string_view program, std::string_view purpose,
                              std::span<const Command> commands, int argc, char** argv) noexcept;

}  // namespace cannonade
