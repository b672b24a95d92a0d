// Reading TOML files into settings (toml++ parses; this finds the rows and words the faults).
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <set>

#include "core/base/files.h"
#include "selfplay/settings.h"

namespace cannonade {
namespace {

// A settings file is written by a person; more than this is not one.
constexpr std::size_t kMaxSettingsBytes = 1 << 20;

std::string kind_name(const toml::node& node) {
  if (node.is_table()) return "a table";
  if (node.is_array()) return "a list";
  if (node.is_string()) return "a text";
  if (node.is_integer()) return "a whole number";
  if (node.is_floating_point()) return "a number";
  if (node.is_boolean()) return "true or false";
  return "a date or time";
}

std::string shown(const toml::node& node) {
  if (const auto* text = node.as_string()) return toml_text(text->get());
  if (const auto* whole = node.as_integer()) return toml_text(whole->get());
  if (const auto* real = node.as_floating_point()) return toml_text(real->get());
  if (const auto* truth = node.as_boolean()) return toml_text(truth->get());
  return kind_name(node);
}

std::optional<SettingValue> value_of(const toml::node& node, Setting::Kind kind) {
  switch (kind) {
    case Setting::Kind::kSwitch:
      if (const auto* truth = node.as_boolean()) return truth->get();
      break;
    case Setting::Kind::kInteger:
      if (const auto* whole = node.as_integer()) return whole->get();
      break;
    case Setting::Kind::kReal:
      if (const auto* real = node.as_floating_point()) return real->get();
      if (const auto* whole = node.as_integer()) return static_cast<double>(whole->get());
      break;
    case Setting::Kind::kText:
      if (const auto* text = node.as_string()) return text->get();
      break;
    case Setting::Kind::kTexts:
      if (const auto* text = node.as_string()) return std::vector<std::string>{text->get()};
      if (const auto* list = node.as_array()) {
        std::vector<std::string> texts;
        for (const toml::node& item : *list) {
          const auto* text = item.as_string();
          if (text == nullptr) return std::nullopt;
          texts.push_back(text->get());
        }
        return texts;
      }
      break;
    case Setting::Kind::kNumbers:
      if (const auto* list = node.as_array()) {
        std::vector<double> numbers;
        for (const toml::node& item : *list) {
          const auto number = value_of(item, Setting::Kind::kReal);
          if (!number) return std::nullopt;
          numbers.push_back(std::get<double>(*number));
        }
        return numbers;
      }
      break;
  }
  return std::nullopt;
}

class Reader {
 public:
  explicit Reader(std::filesystem::path file) : file_(std::move(file)) {}

  void read(const toml::table& from, SettingsTable& into, const std::string& path) {
    const std::size_t faults_before = faults_.size();
    into.file = file_;
    std::set<std::string_view> known;
    for (const auto& row : into.rows()) {
      known.insert(row->key);
      if (const toml::node* node = from.get(row->key)) {
        take(*node, *row, path);
      } else if (row->needed) {
        fault(from, path + row->key, fmt::format("missing; allowed: {}", allowed_text(*row)));
      }
    }
    for (const auto& child : into.children()) {
      known.insert(child.key);
      const toml::node* node = from.get(child.key);
      if (node == nullptr) continue;
      if (const toml::table* table = node->as_table()) {
        read(*table, *child.table, path + child.key + ".");
      } else {
        wrong_kind(*node, path + child.key, "a table");
      }
    }
    for (const auto& list : into.lists()) {
      known.insert(list.key);
      if (const toml::node* node = from.get(list.key)) read_list(*node, list, path + list.key);
    }
    for (const auto& free : into.free_tables()) {
      known.insert(free.key);
      if (const toml::node* node = from.get(free.key)) read_free(*node, free, path + free.key);
    }
    for (const auto& [key, node] : from) {
      if (!known.contains(key.str())) {
        fault(key.source(), path + std::string(key.str()),
              fmt::format("unknown key; allowed here: {}", into.known_keys()));
      }
    }
    if (faults_.size() != faults_before) return;
    for (const auto& check : into.checks()) {
      if (const auto complaint = check()) fault(from, path, *complaint);
    }
  }

  void finish() const {
    if (!faults_.empty()) throw user_error(fmt::format("{}", fmt::join(faults_, "\n")));
  }

 private:
  void take(const toml::node& node, Setting& row, const std::string& path) {
    auto value = value_of(node, row.kind);
    if (!value) {
      wrong_kind(node, path + row.key, allowed_text(row));
      return;
    }
    if (row.is_path) {
      const auto from_here = [this](std::string& text) {
        if (!text.empty()) text = (file_.parent_path() / text).lexically_normal().string();
      };
      if (auto* text = std::get_if<std::string>(&*value)) from_here(*text);
      if (auto* texts = std::get_if<std::vector<std::string>>(&*value)) {
        for (std::string& text : *texts) from_here(text);
      }
    }
    std::string complaint;
    if (!row.assign(*value, &complaint)) {
      fault(node, path + row.key,
            fmt::format("{} given; {}",
                        row.kind == Setting::Kind::kNumbers ? toml_text(*value) : shown(node),
                        complaint.empty() ? "allowed: " + allowed_text(row) : complaint));
      return;
    }
    row.given = true;
  }

  void read_list(const toml::node& node, const SettingsTable::List& list, const std::string& path) {
    const toml::array* items = node.as_array();
    if (items == nullptr) {
      wrong_kind(node, path, "a list of tables");
      return;
    }
    std::size_t index = 0;
    for (const toml::node& item : *items) {
      const std::string item_path = fmt::format("{}[{}]", path, index++);
      if (const toml::table* table = item.as_table()) {
        list.append([&](SettingsTable& into) { read(*table, into, item_path + "."); });
      } else {
        wrong_kind(item, item_path, "a table");
      }
    }
  }

  void read_free(const toml::node& node, const SettingsTable::FreeTable& free,
                 const std::string& path) {
    const toml::table* table = node.as_table();
    if (table == nullptr) {
      wrong_kind(node, path, "a table");
      return;
    }
    for (const auto& [key, value] : *table) {
      const std::string name(key.str());
      if (const auto* text = value.as_string()) {
        (*free.values)[name] = text->get();
      } else if (value.is_table() || value.is_array() || value.is_date() || value.is_time() ||
                 value.is_date_time()) {
        wrong_kind(value, fmt::format("{}.{}", path, name), "a text, a number, true or false");
      } else {
        (*free.values)[name] = shown(value);
      }
    }
  }

  void wrong_kind(const toml::node& node, const std::string& key, const std::string& allowed) {
    const std::string value = shown(node);
    const std::string kind = kind_name(node);
    fault(node, key,
          value == kind || node.is_boolean()
              ? fmt::format("{} given; allowed: {}", value, allowed)
              : fmt::format("{} ({}) given; allowed: {}", value, kind, allowed));
  }
  void fault(const toml::node& node, const std::string& key, const std::string& what) {
    fault(node.source(), key, what);
  }
  void fault(const toml::source_region& where, std::string key, const std::string& what) {
    if (!key.empty() && key.back() == '.') key.pop_back();
    faults_.push_back(fmt::format("{}:{}: {}{}{}", file_.string(), where.begin.line, key,
                                  key.empty() ? "" : ": ", what));
  }

  std::filesystem::path file_;
  std::vector<std::string> faults_;
};

}  // namespace

void read_toml_text(std::string_view text, const std::filesystem::path& name,
                    SettingsTable& table) {
  toml::table parsed;
  try {
    parsed = toml::parse(text, name.string());
  } catch (const toml::parse_error& fault) {
    throw user_error(
        fmt::format("{}:{}: {}", name.string(), fault.source().begin.line, fault.description()));
  }
  Reader reader(name);
  reader.read(parsed, table, "");
  reader.finish();
}

void read_toml(const std::filesystem::path& file, SettingsTable& table) {
  read_toml_text(read_file(file, kMaxSettingsBytes).value_or_throw(), file, table);
}

}  // namespace cannonade
