#include "tuner/row_block.h"

namespace cannonade {

namespace {

template <class RowAt>
void load(const RowView& view, const double* table, std::size_t count, RowAt row_at,
          RowBlock& block) {
  const DatasetColumns& c = view.columns;
  block.count = count;
  const std::uint16_t* entries = c.entries.data();
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t row = row_at(i);
    const auto k = static_cast<Eigen::Index>(i);
    block.scale[k] = c.scale[row] * (1.0 / kScaleOne);
    if (!view.subset.has(row)) {
      block.score[k] = block.label[k] = block.weight[k] = 0;
      continue;
    }
    const double sum =
        sum_of_entries(entries + std::size_t{c.row_begin[row]} * kEntryGroup,
                       entries + std::size_t{c.row_begin[row + 1]} * kEntryGroup, table);
    block.score[k] = sum * block.scale[k] + double{c.offset[row]};
    block.label[k] = double{view.targets.label[row]};
    block.weight[k] = double{view.targets.weight[row]};
  }
  const auto rest = static_cast<Eigen::Index>(kBlockRows - count);
  for (RowArray* column : {&block.score, &block.label, &block.weight, &block.scale}) {
    column->tail(rest).setZero();
  }
}

}  // namespace

void fill_table(const RowView& view, const Eigen::VectorXd& weights, double p, double* table) {
  const DatasetColumns& c = view.columns;
  const auto n = c.features.size();
  const Eigen::VectorXd tapered = weights.head(n) * p + weights.tail(n) * (1 - p);
  for (std::size_t a = 0; a < kNullAtoms; ++a) table[a] = 0;
  for (std::size_t a = kNullAtoms; a < c.atoms.size(); ++a) {
    table[a] = view.atom_value[a] * tapered[c.atoms[a].feature];
  }
}

void load_rows(const RowView& view, const double* table, std::size_t first, std::size_t count,
               RowBlock& block) {
  load(
      view, table, count, [first](std::size_t i) { return first + i; }, block);
}

void load_rows(const RowView& view, const double* table, std::span<const std::uint32_t> rows,
               RowBlock& block) {
  load(
      view, table, rows.size(), [rows](std::size_t i) { return rows[i]; }, block);
}

void apply_loss(const ObjectiveSettings& settings, RowBlock& block) {
  const RowArray x = block.score * settings.k;
  const RowArray e = (-x.abs()).exp();  // in (0, 1]: no overflow at either end
  const RowArray inverse = (1 + e).inverse();
  const RowArray q = (x >= 0).select(inverse, e * inverse);
  if (settings.loss == LossKind::kCrossEntropy) {
    block.loss = block.weight * (x.max(0.0) + (1 + e).log() - block.label * x);
    block.slope = block.weight * (settings.k * (q - block.label));
  } else {
    block.loss = block.weight * (q - block.label).square();
    block.slope = block.weight * (2 * settings.k * (q - block.label) * (e * inverse * inverse));
  }
}

void apply_curvature(const ObjectiveSettings& settings, RowBlock& block) {
  const double k = settings.k;
  const RowArray x = block.score * k;
  const RowArray e = (-x.abs()).exp();
  const RowArray inverse = (1 + e).inverse();
  const RowArray variance = e * inverse * inverse;  // q (1 - q)
  if (settings.loss == LossKind::kCrossEntropy) {
    block.curvature = block.weight * (k * k * variance);
    return;
  }
  block.curvature = block.weight * (2 * k * k * variance.square());
  if (settings.curvature == Curvature::kExact) {
    const RowArray q = (x >= 0).select(inverse, e * inverse);
    block.curvature += block.weight * (2 * k * k * (q - block.label) * variance * (1 - 2 * q));
  }
}

}  // namespace cannonade
