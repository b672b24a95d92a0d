#include "core/board/ruleset.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "core/board/bonus.h"

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

constexpr std::string_view kBonusMark = ":han_bonus=";

std::string bonus_text(int half_points) {
  return fmt::format("{}{}", half_points / 2, half_points % 2 == 0 ? "" : ".5");
}

// "2" or "2.5", exactly as bonus_text writes them, so that a rule set has one id only.
std::optional<int> parse_bonus(std::string_view text) {
  int whole = 0;
  const auto [stop, fault] = std::from_chars(text.data(), text.data() + text.size(), whole);
  if (fault != std::errc() || whole < 0 || whole > kMaxBonusHalves / 2) return std::nullopt;
  const bool half = std::string_view(stop, text.data() + text.size()) == ".5";
  const int half_points = 2 * whole + (half ? 1 : 0);
  if (half_points > kMaxBonusHalves || bonus_text(half_points) != text) return std::nullopt;
  return half_points;
}

const Ruleset* find_preset(std::string_view name) {
  for (const auto& [alias, id] : kAliases) {
    if (name == alias) name = id;
  }
  const auto& all = rulesets();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Ruleset& rules) { return rules.id == name; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

const std::vector<Ruleset>& rulesets() {
  static const std::vector<Ruleset> kAll{janggi_kja(), janggi_point_count(), xiangqi_casual()};
  return kAll;
}

std::string_view preset_id(std::string_view rules_id) {
  return rules_id.substr(0, rules_id.find(kBonusMark));
}

Ruleset with_bonus(const Ruleset& rules, int half_points) {
  if (!rules.count_points || half_points < 0 || half_points > kMaxBonusHalves) {
    throw internal_error(fmt::format("{} with a bonus of {} half points", rules.id, half_points));
  }
  Ruleset result = rules;
  result.id = preset_id(rules.id);
  const Ruleset* preset = find_preset(result.id);
  if (preset == nullptr || preset->second_bonus_halves != half_points) {
    result.id += kBonusMark;
    result.id += bonus_text(half_points);
  }
  result.second_bonus_halves = half_points;
  return result;
}

Expected<Ruleset> find_ruleset(std::string_view name) {
  const std::string_view preset_name = preset_id(name);
  const Ruleset* preset = find_preset(preset_name);
  if (preset == nullptr) {
    std::vector<std::string_view> known;
    for (const Ruleset& rules : rulesets()) known.push_back(rules.id);
    return Failure{
        fmt::format("unknown rule set '{}': known are {}", name, fmt::join(known, ", "))};
  }
  if (preset_name.size() == name.size()) return *preset;
  const std::string_view told = name.substr(preset_name.size() + kBonusMark.size());
  const std::optional<int> half_points = parse_bonus(told);
  if (!preset->count_points || !half_points) {
    return Failure{fmt::format("rule set '{}': a bonus is 0 to {} in steps of a half, for {} only",
                               name, kMaxBonusHalves / 2, janggi_point_count().id)};
  }
  return with_bonus(*preset, *half_points);
}

std::string_view side_name(Game game, Side side) {
  if (game == Game::kXiangqi) return side == Side::kFirst ? "red" : "black";
  return side == Side::kFirst ? "cho" : "han";
}

}  // namespace cannonade
