// The options that a program offers over UCI or UCCI: one row an option, from which its
// declaration, the check of a given value and the error message follow.
//
// The table keeps references: the variables must outlive it. A row's `changed` runs after its
// variable was set; when it throws, the variable has its old value again and the exception's text
// is the complaint.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "selfplay/engine_config.h"

namespace cannonade {

// How an option is called in either protocol; empty where it is not offered.
struct UciOptionName {
  std::string uci;
  std::string ucci;
};

class UciOptions {
 public:
  using Changed = std::function<void()>;

  void add_check(UciOptionName name, bool& value, Changed changed = {});
  void add_spin(UciOptionName name, int& value, int low, int high, Changed changed = {});
  void add_combo(UciOptionName name, std::string& value, std::vector<std::string> choices,
                 Changed changed = {});
  void add_string(UciOptionName name, std::string& value, Changed changed = {});
  void add_button(UciOptionName name, Changed pressed);

  // The handshake's lines, defaults being the variables' values when they were added.
  [[nodiscard]] std::vector<std::string> declarations(Protocol protocol) const;

  // What is wrong, in one line; nothing when the value was taken. Names and the words of checks and
  // combos may be written in either case.
  [[nodiscard]] std::optional<std::string> set(Protocol protocol, std::string_view name,
                                               std::string_view value);

 private:
  struct Row {
    UciOptionName name;
    std::string type;                             // with its range, as a declaration has it
    std::string initial;                          // none for a button
    std::string allowed;                          // in words
    std::function<bool(std::string_view)> take;   // false when the value is not allowed
    std::function<std::function<void()>()> keep;  // what brings the present value back
    Changed changed;
  };
  template <class T>
  void push(Row row, T& value);

  std::vector<Row> rows_;
};

}  // namespace cannonade
