#include "selfplay/settings.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>

namespace cannonade {
namespace {

template <class T>
bool parse_number(std::string_view text, T* number) {
  const char* end = text.data() + text.size();
  const auto [stop, fault] = std::from_chars(text.data(), end, *number);
  return fault == std::errc() && stop == end;
}

// "300,1000"; nothing between commas is no number, nothing at all is an empty list.
std::optional<SettingValue> parse_numbers(std::string_view text) {
  std::vector<double> numbers;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    double number = 0;
    if (!parse_number(text.substr(0, end), &number)) return std::nullopt;
    numbers.push_back(number);
    text.remove_prefix(end);
    if (text == ",") return std::nullopt;
    if (!text.empty()) text.remove_prefix(1);
  }
  return numbers;
}

std::string in_quotes(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (byte < 0x20 || byte == 0x7F) {
      result += fmt::format("\\u{:04X}", byte);
    } else {
      result += c;
    }
  }
  return result + '"';
}

void write_canonical(const SettingsTable& table, const std::string& path, std::string* text) {
  for (const auto& row : table.rows()) {
    if (row->cosmetic) continue;
    if (const auto value = row->value()) {
      *text += fmt::format("{}{} = {}\n", path, row->key, toml_text(*value));
    }
  }
  for (const auto& child : table.children()) {
    write_canonical(*child.table, path + child.key + ".", text);
  }
  for (const auto& list : table.lists()) {
    std::size_t index = 0;
    list.each([&](SettingsTable& item) {
      write_canonical(item, fmt::format("{}{}[{}].", path, list.key, index++), text);
    });
  }
  for (const auto& free : table.free_tables()) {
    for (const auto& [key, value] : *free.values) {
      *text += fmt::format("{}{}.{} = {}\n", path, free.key, in_quotes(key), in_quotes(value));
    }
  }
}

void write_reference(const SettingsTable& table, const std::string& path, std::string* text) {
  for (const auto& row : table.rows()) {
    *text += fmt::format("# {} ({})\n", row->help, allowed_text(*row));
    const auto value = row->value();
    const bool no_path = row->is_path && value == SettingValue(std::string());
    if (value && !row->needed && !no_path) {
      *text += fmt::format("{} = {}\n", row->key, toml_text(*value));
    } else {
      *text += fmt::format("# {} = ...\n", row->key);
    }
  }
  for (const auto& child : table.children()) {
    *text += fmt::format("\n# {}\n[{}{}]\n", child.help, path, child.key);
    write_reference(*child.table, path + child.key + ".", text);
  }
  for (const auto& list : table.lists()) {
    bool any = false;
    list.each([&](SettingsTable& item) {
      any = true;
      *text += fmt::format("\n# {}\n[[{}{}]]\n", list.help, path, list.key);
      write_reference(item, path + list.key + ".", text);
    });
    if (!any) *text += fmt::format("\n# {}\n# [[{}{}]]\n", list.help, path, list.key);
  }
  for (const auto& free : table.free_tables()) {
    *text += fmt::format("\n# {} (any keys)\n[{}{}]\n", free.help, path, free.key);
    for (const auto& [key, value] : *free.values) {
      *text += fmt::format("{} = {}\n", in_quotes(key), in_quotes(value));
    }
  }
}

}  // namespace

Setting& SettingsTable::push(Setting row) {
  assert(find(row.key) == nullptr);
  rows_.push_back(std::make_unique<Setting>(std::move(row)));
  return *rows_.back();
}

Setting& SettingsTable::add(std::string key, bool& value, std::string help) {
  Setting row;
  row.key = std::move(key);
  row.kind = Setting::Kind::kSwitch;
  row.help = std::move(help);
  row.assign = [&value](const SettingValue& given, std::string* /*complaint*/) {
    value = std::get<bool>(given);
    return true;
  };
  row.value = [&value] { return std::optional<SettingValue>(value); };
  return push(std::move(row));
}

Setting& SettingsTable::add_integer(std::string key, std::int64_t low, std::int64_t high,
                                    std::string help, std::function<void(std::int64_t)> set,
                                    std::function<std::optional<std::int64_t>()> get) {
  Setting row;
  row.key = std::move(key);
  row.kind = Setting::Kind::kInteger;
  row.allowed = fmt::format("{} to {}", low, high);
  row.help = std::move(help);
  row.assign = [low, high, set = std::move(set)](const SettingValue& given,
                                                 std::string* /*complaint*/) {
    const std::int64_t number = std::get<std::int64_t>(given);
    if (number < low || number > high) return false;
    set(number);
    return true;
  };
  row.value = [get = std::move(get)]() -> std::optional<SettingValue> {
    const auto number = get();
    return number ? std::optional<SettingValue>(*number) : std::nullopt;
  };
  return push(std::move(row));
}

Setting& SettingsTable::add(std::string key, double& value, double low, double high,
                            std::string help) {
  Setting row;
  row.key = std::move(key);
  row.kind = Setting::Kind::kReal;
  row.allowed = fmt::format("{} to {}", low, high);
  row.help = std::move(help);
  row.assign = [&value, low, high](const SettingValue& given, std::string* /*complaint*/) {
    const double number = std::get<double>(given);
    if (!(number >= low && number <= high)) return false;  // a nan is neither
    value = number;
    return true;
  };
  row.value = [&value] { return std::optional<SettingValue>(value); };
  return push(std::move(row));
}

Setting& SettingsTable::add(std::string key, std::string& value, std::string help) {
  Setting row;
  row.key = std::move(key);
  row.kind = Setting::Kind::kText;
  row.help = std::move(help);
  row.assign = [&value](const SettingValue& given, std::string* /*complaint*/) {
    value = std::get<std::string>(given);
    return true;
  };
  row.value = [&value] { return std::optional<SettingValue>(value); };
  return push(std::move(row));
}

Setting& SettingsTable::add(std::string key, std::vector<std::string>& value, std::string help) {
  Setting row;
  row.key = std::move(key);
  row.kind = Setting::Kind::kTexts;
  row.help = std::move(help);
  row.assign = [&value](const SettingValue& given, std::string* /*complaint*/) {
    value = std::get<std::vector<std::string>>(given);
    return true;
  };
  row.value = [&value] { return std::optional<SettingValue>(value); };
  return push(std::move(row));
}

Setting& SettingsTable::add(std::string key, Ruleset& value, std::string help) {
  std::vector<std::string> known;
  for (const Ruleset& rules : rulesets()) known.push_back(rules.id);
  return add_parsed<Ruleset>(
      std::move(key), value,
      [](std::string_view text) -> Expected<Ruleset> {
        Expected<Ruleset> rules = find_ruleset(text);
        if (!rules) return Failure{""};
        return rules;
      },
      [](const Ruleset& rules) { return rules.id; },
      fmt::format("one of {}", fmt::join(known, ", ")), std::move(help));
}

Setting& SettingsTable::add_path(std::string key, std::filesystem::path& value, std::string help) {
  Setting row;
  row.key = std::move(key);
  row.kind = Setting::Kind::kText;
  row.allowed = "a path";
  row.help = std::move(help);
  row.is_path = true;
  row.cosmetic = true;  // what a file holds decides, not where it lies
  row.assign = [&value](const SettingValue& given, std::string* /*complaint*/) {
    value = std::get<std::string>(given);
    return !value.empty();
  };
  row.value = [&value] { return std::optional<SettingValue>(value.string()); };
  return push(std::move(row));
}

Setting& SettingsTable::add_paths(std::string key, std::vector<std::filesystem::path>& values,
                                  std::string help) {
  Setting row;
  row.key = std::move(key);
  row.kind = Setting::Kind::kTexts;
  row.allowed = "a path or a list of paths";
  row.help = std::move(help);
  row.is_path = true;
  row.cosmetic = true;
  row.assign = [&values](const SettingValue& given, std::string* /*complaint*/) {
    const auto& texts = std::get<std::vector<std::string>>(given);
    for (const std::string& text : texts) {
      if (text.empty()) return false;
    }
    values.assign(texts.begin(), texts.end());
    return true;
  };
  row.value = [&values] {
    std::vector<std::string> texts;
    texts.reserve(values.size());
    for (const std::filesystem::path& path : values) texts.push_back(path.string());
    return std::optional<SettingValue>(texts);
  };
  return push(std::move(row));
}

Setting& SettingsTable::add_number_list(std::string key, double low, double high, double step,
                                        std::string help,
                                        std::function<void(const std::vector<double>&)> set,
                                        std::function<std::vector<double>()> get) {
  Setting row;
  row.key = std::move(key);
  row.kind = Setting::Kind::kNumbers;
  row.allowed = fmt::format("each {} to {} in steps of {}, none twice", low, high, step);
  row.help = std::move(help);
  row.assign = [low, high, step, set = std::move(set)](const SettingValue& given,
                                                       std::string* /*complaint*/) {
    const auto& numbers = std::get<std::vector<double>>(given);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const double steps = (numbers[i] - low) / step;
      if (!(numbers[i] >= low && numbers[i] <= high) || steps != std::floor(steps)) return false;
      if (std::find(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(i),
                    numbers[i]) != numbers.begin() + static_cast<std::ptrdiff_t>(i)) {
        return false;
      }
    }
    set(numbers);
    return true;
  };
  row.value = [get = std::move(get)] { return std::optional<SettingValue>(get()); };
  return push(std::move(row));
}

void SettingsTable::add_free_table(std::string key, std::map<std::string, std::string>& values,
                                   std::string help) {
  free_tables_.push_back({std::move(key), std::move(help), &values});
}

Setting* SettingsTable::find(std::string_view key) {
  for (const auto& row : rows_) {
    if (row->key == key) return row.get();
  }
  return nullptr;
}

std::string SettingsTable::known_keys() const {
  std::vector<std::string_view> keys;
  for (const auto& row : rows_) keys.push_back(row->key);
  for (const auto& child : children_) keys.push_back(child.key);
  for (const auto& list : lists_) keys.push_back(list.key);
  for (const auto& free : free_tables_) keys.push_back(free.key);
  return fmt::format("{}", fmt::join(keys, ", "));
}

std::string allowed_text(const Setting& row) {
  switch (row.kind) {
    case Setting::Kind::kSwitch:
      return "true or false";
    case Setting::Kind::kInteger:
      return "whole number, " + row.allowed;
    case Setting::Kind::kReal:
      return "number, " + row.allowed;
    case Setting::Kind::kText:
      return row.allowed.empty() ? "text" : row.allowed;
    case Setting::Kind::kTexts:
      return row.allowed.empty() ? "list of texts" : row.allowed;
    case Setting::Kind::kNumbers:
      return "list of numbers, " + row.allowed;
  }
  return {};
}

std::string toml_text(const SettingValue& value) {
  struct Writer {
    std::string operator()(bool x) const { return x ? "true" : "false"; }
    std::string operator()(std::int64_t x) const { return fmt::format("{}", x); }
    std::string operator()(double x) const {
      std::string text = fmt::format("{}", x);
      if (std::isfinite(x) && text.find_first_of(".e") == std::string::npos) text += ".0";
      return text;
    }
    std::string operator()(const std::string& x) const { return in_quotes(x); }
    std::string operator()(const std::vector<std::string>& x) const {
      std::vector<std::string> items;
      items.reserve(x.size());
      for (const std::string& item : x) items.push_back(in_quotes(item));
      return fmt::format("[{}]", fmt::join(items, ", "));
    }
    std::string operator()(const std::vector<double>& x) const {
      return fmt::format("[{}]", fmt::join(x, ", "));
    }
  };
  return std::visit(Writer{}, value);
}

std::optional<std::string> assign_text(Setting& row, std::string_view text) {
  std::optional<SettingValue> value;
  std::int64_t whole = 0;
  double real = 0;
  switch (row.kind) {
    case Setting::Kind::kSwitch:
      if (text == "true") value = true;
      if (text == "false") value = false;
      break;
    case Setting::Kind::kInteger:
      if (parse_number(text, &whole)) value = whole;
      break;
    case Setting::Kind::kReal:
      if (parse_number(text, &real)) value = real;
      break;
    case Setting::Kind::kText:
      value = std::string(text);
      break;
    case Setting::Kind::kTexts:
      value = std::vector<std::string>{std::string(text)};
      break;
    case Setting::Kind::kNumbers:
      value = parse_numbers(text);
      break;
  }
  std::string complaint;
  if (!value || !row.assign(*value, &complaint)) {
    return fmt::format("'{}' given; {}", text,
                       complaint.empty() ? "allowed: " + allowed_text(row) : complaint);
  }
  row.given = true;
  return std::nullopt;
}

std::string canonical_text(const SettingsTable& table) {
  std::string text;
  write_canonical(table, "", &text);
  return text;
}

std::string reference_text(const SettingsTable& table) {
  std::string text;
  write_reference(table, "", &text);
  return text;
}

}  // namespace cannonade
