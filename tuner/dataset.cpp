#include "tuner/dataset.h"

#include <fmt/format.h>
#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "selfplay/parallel_loop.h"
#include "tuner/atoms.h"

namespace cannonade {
namespace {

constexpr std::size_t kEncodeRows = 4096;

template <class T>
std::size_t bytes_of(const std::vector<T>& column) {
  return column.size() * sizeof(T);
}

// One line that says what is wrong with the list, or nothing.
std::string fault(const FeatureList& list) {
  if (list.names.size() > kMaxFeatures) {
    return fmt::format("{} features, at most {}", list.names.size(), kMaxFeatures);
  }
  if (list.group.size() != list.names.size()) {
    return fmt::format("{} features but {} groups", list.names.size(), list.group.size());
  }
  for (std::size_t j = 0; j < list.group.size(); ++j) {
    if (list.group[j] >= list.group_names.size()) {
      return fmt::format("feature '{}' is in group {} of {}", list.names[j], list.group[j],
                         list.group_names.size());
    }
  }
  for (const auto* names : {&list.names, &list.group_names}) {
    std::unordered_set<std::string> seen;
    for (const std::string& name : *names) {
      if (!seen.insert(name).second) return fmt::format("'{}' is named twice", name);
    }
  }
  return {};
}

// Ascending offsets from 0 to `total`, `steps` + 1 of them.
bool is_partition(const std::vector<std::uint32_t>& begin, std::size_t steps, std::size_t total) {
  return begin.size() == steps + 1 && begin.front() == 0 && begin.back() == total &&
         std::is_sorted(begin.begin(), begin.end());
}

std::string fault(const DatasetColumns& c) {
  if (std::string list = fault(c.features); !list.empty()) return "features: " + list;
  const std::size_t rows = c.key.size();
  if (c.max_phase == 0 || c.max_phase > kMaxPhase) return "max_phase out of range";
  if (c.atoms.size() < kNullAtoms || c.atoms.size() > kMaxAtoms) return "atoms: wrong number";
  for (std::size_t code = 0; code < c.atoms.size(); ++code) {
    const RowCoefficient atom = c.atoms[code];
    if ((atom.value == 0) != (code < kNullAtoms) ||
        (code >= kNullAtoms && atom.feature >= c.features.names.size())) {
      return fmt::format("atoms: atom {} does not exist", code);
    }
  }
  if (c.entries.size() % kEntryGroup != 0 ||
      !is_partition(c.row_begin, rows, c.entries.size() / kEntryGroup)) {
    return "row_begin: not a partition of the entries";
  }
  if (!is_partition(c.phase_begin, std::size_t{c.max_phase} + 1, rows)) {
    return "phase_begin: not a partition of the rows";
  }
  if (c.offset.size() != rows || c.scale.size() != rows) return "offset or scale: wrong number";
  if (!is_partition(c.sample_begin, rows, c.samples.size())) {
    return "sample_begin: not a partition of the samples";
  }
  for (std::size_t row = 0; row < rows; ++row) {
    if (!std::isfinite(c.offset[row])) return fmt::format("offset: row {} is not finite", row);
    if (c.sample_begin[row] == c.sample_begin[row + 1]) {
      return fmt::format("sample_begin: row {} has no sample", row);
    }
  }
  for (const SampleInfo& sample : c.samples) {
    if (sample.result > SampleResult::kFirstWon || sample.reserved != 0) {
      return fmt::format("samples: game {}, ply {} has no such result", sample.game, sample.ply);
    }
  }
  const auto is_sorted_list = [&](std::size_t row) {
    std::uint16_t last = 0;
    bool ended = false;
    const std::size_t begin{c.row_begin[row]};
    const std::size_t end{c.row_begin[row + 1]};
    for (std::size_t e = begin * kEntryGroup; e < end * kEntryGroup; ++e) {
      const std::uint16_t code = c.entries[e];
      if (code >= c.atoms.size()) return false;
      if (code < kNullAtoms) {
        ended = true;
        continue;
      }
      const std::uint16_t feature = c.atoms[code].feature;
      if (ended || feature < last) return false;
      last = feature;
    }
    return true;
  };
  std::atomic<std::size_t> worst{rows};
  parallel_loop(tbb::blocked_range<std::size_t>(0, rows, kEncodeRows),
                [&](const tbb::blocked_range<std::size_t>& range) {
                  std::size_t row = range.begin();
                  while (row < range.end() && is_sorted_list(row)) ++row;
                  if (row == range.end()) return;
                  std::size_t least = worst.load();
                  while (row < least && !worst.compare_exchange_weak(least, row)) {
                  }
                });
  if (worst.load() != rows) {
    return fmt::format("entries: row {} is not a sorted list of atoms", worst.load());
  }
  return {};
}

// Counts how often each pair occurs; sums of integers, so the threads' order does not matter.
class PairCounter {
 public:
  explicit PairCounter(std::size_t features) : near_(features * kWidth) {}

  void add(RowCoefficient pair) {
    if (std::abs(int{pair.value}) <= kNear) {
      ++near_[std::size_t{pair.feature} * kWidth + static_cast<std::size_t>(pair.value + kNear)];
    } else {
      ++far_[std::uint32_t{pair.feature} << 16 | static_cast<std::uint16_t>(pair.value)];
    }
  }
  void add(const PairCounter& other) {
    for (std::size_t i = 0; i < near_.size(); ++i) near_[i] += other.near_[i];
    for (const auto& [pair, count] : other.far_) far_[pair] += count;
  }
  [[nodiscard]] std::vector<CountedAtom> counts() const {
    std::vector<CountedAtom> result;
    for (std::size_t i = 0; i < near_.size(); ++i) {
      if (near_[i] == 0) continue;
      const int value = static_cast<int>(i % kWidth) - kNear;
      result.push_back(
          {{static_cast<std::uint16_t>(i / kWidth), static_cast<std::int16_t>(value)}, near_[i]});
    }
    for (const auto& [pair, count] : far_) {
      result.push_back({{static_cast<std::uint16_t>(pair >> 16),
                         static_cast<std::int16_t>(static_cast<std::uint16_t>(pair))},
                        count});
    }
    return result;
  }

 private:
  static constexpr int kNear = 8;
  static constexpr std::size_t kWidth = 2 * kNear + 1;

  std::vector<std::uint64_t> near_;
  std::unordered_map<std::uint32_t, std::uint64_t> far_;
};

}  // namespace

std::string FeatureList::parameter_name(Eigen::Index parameter) const {
  const bool end_game = parameter >= size();
  return names[static_cast<std::size_t>(end_game ? parameter - size() : parameter)] +
         (end_game ? ".eg" : ".mg");
}

Expected<Dataset> Dataset::make(DatasetColumns columns) {
  if (std::string wrong = fault(columns); !wrong.empty()) return Failure{std::move(wrong)};
  return Dataset(std::move(columns));
}

std::size_t Dataset::bytes() const {
  const DatasetColumns& c = columns_;
  return bytes_of(c.atoms) + bytes_of(c.entries) + bytes_of(c.row_begin) + bytes_of(c.phase_begin) +
         bytes_of(c.key) + bytes_of(c.offset) + bytes_of(c.scale) + bytes_of(c.sample_begin) +
         bytes_of(c.samples);
}

std::uint16_t Dataset::phase_of(std::size_t row) const {
  const auto& begin = columns_.phase_begin;
  const auto after = std::upper_bound(begin.begin(), begin.end(), static_cast<std::uint32_t>(row));
  return static_cast<std::uint16_t>(after - begin.begin() - 1);
}

std::vector<RowCoefficient> Dataset::coefficients(std::size_t row) const {
  std::vector<RowCoefficient> result;
  for (const std::uint16_t code : entries(row)) {
    if (code < kNullAtoms) break;
    const RowCoefficient atom = columns_.atoms[code];
    if (!result.empty() && result.back().feature == atom.feature) {
      result.back().value = static_cast<std::int16_t>(result.back().value + atom.value);
    } else {
      result.push_back(atom);
    }
  }
  return result;
}

void RowBatch::add(const RowInfo& row, const SampleInfo& sample,
                   std::span<const RowCoefficient> coefficients) {
  const auto refuse = [&](const std::string& what) {
    coefficients_.resize(begin_.back());
    return user_error(fmt::format("game {}, ply {}: {}", sample.game, sample.ply, what));
  };
  if (!std::isfinite(row.offset)) throw refuse("the offset is not finite");
  if (sample.result > SampleResult::kFirstWon) throw refuse("no such result");
  const std::size_t begin = begin_.back();
  coefficients_.insert(coefficients_.end(), coefficients.begin(), coefficients.end());
  std::sort(coefficients_.begin() + static_cast<std::ptrdiff_t>(begin), coefficients_.end(),
            [](RowCoefficient a, RowCoefficient b) { return a.feature < b.feature; });
  std::size_t end = begin;
  for (std::size_t i = begin; i < coefficients_.size();) {
    const std::uint16_t feature = coefficients_[i].feature;
    int sum = 0;
    for (; i < coefficients_.size() && coefficients_[i].feature == feature; ++i) {
      sum += coefficients_[i].value;
    }
    if (sum < INT16_MIN || sum > INT16_MAX) {
      throw refuse(fmt::format("coefficient {} of feature {} does not fit 16 bits", sum, feature));
    }
    if (sum != 0) coefficients_[end++] = {feature, static_cast<std::int16_t>(sum)};
  }
  coefficients_.resize(end);
  begin_.push_back(end);
  rows_.push_back(row);
  samples_.push_back(sample);
  samples_.back().reserved = 0;
}

DatasetBuilder::DatasetBuilder(FeatureList features, std::uint16_t max_phase, std::string origin)
    : features_(std::move(features)), max_phase_(max_phase), origin_(std::move(origin)) {
  if (const std::string wrong = fault(features_); !wrong.empty()) throw user_error(wrong);
  if (max_phase == 0 || max_phase > kMaxPhase) {
    throw user_error(fmt::format("max_phase {} is not in 1..{}", max_phase, kMaxPhase));
  }
}

void DatasetBuilder::add(RowBatch&& batch) {
  for (std::size_t row = 0; row < batch.rows(); ++row) {
    const SampleInfo& sample = batch.samples_[row];
    if (batch.rows_[row].phase > max_phase_) {
      throw user_error(fmt::format("game {}, ply {}: phase {} is over {}", sample.game, sample.ply,
                                   batch.rows_[row].phase, max_phase_));
    }
    // Sorted by feature: the last is the largest.
    if (batch.begin_[row] == batch.begin_[row + 1]) continue;
    const std::uint16_t feature = batch.coefficients_[batch.begin_[row + 1] - 1].feature;
    if (feature >= features_.names.size()) {
      throw user_error(fmt::format("game {}, ply {}: feature {} of {} does not exist", sample.game,
                                   sample.ply, feature, features_.names.size()));
    }
  }
  const std::lock_guard lock(mutex_);
  batches_.push_back(std::move(batch));
}

Dataset DatasetBuilder::finish() && {
  struct Place {
    std::uint32_t batch, row;
  };
  std::size_t rows = 0;
  for (const RowBatch& batch : batches_) rows += batch.rows();
  if (rows > std::numeric_limits<std::uint32_t>::max() - 1) throw user_error("too many positions");
  std::vector<Place> order;
  order.reserve(rows);
  for (std::uint32_t b = 0; b < batches_.size(); ++b) {
    for (std::uint32_t r = 0; r < batches_[b].rows(); ++r) order.push_back({b, r});
  }
  const auto sort_key = [&](const Place& place) {
    const RowBatch& batch = batches_[place.batch];
    const SampleInfo& sample = batch.samples_[place.row];
    const RowInfo& row = batch.rows_[place.row];
    return std::tuple(row.phase, sample.game, sample.ply, row.key);
  };
  parallel_order(order.begin(), order.end(),
                 [&](const Place& a, const Place& b) { return sort_key(a) < sort_key(b); });
  for (std::size_t i = 1; i < rows; ++i) {
    if (sort_key(order[i - 1]) == sort_key(order[i])) {
      const SampleInfo& sample = batches_[order[i].batch].samples_[order[i].row];
      throw user_error(fmt::format("game {}, ply {} was given twice", sample.game, sample.ply));
    }
  }

  tbb::enumerable_thread_specific<PairCounter> counters(features_.names.size());
  parallel_loop(std::size_t{0}, batches_.size(), [&](std::size_t b) {
    PairCounter& counter = counters.local();
    for (const RowCoefficient pair : batches_[b].coefficients_) counter.add(pair);
  });
  PairCounter counter(features_.names.size());
  for (const PairCounter& local : counters) counter.add(local);
  const AtomDictionary dictionary(counter.counts());

  DatasetColumns c;
  c.features = std::move(features_);
  c.origin = std::move(origin_);
  c.max_phase = max_phase_;
  c.atoms = dictionary.atoms();
  c.key.resize(rows);
  c.offset.resize(rows);
  c.scale.resize(rows);
  c.samples.resize(rows);
  c.row_begin.resize(rows + 1);
  c.sample_begin.resize(rows + 1);
  const std::size_t chunks = (rows + kEncodeRows - 1) / kEncodeRows;
  std::vector<std::vector<std::uint16_t>> encoded(chunks);
  parallel_loop(std::size_t{0}, chunks, [&](std::size_t chunk) {
    std::vector<std::uint16_t>& out = encoded[chunk];
    for (std::size_t i = chunk * kEncodeRows; i < std::min(rows, (chunk + 1) * kEncodeRows); ++i) {
      const RowBatch& batch = batches_[order[i].batch];
      const std::size_t row = order[i].row;
      const std::span<const RowCoefficient> all(batch.coefficients_);
      dictionary.encode(all.subspan(batch.begin_[row], batch.begin_[row + 1] - batch.begin_[row]),
                        out);
      c.row_begin[i + 1] = static_cast<std::uint32_t>(out.size() / kEntryGroup);
      c.key[i] = batch.rows_[row].key;
      c.offset[i] = batch.rows_[row].offset;
      c.scale[i] = batch.rows_[row].scale;
      c.samples[i] = batch.samples_[row];
      c.sample_begin[i + 1] = static_cast<std::uint32_t>(i + 1);
    }
  });
  std::vector<std::size_t> base(chunks + 1);
  for (std::size_t k = 0; k < chunks; ++k) base[k + 1] = base[k] + encoded[k].size();
  if (base.back() / kEntryGroup > std::numeric_limits<std::uint32_t>::max()) {
    throw user_error("too many coefficients for one data set");
  }
  c.entries.resize(base.back());
  parallel_loop(std::size_t{0}, chunks, [&](std::size_t chunk) {
    std::copy(encoded[chunk].begin(), encoded[chunk].end(),
              c.entries.begin() + static_cast<std::ptrdiff_t>(base[chunk]));
    const auto shift = static_cast<std::uint32_t>(base[chunk] / kEntryGroup);
    for (std::size_t i = chunk * kEncodeRows; i < std::min(rows, (chunk + 1) * kEncodeRows); ++i) {
      c.row_begin[i + 1] += shift;
    }
  });
  c.phase_begin.assign(std::size_t{max_phase_} + 2, 0);
  for (const Place& place : order) {
    ++c.phase_begin[std::size_t{batches_[place.batch].rows_[place.row].phase} + 1];
  }
  for (std::size_t p = 1; p < c.phase_begin.size(); ++p) c.phase_begin[p] += c.phase_begin[p - 1];
  batches_.clear();
  Expected<Dataset> made = Dataset::make(std::move(c));
  if (!made) throw internal_error("a built data set is not sound: " + made.error());
  return std::move(made.value());
}

}  // namespace cannonade
