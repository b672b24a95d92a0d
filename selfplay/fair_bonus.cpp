#include "selfplay/fair_bonus.h"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <utility>

#include "selfplay/statistics.h"

namespace cannonade {
namespace {

constexpr double kEven = 0.5;

// The heights nearest to the curve's, weighted by games, that never rise.
std::vector<double> falling(const std::vector<BonusScore>& curve,
                            const std::function<double(const BonusScore&)>& height) {
  struct Block {
    double weight, sum;
    std::size_t length;
    [[nodiscard]] double mean() const { return sum / weight; }
  };
  std::vector<Block> blocks;
  for (const BonusScore& point : curve) {
    const auto weight = static_cast<double>(point.cho.games());
    blocks.push_back({weight, weight * height(point), 1});
    while (blocks.size() > 1 && blocks[blocks.size() - 2].mean() < blocks.back().mean()) {
      const Block last = blocks.back();
      blocks.pop_back();
      blocks.back().weight += last.weight;
      blocks.back().sum += last.sum;
      blocks.back().length += last.length;
    }
  }
  std::vector<double> heights;
  for (const Block& block : blocks) {
    // A class on its own keeps its height to the last bit.
    const double mean = block.length == 1 ? height(curve[heights.size()]) : block.mean();
    heights.insert(heights.end(), block.length, mean);
  }
  return heights;
}

// Where heights that never rise, straight between classes, leave the part above one half
// (`leaving`) or enter the part below it; the two differ where they lie on one half. None when that
// happens beyond the curve's ends.
std::optional<double> crossing_of(const std::vector<BonusScore>& curve,
                                  const std::vector<double>& heights, bool leaving) {
  for (std::size_t i = 0; i + 1 < curve.size(); ++i) {
    const double here = heights[i];
    const double next = heights[i + 1];
    const bool crosses = leaving ? here > kEven && next <= kEven : here >= kEven && next < kEven;
    if (!crosses) continue;
    const double a = curve[i].rule.bonus();
    const double b = curve[i + 1].rule.bonus();
    return a + (here - kEven) / (here - next) * (b - a);
  }
  return std::nullopt;
}

}  // namespace

std::uint64_t MarginCounts::games() const {
  std::uint64_t sum = played_out.games();
  for (const auto& [margin, count] : margins) sum += count;
  return sum;
}

MarginCounts& MarginCounts::operator+=(const MarginCounts& other) {
  played_out += other.played_out;
  for (const auto& [margin, count] : other.margins) margins[margin] += count;
  return *this;
}

std::string BonusClass::name() const {
  if (whole()) return fmt::format("{}", half_points / 2);
  const auto below = static_cast<int>(std::floor(bonus()));
  return fmt::format("between {} and {}", below, below + 1);
}

BonusScore score_of_rule(BonusClass rule, const Trinomial& cho) {
  const Sample sample = sample_of(cho);
  return {rule, cho, cho.score(), std::sqrt(sample.variance() / sample.total), score_interval(cho)};
}

BonusScore score_with_bonus(const MarginCounts& counts, BonusClass rule) {
  Trinomial cho = counts.played_out;
  for (const auto& [margin, count] : counts.margins) {
    const int lead = 2 * margin - rule.half_points;
    (lead > 0 ? cho.wins : lead < 0 ? cho.losses : cho.draws) += count;
  }
  return score_of_rule(rule, cho);
}

Expected<FairBonus> find_fair_bonus(const MarginCounts& counts, BonusClass least, BonusClass most) {
  std::vector<BonusScore> curve;
  for (int half_points = least.half_points; half_points <= most.half_points; ++half_points) {
    curve.push_back(score_with_bonus(counts, {half_points}));
  }
  return find_fair_bonus(std::move(curve));
}

Expected<FairBonus> find_fair_bonus(std::vector<BonusScore> played) {
  FairBonus result;
  result.curve = std::move(played);
  const std::vector<BonusScore>& curve = result.curve;
  for (std::size_t i = 0; i < curve.size(); ++i) {
    if (i > 0 && curve[i].rule.half_points <= curve[i - 1].rule.half_points) {
      throw internal_error("a curve over bonuses is out of order");
    }
    if (curve[i].cho.games() == 0) {
      return Failure{fmt::format("no games with a bonus of {}", curve[i].rule.name())};
    }
  }
  if (curve.size() < 2) throw internal_error("a curve over bonuses needs two classes");

  const auto heights = falling(curve, [](const BonusScore& point) { return point.score; });
  const auto distance = [&](std::size_t i) {
    return std::pair(std::abs(heights[i] - kEven), std::abs(curve[i].score - kEven));
  };
  for (std::size_t i = 1; i < curve.size(); ++i) {
    if (distance(i) < distance(result.fair)) result.fair = i;
  }
  auto leaves = crossing_of(curve, heights, true);
  auto enters = crossing_of(curve, heights, false);
  // A curve that begins or ends on one half crosses it there; one that lies on it says nothing.
  if (!leaves && enters && heights.front() == kEven) leaves = curve.front().rule.bonus();
  if (!enters && leaves && heights.back() == kEven) enters = curve.back().rule.bonus();
  if (leaves && enters) {
    // The slope from the last class above one half to the first below.
    std::size_t before = 0;
    while (heights[before + 1] > kEven) ++before;
    std::size_t after = before + 1;
    while (after + 1 < curve.size() && heights[after] >= kEven) ++after;
    const double slope = (heights[before] - heights[after]) /
                         (curve[after].rule.bonus() - curve[before].rule.bonus());
    result.crossing = Estimate{(*leaves + *enters) / 2, curve[result.fair].error / slope};
  }
  result.low = crossing_of(
      curve, falling(curve, [](const BonusScore& point) { return point.interval.low; }), true);
  result.high = crossing_of(
      curve, falling(curve, [](const BonusScore& point) { return point.interval.high; }), false);
  return result;
}

}  // namespace cannonade
