#include "tuner/objective.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "selfplay/parallel_loop.h"
#include "tuner/row_block.h"

namespace cannonade {
namespace {

// The unit of parallel work and of the order of sums: part of the result, not of the tuning.
constexpr std::size_t kChunkRows = 8192;

std::size_t chunks_of(std::size_t rows) {
  return (rows + kChunkRows - 1) / kChunkRows;
}

// The chunk's rows, cut where the phase changes: visit(phase in [0, 1], begin, end).
template <class Visit>
void for_each_phase(const DatasetColumns& c, std::size_t chunk, Visit visit) {
  std::size_t row = chunk * kChunkRows;
  const std::size_t end = std::min(c.key.size(), row + kChunkRows);
  const auto& begin = c.phase_begin;
  auto next = std::upper_bound(begin.begin(), begin.end(), static_cast<std::uint32_t>(row));
  while (row < end) {
    while (*next <= row) ++next;
    const std::size_t stop = std::min(end, std::size_t{*next});
    const auto phase = static_cast<double>(next - begin.begin() - 1);
    visit(phase / c.max_phase, row, stop);
    row = stop;
  }
}

}  // namespace

Objective::Objective(const Dataset& data, std::shared_ptr<const Targets> targets,
                     ObjectiveSettings settings, RowSubset subset)
    : data_(&data), targets_(std::move(targets)), settings_(settings), subset_(subset) {
  if (!(settings.k > 0 && std::isfinite(settings.k))) {
    throw user_error(fmt::format("the sigmoid's scale {} is not positive", settings.k));
  }
  if (targets_->label.size() != data.rows() || targets_->weight.size() != data.rows() ||
      (!subset.part.empty() && subset.part.size() != data.rows())) {
    throw internal_error("the targets or the subset belong to another data set");
  }
  for (std::size_t row = 0; row < data.rows(); ++row) {
    const float label = targets_->label[row];
    const float weight = targets_->weight[row];
    if (!(label >= 0 && label <= 1 && weight >= 0 && std::isfinite(weight))) {
      throw internal_error(fmt::format("row {} has label {}, weight {}", row, label, weight));
    }
    if (subset_.has(row)) total_weight_ += double{weight};
  }
  for (const RowCoefficient& atom : data.columns().atoms) {
    atom_value_.push_back(static_cast<double>(atom.value));
  }
}

RowView Objective::view() const {
  return {data_->columns(), *targets_, subset_, atom_value_.data()};
}

template <bool kWantGradient>
double Objective::evaluate_chunk(std::size_t chunk, const Eigen::VectorXd& weights,
                                 double* gradient) const {
  const DatasetColumns& c = data_->columns();
  const auto n = static_cast<std::size_t>(c.features.size());
  const RowView rows = view();
  const std::size_t atoms = c.atoms.size();
  std::vector<double> table(atoms);
  std::vector<double> sums(kWantGradient ? atoms : 0);
  RowBlock block;
  double value = 0;
  for_each_phase(c, chunk, [&](double p, std::size_t begin, std::size_t end) {
    fill_table(rows, weights, p, table.data());
    for (std::size_t first = begin; first < end; first += kBlockRows) {
      load_rows(rows, table.data(), first, std::min(kBlockRows, end - first), block);
      apply_loss(settings_, block);
      value += block.loss.sum();
      if constexpr (kWantGradient) {
        const RowArray step = block.slope * block.scale;
        const std::uint16_t* entries = c.entries.data();
        for (std::size_t i = 0; i < block.count; ++i) {
          const std::size_t row = first + i;
          if (block.weight[static_cast<Eigen::Index>(i)] == 0) continue;
          add_to_entries(entries + std::size_t{c.row_begin[row]} * kEntryGroup,
                         entries + std::size_t{c.row_begin[row + 1]} * kEntryGroup,
                         step[static_cast<Eigen::Index>(i)], sums.data());
        }
      }
    }
    if constexpr (kWantGradient) {
      for (std::size_t a = kNullAtoms; a < atoms; ++a) {
        const std::size_t feature = c.atoms[a].feature;
        const double sum = sums[a] * atom_value_[a];
        gradient[feature] += sum * p;
        gradient[n + feature] += sum * (1 - p);
      }
      std::fill(sums.begin(), sums.end(), 0.0);
    }
  });
  return value;
}

double Objective::evaluate(const Eigen::VectorXd& weights, Eigen::VectorXd* gradient) const {
  if (weights.size() != parameters()) throw internal_error("wrong number of weights");
  const std::size_t chunks = chunks_of(data_->rows());
  std::vector<double> values(chunks);
  Eigen::MatrixXd parts;
  if (gradient) parts.setZero(parameters(), static_cast<Eigen::Index>(chunks));
  parallel_loop(std::size_t{0}, chunks, [&](std::size_t chunk) {
    values[chunk] = gradient
                        ? evaluate_chunk<true>(chunk, weights,
                                               parts.col(static_cast<Eigen::Index>(chunk)).data())
                        : evaluate_chunk<false>(chunk, weights, nullptr);
  });
  double value = 0;
  for (const double part : values) value += part;
  if (gradient) {
    gradient->setZero(parameters());
    for (Eigen::Index chunk = 0; chunk < parts.cols(); ++chunk) *gradient += parts.col(chunk);
  }
  return value;
}

std::vector<double> Objective::scores(const Eigen::VectorXd& weights) const {
  if (weights.size() != parameters()) throw internal_error("wrong number of weights");
  const DatasetColumns& c = data_->columns();
  RowView rows = view();
  rows.subset = {};
  std::vector<double> result(data_->rows());
  parallel_loop(std::size_t{0}, chunks_of(data_->rows()), [&](std::size_t chunk) {
    std::vector<double> table(c.atoms.size());
    RowBlock block;
    for_each_phase(c, chunk, [&](double p, std::size_t begin, std::size_t end) {
      fill_table(rows, weights, p, table.data());
      for (std::size_t first = begin; first < end; first += kBlockRows) {
        load_rows(rows, table.data(), first, std::min(kBlockRows, end - first), block);
        std::copy_n(block.score.data(), block.count,
                    result.begin() + static_cast<std::ptrdiff_t>(first));
      }
    });
  });
  return result;
}

std::vector<double> Objective::predictions(const Eigen::VectorXd& weights) const {
  std::vector<double> result = scores(weights);
  for (double& x : result) x = 1 / (1 + std::exp(-settings_.k * x));
  return result;
}

}  // namespace cannonade
