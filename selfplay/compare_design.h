// What a comparison of janggi's rule sets plays, and which game is which.
//
// A row of the schedule is one game that is played over and over: the same opening, seed and
// engines, at every strength under `janggi-kja`, under `janggi-point-count` and under the count
// with other bonuses (J30); beside it stand a few games for the set-up table. Each of these is a
// column, and game `id` is row `id / columns`, column `id % columns`: all columns grow alike, and
// whatever prefix of the ids is played is balanced.
//
// Rows go two by two as in a match: two engines play each opening twice with seats swapped; an
// engine with itself plays two openings once each.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/board/ruleset.h"
#include "core/game/game_record.h"
#include "selfplay/settings.h"
#include "selfplay/tournament.h"

namespace cannonade {

enum class Preset : std::uint8_t { kKja, kPointCount };
[[nodiscard]] const Ruleset& rules_of(Preset preset);

// More games for the table of set-ups, at the last strength, from openings of their own.
struct SetUpDesign {
  int games = 1;  // a row
  Preset rules = Preset::kKja;
};
void declare(SettingsTable& table, SetUpDesign& setups);

struct CompareDesign {
  // Strengths: nodes a turn, rising.
  std::vector<std::uint64_t> nodes{300, 1000};
  // Which preset's weights play: the rule set's own, the other's, or both ways, which tells the
  // rules' effect from the players'.
  enum class Weights : std::uint8_t { kOwn, kOther, kBoth };
  Weights weights = Weights::kOwn;
  // Bonuses to replay the count with, the engines knowing.
  std::vector<double> han_bonus{0.5, 1, 2, 2.5};
  SetUpDesign setups;
};
void declare(SettingsTable& table, CompareDesign& design);

// How one column is played.
struct Arm {
  enum class Kind : std::uint8_t {
    kMain,     // a preset
    kCrossed,  // a preset with the other one's weights, where the main arms have their own
    kReplay,   // the count with another bonus
    kSetUpGame,
  };
  Kind kind = Kind::kMain;
  Preset preset = Preset::kKja;
  Ruleset rules;
  Preset weights = Preset::kKja;
  std::size_t strength = 0;  // place in CompareDesign::nodes
  std::uint64_t set_up = 0;  // which of the row's set-up games
  [[nodiscard]] bool operator==(const Arm&) const = default;
};

class CompareSchedule {
 public:
  CompareSchedule(const CompareDesign& design, std::vector<Pairing> pairings);

  [[nodiscard]] const std::vector<Arm>& arms() const { return arms_; }
  // The column of an arm; the arm must be there.
  [[nodiscard]] std::size_t main_column(std::size_t strength, Preset preset) const;

  struct Place {
    std::uint64_t row = 0;
    std::size_t column = 0;
    // `pair` differs between set-up games and others, and is the same for all else of a row;
    // `opening` counts within each of these two.
    Slot slot;
  };
  [[nodiscard]] Place place_of(std::uint64_t id) const;
  [[nodiscard]] std::uint64_t id_of(std::uint64_t row, std::size_t column) const {
    return row * arms_.size() + column;
  }
  // Whole rounds of rows that `games` games begin, in games: what a plan of about so many is.
  [[nodiscard]] std::uint64_t whole_rounds(std::uint64_t games) const;

 private:
  std::vector<Arm> arms_;
  std::vector<Pairing> pairings_;
  std::uint64_t set_up_games_ = 0;  // a row
};

// The part of a run's settings that tells its schedule, and back: a store's report knows from it
// what each game is. User error when the text is not one of a comparison.
[[nodiscard]] std::string schedule_text(const CompareDesign& design,
                                        const std::vector<Pairing>& pairings);
struct CompareSchedulePlan {
  CompareDesign design;
  std::vector<Pairing> pairings;
};
[[nodiscard]] CompareSchedulePlan parse_schedule(const std::string& run_settings);

}  // namespace cannonade
