#include "selfplay/comparison_bonus.h"

#include <algorithm>
#include <map>
#include <span>

#include "selfplay/bootstrap.h"
#include "selfplay/summary.h"

namespace cannonade {
namespace {

class BonusCounter {
 public:
  BonusCounter(const ComparedGames& games, const std::vector<std::uint64_t>& rows,
               std::uint64_t seed)
      : games_(games), rows_(rows), seed_(seed) {}

  BonusFigures count(std::size_t strength) const {
    BonusFigures result;
    if (rows_.empty()) return result;
    std::vector<BonusClass> all;
    for (int half = kLeastBonus.half_points; half <= kMostBonus.half_points; ++half) {
      all.push_back({half});
    }
    result.rescored_kja = bonus_curve(all, rescored_results(main_column(strength, Preset::kKja)));
    result.rescored_point_count =
        bonus_curve(all, rescored_results(main_column(strength, Preset::kPointCount)));
    std::vector<std::size_t> columns;
    for (std::size_t i = 0; i < games_.arms().size(); ++i) {
      const Arm& arm = games_.arms()[i];
      const bool counts = arm.kind == Arm::Kind::kReplay ||
                          (arm.kind == Arm::Kind::kMain && arm.rules.count_points);
      if (arm.strength == strength && counts) columns.push_back(i);
    }
    const auto bonus_of = [&](std::size_t column) {
      return games_.arms()[column].rules.second_bonus_halves;
    };
    std::sort(columns.begin(), columns.end(),
              [&](std::size_t a, std::size_t b) { return bonus_of(a) < bonus_of(b); });
    if (columns.size() < 2) return result;
    std::vector<BonusClass> played;
    played.reserve(columns.size());
    for (const std::size_t column : columns) played.push_back({bonus_of(column)});
    result.replayed = bonus_curve(played, played_results(columns));
    return result;
  }

 private:
  std::size_t main_column(std::size_t strength, Preset preset) const {
    const std::vector<Arm>& arms = games_.arms();
    const auto found = std::find_if(arms.begin(), arms.end(), [&](const Arm& arm) {
      return arm.kind == Arm::Kind::kMain && arm.strength == strength && arm.preset == preset;
    });
    return static_cast<std::size_t>(found - arms.begin());
  }

  // Cho's results by class, in the order of a curve; an opening's games together.
  using ClassResults = std::map<std::uint64_t, std::vector<Trinomial>>;

  ClassResults rescored_results(std::size_t column) const {
    ClassResults results;
    for (const std::uint64_t row : rows_) {
      const ComparedGame& game = games_.at(row, column);
      std::vector<Trinomial>& classes = results[games_.at(row, 0).opening];
      classes.resize(kMostBonus.half_points - kLeastBonus.half_points + 1);
      int bonus = kLeastBonus.half_points;
      for (Trinomial& counts : classes) {
        const Outcome outcome = rescore(game.outcome, game.margin, bonus++);
        count_result(counts, outcome.first_score_halves() - 1);
      }
    }
    return results;
  }
  ClassResults played_results(const std::vector<std::size_t>& columns) const {
    ClassResults results;
    for (const std::uint64_t row : rows_) {
      std::vector<Trinomial>& classes = results[games_.at(row, 0).opening];
      classes.resize(columns.size());
      for (std::size_t i = 0; i < columns.size(); ++i) {
        const Outcome& outcome = games_.at(row, columns[i]).outcome;
        count_result(classes[i], outcome.first_score_halves() - 1);
      }
    }
    return results;
  }

  // A curve from all games, and its crossing in those of the bootstrap.
  BonusCurve bonus_curve(const std::vector<BonusClass>& rules, const ClassResults& results) const {
    std::vector<const std::vector<Trinomial>*> openings;
    for (const auto& [opening, classes] : results) openings.push_back(&classes);
    const auto curve_of = [&](std::span<const std::uint32_t> times) {
      std::vector<BonusScore> curve;
      for (std::size_t i = 0; i < rules.size(); ++i) {
        Trinomial sum;
        for (std::size_t o = 0; o < openings.size(); ++o) {
          const Trinomial& one = (*openings[o])[i];
          sum += {times[o] * one.wins, times[o] * one.draws, times[o] * one.losses};
        }
        curve.push_back(score_of_rule(rules[i], sum));
      }
      return find_fair_bonus(std::move(curve)).value_or_throw();
    };
    const std::vector<std::uint32_t> once(openings.size(), 1);
    BonusCurve result{curve_of(once), std::nullopt, std::nullopt};
    if (openings.size() < 2) return result;
    constexpr double kBeyond = 1e9;
    const Interval crossings =
        cluster_bootstrap(openings.size(), kComparisonReplicates, seed_,
                          [&](std::span<const std::uint32_t> times) {
                            const FairBonus drawn = curve_of(times);
                            if (drawn.crossing) return std::vector{drawn.crossing->value};
                            double above = 0;
                            for (const BonusScore& point : drawn.curve) above += point.score - 0.5;
                            return std::vector{above > 0 ? kBeyond : -kBeyond};
                          })
            .front()
            .interval;
    const auto on_curve = [&](double x) {
      return rules.front().bonus() <= x && x <= rules.back().bonus() ? std::optional(x)
                                                                     : std::nullopt;
    };
    result.crossing_low = on_curve(crossings.low);
    result.crossing_high = on_curve(crossings.high);
    return result;
  }

  const ComparedGames& games_;
  const std::vector<std::uint64_t>& rows_;
  std::uint64_t seed_;
};

}  // namespace

BonusFigures bonus_figures(const ComparedGames& games, const std::vector<std::uint64_t>& rows,
                           std::size_t strength, std::uint64_t seed) {
  return BonusCounter(games, rows, seed).count(strength);
}

const BonusCurve* BonusFigures::answer() const {
  if (replayed && replayed->crossing) return &*replayed;
  return rescored_point_count ? &*rescored_point_count : nullptr;
}

}  // namespace cannonade
