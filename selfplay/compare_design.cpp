#include "selfplay/compare_design.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/board/bonus.h"

namespace cannonade {
namespace {

constexpr std::string_view kDesignMark = "compare.";
constexpr std::string_view kPairingsMark = "pairings = ";
constexpr std::uint64_t kRowsOfARound = 2;
constexpr double kMostHanBonus = 10;

Preset other(Preset preset) {
  return preset == Preset::kKja ? Preset::kPointCount : Preset::kKja;
}

const std::initializer_list<std::pair<std::string_view, Preset>> kPresetWords{
    {"janggi-kja", Preset::kKja}, {"janggi-point-count", Preset::kPointCount}};

std::optional<std::size_t> parse_number(std::string_view text) {
  std::size_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, fault] = std::from_chars(text.data(), end, number);
  if (fault != std::errc() || stop != end) return std::nullopt;
  return number;
}

// "0-0 0-1"
std::vector<Pairing> parse_pairings(std::string_view text) {
  std::vector<Pairing> pairings;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t dash = std::min(word.find('-'), word.size());
    const auto a = parse_number(word.substr(0, dash));
    const auto b = parse_number(word.substr(std::min(dash + 1, word.size())));
    if (!a || !b) return {};
    pairings.push_back({*a, *b});
  }
  return pairings;
}

}  // namespace

const Ruleset& rules_of(Preset preset) {
  static const std::array<Ruleset, 2> kBoth{find_ruleset("janggi-kja").value_or_throw(),
                                            find_ruleset("janggi-point-count").value_or_throw()};
  return kBoth[static_cast<std::size_t>(preset)];
}

void declare(SettingsTable& table, SetUpDesign& setups) {
  table.add("games", setups.games, 0, 1000,
            "more games for each pair, at the last strength, for the table of set-ups");
  table.add("rules", setups.rules, kPresetWords, "what they are played under");
}

void declare(SettingsTable& table, CompareDesign& design) {
  table.add_numbers("nodes", design.nodes, 1, 1'000'000'000, 1,
                    "strengths: nodes a turn, rising; everything is played at each");
  table.add("weights", design.weights,
            {{"own", CompareDesign::Weights::kOwn},
             {"other", CompareDesign::Weights::kOther},
             {"both", CompareDesign::Weights::kBoth}},
            "who plays: engines with the weights of the rule set that is played, of the other one, "
            "or both ways");
  table.add_numbers("han_bonus", design.han_bonus, 0, kMostHanBonus, 0.5,
                    "bonuses to play the count with besides its own, for the fair bonus");
  table.add_table("setups", design.setups, "The table of set-ups.");
  table.check([&design]() -> std::optional<std::string> {
    if (design.nodes.empty()) return "nodes: none given; allowed: one strength at least";
    if (!std::is_sorted(design.nodes.begin(), design.nodes.end())) {
      return "nodes: strengths must rise";
    }
    return std::nullopt;
  });
}

CompareSchedule::CompareSchedule(const CompareDesign& design, std::vector<Pairing> pairings)
    : pairings_(std::move(pairings)) {
  const bool crossed = design.weights == CompareDesign::Weights::kOther;
  std::vector<int> bonuses;
  for (const double bonus : design.han_bonus) {
    bonuses.push_back(static_cast<int>(std::lround(2 * bonus)));
  }
  std::sort(bonuses.begin(), bonuses.end());
  for (std::size_t strength = 0; strength < design.nodes.size(); ++strength) {
    const auto add = [&](Arm::Kind kind, Preset preset, const Ruleset& rules, bool others) {
      arms_.push_back({kind, preset, rules, others ? other(preset) : preset, strength, 0});
    };
    for (const Preset preset : {Preset::kKja, Preset::kPointCount}) {
      add(Arm::Kind::kMain, preset, rules_of(preset), crossed);
    }
    if (design.weights == CompareDesign::Weights::kBoth) {
      for (const Preset preset : {Preset::kKja, Preset::kPointCount}) {
        add(Arm::Kind::kCrossed, preset, rules_of(preset), true);
      }
    }
    for (const int bonus : bonuses) {
      const Ruleset rules = with_bonus(rules_of(Preset::kPointCount), bonus);
      if (rules == rules_of(Preset::kPointCount)) continue;  // the main arm has it
      add(Arm::Kind::kReplay, Preset::kPointCount, rules, crossed);
    }
  }
  set_up_games_ = static_cast<std::uint64_t>(design.setups.games);
  for (std::uint64_t i = 0; i < set_up_games_; ++i) {
    const Preset preset = design.setups.rules;
    arms_.push_back({Arm::Kind::kSetUpGame, preset, rules_of(preset),
                     crossed ? other(preset) : preset, design.nodes.size() - 1, i});
  }
}

std::size_t CompareSchedule::main_column(std::size_t strength, Preset preset) const {
  const auto found = std::find_if(arms_.begin(), arms_.end(), [&](const Arm& arm) {
    return arm.kind == Arm::Kind::kMain && arm.strength == strength && arm.preset == preset;
  });
  if (found == arms_.end()) throw internal_error(fmt::format("no strength {}", strength));
  return static_cast<std::size_t>(found - arms_.begin());
}

CompareSchedule::Place CompareSchedule::place_of(std::uint64_t id) const {
  Place place;
  place.row = id / arms_.size();
  place.column = static_cast<std::size_t>(id % arms_.size());
  const Arm& arm = arms_[place.column];
  const bool set_ups = arm.kind == Arm::Kind::kSetUpGame;
  // A round of rows has a round of each kind of game, whatever the number of set-up games.
  const std::uint64_t game = set_ups ? place.row / kRowsOfARound * kRowsOfARound * set_up_games_ +
                                           arm.set_up * kRowsOfARound + place.row % kRowsOfARound
                                     : place.row;
  place.slot = slot_of(pairings_, game);
  place.slot.pair = 2 * place.slot.pair + (set_ups ? 1 : 0);
  return place;
}

std::uint64_t CompareSchedule::whole_rounds(std::uint64_t games) const {
  const std::uint64_t round = kRowsOfARound * arms_.size();
  return (games + round - 1) / round * round;
}

std::string schedule_text(const CompareDesign& design, const std::vector<Pairing>& pairings) {
  CompareDesign copy = design;
  SettingsTable table;
  declare(table, copy);
  const std::string settings = canonical_text(table);
  std::string text;
  for (std::size_t at = 0; at < settings.size();) {
    const std::size_t end = settings.find('\n', at) + 1;
    text += kDesignMark;
    text += settings.substr(at, end - at);
    at = end;
  }
  text += kPairingsMark;
  for (std::size_t i = 0; i < pairings.size(); ++i) {
    text += fmt::format("{}{}-{}", i > 0 ? " " : "", pairings[i].a, pairings[i].b);
  }
  return text + "\n";
}

CompareSchedulePlan parse_schedule(const std::string& run_settings) {
  CompareSchedulePlan plan;
  std::string settings;
  for (std::size_t at = 0; at < run_settings.size();) {
    const std::size_t end = std::min(run_settings.find('\n', at), run_settings.size());
    const std::string_view line = std::string_view(run_settings).substr(at, end - at);
    at = end + 1;
    if (line.starts_with(kDesignMark)) {
      settings += line.substr(kDesignMark.size());
      settings += '\n';
    } else if (line.starts_with(kPairingsMark)) {
      plan.pairings = parse_pairings(line.substr(kPairingsMark.size()));
    }
  }
  if (settings.empty() || plan.pairings.empty()) {
    throw user_error("the run's settings do not tell what a comparison played");
  }
  SettingsTable table;
  declare(table, plan.design);
  read_toml_text(settings, "the run's settings", table);
  return plan;
}

}  // namespace cannonade
