#include "selfplay/bootstrap.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/rng.h"

namespace cannonade {

Interval percentile_interval(std::vector<double> values, double level) {
  if (values.empty()) throw internal_error("percentiles of nothing");
  if (!(level > 0 && level < 1)) throw internal_error("a level outside (0, 1)");
  std::sort(values.begin(), values.end());
  const auto quantile = [&](double p) {
    const double at = p * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(at);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    return values[below] + (at - static_cast<double>(below)) * (values[above] - values[below]);
  };
  return {quantile((1 - level) / 2), quantile((1 + level) / 2)};
}

std::vector<BootstrapFigure> cluster_bootstrap(
    std::size_t clusters, int replicates, std::uint64_t seed,
    const std::function<std::vector<double>(std::span<const std::uint32_t>)>& figures,
    double level) {
  if (clusters == 0 || replicates < 2) {
    throw internal_error("a bootstrap needs a cluster and two replicates");
  }
  std::vector<std::vector<double>> values;  // by figure, then replicate
  std::vector<std::uint32_t> times(clusters);
  for (int replicate = 0; replicate < replicates; ++replicate) {
    Rng rng(seed, static_cast<std::uint64_t>(replicate));
    std::fill(times.begin(), times.end(), 0);
    for (std::size_t i = 0; i < clusters; ++i) ++times[rng.below(clusters)];
    const std::vector<double> found = figures(times);
    if (replicate == 0) values.resize(found.size());
    if (found.size() != values.size()) throw internal_error("bootstrap figures changed in number");
    for (std::size_t i = 0; i < found.size(); ++i) values[i].push_back(found[i]);
  }
  std::vector<BootstrapFigure> result;
  for (auto& figure : values) {
    const auto n = static_cast<double>(figure.size());
    double mean = 0;
    for (const double x : figure) mean += x / n;
    double square = 0;
    for (const double x : figure) square += (x - mean) * (x - mean);
    result.push_back({std::sqrt(square / (n - 1)), percentile_interval(std::move(figure), level)});
  }
  return result;
}

}  // namespace cannonade
