// One declaration an option: its name, default, range and help stand in one row, and everything
// else follows from the row: the key of a TOML file, the command-line option, the error messages,
// the printed reference, and the canonical text that a run's fingerprint is taken from.
//
// A struct of settings gets a function `void declare(SettingsTable& table, S& settings)` with a row
// for each field; the variable's value at that moment is the default. The table keeps references:
// the struct must outlive it.
#pragma once

#include <fmt/format.h>
#include <concepts>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/error.h"
#include "core/board/ruleset.h"

namespace cannonade {

using SettingValue = std::variant<bool, std::int64_t, double, std::string, std::vector<std::string>,
                                  std::vector<double>>;

// One row.
struct Setting {
  enum class Kind : std::uint8_t { kSwitch, kInteger, kReal, kText, kTexts, kNumbers };

  std::string key;
  Kind kind = Kind::kText;
  std::string allowed;  // in words: "0 to 200", "one of uniform, fixed"
  std::string help;
  // Takes a value of the row's kind; false, changing nothing, when it is not allowed. `complaint`
  // may be set to say more than `allowed` does.
  std::function<bool(const SettingValue&, std::string* complaint)> assign;
  std::function<std::optional<SettingValue>()> value;  // none: an optional one that was not given
  bool is_path = false;   // a relative one is taken from the folder of the file that names it
  bool needed = false;    // there is no default
  bool cosmetic = false;  // changes no game: left out of the canonical text
  bool given = false;     // set by a reader

  Setting& required() {
    needed = true;
    return *this;
  }
  Setting& not_fingerprinted() {
    cosmetic = true;
    return *this;
  }
};

class SettingsTable {
 public:
  // Where the table was read from; a reader sets it.
  std::filesystem::path file;

  // Rows. Ranges are inclusive.
  Setting& add(std::string key, bool& value, std::string help);
  Setting& add(std::string key, double& value, double low, double high, std::string help);
  Setting& add(std::string key, std::string& value, std::string help);
  Setting& add(std::string key, std::vector<std::string>& value, std::string help);
  Setting& add_path(std::string key, std::filesystem::path& value, std::string help);
  Setting& add_paths(std::string key, std::vector<std::filesystem::path>& values, std::string help);

  template <std::integral T>
  Setting& add(const std::string& key, T& value, std::type_identity_t<T> low,
               std::type_identity_t<T> high, const std::string& help) {
    return add_integer(
        key, checked(low), checked(high), help,
        [&value](std::int64_t x) { value = static_cast<T>(x); },
        [&value] { return std::optional<std::int64_t>(static_cast<std::int64_t>(value)); });
  }
  template <std::integral T>
  Setting& add(const std::string& key, std::optional<T>& value, std::type_identity_t<T> low,
               std::type_identity_t<T> high, const std::string& help) {
    return add_integer(
        key, checked(low), checked(high), help,
        [&value](std::int64_t x) { value = static_cast<T>(x); },
        [&value] {
          return value ? std::optional<std::int64_t>(static_cast<std::int64_t>(*value))
                       : std::nullopt;
        });
  }

  // A list of numbers without repeats, each `low` and so many steps; "300,1000" on a command line.
  // `step` must be exact in binary.
  template <class T>
  requires std::is_arithmetic_v<T> Setting& add_numbers(
      const std::string& key, std::vector<T>& values, std::type_identity_t<T> low,
      std::type_identity_t<T> high, std::type_identity_t<T> step, const std::string& help) {
    return add_number_list(
        key, static_cast<double>(low), static_cast<double>(high), static_cast<double>(step), help,
        [&values](const std::vector<double>& given) {
          values.clear();
          for (const double x : given) values.push_back(static_cast<T>(x));
        },
        [&values] { return std::vector<double>(values.begin(), values.end()); });
  }

  // A word for each value of an enumeration.
  template <class E>
  requires std::is_enum_v<E> Setting& add(
      const std::string& key, E& value, std::initializer_list<std::pair<std::string_view, E>> words,
      const std::string& help) {
    const std::vector<std::pair<std::string_view, E>> known(words);
    std::string allowed = "one of";
    for (const auto& [word, unused] : known) allowed += fmt::format(" {},", word);
    allowed.pop_back();
    return add_parsed(
        key, value,
        [known](std::string_view text) -> Expected<E> {
          for (const auto& [word, meaning] : known) {
            if (word == text) return meaning;
          }
          return Failure{""};
        },
        [known](const E& current) -> std::string {
          for (const auto& [word, meaning] : known) {
            if (meaning == current) return std::string(word);
          }
          return "";
        },
        std::move(allowed), help);
  }

  // Text that means something: `parse` gives the value or a Failure (an empty message leaves the
  // explanation to `allowed`); `print` is its inverse.
  template <class T>
  Setting& add_parsed(std::string key, T& value,
                      std::type_identity_t<std::function<Expected<T>(std::string_view)>> parse,
                      std::type_identity_t<std::function<std::string(const T&)>> print,
                      std::string allowed, std::string help) {
    Setting row;
    row.key = std::move(key);
    row.kind = Setting::Kind::kText;
    row.allowed = std::move(allowed);
    row.help = std::move(help);
    row.assign = [&value, parse](const SettingValue& given, std::string* complaint) {
      Expected<T> parsed = parse(std::get<std::string>(given));
      if (!parsed) {
        *complaint = parsed.error();
        return false;
      }
      value = std::move(*parsed);
      return true;
    };
    row.value = [&value, print] { return std::optional<SettingValue>(print(value)); };
    return push(std::move(row));
  }

  // The id or an accepted alias of a rule set.
  Setting& add(std::string key, Ruleset& value, std::string help);

  // A table of its own, declared by `declare(SettingsTable&, S&)`.
  template <class S>
  void add_table(std::string key, S& settings, std::string help) {
    auto table = std::make_unique<SettingsTable>();
    declare(*table, settings);
    children_.push_back({std::move(key), std::move(help), std::move(table)});
  }
  // Any number of tables of one kind ([[key]]), appended in the file's order.
  template <class S>
  void add_tables(std::string key, std::vector<S>& items, std::string help) {
    lists_.push_back({std::move(key), std::move(help),
                      [&items](const std::function<void(SettingsTable&)>& fill) {
                        S item;
                        SettingsTable table;
                        declare(table, item);
                        fill(table);
                        items.push_back(std::move(item));
                      },
                      [&items](const std::function<void(SettingsTable&)>& show) {
                        for (S& item : items) {
                          SettingsTable table;
                          declare(table, item);
                          show(table);
                        }
                      }});
  }
  // A table whose keys are not ours (an outside engine's options): plain values, kept as text.
  void add_free_table(std::string key, std::map<std::string, std::string>& values,
                      std::string help);

  // A condition over several rows, asked once all of them are read without a fault; it answers with
  // what is wrong.
  void check(std::function<std::optional<std::string>()> condition) {
    checks_.push_back(std::move(condition));
  }

  // For readers and writers.
  struct Child {
    std::string key;
    std::string help;
    std::unique_ptr<SettingsTable> table;
  };
  struct List {
    std::string key;
    std::string help;
    std::function<void(const std::function<void(SettingsTable&)>&)> append;
    std::function<void(const std::function<void(SettingsTable&)>&)> each;
  };
  struct FreeTable {
    std::string key;
    std::string help;
    std::map<std::string, std::string>* values;
  };
  [[nodiscard]] std::vector<std::unique_ptr<Setting>>& rows() { return rows_; }
  [[nodiscard]] const std::vector<std::unique_ptr<Setting>>& rows() const { return rows_; }
  [[nodiscard]] std::vector<Child>& children() { return children_; }
  [[nodiscard]] const std::vector<Child>& children() const { return children_; }
  [[nodiscard]] const std::vector<List>& lists() const { return lists_; }
  [[nodiscard]] const std::vector<FreeTable>& free_tables() const { return free_tables_; }
  [[nodiscard]] const std::vector<std::function<std::optional<std::string>()>>& checks() const {
    return checks_;
  }
  [[nodiscard]] Setting* find(std::string_view key);
  // Every key allowed here, in the order of declaration, for messages.
  [[nodiscard]] std::string known_keys() const;

 private:
  Setting& push(Setting row);
  Setting& add_integer(std::string key, std::int64_t low, std::int64_t high, std::string help,
                       std::function<void(std::int64_t)> set,
                       std::function<std::optional<std::int64_t>()> get);
  Setting& add_number_list(std::string key, double low, double high, double step, std::string help,
                           std::function<void(const std::vector<double>&)> set,
                           std::function<std::vector<double>()> get);
  template <std::integral T>
  static std::int64_t checked(T bound) {
    return std::cmp_greater(bound, std::numeric_limits<std::int64_t>::max())
               ? std::numeric_limits<std::int64_t>::max()
               : static_cast<std::int64_t>(bound);
  }

  std::vector<std::unique_ptr<Setting>> rows_;
  std::vector<Child> children_;
  std::vector<List> lists_;
  std::vector<FreeTable> free_tables_;
  std::vector<std::function<std::optional<std::string>()>> checks_;
};

// Reads a TOML file into the variables. All faults are gathered; then one user error is thrown with
// a line for each: file, line, key with its path, what was given, what is allowed.
void read_toml(const std::filesystem::path& file, SettingsTable& table);
// The same from text; `name` stands for the file in messages.
void read_toml_text(std::string_view text, const std::filesystem::path& name, SettingsTable& table);

// Reads `text` as a value of the row's kind and assigns it. What is wrong, as "given; allowed";
// nothing when it was taken.
[[nodiscard]] std::optional<std::string> assign_text(Setting& row, std::string_view text);

// "whole number, 1 to 20", "yes or no", ...
[[nodiscard]] std::string allowed_text(const Setting& row);
// A value as TOML writes it.
[[nodiscard]] std::string toml_text(const SettingValue& value);

// `path.key = value`, a line for each row that decides what games are played, in the order of
// declaration.
[[nodiscard]] std::string canonical_text(const SettingsTable& table);
// A commented TOML file of all keys with their current values.
[[nodiscard]] std::string reference_text(const SettingsTable& table);

}  // namespace cannonade
