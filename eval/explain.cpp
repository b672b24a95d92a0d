#include "eval/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "eval/phase.h"
#include "eval/sinks.h"

namespace cannonade {
namespace {

class ExplainSink {
 public:
  ExplainSink& part() { return *this; }
  void join(const ExplainSink& /*part*/) {}
  void add(int feature, int sign, int count) {
    auto& counts = counts_[static_cast<std::size_t>(feature)];
    (sign > 0 ? counts.first : counts.second) += count;
  }
  [[nodiscard]] std::pair<int, int> of(int feature) const {
    return counts_[static_cast<std::size_t>(feature)];
  }

 private:
  std::array<std::pair<int, int>, kFeatureCount> counts_{};
};

}  // namespace

Explanation explain(const Position& position, const Weights& weights) {
  ExplainSink sink;
  extract(position, sink);
  Explanation result;
  result.phase = game_phase(position);
  const double share = static_cast<double>(result.phase) / kFullPhase;
  std::int64_t middle = 0;
  std::int64_t end = 0;
  for (const GroupInfo& info : kFeatureGroups) {
    GroupScore group{info.group, 0, 0};
    bool active = false;
    for (int i = 0; i < info.size; ++i) {
      const int feature = offset_of(info.group) + i;
      const auto [first, second] = sink.of(feature);
      if (first == 0 && second == 0) continue;
      const Weight& w = weights[feature];
      const double worth = w.middle * share + w.end * (1 - share);
      active = active || worth != 0;
      group.first += first * worth;
      group.second += second * worth;
      middle += static_cast<std::int64_t>(first - second) * w.middle;
      end += static_cast<std::int64_t>(first - second) * w.end;
      if ((first - second) * worth != 0) {
        result.features.push_back({feature, first, second, (first - second) * worth});
      }
    }
    if (active) result.groups.push_back(group);
  }
  result.score = blend(position, static_cast<int>(middle), static_cast<int>(end));
  result.scale = score_scale(position, result.score >= 0 ? Side::kFirst : Side::kSecond);
  std::stable_sort(result.features.begin(), result.features.end(),
                   [](const FeatureScore& a, const FeatureScore& b) {
                     return std::abs(a.value) > std::abs(b.value);
                   });
  return result;
}

std::string explanation_text(const Explanation& told, Game game, int features) {
  const auto first = side_name(game, Side::kFirst);
  const auto second = side_name(game, Side::kSecond);
  std::string text = fmt::format("phase {}/{} (middle game to end game), scale {}/{}\n\n",
                                 told.phase, kFullPhase, told.scale, kFullScale);
  text += fmt::format("{:<16} {:>8} {:>8} {:>8}   centipawns\n", "group", first, second, "net");
  for (const GroupScore& g : told.groups) {
    text += fmt::format("{:<16} {:>8.1f} {:>8.1f} {:>+8.1f}   {}\n", info_of(g.group).name, g.first,
                        g.second, g.net(), info_of(g.group).help);
  }
  text += fmt::format("{:<16} {:>8} {:>8} {:>+8}   {}'s view, scaled", "evaluation", "", "",
                      told.score, first);
  if (features > 0 && !told.features.empty()) {
    text += fmt::format("\n\n{:<36} {:>6} {:>6} {:>8}", "largest single features", first, second,
                        "net");
  }
  for (std::size_t i = 0; i < told.features.size() && i < static_cast<std::size_t>(features); ++i) {
    const FeatureScore& f = told.features[i];
    text += fmt::format("\n{:<36} {:>6} {:>6} {:>+8.1f}", feature_name(f.feature), f.first,
                        f.second, f.value);
  }
  return text;
}

}  // namespace cannonade
