// Playing below full strength over UCI: `UCI_LimitStrength` with `UCI_Elo`, or `Skill Level` as
// other engines have it, by the ladder of the rule set that is played.
//
// UCI_Elo counts from the ladder's first level and is good for one rule set only. UCI_LimitStrength
// goes before Skill Level; that is 0 for the first level, rises evenly in Elo, and stands for no
// limit at all at its highest, 20.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "eval/weights.h"
#include "selfplay/levels.h"
#include "selfplay/skill.h"
#include "selfplay/uci_options.h"

namespace cannonade {

class UciStrength {
 public:
  UciStrength();

  // `changed` is asked after each of the options was set and may refuse it by a user error.
  void declare_options(UciOptions& options, const UciOptions::Changed& changed);

  [[nodiscard]] bool limited() const { return limit_strength_ || skill_level_ < kFull; }
  // Plays at full strength again.
  void lift();
  // How to play; nothing is impaired without a limit. What the user should know is added to
  // `remarks`. User error: no ladder, or a file that cannot be read.
  [[nodiscard]] Skill skill(const Ruleset& rules, const Weights& weights,
                            std::vector<std::string>* remarks) const;
  // Of the next game: as set, or else never the same twice.
  [[nodiscard]] std::uint64_t next_seed() const;

 private:
  static constexpr int kFull = 20;

  bool limit_strength_ = false;
  int elo_ = 0;
  int least_elo_ = 0;
  int most_elo_ = 0;
  int skill_level_ = kFull;
  std::string levels_ = "default";
  int seed_ = 0;
};

}  // namespace cannonade
