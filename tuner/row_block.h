// The inner parts of the objective's passes: atom tables, and the loss of a block of rows at once.
//
// What always holds: a block is a fixed-size aligned array, whole vectors from its first element,
// so that a row's result does not depend on where memory lies or on what other threads do.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tuner/objective.h"

namespace cannonade {

inline constexpr std::size_t kBlockRows = 256;
using RowArray = Eigen::Array<double, static_cast<int>(kBlockRows), 1>;

// Some rows of one phase and what the loss says about them. Rows past `count` weigh nothing.
struct RowBlock {
  std::size_t count = 0;
  RowArray score;                 // centipawns
  RowArray label, weight, scale;  // scale: of the tapered sum, 1 for kScaleOne
  RowArray loss;                  // weight * loss
  RowArray slope;                 // d loss / d score
  RowArray curvature;             // d2 loss / d score2
};

// sum of table[entry] over the row; `entries` a multiple of four long.
inline double sum_of_entries(const std::uint16_t* entry, const std::uint16_t* end,
                             const double* table) {
  double a = 0;
  double b = 0;
  double c = 0;
  double d = 0;
  for (; entry != end; entry += kEntryGroup) {
    a += table[entry[0]];
    b += table[entry[1]];
    c += table[entry[2]];
    d += table[entry[3]];
  }
  return (a + b) + (c + d);
}

inline void add_to_entries(const std::uint16_t* entry, const std::uint16_t* end, double value,
                           double* table) {
  for (; entry != end; entry += kEntryGroup) {
    table[entry[0]] += value;
    table[entry[1]] += value;
    table[entry[2]] += value;
    table[entry[3]] += value;
  }
}

// What a pass reads.
struct RowView {
  const DatasetColumns& columns;
  const Targets& targets;
  RowSubset subset;
  const double* atom_value;  // the dictionary's coefficients
};

// table[a] = atom a's share of a score at phase p in [0, 1].
void fill_table(const RowView& view, const Eigen::VectorXd& weights, double p, double* table);

// Sets count, score, label, weight, scale from the rows first, first + 1, ... or from those listed.
// Rows outside the subset get score and weight 0.
void load_rows(const RowView& view, const double* table, std::size_t first, std::size_t count,
               RowBlock& block);
void load_rows(const RowView& view, const double* table, std::span<const std::uint32_t> rows,
               RowBlock& block);

// Sets loss and slope from the rest.
void apply_loss(const ObjectiveSettings& settings, RowBlock& block);

// Sets curvature from the rest.
void apply_curvature(const ObjectiveSettings& settings, RowBlock& block);

}  // namespace cannonade
