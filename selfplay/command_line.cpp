#include "selfplay/command_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cxxopts.hpp>
#include <thread>

namespace cannonade {
namespace {

constexpr const char* kOperands = "operand-words";
constexpr const char* kShowSettings = "show-settings";

std::string option_name(const Setting& row) {
  std::string name = row.key;
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

std::string option_help(const Setting& row) {
  std::string text = row.help;
  std::vector<std::string> notes;
  if (row.kind != Setting::Kind::kSwitch && !row.allowed.empty()) notes.push_back(row.allowed);
  const auto value = row.value();
  if (row.needed) {
    notes.emplace_back("required");
  } else if (value && row.kind != Setting::Kind::kSwitch && row.kind != Setting::Kind::kTexts) {
    const auto* words = std::get_if<std::string>(&*value);
    const std::string shown = words != nullptr ? *words : toml_text(*value);
    if (!shown.empty()) notes.push_back("default " + shown);
  }
  if (!notes.empty()) text += fmt::format(" ({})", fmt::join(notes, "; "));
  return text;
}

// cxxopts knows one-letter names with one dash only: `--a X` and `--a=X` become `-a X`.
std::vector<std::string> with_short_names(int argc, const char* const* argv,
                                          const std::vector<Setting*>& rows) {
  std::vector<std::string> words;
  for (int i = 0; i < argc; ++i) {
    const std::string word = argv[i];
    const bool ours = std::any_of(rows.begin(), rows.end(), [&](const Setting* row) {
      return row->key.size() == 1 && word.starts_with("--" + row->key) &&
             (word.size() == 3 || word[3] == '=');
    });
    if (!ours) {
      words.push_back(word);
      continue;
    }
    words.push_back(word.substr(1, 2));
    if (word.size() > 3) words.push_back(word.substr(4));
  }
  return words;
}

// And shows them so in its help.
std::string with_long_names(std::string help, const std::vector<Setting*>& rows) {
  for (const Setting* row : rows) {
    if (row->key.size() != 1) continue;
    const std::string theirs = fmt::format("\n  -{} X     ", row->key);
    const std::size_t at = help.find(theirs);
    if (at != std::string::npos)
      help.replace(at, theirs.size(), fmt::format("\n      --{} X", row->key));
  }
  return help;
}

// cxxopts quotes in typographic marks; every other message of ours uses plain ones.
std::string plain_quotes(std::string text) {
  for (const char* mark : {"\u2018", "\u2019"}) {
    const std::string_view bytes = mark;
    for (std::size_t at; (at = text.find(bytes)) != std::string::npos;) {
      text.replace(at, bytes.size(), "'");
    }
  }
  return text;
}

}  // namespace

void CommandLine::add_operands(std::string name, std::vector<std::string>& words,
                               std::size_t at_least) {
  operands_name_ = std::move(name);
  operands_ = &words;
  least_operands_ = at_least;
}

std::vector<Setting*> CommandLine::rows() {
  std::vector<Setting*> all;
  for (const auto& row : own_.rows()) all.push_back(row.get());
  if (shared_ != nullptr) {
    for (const auto& row : shared_->rows()) {
      if (own_.find(row->key) == nullptr) all.push_back(row.get());
    }
  }
  return all;
}

bool CommandLine::parse(int argc, const char* const* argv) {
  const std::vector<Setting*> all = rows();
  cxxopts::Options options(command_, purpose_ + "\nExample: " + example_ + "\n");
  options.custom_help("[OPTIONS]");
  options.set_width(100);
  for (const Setting* row : all) {
    if (row->kind == Setting::Kind::kSwitch) {
      options.add_options()(option_name(*row), option_help(*row), cxxopts::value<bool>());
    } else {
      options.add_options()(option_name(*row), option_help(*row), cxxopts::value<std::string>(),
                            "X");
    }
  }
  if (shared_ != nullptr) {
    options.add_options()(kShowSettings, "print a settings file with every key and its default",
                          cxxopts::value<bool>());
  }
  options.add_options()("help", "show this", cxxopts::value<bool>());
  if (operands_ != nullptr) {
    options.add_options("hidden")(kOperands, "", cxxopts::value<std::vector<std::string>>());
    options.parse_positional({kOperands});
    options.positional_help(operands_name_);
  }
  // The program's name stands before every message already.
  const std::string name_of_command = command_.substr(command_.find(' ') + 1);
  const auto refuse = [&](const std::string& what) {
    return user_error(fmt::format("{}: {} (see {} --help)", name_of_command, what, command_));
  };
  cxxopts::ParseResult result;
  try {
    const std::vector<std::string> words = with_short_names(argc, argv, all);
    std::vector<const char*> pointers;
    pointers.reserve(words.size());
    for (const std::string& word : words) pointers.push_back(word.c_str());
    result = options.parse(static_cast<int>(pointers.size()), pointers.data());
  } catch (const cxxopts::exceptions::no_such_option& fault) {
    std::vector<std::string> known;
    known.reserve(all.size());
    for (const Setting* row : all) known.push_back("--" + option_name(*row));
    throw refuse(
        fmt::format("{}; allowed: {}", plain_quotes(fault.what()), fmt::join(known, ", ")));
  } catch (const cxxopts::exceptions::exception& fault) {
    throw refuse(plain_quotes(fault.what()));
  }
  if (result.count("help") != 0) {
    fmt::print("{}", with_long_names(options.help({""}), all));
    return false;
  }
  if (shared_ != nullptr && result.count(kShowSettings) != 0) {
    fmt::print("{}", reference_text(*shared_));
    return false;
  }

  std::vector<std::string> words = result.unmatched();
  for (const auto& argument : result.arguments()) {
    if (argument.key() == kOperands) words.push_back(argument.value());
  }
  if (operands_ == nullptr && !words.empty()) {
    throw refuse(fmt::format("unexpected word '{}'", words.front()));
  }
  if (operands_ != nullptr) {
    if (words.size() < least_operands_) throw refuse(fmt::format("missing {}", operands_name_));
    *operands_ = words;
  }

  if (shared_ != nullptr && own_.find("config") != nullptr) {
    for (const auto& argument : result.arguments()) {
      if (argument.key() == "config") read_toml(argument.value(), *shared_);
    }
  }
  for (Setting* row : all) {
    const std::string name = option_name(*row);
    std::vector<std::string> values;
    for (const auto& argument : result.arguments()) {
      if (argument.key() == name) values.push_back(argument.value());
    }
    if (values.empty()) {
      if (row->needed && !row->given) throw refuse(fmt::format("missing option --{}", name));
      continue;
    }
    if (row->kind == Setting::Kind::kTexts) {
      std::string complaint;
      if (!row->assign(values, &complaint)) throw refuse(fmt::format("--{}: {}", name, complaint));
      row->given = true;
      continue;
    }
    if (values.size() > 1) throw refuse(fmt::format("--{} is given {} times", name, values.size()));
    if (const auto fault = assign_text(*row, values.front())) {
      throw user_error(fmt::format("{}: --{}: {}", name_of_command, name, *fault));
    }
  }
  if (shared_ != nullptr) {
    for (const auto& check : shared_->checks()) {
      if (const auto complaint = check()) {
        throw user_error(fmt::format("{}: {}", name_of_command, *complaint));
      }
    }
  }
  return true;
}

std::string shell_words(int argc, const char* const* argv) {
  std::vector<std::string> words;
  for (int i = 0; i < argc; ++i) {
    const std::string word = argv[i];
    const bool plain =
        !word.empty() && word.find_first_not_of(
                             "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                             "_@%+=:,./-") == std::string::npos;
    std::string quoted = "'";
    for (const char c : word) {
      if (c == '\'') {
        quoted += "'\\''";
      } else {
        quoted += c;
      }
    }
    words.push_back(plain ? word : quoted + "'");
  }
  return fmt::format("{}", fmt::join(words, " "));
}

int resolve_threads(int asked) {
  if (asked > 0) return asked;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace cannonade
