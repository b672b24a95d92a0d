// A command's options, declared as rows of a SettingsTable (selfplay/settings.h) and parsed by
// cxxopts. A row `hash_mb` becomes `--hash-mb`.
//
// This and selfplay/program.h are the programs' shared front: the only part of the library that
// prints, and only help.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "selfplay/settings.h"

namespace cannonade {

class CommandLine {
 public:
  // "selfplay perft", what it does in a sentence, and a line to copy.
  CommandLine(std::string command, std::string purpose, std::string example)
      : command_(std::move(command)), purpose_(std::move(purpose)), example_(std::move(example)) {}

  // Rows that belong to the command line alone.
  [[nodiscard]] SettingsTable& options() { return own_; }
  // Rows of a settings struct; the option named `config` (if there is one) fills the whole table,
  // sub-tables included, from a file before options given on the command line override it.
  void add(SettingsTable& settings) { shared_ = &settings; }
  // Words without a dash; `name` is how the help calls them.
  void add_operands(std::string name, std::vector<std::string>& words, std::size_t at_least = 0);

  // Reads the words after the command's name (argv[0]). False when help was asked for (or, with
  // --show-settings, the reference of the settings file), and printed.
  // Throws a user error, one line that names the option, for anything not allowed.
  [[nodiscard]] bool parse(int argc, const char* const* argv);

 private:
  [[nodiscard]] std::vector<Setting*> rows();

  std::string command_;
  std::string purpose_;
  std::string example_;
  SettingsTable own_;
  SettingsTable* shared_ = nullptr;
  std::vector<std::string>* operands_ = nullptr;
  std::string operands_name_;
  std::size_t least_operands_ = 0;
};

// The words as a shell would take them: for showing a command that can be copied.
[[nodiscard]] std::string shell_words(int argc, const char* const* argv);

// A number of worker threads: 0 means as many as there are cores.
[[nodiscard]] int resolve_threads(int asked);

}  // namespace cannonade
