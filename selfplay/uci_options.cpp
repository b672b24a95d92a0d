#include "selfplay/uci_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <new>
#include <utility>

#include "core/base/error.h"
#include "core/notation/text.h"

namespace cannonade {
namespace {

// The protocol's word for an empty string.
constexpr std::string_view kEmpty = "<empty>";

const std::string& name_in(const UciOptionName& name, Protocol protocol) {
  return protocol == Protocol::kUci ? name.uci : name.ucci;
}

}  // namespace

template <class T>
void UciOptions::push(Row row, T& value) {
  row.keep = [&value]() -> std::function<void()> { return [&value, old = value] { value = old; }; };
  rows_.push_back(std::move(row));
}

void UciOptions::add_check(UciOptionName name, bool& value, Changed changed) {
  Row row;
  row.name = std::move(name);
  row.type = "check";
  row.initial = value ? "true" : "false";
  row.allowed = "true or false";
  row.take = [&value](std::string_view text) {
    const std::string word = to_lower(text);
    const bool yes = word == "true" || word == "on";
    if (!yes && word != "false" && word != "off") return false;
    value = yes;
    return true;
  };
  row.changed = std::move(changed);
  push(std::move(row), value);
}

void UciOptions::add_spin(UciOptionName name, int& value, int low, int high, Changed changed) {
  Row row;
  row.name = std::move(name);
  row.type = fmt::format("spin min {} max {}", low, high);
  row.initial = fmt::format("{}", value);
  row.allowed = fmt::format("whole number, {} to {}", low, high);
  row.take = [&value, low, high](std::string_view text) {
    int number = 0;
    const char* end = text.data() + text.size();
    const auto [stop, fault] = std::from_chars(text.data(), end, number);
    if (fault != std::errc() || stop != end || number < low || number > high) return false;
    value = number;
    return true;
  };
  row.changed = std::move(changed);
  push(std::move(row), value);
}

void UciOptions::add_combo(UciOptionName name, std::string& value, std::vector<std::string> choices,
                           Changed changed) {
  Row row;
  row.name = std::move(name);
  row.type = "combo";
  for (const std::string& choice : choices) row.type += " var " + choice;
  row.initial = value;
  row.allowed = fmt::format("one of {}", fmt::join(choices, ", "));
  row.take = [&value, choices = std::move(choices)](std::string_view text) {
    const auto found = std::find_if(choices.begin(), choices.end(), [&](const std::string& choice) {
      return to_lower(choice) == to_lower(text);
    });
    if (found == choices.end()) return false;
    value = *found;
    return true;
  };
  row.changed = std::move(changed);
  push(std::move(row), value);
}

void UciOptions::add_string(UciOptionName name, std::string& value, Changed changed) {
  Row row;
  row.name = std::move(name);
  row.type = "string";
  row.initial = value.empty() ? std::string(kEmpty) : value;
  row.allowed = "text";
  row.take = [&value](std::string_view text) {
    value = text == kEmpty ? std::string_view() : text;
    return true;
  };
  row.changed = std::move(changed);
  push(std::move(row), value);
}

void UciOptions::add_button(UciOptionName name, Changed pressed) {
  Row row;
  row.name = std::move(name);
  row.type = "button";
  row.take = [](std::string_view /*text*/) { return true; };
  row.keep = [] { return std::function<void()>([] {}); };
  row.changed = std::move(pressed);
  rows_.push_back(std::move(row));
}

std::vector<std::string> UciOptions::declarations(Protocol protocol) const {
  std::vector<std::string> lines;
  for (const Row& row : rows_) {
    const std::string& name = name_in(row.name, protocol);
    if (name.empty()) continue;
    lines.push_back(fmt::format("option {}{} type {}{}", protocol == Protocol::kUci ? "name " : "",
                                name, row.type,
                                row.initial.empty() ? "" : " default " + row.initial));
  }
  return lines;
}

std::optional<std::string> UciOptions::set(Protocol protocol, std::string_view name,
                                           std::string_view value) {
  const auto found = std::find_if(rows_.begin(), rows_.end(), [&](const Row& row) {
    const std::string& known = name_in(row.name, protocol);
    return !known.empty() && to_lower(known) == to_lower(name);
  });
  if (found == rows_.end()) {
    std::vector<std::string> known;
    for (const Row& row : rows_) {
      if (!name_in(row.name, protocol).empty()) known.push_back(name_in(row.name, protocol));
    }
    return fmt::format("no option '{}'; known are {}", shown(name), fmt::join(known, ", "));
  }
  const std::string called = name_in(found->name, protocol);
  const std::function<void()> restore = found->keep();
  if (!found->take(value)) {
    return fmt::format("option {}: '{}' given; allowed: {}", called, shown(value), found->allowed);
  }
  if (!found->changed) return std::nullopt;
  try {
    found->changed();
  } catch (const Error& fault) {
    if (fault.kind() != ErrorKind::kUser) throw;
    restore();
    return fmt::format("option {}: {}", called, fault.what());
  } catch (const std::bad_alloc&) {
    restore();
    return fmt::format("option {}: there is not enough memory", called);
  }
  return std::nullopt;
}

}  // namespace cannonade
