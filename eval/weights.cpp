#include "eval/weights.h"

#include <fmt/format.h>

#include <toml++/toml.h>
#include <limits>

#include "core/base/files.h"
#include "core/board/bonus.h"
#include "eval/default_weights.h"

namespace cannonade {
namespace {

// Raised when a feature keeps its name and changes its meaning.
constexpr std::int64_t kSchema = 1;
constexpr int kLargestWeight = 30000;

std::string toml_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      out += c;
    }
  }
  return out + "\"";
}

Expected<Weight> parse_pair(const toml::node& node) {
  const toml::array* pair = node.as_array();
  if (pair == nullptr || pair->size() != 2) return Failure{"wants [middle game, end game]"};
  int values[2];
  for (std::size_t i = 0; i < 2; ++i) {
    const auto value = (*pair)[i].value_exact<std::int64_t>();
    if (!value || *value < -kLargestWeight || *value > kLargestWeight) {
      return Failure{
          fmt::format("wants whole numbers from {} to {}", -kLargestWeight, kLargestWeight)};
    }
    values[i] = static_cast<int>(*value);
  }
  return Weight{values[0], values[1]};
}

}  // namespace

Weights::Weights(std::string rules_id)
    : rules_id_(std::move(rules_id)), weights_(static_cast<std::size_t>(kFeatureCount)) {}

std::string Weights::hash() const {
  std::string text = rules_id_;
  for (int i = 0; i < kFeatureCount; ++i) {
    const Weight& w = (*this)[i];
    if (w != Weight{}) text += fmt::format(";{}={},{}", feature_name(i), w.middle, w.end);
  }
  return fingerprint_hex(text);
}

std::string Weights::to_toml() const {
  std::string out = fmt::format("[weights]\nrules = {}\nschema = {}\nhash = {}\n",
                                toml_string(rules_id_), kSchema, toml_string(hash()));
  if (!provenance_.empty()) {
    out += "\n[provenance]\n";
    for (const auto& [key, value] : provenance_) {
      out += fmt::format("{} = {}\n", toml_string(key), toml_string(value));
    }
  }
  for (const GroupInfo& group : kFeatureGroups) {
    bool headed = false;
    for (int i = 0; i < group.size; ++i) {
      const int feature = offset_of(group.group) + i;
      const Weight& w = (*this)[feature];
      if (w == Weight{}) continue;
      if (!headed) out += fmt::format("\n# {}\n[features.{}]\n", group.help, group.name);
      headed = true;
      out += fmt::format("{} = [{}, {}]\n",
                         toml_string(feature_name(feature).substr(group.name.size() + 1)), w.middle,
                         w.end);
    }
  }
  return out;
}

Expected<Weights> Weights::from_toml(const std::string& text, const std::string& source,
                                     const Ruleset& rules) {
  const auto refuse = [&](const std::string& why) {
    return Failure{fmt::format("{}: {}", source, why)};
  };
  toml::table table;
  try {
    table = toml::parse(text);
  } catch (const toml::parse_error& error) {
    return refuse(fmt::format("line {}: {}", error.source().begin.line, error.description()));
  }
  for (const auto& [key, node] : table) {
    if (key != "weights" && key != "provenance" && key != "features") {
      return refuse(
          fmt::format("unknown key '{}': known are weights, provenance, features", key.str()));
    }
    if (!node.is_table()) return refuse(fmt::format("'{}' is not a table", key.str()));
  }
  const auto id = table["weights"]["rules"].value<std::string>();
  if (!id) return refuse("this is not a weights file: it names no rule set under [weights]");
  if (*id != preset_id(rules.id)) {
    return refuse(fmt::format("these weights are for {}, not for {}", *id, rules.id));
  }
  const auto schema = table["weights"]["schema"].value<std::int64_t>();
  if (!schema || *schema != kSchema) {
    return refuse(fmt::format("weights of schema {}, this program reads {}",
                              schema ? std::to_string(*schema) : "(none)", kSchema));
  }
  Weights weights{std::string(preset_id(rules.id))};
  if (const toml::table* provenance = table["provenance"].as_table()) {
    for (const auto& [key, node] : *provenance) {
      weights.set_provenance(std::string(key.str()), node.value_or(std::string()));
    }
  }
  if (const toml::table* groups = table["features"].as_table()) {
    for (const auto& [group, features] : *groups) {
      const toml::table* entries = features.as_table();
      if (entries == nullptr) return refuse(fmt::format("features.{} is not a table", group.str()));
      for (const auto& [name, node] : *entries) {
        const std::string full = fmt::format("{}.{}", group.str(), name.str());
        const Expected<int> feature = find_feature(full);
        if (!feature) return refuse(feature.error());
        const Expected<Weight> weight = parse_pair(node);
        if (!weight) return refuse(fmt::format("feature {} {}", full, weight.error()));
        weights.set(*feature, *weight);
      }
    }
  }
  return weights;
}

Expected<Weights> Weights::load(const std::filesystem::path& path, const Ruleset& rules) {
  constexpr std::size_t kLargestFile = std::size_t{16} << 20;
  const Expected<std::string> text = read_file(path, kLargestFile);
  if (!text) return Failure{text.error()};
  return from_toml(*text, path.string(), rules);
}

Weights material_weights(const Ruleset& rules) {
  // J29's points times fifty; for xiangqi the customary values in soldiers.
  constexpr std::array<int, kValued> kJanggi{150, 150, 250, 650, 350, 100};
  constexpr std::array<int, kValued> kXiangqi{200, 200, 400, 900, 450, 100};
  const auto& values = rules.game == Game::kJanggi ? kJanggi : kXiangqi;
  Weights weights{std::string(preset_id(rules.id))};
  for (int i = 0; i < kValued; ++i) {
    const int value = values[static_cast<std::size_t>(i)];
    weights.set(offset_of(FeatureGroup::kMaterial) + i, {value, value});
  }
  weights.set_provenance("origin", "material only");
  return weights;
}

Weights default_weights(const Ruleset& rules) {
  for (const auto& [id, text] : kDefaultWeights) {
    if (id != preset_id(rules.id)) continue;
    return Weights::from_toml(std::string(text), fmt::format("built-in weights for {}", id), rules)
        .value_or_throw();
  }
  throw internal_error(fmt::format("no weights are built in for {}", rules.id));
}

}  // namespace cannonade
