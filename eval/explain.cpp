#include "eval/explain.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "eval/sinks.h"

namespace cannonade {
namespace {

class ExplainSink {
 public:
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

}  // namespace cannonade
