// tuner diff: what changed between two weights files, the largest effect first.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "core/base/files.h"
#include "selfplay/command_line.h"
#include "tuner/commands.h"
#include "tuner/fit.h"

namespace cannonade {
namespace {

// Both files must be for one rule set; the first file says which.
Weights load_any(const std::string& path) {
  std::string first_reason;
  for (const Ruleset& rules : rulesets()) {
    Expected<Weights> weights = Weights::load(path, rules);
    if (weights) return *weights;
    if (first_reason.empty() ||
        weights.error().find("these weights are for") == std::string::npos) {
      first_reason = weights.error();
    }
  }
  throw user_error(first_reason);
}

struct Change {
  int feature;
  Weight before;
  Weight after;
  [[nodiscard]] int size() const {
    return std::max(std::abs(after.middle - before.middle), std::abs(after.end - before.end));
  }
};

}  // namespace

int diff_command(int argc, char** argv) {
  std::vector<std::string> files;
  int most = 40;
  bool json = false;
  CommandLine line("tuner diff", "Prints what changed between two weights files.",
                   "tuner diff old.toml new.toml");
  line.add_operands("OLD NEW", files, 2);
  line.options().add("most", most, 0, kFeatureCount, "rows to print; 0: all");
  line.options().add("json", json, "print one JSON object");
  if (!line.parse(argc, argv)) return 0;
  if (files.size() != 2) throw user_error("tuner diff takes two weights files");

  const Weights before = load_any(files[0]);
  const Ruleset rules = find_ruleset(before.rules_id()).value_or_throw();
  const Weights after = Weights::load(files[1], rules).value_or_throw();
  std::vector<Change> changes;
  for (int i = 0; i < kFeatureCount; ++i) {
    if (before[i] != after[i]) changes.push_back({i, before[i], after[i]});
  }
  std::stable_sort(changes.begin(), changes.end(),
                   [](const Change& a, const Change& b) { return a.size() > b.size(); });
  if (json) {
    nlohmann::ordered_json object{{"rules", rules.id}, {"changed", changes.size()}};
    object["changes"] = nlohmann::ordered_json::array();
    for (const Change& c : changes) {
      object["changes"].push_back({{"feature", feature_name(c.feature)},
                                   {"before", {c.before.middle, c.before.end}},
                                   {"after", {c.after.middle, c.after.end}}});
    }
    fmt::print("{}\n", object.dump());
    return 0;
  }
  fmt::print("{} of {} features changed ({})\n", changes.size(), kFeatureCount, rules.id);
  if (!changes.empty()) {
    fmt::print("{:<36} {:>15} {:>15} {:>15}\n", "middle game, end game", "before", "after",
               "change");
  }
  std::size_t printed = 0;
  for (const Change& c : changes) {
    if (most > 0 && printed++ >= static_cast<std::size_t>(most)) {
      fmt::print("... and {} more\n", changes.size() - static_cast<std::size_t>(most));
      break;
    }
    fmt::print("{:<36} {:>7} {:>7} {:>7} {:>7} {:>+7} {:>+7}\n", feature_name(c.feature),
               c.before.middle, c.before.end, c.after.middle, c.after.end,
               c.after.middle - c.before.middle, c.after.end - c.before.end);
  }
  return 0;
}

}  // namespace cannonade
