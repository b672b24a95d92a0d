#include "tuner/sigmoid_scale.h"

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <vector>

#include "selfplay/parallel_loop.h"
#include "tuner/row_block.h"

namespace cannonade {
namespace {

constexpr std::size_t kSumRows = 32 * kBlockRows;
constexpr int kGridSteps = 30;      // half a binary order of magnitude each
constexpr int kPrecisionBits = 26;  // Brent's method on a smooth valley gives half of a double's 53

double mean_loss(std::span<const double> scores, const Targets& targets,
                 const ObjectiveSettings& settings) {
  const std::size_t chunks = (scores.size() + kSumRows - 1) / kSumRows;
  std::vector<double> sums(chunks);
  parallel_loop(std::size_t{0}, chunks, [&](std::size_t chunk) {
    RowBlock block;
    const std::size_t end = std::min(scores.size(), (chunk + 1) * kSumRows);
    for (std::size_t first = chunk * kSumRows; first < end; first += kBlockRows) {
      block.score.setZero();
      block.label.setZero();
      block.weight.setZero();
      for (std::size_t i = 0; i < std::min(kBlockRows, end - first); ++i) {
        const auto k = static_cast<Eigen::Index>(i);
        block.score[k] = scores[first + i];
        block.label[k] = double{targets.label[first + i]};
        block.weight[k] = double{targets.weight[first + i]};
      }
      apply_loss(settings, block);
      sums[chunk] += block.loss.sum();
    }
  });
  double sum = 0;
  for (const double part : sums) sum += part;
  return sum / targets.total_weight;
}

}  // namespace

ScaleFit solve_scale(std::span<const double> scores, const Targets& targets, LossKind loss) {
  if (scores.size() != targets.label.size()) {
    throw internal_error("the targets belong to other scores");
  }
  if (!(targets.total_weight > 0)) throw user_error("no position weighs anything");
  const auto at = [&](double log_k) {
    return mean_loss(scores, targets, {.k = std::exp(log_k), .loss = loss});
  };
  const double low = std::log(kMinScale);
  const double step = (std::log(kMaxScale) - low) / kGridSteps;
  int best = 0;
  double best_loss = at(low);
  for (int i = 1; i <= kGridSteps; ++i) {
    if (const double value = at(low + i * step); value < best_loss) {
      best = i;
      best_loss = value;
    }
  }
  if (best == 0 || best == kGridSteps) {
    return {std::exp(low + best * step), best_loss, true};
  }
  const auto [log_k, value] = boost::math::tools::brent_find_minima(
      at, low + (best - 1) * step, low + (best + 1) * step, kPrecisionBits);
  return {std::exp(log_k), value, false};
}

}  // namespace cannonade
