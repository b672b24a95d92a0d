// The Hessian's pass. Rows are decoded a tile at a time; then every task adds the tile's outer
// products to its own columns of a matrix over features, and at the end of a phase adds that matrix
// to the blocks of the Hessian with the phase's factors. Each entry has one writer and gets its
// terms in the rows' order, so no copies are needed and the result does not depend on threads.

#include <algorithm>
#include <span>
#include <utility>

#include "selfplay/parallel_loop.h"
#include "tuner/objective.h"
#include "tuner/row_block.h"

namespace cannonade {
namespace {

constexpr std::size_t kTileRows = 4096;
constexpr std::size_t kTaskBytes = 256 * 1024;  // of the matrix: with the Hessian's blocks in L2
constexpr std::size_t kMinTasks = 16;

// Tile rows [begin, end), all of phase p in [0, 1].
struct Segment {
  double p = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
  bool ends_phase = false;
};

// Decoded rows: features ascending, each once.
class Tile {
 public:
  // Task t owns the features [bounds[t], bounds[t + 1]).
  explicit Tile(std::vector<std::uint16_t> bounds)
      : bounds_(std::move(bounds)), cuts_(kTileRows * bounds_.size()) {}

  [[nodiscard]] const std::vector<Segment>& segments() const { return segments_; }

  // `rows`: the rows of all segments in order, at most kTileRows.
  void decode(const RowView& view, const ObjectiveSettings& settings,
              const Eigen::VectorXd& weights, std::span<const std::uint32_t> rows,
              std::vector<Segment> segments) {
    const DatasetColumns& c = view.columns;
    segments_ = std::move(segments);
    begin_.assign(1, 0);
    for (const std::uint32_t row : rows) {
      begin_.push_back(begin_.back() + kEntryGroup * (c.row_begin[row + 1] - c.row_begin[row]));
    }
    feature_.resize(begin_.back());
    value_.resize(begin_.back());
    factor_.resize(rows.size());
    parallel_loop(std::size_t{0}, segments_.size(), [&](std::size_t s) {
      const Segment& segment = segments_[s];
      std::vector<double> table(c.atoms.size());
      fill_table(view, weights, segment.p, table.data());
      const std::size_t blocks = (segment.end - segment.begin + kBlockRows - 1) / kBlockRows;
      parallel_loop(std::size_t{0}, blocks, [&](std::size_t b) {
        const std::size_t first = segment.begin + b * kBlockRows;
        const std::size_t last = std::min(segment.end, first + kBlockRows);
        RowBlock block;
        load_rows(view, table.data(), rows.subspan(first, last - first), block);
        apply_curvature(settings, block);
        for (std::size_t i = first; i < last; ++i) {
          const auto k = static_cast<Eigen::Index>(i - first);
          factor_[i] = block.curvature[k] * block.scale[k] * block.scale[k];
          decode_row(view, rows[i], i);
        }
      });
    });
  }

  // Adds factor * x x^T of the segment's rows to the task's columns, down to the diagonal.
  void accumulate(std::size_t task, const Segment& segment, Eigen::MatrixXd& sums) const {
    for (std::size_t i = segment.begin; i < segment.end; ++i) {
      const std::uint16_t* cut = cuts_.data() + i * bounds_.size();
      const std::uint16_t* feature = feature_.data() + begin_[i];
      const double* value = value_.data() + begin_[i];
      std::size_t k = cut[task];
      for (; k + 4 <= cut[task + 1]; k += 4) {
        add_columns<4>(feature, value, k, factor_[i], sums);
      }
      for (; k < cut[task + 1]; ++k) add_columns<1>(feature, value, k, factor_[i], sums);
    }
  }

 private:
  // Elements k .. k + kCount - 1, each against all up to itself. Several columns at a time share
  // the loads of the other elements.
  template <std::size_t kCount>
  static void add_columns(const std::uint16_t* feature, const double* value, std::size_t k,
                          double factor, Eigen::MatrixXd& sums) {
    double* column[kCount];
    double scaled[kCount];
    for (std::size_t m = 0; m < kCount; ++m) {
      column[m] = sums.data() + feature[k + m] * sums.rows();
      scaled[m] = factor * value[k + m];
    }
    for (std::size_t j = 0; j <= k; ++j) {
      const std::size_t place = feature[j];
      const double x = value[j];
      for (std::size_t m = 0; m < kCount; ++m) column[m][place] += scaled[m] * x;
    }
    for (std::size_t m = 1; m < kCount; ++m) {
      for (std::size_t j = 1; j <= m; ++j) column[m][feature[k + j]] += scaled[m] * value[k + j];
    }
  }

  void decode_row(const RowView& view, std::size_t row, std::size_t place) {
    const DatasetColumns& c = view.columns;
    const std::uint16_t* entry = c.entries.data() + std::size_t{c.row_begin[row]} * kEntryGroup;
    const std::uint16_t* end = c.entries.data() + std::size_t{c.row_begin[row + 1]} * kEntryGroup;
    std::uint16_t* feature = feature_.data() + begin_[place];
    double* value = value_.data() + begin_[place];
    std::size_t length = 0;
    for (; entry != end && *entry >= kNullAtoms; ++entry) {
      const std::uint16_t next = c.atoms[*entry].feature;
      if (length > 0 && feature[length - 1] == next) {
        value[length - 1] += view.atom_value[*entry];
        continue;
      }
      feature[length] = next;
      value[length++] = view.atom_value[*entry];
    }
    std::uint16_t* cut = cuts_.data() + place * bounds_.size();
    std::size_t k = 0;
    for (std::size_t task = 0; task < bounds_.size(); ++task) {
      while (k < length && feature[k] < bounds_[task]) ++k;
      cut[task] = static_cast<std::uint16_t>(k);
    }
  }

  std::vector<std::uint16_t> bounds_;
  std::vector<std::uint16_t> cuts_;  // of each row, the first element at or after each bound
  std::vector<Segment> segments_;
  std::vector<std::size_t> begin_;
  std::vector<std::uint16_t> feature_;
  std::vector<double> value_;
  std::vector<double> factor_;
};

// Cuts the features into tasks of about equal work, counted on a sample of the rows.
std::vector<std::uint16_t> task_bounds(const Dataset& data) {
  const DatasetColumns& c = data.columns();
  const auto n = static_cast<std::size_t>(c.features.size());
  std::vector<double> work(n, 1e-9);
  const std::size_t step = std::max<std::size_t>(1, data.rows() / 4096);
  for (std::size_t row = 0; row < data.rows(); row += step) {
    double before = 0;
    for (const std::uint16_t code : data.entries(row)) {
      if (code >= kNullAtoms) work[c.atoms[code].feature] += ++before;
    }
  }
  double total = 0;
  for (const double w : work) total += w;
  const std::size_t tasks =
      std::min(n, std::max(kMinTasks, n * n * sizeof(double) / 2 / kTaskBytes));
  std::vector<std::uint16_t> bounds{0};
  double done = 0;
  for (std::size_t j = 0; j < n; ++j) {
    if (done >= total * static_cast<double>(bounds.size()) / static_cast<double>(tasks)) {
      bounds.push_back(static_cast<std::uint16_t>(j));
    }
    done += work[j];
  }
  bounds.push_back(static_cast<std::uint16_t>(n));
  return bounds;
}

// The rows that a pass takes, in order, and where the phases end among them.
struct Selection {
  std::vector<std::uint32_t> rows;
  std::vector<Segment> phases;  // begin and end index `rows`
  double weight = 0;
};

Selection select_rows(const RowView& view, std::size_t stride) {
  const DatasetColumns& c = view.columns;
  Selection s;
  for (std::size_t phase = 0; phase + 1 < c.phase_begin.size(); ++phase) {
    const std::size_t begin = s.rows.size();
    for (std::size_t row = (c.phase_begin[phase] + stride - 1) / stride * stride;
         row < c.phase_begin[phase + 1]; row += stride) {
      if (view.targets.weight[row] == 0 || !view.subset.has(row)) continue;
      s.rows.push_back(static_cast<std::uint32_t>(row));
      s.weight += double{view.targets.weight[row]};
    }
    if (s.rows.size() == begin) continue;
    s.phases.push_back({static_cast<double>(phase) / c.max_phase, begin, s.rows.size(), true});
  }
  return s;
}

// The part of the phases that lies in [first, last), counted from `first`.
std::vector<Segment> cut_out(const std::vector<Segment>& phases, std::size_t first,
                             std::size_t last) {
  std::vector<Segment> result;
  for (const Segment& phase : phases) {
    if (phase.end <= first || phase.begin >= last) continue;
    result.push_back({phase.p, std::max(phase.begin, first) - first,
                      std::min(phase.end, last) - first, phase.end <= last});
  }
  return result;
}

}  // namespace

void Objective::hessian(const Eigen::VectorXd& weights, Eigen::MatrixXd& hessian,
                        std::size_t stride) const {
  if (weights.size() != parameters()) throw internal_error("wrong number of weights");
  const Eigen::Index n = data_->features().size();
  hessian.setZero(2 * n, 2 * n);
  if (n == 0) return;
  const std::vector<std::uint16_t> bounds = task_bounds(*data_);
  const Selection selection = select_rows(view(), stride);
  const std::span<const std::uint32_t> rows(selection.rows);
  Tile tile(bounds);
  // Of one phase, up to the diagonal. Columns an odd number of cache lines apart: at powers of two
  // they would fall into few sets of the cache.
  const Eigen::Index lines = (n + 7) / 8;
  Eigen::MatrixXd sums = Eigen::MatrixXd::Zero(8 * (lines | 1), n);
  for (std::size_t first = 0; first < rows.size(); first += kTileRows) {
    const std::size_t last = std::min(rows.size(), first + kTileRows);
    tile.decode(view(), settings_, weights, rows.subspan(first, last - first),
                cut_out(selection.phases, first, last));
    parallel_loop(std::size_t{0}, bounds.size() - 1, [&](std::size_t task) {
      for (const Segment& segment : tile.segments()) {
        tile.accumulate(task, segment, sums);
        if (!segment.ends_phase) continue;
        const double p = segment.p;
        for (Eigen::Index i = bounds[task]; i < bounds[task + 1]; ++i) {
          auto column = sums.col(i).head(i + 1);
          hessian.col(i).head(i + 1) += p * p * column;
          hessian.col(n + i).head(i + 1) += p * (1 - p) * column;
          hessian.col(n + i).segment(n, i + 1) += (1 - p) * (1 - p) * column;
          column.setZero();
        }
      }
    });
  }
  if (stride > 1 && selection.weight > 0) hessian *= total_weight() / selection.weight;
  // The block of middle game against end game is symmetric, as is the whole.
  auto mixed = hessian.block(0, n, n, n);
  for (Eigen::Index i = 0; i < n; ++i) mixed.row(i).head(i) = mixed.col(i).head(i).transpose();
  for (Eigen::Index i = 0; i < 2 * n; ++i)
    hessian.row(i).head(i) = hessian.col(i).head(i).transpose();
}

}  // namespace cannonade
