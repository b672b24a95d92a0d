#include "tuner/labels.h"

#include <fmt/format.h>

#include <cmath>

namespace cannonade {
namespace {

void check(const LabelSettings& s) {
  const auto share = [](double x) { return x >= 0 && x <= 1; };
  const auto weight = [](double x) { return std::isfinite(x) && x >= 0; };
  if (!share(s.lambda)) throw user_error(fmt::format("lambda {} is not in [0, 1]", s.lambda));
  if (!share(s.draw_label)) {
    throw user_error(fmt::format("draw label {} is not in [0, 1]", s.draw_label));
  }
  if (!weight(s.draw_weight)) {
    throw user_error(fmt::format("draw weight {} is not a weight", s.draw_weight));
  }
  for (const double w : s.source_weight) {
    if (!weight(w)) throw user_error(fmt::format("source weight {} is not a weight", w));
  }
  if (s.lambda < 1 && !(s.k > 0 && std::isfinite(s.k))) {
    throw user_error("labels from search scores need the sigmoid's scale");
  }
}

double label_of(const SampleInfo& sample, const LabelSettings& s) {
  const double result = sample.result == SampleResult::kFirstWon    ? 1
                        : sample.result == SampleResult::kFirstLost ? 0
                                                                    : s.draw_label;
  if (s.lambda == 1 || sample.search_score == kNoSearchScore) return result;
  return s.lambda * result + (1 - s.lambda) / (1 + std::exp(-s.k * sample.search_score));
}

double weight_of(const SampleInfo& sample, const LabelSettings& s) {
  const double weight = sample.result == SampleResult::kDrawn ? s.draw_weight : 1;
  return sample.source < s.source_weight.size() ? weight * s.source_weight[sample.source] : weight;
}

}  // namespace

Targets make_targets(const Dataset& data, const LabelSettings& settings) {
  check(settings);
  Targets t;
  t.label.resize(data.rows());
  t.weight.resize(data.rows());
  t.sample_label.resize(data.samples());
  t.sample_weight.resize(data.samples());
  for (std::size_t row = 0; row < data.rows(); ++row) {
    const std::size_t begin = data.columns().sample_begin[row];
    const std::size_t end = data.columns().sample_begin[row + 1];
    const double share =
        settings.duplicates == DuplicateWeight::kOnce ? 1.0 / static_cast<double>(end - begin) : 1;
    double weight = 0;
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const SampleInfo& sample = data.columns().samples[i];
      t.sample_label[i] = static_cast<float>(label_of(sample, settings));
      t.sample_weight[i] = static_cast<float>(share * weight_of(sample, settings));
      weight += double{t.sample_weight[i]};
      sum += double{t.sample_weight[i]} * double{t.sample_label[i]};
    }
    t.weight[row] = static_cast<float>(weight);
    t.label[row] = static_cast<float>(weight > 0 ? sum / weight : 0.5);
    t.total_weight += double{t.weight[row]};
  }
  return t;
}

}  // namespace cannonade
