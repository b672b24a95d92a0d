#include "tests/tuner/synthetic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/base/rng.h"

namespace cannonade {
namespace {

double normal(Rng& rng) {  // Box and Muller
  const double radius = std::sqrt(-2 * std::log(1 - rng.unit()));
  return radius * std::cos(2 * std::numbers::pi * rng.unit());
}

double normal_probability(double z) {
  return 0.5 * std::erfc(-z / std::numbers::sqrt2);
}

}  // namespace

FeatureList some_features(int count) {
  FeatureList list;
  list.group_names = {"pieces", "squares"};
  for (int j = 0; j < count; ++j) {
    list.names.push_back(fmt::format("feature{}", j));
    list.group.push_back(j < count / 2 ? 0 : 1);
  }
  return list;
}

Eigen::VectorXd random_weights(int features, double size, std::uint64_t seed) {
  Rng rng(seed, 77);
  Eigen::VectorXd weights(2 * features);
  for (double& w : weights) w = size * normal(rng);
  return weights;
}

namespace {

// A coefficient that is not zero, of a feature that is not there yet.
RowCoefficient draw_coefficient(int features, const std::vector<RowCoefficient>& present,
                                Rng& rng) {
  for (;;) {
    const auto feature =
        static_cast<std::uint16_t>(rng.below(static_cast<std::uint64_t>(features)));
    const bool taken =
        std::ranges::any_of(present, [&](const RowCoefficient& c) { return c.feature == feature; });
    if (taken) continue;
    const int size = 1 + static_cast<int>(rng.below(2));
    return {feature, static_cast<std::int16_t>(rng.below(2) != 0 ? size : -size)};
  }
}

}  // namespace

Dataset simulate(const SimulationSettings& s, const Eigen::VectorXd& weights) {
  DatasetBuilder builder(some_features(s.features), static_cast<std::uint16_t>(s.max_phase),
                         "simulated");
  for (int pair = 0; pair < s.pairs; ++pair) {
    Rng rng(s.seed, static_cast<std::uint64_t>(pair));
    const double pair_luck = normal(rng);
    std::vector<RowCoefficient> opening;
    for (int i = 0; i < s.active; ++i) {
      opening.push_back(draw_coefficient(s.features, opening, rng));
    }
    for (int side = 0; side < 2; ++side) {
      const double game_luck = normal(rng);
      const double shared = std::sqrt(s.game_share) * (std::sqrt(s.pair_share) * pair_luck +
                                                       std::sqrt(1 - s.pair_share) * game_luck);
      std::vector<RowCoefficient> coefficients = opening;
      RowBatch batch;
      for (int ply = 0; ply < s.plies; ++ply) {
        for (RowCoefficient& c : coefficients) {
          if (rng.unit() >= s.persistence) c = draw_coefficient(s.features, coefficients, rng);
        }
        RowInfo row;
        row.key = rng.next();
        row.phase =
            static_cast<std::uint16_t>(rng.below(static_cast<std::uint64_t>(s.max_phase) + 1));
        if (s.offsets) {
          row.offset = static_cast<float>(20 * normal(rng));
          row.scale = static_cast<std::uint8_t>(kScaleOne / 2 + rng.below(kScaleOne));
        }
        const double p = static_cast<double>(row.phase) / s.max_phase;
        double score = 0;
        for (const RowCoefficient& c : coefficients) {
          const auto j = static_cast<Eigen::Index>(c.feature);
          score += c.value * (weights[j] * p + weights[s.features + j] * (1 - p));
        }
        score = score * row.scale / kScaleOne + double{row.offset};
        const double luck = shared + std::sqrt(1 - s.game_share) * normal(rng);
        SampleInfo sample;
        sample.game = static_cast<std::uint32_t>(2 * pair + side);
        sample.pair = static_cast<std::uint32_t>(pair);
        sample.ply = static_cast<std::uint16_t>(ply);
        sample.result = normal_probability(luck) < 1 / (1 + std::exp(-s.k * score))
                            ? SampleResult::kFirstWon
                            : SampleResult::kFirstLost;
        batch.add(row, sample, coefficients);
      }
      builder.add(std::move(batch));
    }
  }
  return std::move(builder).finish();
}

double naive_score(const Dataset& data, std::size_t row, const Eigen::VectorXd& weights) {
  return naive_gradient(data, row).dot(weights) + double{data.columns().offset[row]};
}

Eigen::VectorXd naive_gradient(const Dataset& data, std::size_t row) {
  const Eigen::Index n = data.features().size();
  const double p = static_cast<double>(data.phase_of(row)) / data.columns().max_phase;
  const double scale = static_cast<double>(data.columns().scale[row]) / kScaleOne;
  Eigen::VectorXd gradient = Eigen::VectorXd::Zero(2 * n);
  for (const RowCoefficient c : data.coefficients(row)) {
    gradient[c.feature] = c.value * p * scale;
    gradient[n + c.feature] = c.value * (1 - p) * scale;
  }
  return gradient;
}

std::shared_ptr<const Targets> targets_of(const Dataset& data) {
  return std::make_shared<Targets>(make_targets(data, {}));
}

}  // namespace cannonade
