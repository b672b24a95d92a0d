#include "tuner/clusters.h"

#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "selfplay/parallel_loop.h"

namespace cannonade {
namespace {

constexpr std::size_t kClusterBatch = 512;  // clusters whose gradients are held at a time
constexpr Eigen::Index kTile = 192;         // of the covariance: one task's square
constexpr std::size_t kTouchChunk = 256;    // clusters or rows a task counts

// Visits the row's atoms: visit(feature, coefficient). A feature may come more than once.
template <class Visit>
void for_each_atom(const Dataset& data, std::size_t row, Visit visit) {
  for (const std::uint16_t code : data.entries(row)) {
    if (code < kNullAtoms) break;
    const RowCoefficient atom = data.columns().atoms[code];
    visit(static_cast<Eigen::Index>(atom.feature), static_cast<double>(atom.value));
  }
}

// d loss / d score of a sample, at its own label.
double slope(const ObjectiveSettings& settings, double score, double label, double weight) {
  const double q = 1 / (1 + std::exp(-settings.k * score));
  const double miss = weight * settings.k * (q - label);
  return settings.loss == LossKind::kCrossEntropy ? miss : 2 * miss * q * (1 - q);
}

}  // namespace

Clusters::Clusters(const Objective& objective) {
  const DatasetColumns& c = objective.data().columns();
  const Targets& targets = objective.targets();
  for (std::size_t row = 0; row < objective.data().rows(); ++row) {
    if (!objective.subset().has(row)) continue;
    for (std::uint32_t sample = c.sample_begin[row]; sample < c.sample_begin[row + 1]; ++sample) {
      if (targets.sample_weight[sample] > 0) {
        members_.push_back({static_cast<std::uint32_t>(row), sample});
      }
    }
  }
  const auto pair_of = [&](const Member& m) { return c.samples[m.sample].pair; };
  parallel_order(members_.begin(), members_.end(), [&](const Member& a, const Member& b) {
    return std::tuple(pair_of(a), a.sample) < std::tuple(pair_of(b), b.sample);
  });
  for (std::size_t i = 0; i < members_.size(); ++i) {
    if (i == 0 || pair_of(members_[i]) != pair_of(members_[i - 1])) begin_.push_back(i);
  }
  begin_.push_back(members_.size());
}

Touches count_touches(const Objective& objective, const Clusters& clusters) {
  const Dataset& data = objective.data();
  const DatasetColumns& c = data.columns();
  const auto n = static_cast<std::size_t>(data.features().size());
  // Which parameters the row sees, told to visit(parameter).
  const auto for_each_seen = [&](std::size_t row, auto visit) {
    const std::uint16_t phase = data.phase_of(row);
    for_each_atom(data, row, [&](Eigen::Index feature, double) {
      if (phase > 0) visit(static_cast<std::size_t>(feature));
      if (phase < c.max_phase) visit(n + static_cast<std::size_t>(feature));
    });
  };
  struct Local {
    explicit Local(std::size_t size) : positions(size), pairs(size), last(size) {}
    std::vector<std::uint64_t> positions, pairs;
    std::vector<std::uint64_t> last;  // the unit that was counted last, plus one
  };
  const auto add_up = [&](tbb::enumerable_thread_specific<Local>& locals,
                          std::vector<std::uint64_t> Local::*counts) {
    std::vector<std::uint64_t> sum(2 * n);
    for (const Local& local : locals) {
      for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += (local.*counts)[j];
    }
    return sum;
  };
  Touches touches;
  tbb::enumerable_thread_specific<Local> by_row(2 * n);
  parallel_loop(tbb::blocked_range<std::size_t>(0, data.rows(), kTouchChunk),
                [&](const auto& range) {
                  Local& local = by_row.local();
                  for (std::size_t row = range.begin(); row < range.end(); ++row) {
                    if (!objective.subset().has(row) || objective.targets().weight[row] == 0)
                      continue;
                    for_each_seen(row, [&](std::size_t j) {
                      local.positions[j] += local.last[j] != row + 1;
                      local.last[j] = row + 1;
                    });
                  }
                });
  touches.positions = add_up(by_row, &Local::positions);
  tbb::enumerable_thread_specific<Local> by_cluster(2 * n);
  parallel_loop(tbb::blocked_range<std::size_t>(0, clusters.count(), kTouchChunk),
                [&](const auto& range) {
                  Local& local = by_cluster.local();
                  for (std::size_t cluster = range.begin(); cluster < range.end(); ++cluster) {
                    for (const Clusters::Member& m : clusters.members(cluster)) {
                      for_each_seen(m.row, [&](std::size_t j) {
                        local.pairs[j] += local.last[j] != cluster + 1;
                        local.last[j] = cluster + 1;
                      });
                    }
                  }
                });
  touches.pairs = add_up(by_cluster, &Local::pairs);
  return touches;
}

Eigen::MatrixXd cluster_covariance(const Objective& objective, const Clusters& clusters,
                                   const Eigen::VectorXd& weights) {
  const Dataset& data = objective.data();
  const DatasetColumns& c = data.columns();
  const Targets& targets = objective.targets();
  const Eigen::Index n = data.features().size();
  const std::vector<double> scores = objective.scores(weights);
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(2 * n, 2 * n);
  Eigen::VectorXd total = Eigen::VectorXd::Zero(2 * n);
  Eigen::MatrixXd gradients(2 * n, static_cast<Eigen::Index>(kClusterBatch));
  const Eigen::Index tiles = (2 * n + kTile - 1) / kTile;
  for (std::size_t first = 0; first < clusters.count(); first += kClusterBatch) {
    const std::size_t size = std::min(kClusterBatch, clusters.count() - first);
    parallel_loop(std::size_t{0}, size, [&](std::size_t i) {
      auto u = gradients.col(static_cast<Eigen::Index>(i));
      u.setZero();
      for (const Clusters::Member& m : clusters.members(first + i)) {
        const double p = static_cast<double>(data.phase_of(m.row)) / c.max_phase;
        const double step =
            slope(objective.settings(), scores[m.row], double{targets.sample_label[m.sample]},
                  double{targets.sample_weight[m.sample]}) *
            c.scale[m.row] / kScaleOne;
        for_each_atom(data, m.row, [&](Eigen::Index feature, double value) {
          u[feature] += step * value * p;
          u[n + feature] += step * value * (1 - p);
        });
      }
    });
    const auto batch = gradients.leftCols(static_cast<Eigen::Index>(size));
    for (Eigen::Index i = 0; i < batch.cols(); ++i) total += batch.col(i);
    // The lower triangle, a tile a task.
    parallel_loop(Eigen::Index{0}, tiles * (tiles + 1) / 2, [&](Eigen::Index tile) {
      Eigen::Index row = 0;
      while ((row + 1) * (row + 2) / 2 <= tile) ++row;
      const Eigen::Index column = tile - row * (row + 1) / 2;
      const Eigen::Index height = std::min(kTile, 2 * n - row * kTile);
      const Eigen::Index width = std::min(kTile, 2 * n - column * kTile);
      sum.block(row * kTile, column * kTile, height, width).noalias() +=
          batch.middleRows(row * kTile, height) *
          batch.middleRows(column * kTile, width).transpose();
    });
  }
  const auto count = static_cast<double>(clusters.count());
  if (count > 1) {
    sum -= total * total.transpose() / count;
    sum *= count / (count - 1);
  }
  for (Eigen::Index j = 0; j < 2 * n; ++j) {
    sum.col(j).head(j) = sum.row(j).head(j).transpose();
  }
  return sum;
}

}  // namespace cannonade
