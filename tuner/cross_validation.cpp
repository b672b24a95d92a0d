#include "tuner/cross_validation.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "core/base/error.h"

namespace cannonade {

std::vector<Fold> make_folds(const Dataset& data, std::span<const std::uint8_t> fold,
                             std::shared_ptr<const Targets> targets,
                             const ObjectiveSettings& settings) {
  if (fold.size() != data.rows()) throw internal_error("the folds belong to another data set");
  const int count = fold.empty() ? 0 : *std::ranges::max_element(fold) + 1;
  std::vector<Fold> folds;
  for (int f = 0; f < count; ++f) {
    const auto part = [&](bool inside) {
      const RowSubset subset{fold, static_cast<std::uint8_t>(f), inside};
      return std::make_shared<Objective>(data, targets, settings, subset);
    };
    Fold made{part(false), part(true)};
    if (made.train->total_weight() > 0 && made.held_out->total_weight() > 0) {
      folds.push_back(std::move(made));
    }
  }
  return folds;
}

FoldFits::FoldFits(std::span<const Fold> folds, Eigen::MatrixXd hessian,
                   const std::vector<Eigen::Index>& pinned, const OptimiserSettings& settings)
    : folds_(folds), hessian_(std::move(hessian)), pinned_(pinned), settings_(settings) {
  if (folds.size() < 2) throw user_error("cross-validation needs games in at least two folds");
  hessian_ *= 1 - 1 / static_cast<double>(folds.size());
}

CandidateLoss FoldFits::evaluate(std::span<const Anchor> anchors, Metric metric) {
  const auto anchor_of = [&](std::size_t f) -> const Anchor& {
    return anchors[anchors.size() == 1 ? 0 : f];
  };
  if (weights_.empty()) {
    for (std::size_t f = 0; f < folds_.size(); ++f) weights_.push_back(anchor_of(f).start());
  }
  if (metric == Metric::kNew || !factor_) {
    Eigen::MatrixXd curvature = hessian_;
    anchors.front().add_to(curvature);
    const std::vector<Eigen::Index> free =
        free_parameters({*folds_.front().train, anchors.front(), pinned_});
    factor_.emplace(curvature(free, free));
  }
  CandidateLoss candidate;
  double sum = 0;
  double total = 0;
  for (std::size_t f = 0; f < folds_.size() && !stopped_; ++f) {
    const Problem problem{*folds_[f].train, anchor_of(f), pinned_};
    // Pinned weights are the anchor's, whatever the fit before had.
    Eigen::VectorXd start = weights_[f];
    for (const Eigen::Index j : pinned_) start[j] = anchor_of(f).start()[j];
    const OptimiserResult fit = minimise_with(problem, start, *factor_, settings_);
    passes_ += fit.gradient_passes;
    stopped_ = fit.stopped;
    weights_[f] = fit.weights;
    const double held_out = folds_[f].held_out->evaluate(fit.weights, nullptr);
    candidate.fold_loss.push_back(held_out / folds_[f].held_out->total_weight());
    sum += held_out;
    total += folds_[f].held_out->total_weight();
  }
  candidate.loss = sum / total;
  return candidate;
}

std::size_t compare_candidates(std::vector<CandidateLoss>& curve) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < curve.size(); ++i) {
    if (curve[i].loss < curve[best].loss) best = i;
  }
  for (CandidateLoss& candidate : curve) {
    const auto folds = static_cast<double>(candidate.fold_loss.size());
    double sum = 0;
    double squares = 0;
    for (std::size_t f = 0; f < candidate.fold_loss.size(); ++f) {
      const double difference = candidate.fold_loss[f] - curve[best].fold_loss[f];
      sum += difference;
      squares += difference * difference;
    }
    const double variance = std::max(0.0, squares - sum * sum / folds) / (folds - 1);
    candidate.standard_error = std::sqrt(variance / folds);
  }
  return best;
}

StrengthChoice choose_strength(std::span<const Fold> folds, const Loss& whole, const Anchor& anchor,
                               const std::vector<Eigen::Index>& pinned,
                               const CrossValidationSettings& settings) {
  if (settings.deviations.empty()) throw user_error("no anchor strengths to choose from");
  for (const double deviation : settings.deviations) {
    if (!(deviation > 0)) {
      throw user_error(fmt::format("{} centipawns is no deviation of an anchor", deviation));
    }
  }
  const auto strength_of = [](double deviation) { return 1 / (deviation * deviation); };
  StrengthChoice choice;
  // Whoever watches waits for the whole choice, not for one of its fits.
  OptimiserSettings optimiser = settings.optimiser;
  if (settings.optimiser.progress) {
    const auto begin = std::chrono::steady_clock::now();
    optimiser.progress = [&settings, &choice, begin](Progress at) {
      const auto done = static_cast<double>(choice.curve.size());
      const double left = static_cast<double>(settings.deviations.size()) - done;
      at.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      at.eta_seconds = done > 0 ? at.seconds * left / done : -1;
      return settings.optimiser.progress(at);
    };
  }
  // Somewhere near all solutions: the whole data's fit at the middle of the grid.
  const Anchor middle =
      anchor.scaled(strength_of(settings.deviations[settings.deviations.size() / 2]));
  const OptimiserResult reference = minimise({whole, middle, pinned}, anchor.start(), optimiser);
  choice.gradient_passes = reference.gradient_passes;
  choice.stopped = reference.stopped;
  choice.strength = strength_of(settings.deviations.front());
  if (choice.stopped) return choice;
  Eigen::MatrixXd hessian;
  whole.hessian(reference.weights, hessian, 1);
  FoldFits fits(folds, std::move(hessian), pinned, optimiser);
  for (const double deviation : settings.deviations) {
    const Anchor scaled = anchor.scaled(strength_of(deviation));
    CandidateLoss candidate = fits.evaluate(std::span(&scaled, 1));
    if (fits.stopped()) break;
    candidate.strength = strength_of(deviation);
    choice.curve.push_back(std::move(candidate));
  }
  choice.gradient_passes += fits.gradient_passes();
  choice.stopped = fits.stopped();
  if (choice.curve.empty()) return choice;
  const std::size_t best = compare_candidates(choice.curve);
  choice.strength = choice.curve[best].strength;
  choice.at_end_of_grid = best == 0 || best + 1 == choice.curve.size();
  return choice;
}

}  // namespace cannonade
