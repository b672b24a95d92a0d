#include "tuner/split.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <tuple>

#include "core/base/rng.h"
#include "selfplay/parallel_loop.h"

namespace cannonade {
namespace {

void check(const SplitSettings& settings) {
  if (!(settings.validation_share >= 0 && settings.validation_share < 1)) {
    throw user_error(
        fmt::format("validation share {} is not in [0, 1)", settings.validation_share));
  }
  if (settings.folds < 1 || settings.folds > 64) {
    throw user_error(fmt::format("{} folds, allowed are 1..64", settings.folds));
  }
}

bool same_row(const Dataset& all, std::size_t a, std::size_t b) {
  const DatasetColumns& c = all.columns();
  return c.scale[a] == c.scale[b] && c.offset[a] == c.offset[b] &&
         std::ranges::equal(all.entries(a), all.entries(b));
}

// For each row the row that it is merged into, itself included: the first of its kind.
std::vector<std::uint32_t> find_leaders(const Dataset& all, const std::vector<std::int8_t>& part,
                                        std::size_t& conflicts) {
  const DatasetColumns& c = all.columns();
  std::vector<std::uint32_t> leader(all.rows());
  std::iota(leader.begin(), leader.end(), 0U);
  std::atomic<std::size_t> found_conflicts = 0;
  // Equal positions have equal phases.
  parallel_loop(std::size_t{0}, c.phase_begin.size() - 1, [&](std::size_t phase) {
    std::vector<std::uint32_t> rows(c.phase_begin[phase + 1] - c.phase_begin[phase]);
    std::iota(rows.begin(), rows.end(), c.phase_begin[phase]);
    const auto kind = [&](std::uint32_t row) { return std::tuple(c.key[row], part[row]); };
    std::sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::tuple(kind(a), a) < std::tuple(kind(b), b);
    });
    for (std::size_t i = 0; i < rows.size();) {
      const std::uint32_t first = rows[i];
      for (++i; i < rows.size() && kind(rows[i]) == kind(first); ++i) {
        if (same_row(all, first, rows[i])) {
          leader[rows[i]] = first;
        } else {
          ++found_conflicts;
        }
      }
    }
  });
  conflicts = found_conflicts;
  return leader;
}

// The rows of one side, in their old order; each takes the samples of all rows that it leads.
Dataset gather(const Dataset& all, const std::vector<std::uint32_t>& leader,
               const std::vector<std::uint8_t>& wanted) {
  const DatasetColumns& from = all.columns();
  const std::size_t rows = all.rows();
  std::vector<std::uint32_t> kept;
  std::vector<std::uint32_t> place(rows);
  DatasetColumns c;
  c.features = from.features;
  c.origin = from.origin;
  c.max_phase = from.max_phase;
  c.atoms = from.atoms;
  c.row_begin = {0};
  for (std::size_t row = 0; row < rows; ++row) {
    if (!wanted[row] || leader[row] != row) continue;
    place[row] = static_cast<std::uint32_t>(kept.size());
    kept.push_back(static_cast<std::uint32_t>(row));
    c.row_begin.push_back(c.row_begin.back() + from.row_begin[row + 1] - from.row_begin[row]);
  }
  c.sample_begin.assign(kept.size() + 1, 0);
  for (std::size_t row = 0; row < rows; ++row) {
    if (!wanted[row]) continue;
    c.sample_begin[place[leader[row]] + 1] += from.sample_begin[row + 1] - from.sample_begin[row];
  }
  std::partial_sum(c.sample_begin.begin(), c.sample_begin.end(), c.sample_begin.begin());
  c.samples.resize(c.sample_begin.back());
  std::vector<std::uint32_t> next(c.sample_begin.begin(), c.sample_begin.end() - 1);
  for (std::size_t row = 0; row < rows; ++row) {
    if (!wanted[row]) continue;
    for (const SampleInfo& sample : all.samples_of(row)) {
      c.samples[next[place[leader[row]]]++] = sample;
    }
  }
  c.key.resize(kept.size());
  c.offset.resize(kept.size());
  c.scale.resize(kept.size());
  c.entries.resize(std::size_t{c.row_begin.back()} * kEntryGroup);
  parallel_loop(tbb::blocked_range<std::size_t>(0, kept.size(), 4096), [&](const auto& range) {
    for (std::size_t i = range.begin(); i < range.end(); ++i) {
      const std::uint32_t row = kept[i];
      c.key[i] = from.key[row];
      c.offset[i] = from.offset[row];
      c.scale[i] = from.scale[row];
      const auto entries = all.entries(row);
      std::copy(entries.begin(), entries.end(),
                c.entries.begin() + static_cast<std::ptrdiff_t>(c.row_begin[i]) * 4);
    }
  });
  c.phase_begin.assign(from.phase_begin.size(), 0);
  for (std::size_t p = 1, i = 0; p < c.phase_begin.size(); ++p) {
    while (i < kept.size() && kept[i] < from.phase_begin[p]) ++i;
    c.phase_begin[p] = static_cast<std::uint32_t>(i);
  }
  Expected<Dataset> made = Dataset::make(std::move(c));
  if (!made) throw internal_error("a split data set is not sound: " + made.error());
  return std::move(made.value());
}

}  // namespace

int part_of_pair(std::uint32_t pair, const SplitSettings& settings) {
  const std::uint64_t hash = splitmix64(splitmix64(settings.seed) ^ splitmix64(pair));
  if (static_cast<double>(hash >> 11) * 0x1.0p-53 < settings.validation_share) {
    return kValidationPart;
  }
  return static_cast<int>(splitmix64(hash) % static_cast<std::uint64_t>(settings.folds));
}

Split split_by_pair(const Dataset& all, const SplitSettings& settings) {
  check(settings);
  std::vector<std::int8_t> part(all.rows());
  for (std::size_t row = 0; row < all.rows(); ++row) {
    const auto samples = all.samples_of(row);
    const int first = part_of_pair(samples.front().pair, settings);
    for (const SampleInfo& sample : samples) {
      if (part_of_pair(sample.pair, settings) != first) {
        throw user_error(fmt::format("game {}, ply {}: merged with a position of another part",
                                     sample.game, sample.ply));
      }
    }
    part[row] = static_cast<std::int8_t>(first);
  }
  std::size_t conflicts = 0;
  std::vector<std::uint32_t> leader(all.rows());
  std::iota(leader.begin(), leader.end(), 0U);
  if (settings.merge_duplicates) leader = find_leaders(all, part, conflicts);

  std::vector<std::uint8_t> training(all.rows());
  std::vector<std::uint8_t> validating(all.rows());
  std::vector<std::uint8_t> fold;
  std::size_t merged = 0;
  for (std::size_t row = 0; row < all.rows(); ++row) {
    training[row] = part[row] != kValidationPart;
    validating[row] = !training[row];
    if (leader[row] != row) {
      ++merged;
    } else if (training[row]) {
      fold.push_back(static_cast<std::uint8_t>(part[row]));
    }
  }
  return {gather(all, leader, training), std::move(fold), gather(all, leader, validating), merged,
          conflicts};
}

}  // namespace cannonade
