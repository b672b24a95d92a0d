// The tuner's data: sparse rows of evaluation coefficients, sorted by phase, at most 200 bytes a
// position at 64 active features (together with the labels of tuner/labels.h).
//
// A row is a position: for its phase p = phase / max_phase in [0, 1] its score in centipawns, seen
// from the first mover, is
//     scale / 64 * sum_j c_j * (mg_j * p + eg_j * (1 - p)) + offset
// with small integers c_j. A sample is one game's visit to the row: who won, and from where it
// came. Rows come with one sample; merging duplicates (tuner/split.h) gives a row more.
//
// A row's coefficients are a list of 16-bit atoms; an atom is a (feature, coefficient) pair of the
// data set's dictionary. The dot product is then a sum of table entries and its gradient a
// histogram, with no decoding and no multiplication in the inner loop, and every 16-bit coefficient
// fits. The dictionary is sorted by frequency, so what is touched most lies together in the cache.
//
// What always holds: rows are sorted by (phase, game, ply, key) of their first sample; atoms of a
// row are sorted by feature and padded to a multiple of four with the first kNullAtoms atoms, which
// mean nothing; row r owns samples [sample_begin[r], sample_begin[r + 1]), at least one.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"

namespace cannonade {

// What is tuned. Weights are vectors of 2n values in centipawns: the n middle game weights in the
// order of `names`, then the n end game weights.
struct FeatureList {
  std::vector<std::string> names;        // distinct, one a feature
  std::vector<std::uint16_t> group;      // one a feature: index into group_names
  std::vector<std::string> group_names;  // distinct

  [[nodiscard]] Eigen::Index size() const { return static_cast<Eigen::Index>(names.size()); }
  [[nodiscard]] Eigen::Index parameters() const { return 2 * size(); }
  // The feature's name and ".mg" or ".eg".
  [[nodiscard]] std::string parameter_name(Eigen::Index parameter) const;

  friend bool operator==(const FeatureList&, const FeatureList&) = default;
};

enum class SampleResult : std::uint8_t { kFirstLost, kDrawn, kFirstWon };

inline constexpr std::int16_t kNoSearchScore = INT16_MIN;

struct SampleInfo {
  std::uint32_t game = 0;  // names the game in messages and sorts rows
  std::uint32_t pair = 0;  // the game pair: what is independent of the rest
  std::uint16_t ply = 0;
  std::int16_t search_score = kNoSearchScore;  // centipawns, from the first mover's view
  std::uint8_t source = 0;                     // a store, or another origin that has its own weight
  SampleResult result = SampleResult::kDrawn;
  std::uint16_t reserved = 0;  // zero

  friend bool operator==(const SampleInfo&, const SampleInfo&) = default;
};
static_assert(sizeof(SampleInfo) == 16);

inline constexpr int kScaleOne = 64;

struct RowInfo {
  std::uint64_t key = 0;  // equal for equal positions
  std::uint16_t phase = 0;
  std::uint8_t scale = kScaleOne;
  float offset = 0;  // centipawns: what is not tuned
};

struct RowCoefficient {
  std::uint16_t feature = 0;
  std::int16_t value = 0;

  friend bool operator==(const RowCoefficient&, const RowCoefficient&) = default;
};

inline constexpr std::size_t kMaxFeatures = 16384;
inline constexpr std::size_t kMaxPhase = 4096;
inline constexpr std::size_t kMaxAtoms = 65536;
inline constexpr std::size_t kNullAtoms = 3;
inline constexpr std::size_t kEntryGroup = 4;  // rows are padded to a multiple of this

// The columns of a data set, one file's worth of plain arrays. Dataset::make checks them.
struct DatasetColumns {
  FeatureList features;
  std::string origin;  // the caller's words for what the rows depend on (rules, filter, stores)
  std::uint16_t max_phase = 1;
  std::vector<RowCoefficient> atoms;       // the first kNullAtoms have value 0
  std::vector<std::uint16_t> entries;      // indices into atoms
  std::vector<std::uint32_t> row_begin;    // rows + 1, in units of kEntryGroup entries
  std::vector<std::uint32_t> phase_begin;  // max_phase + 2: rows of phase p are [p, p + 1)
  std::vector<std::uint64_t> key;
  std::vector<float> offset;
  std::vector<std::uint8_t> scale;
  std::vector<std::uint32_t> sample_begin;  // rows + 1
  std::vector<SampleInfo> samples;
};

class Dataset {
 public:
  // Checks everything that other code relies on; a Failure names the first column that is wrong.
  [[nodiscard]] static Expected<Dataset> make(DatasetColumns columns);

  // Sizes.
  [[nodiscard]] std::size_t rows() const { return columns_.key.size(); }
  [[nodiscard]] std::size_t samples() const { return columns_.samples.size(); }
  [[nodiscard]] std::size_t bytes() const;

  // Content.
  [[nodiscard]] const FeatureList& features() const { return columns_.features; }
  [[nodiscard]] const DatasetColumns& columns() const { return columns_; }
  [[nodiscard]] DatasetColumns release() && { return std::move(columns_); }

  // One row.
  [[nodiscard]] std::span<const std::uint16_t> entries(std::size_t row) const {
    const std::size_t begin = std::size_t{columns_.row_begin[row]} * kEntryGroup;
    const std::size_t end = std::size_t{columns_.row_begin[row + 1]} * kEntryGroup;
    return {columns_.entries.data() + begin, end - begin};
  }
  [[nodiscard]] std::span<const SampleInfo> samples_of(std::size_t row) const {
    return {columns_.samples.data() + columns_.sample_begin[row],
            columns_.samples.data() + columns_.sample_begin[row + 1]};
  }
  [[nodiscard]] std::uint16_t phase_of(std::size_t row) const;
  // Sorted by feature, each feature once, no zeros.
  [[nodiscard]] std::vector<RowCoefficient> coefficients(std::size_t row) const;

 private:
  explicit Dataset(DatasetColumns columns) : columns_(std::move(columns)) {}

  DatasetColumns columns_;
};

// Rows on their way in; one batch a thread or a game, without locks.
class RowBatch {
 public:
  // Coefficients in any order; those of one feature are added up. Throws a user error that names
  // game and ply if they do not fit 16 bits or the offset is not finite.
  void add(const RowInfo& row, const SampleInfo& sample,
           std::span<const RowCoefficient> coefficients);
  [[nodiscard]] std::size_t rows() const { return rows_.size(); }

 private:
  friend class DatasetBuilder;

  std::vector<RowInfo> rows_;
  std::vector<SampleInfo> samples_;
  std::vector<std::size_t> begin_{0};
  std::vector<RowCoefficient> coefficients_;
};

// Gathers batches from any number of threads; what comes out does not depend on their order.
class DatasetBuilder {
 public:
  // Throws a user error if names are not distinct, groups do not fit or a size is over its limit.
  DatasetBuilder(FeatureList features, std::uint16_t max_phase, std::string origin);

  // Safe from several threads. Throws a user error that names game and ply of the first row whose
  // feature or phase does not exist.
  void add(RowBatch&& batch);

  // All rows so far, sorted. Throws a user error if two rows have the same game, ply and key.
  [[nodiscard]] Dataset finish() &&;

 private:
  FeatureList features_;
  std::uint16_t max_phase_;
  std::string origin_;
  std::mutex mutex_;
  std::vector<RowBatch> batches_;
};

}  // namespace cannonade
