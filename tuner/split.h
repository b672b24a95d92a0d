// Divides a data set into training folds and a validation part, and merges duplicate positions.
//
// What always holds: both games of a pair are on the same side and in the same fold, decided by a
// hash of pair and seed alone, so that a pair stays where it is when games are added. Positions are
// merged only with positions of the same part, so no outcome leaks from one part into another. A
// merged row keeps every sample: outcomes are pooled in the label and the clusters stay known.
#pragma once

#include <cstdint>
#include <vector>

#include "tuner/dataset.h"

namespace cannonade {

struct SplitSettings {
  double validation_share = 0.1;  // of pairs, in [0, 1)
  int folds = 5;                  // of the training pairs, 1..64
  std::uint64_t seed = 1;
  bool merge_duplicates = true;
};

inline constexpr int kValidationPart = -1;

// kValidationPart or the fold, 0..folds - 1.
[[nodiscard]] int part_of_pair(std::uint32_t pair, const SplitSettings& settings);

struct Split {
  Dataset train;
  std::vector<std::uint8_t> fold;  // of each training row
  Dataset validation;
  std::size_t merged = 0;  // rows that went into another
  // Pairs of rows with equal keys and different coefficients, scale or offset, left apart: the key
  // does not name what the evaluation sees, or two keys collide.
  std::size_t conflicts = 0;
};

// Throws a user error if a setting is out of range, or if a row already mixes samples of two parts.
[[nodiscard]] Split split_by_pair(const Dataset& all, const SplitSettings& settings);

}  // namespace cannonade
