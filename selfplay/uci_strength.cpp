#include "selfplay/uci_strength.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "selfplay/engine_config.h"

namespace cannonade {
namespace {

// Where no ladder is shipped there may still be one in a file.
constexpr int kUsualMostElo = 1100;

}  // namespace

UciStrength::UciStrength() {
  double most = 0;
  for (const Ruleset& rules : rulesets()) {
    if (has_shipped_levels(rules)) {
      most = std::max(most, shipped_levels(rules).levels.back().elo);
    }
  }
  most_elo_ = most > 0 ? static_cast<int>(std::ceil(most)) : kUsualMostElo;
  elo_ = most_elo_;
}

void UciStrength::declare_options(UciOptions& options, const UciOptions::Changed& changed) {
  options.add_check({"UCI_LimitStrength", ""}, limit_strength_, changed);
  options.add_spin({"UCI_Elo", ""}, elo_, least_elo_, most_elo_, changed);
  options.add_spin({"Skill Level", ""}, skill_level_, 0, kFull, changed);
  // Whose levels: `default`, the built-in ones, or a file in which {rules} stands for the rule set.
  options.add_string({"Levels", ""}, levels_, changed);
  // Errors of a weak player follow from it; 0: other ones each game.
  options.add_spin({"Skill Seed", ""}, seed_, 0, std::numeric_limits<int>::max(), changed);
}

void UciStrength::lift() {
  limit_strength_ = false;
  skill_level_ = kFull;
}

Skill UciStrength::skill(const Ruleset& rules, const Weights& weights,
                         std::vector<std::string>* remarks) const {
  if (!limited()) return {};
  const Levels ladder = levels_.empty() || levels_ == "default"
                            ? shipped_levels(rules)
                            : load_levels(with_rules_id(levels_, rules), rules);
  if (const auto stale = stale_reason(ladder, weights, rules)) remarks->push_back(*stale);
  if (!limit_strength_) {
    return skill_at_place(ladder, static_cast<double>(skill_level_) / kFull);
  }
  const double most = ladder.levels.back().elo;
  // The highest value is also the default and means the strongest level there is.
  if (elo_ < most_elo_ && elo_ > std::ceil(most)) {
    remarks->push_back(
        fmt::format("UCI_Elo {}: the strongest level of {} has {:.0f}", elo_, ladder.rules, most));
  }
  return skill_at_elo(ladder, elo_);
}

std::uint64_t UciStrength::next_seed() const {
  if (seed_ > 0) return static_cast<std::uint64_t>(seed_);
  std::random_device device;
  return static_cast<std::uint64_t>(device()) << 32 | device();
}

}  // namespace cannonade
