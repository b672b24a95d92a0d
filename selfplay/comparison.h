// What games of a comparison amount to. The same row of the schedule played under two rule sets
// gives a pair of values; differences are means over pairs, their 95 % intervals come from drawing
// the openings again, for games from one opening are not independent. Pure.
//
// Two things change a pair's result. The count decides level endings (J29): that part is seen by
// scoring the very same game again. And whoever knows the count plays differently: that is the
// rest.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/game/game_record.h"
#include "selfplay/compare_design.h"
#include "selfplay/fair_bonus.h"
#include "selfplay/paired.h"
#include "selfplay/setup_game.h"

namespace cannonade {

// Whether an ending by this reason is level, so that under point count the points decide (J29).
[[nodiscard]] bool counted_ending(Reason reason);
// The same ending under the count: `margin` is Cho's points less Han's without a bonus.
[[nodiscard]] Outcome rescore(const Outcome& outcome, int margin, int bonus_halves);

struct ComparedGame {
  std::uint64_t opening = 0;
  std::uint64_t play = 0;  // fingerprint of start and turns
  Outcome outcome;
  std::uint32_t plies = 0;
  std::int32_t margin = 0;   // Cho's points less Han's at the end, no bonus
  std::int8_t set_ups = -1;  // Han's * 4 + Cho's; -1: not one of the 16 starts
};

// Whole rows of games.
class ComparedGames {
 public:
  explicit ComparedGames(std::vector<Arm> arms) : arms_(std::move(arms)) {}
  // In the order of ids, from the first. Throws Error(kInternal) for another order, a user error
  // for a game of other rules than its column's.
  void add(const GameRecord& game, const CompareSchedule::Place& place);

  [[nodiscard]] const std::vector<Arm>& arms() const { return arms_; }
  [[nodiscard]] std::uint64_t rows() const { return games_.size() / arms_.size(); }
  [[nodiscard]] const ComparedGame& at(std::uint64_t row, std::size_t column) const {
    return games_[row * arms_.size() + column];
  }

 private:
  std::vector<Arm> arms_;
  std::vector<ComparedGame> games_;
};

// One column's games.
struct ArmFigures {
  Ruleset rules;
  Trinomial cho;
  std::uint64_t plies = 0;
  std::array<std::array<std::uint64_t, 3>, kReasons> endings{};  // won by Cho, by Han, drawn
  std::array<std::uint64_t, 2> mates{};                          // wins by checkmate: Cho's, Han's
  std::array<std::uint64_t, 2> point_wins{};                     // by the count
  MarginCounts margins;
  [[nodiscard]] std::uint64_t games() const { return cho.games(); }
  [[nodiscard]] std::uint64_t ending(Reason reason) const;
};
// What the count makes of level endings.
struct LevelEndings {
  std::uint64_t games = 0;
  std::uint64_t cho = 0;
  std::uint64_t han = 0;
  std::uint64_t level = 0;
  std::uint64_t by_bonus = 0;  // Han's without being ahead: the bonus alone decided
};
[[nodiscard]] LevelEndings level_endings(const MarginCounts& margins, int bonus_halves);

// What is compared, a number a game.
enum class Measure : std::uint8_t { kScore, kDraws, kChoWins, kHanWins, kMates, kPlies };
inline constexpr std::size_t kMeasures = 6;
[[nodiscard]] std::string_view measure_key(Measure measure);    // "first_score", "draw_rate", ...
[[nodiscard]] std::string_view measure_words(Measure measure);  // "Cho's score"
[[nodiscard]] inline bool is_share(Measure measure) {
  return measure != Measure::kPlies;
}

struct PairedFigure {
  PairedDifference difference;
  std::optional<McNemarTest> mcnemar;  // of measures that are yes or no
  std::optional<SignTest> signs;       // of the others
  [[nodiscard]] double p() const { return mcnemar ? mcnemar->mid_p : signs ? signs->p : 1; }
};
using PairedFigures = std::array<PairedFigure, kMeasures>;
using Differences = std::array<PairedDifference, kMeasures>;

// Pairs by their winner: under KJA (K), the same game scored again (R), as played under the count
// (P).
struct WinnerChanges {
  std::uint64_t games = 0;
  std::uint64_t changed = 0;    // P is not K
  std::uint64_t explained = 0;  // ... and is R: scoring again says the same
  std::uint64_t rescored = 0;   // R is not K
  std::uint64_t undone = 0;     // ... but P is K
  std::uint64_t by_play = 0;    // P is not R
  std::uint64_t same_play = 0;  // turn by turn the same game
};

// A curve over bonuses, and where it crosses one half when the openings are drawn again: the middle
// 95 % of these crossings. A bound is none where it lies beyond the curve.
struct BonusCurve : FairBonus {
  std::optional<double> crossing_low;
  std::optional<double> crossing_high;
};
// The fair bonus, three ways; each where there are games to tell.
struct BonusFigures {
  std::optional<BonusCurve> rescored_kja;          // KJA's games, whose players knew of no count
  std::optional<BonusCurve> rescored_point_count;  // the count's, whose players knew its own bonus
  std::optional<BonusCurve> replayed;              // classes that were played, the players knowing
  // The replayed one where it crosses one half, or else the count's games scored again.
  [[nodiscard]] const BonusCurve* answer() const;
  [[nodiscard]] bool by_replay() const { return replayed && answer() == &*replayed; }
};

// With either preset's weights under either rule set.
struct CrossedFigures {
  Differences rules_for_kja_players;    // KJA to the count, KJA's weights playing both
  Differences rules_for_count_players;  // the count's weights playing both
  Differences players_under_kja;        // KJA's weights to the count's, under KJA
  Differences players_under_count;
};

// A pair whose winner changed, for showing.
struct ChangedPair {
  std::uint64_t row = 0;
  Outcome kja;
  Outcome rescored;
  Outcome point_count;
};

struct StrengthComparison {
  std::uint64_t nodes = 0;
  ArmFigures kja;
  ArmFigures point_count;
  Trinomial rescored;  // KJA's games under the count
  PairedFigures figures;
  PairedDifference by_rule;  // of Cho's score: KJA's games to the same scored again
  PairedDifference by_play;  // scored again to as played
  WinnerChanges winners;
  std::vector<ChangedPair> changed;  // the first few
  // Reason under KJA by reason under the count.
  std::array<std::array<std::uint64_t, kReasons>, kReasons> endings{};
  LevelEndings level_rescored;  // KJA's level endings
  LevelEndings level_played;    // the count's
  BonusFigures bonus;
  std::optional<CrossedFigures> crossed;
};

struct SetUpFigures {
  Preset rules = Preset::kKja;
  SetupCells cells{kSetUps, kSetUps};
  SetupCells pooled{kSetUps, kSetUps};  // mirrored cells together
  MirrorCheck mirror;
  // None where a cell has no games.
  std::optional<SetupGame> game;        // of the pooled scores
  std::optional<CrossedReport> honest;  // chosen on one half of the games, reported on the other
  std::vector<std::size_t> han_left;    // declarations that might be best
  std::vector<std::size_t> cho_left;    // with Cho first
  std::array<std::vector<std::size_t>, kSetUps> answers_left;  // Cho's to each of Han's
};
// A set-up seen in a mirror (J6), by SetUp.
[[nodiscard]] const std::vector<std::size_t>& set_up_mirror();

struct Comparison {
  std::vector<Arm> arms;
  std::uint64_t rows = 0;       // counted
  std::uint64_t void_rows = 0;  // not counted: a game in them has no result
  std::vector<StrengthComparison> strengths;
  // How the differences change from the first strength to the last; with two strengths or more.
  std::optional<Differences> trend;
  std::vector<SetUpFigures> setups;  // of both presets, at the last strength

  [[nodiscard]] const StrengthComparison& last() const { return strengths.back(); }
};
// `seed` is the bootstrap's.
[[nodiscard]] Comparison compare_games(const ComparedGames& games, const CompareDesign& design,
                                       std::uint64_t seed);

}  // namespace cannonade
