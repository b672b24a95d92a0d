#include "core/board/ruleset.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

namespace cannonade {
namespace {

Ruleset janggi_kja() {
  Ruleset rules;
  rules.id = "janggi-kja";
  return rules;
}

Ruleset janggi_point_count() {
  Ruleset rules = janggi_kja();
  rules.id = "janggi-point-count";
  rules.count_points = true;
  rules.second_bonus_halves = 3;  // J30
  return rules;
}

Ruleset xiangqi_casual() {
  Ruleset rules;
  rules.id = "xiangqi-casual";
  rules.game = Game::kXiangqi;
  rules.passing = false;
  rules.bikjang = false;
  rules.insufficient_material = false;
  return rules;
}

constexpr std::pair<std::string_view, std::string_view> kAliases[] = {
    {"janggi", "janggi-kja"},
    {"janggi-tournament", "janggi-kja"},
    {"janggi-points", "janggi-point-count"},
    {"xiangqi", "xiangqi-casual"},
};

}  // namespace

const std::vector<Ruleset>& rulesets() {
  static const std::vector<Ruleset> all{janggi_kja(), janggi_point_count(), xiangqi_casual()};
  return all;
}

Expected<Ruleset> find_ruleset(std::string_view name) {
  for (const auto& [alias, id] : kAliases) {
    if (name == alias) name = id;
  }
  std::vector<std::string_view> known;
  for (const Ruleset& rules : rulesets()) {
    if (rules.id == name) return rules;
    known.push_back(rules.id);
  }
  return Failure{fmt::format("unknown rule set '{}': known are {}", name, fmt::join(known, ", "))};
}

std::string_view side_name(Game game, Side side) {
  if (game == Game::kXiangqi) return side == Side::kFirst ? "red" : "black";
  return side == Side::kFirst ? "cho" : "han";
}

}  // namespace cannonade
