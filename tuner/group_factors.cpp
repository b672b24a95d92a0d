#include "tuner/group_factors.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/error.h"

namespace cannonade {
namespace {

// The groups that have a parameter which moves.
std::vector<std::uint8_t> groups_that_move(const FeatureList& features,
                                           const std::vector<Eigen::Index>& free) {
  std::vector<std::uint8_t> moves(features.group_names.size());
  for (const Eigen::Index j : free) {
    moves[features.group[static_cast<std::size_t>(j % features.size())]] = 1;
  }
  return moves;
}

}  // namespace

GroupFactorChoice choose_group_factors(std::span<const Fold> folds, const Loss& whole,
                                       const FeatureList& features, const Eigen::VectorXd& start,
                                       const AnchorSettings& anchor,
                                       const std::vector<Eigen::Index>& pinned,
                                       const GroupFactorSettings& settings) {
  if (!(anchor.strength > 0)) throw user_error("an anchor without strength has no factors");
  for (const double step : settings.steps) {
    if (!(step > 0)) throw user_error(fmt::format("{} is no factor of an anchor", step));
  }
  GroupFactorChoice choice;
  choice.anchor = anchor;
  choice.anchor.group_factor.resize(features.group_names.size(), 1);
  const Anchor first(features, start, choice.anchor);
  const Problem problem{whole, first, pinned};
  const OptimiserResult reference = minimise(problem, start, settings.optimiser);
  choice.gradient_passes = reference.gradient_passes;
  choice.stopped = reference.stopped;
  if (choice.stopped) return choice;
  Eigen::MatrixXd hessian;
  whole.hessian(reference.weights, hessian, 1);
  FoldFits fits(folds, std::move(hessian), pinned, settings.optimiser);
  CandidateLoss best = fits.evaluate(std::span(&first, 1));
  choice.loss_before = best.loss;

  // `place` points into choice.anchor.
  const auto try_steps = [&](const std::string& what, double& place) {
    const double before = place;
    for (const double step : settings.steps) {
      if (fits.stopped()) return;
      const double kept = place;
      place = before * step;
      const Anchor changed(features, start, choice.anchor);
      // The metric of the start serves all trials: a factor more is what L-BFGS learns in a step or
      // two.
      CandidateLoss candidate = fits.evaluate(std::span(&changed, 1), FoldFits::Metric::kKept);
      if (fits.stopped()) {
        place = kept;
        return;
      }
      GroupTrial trial{what, place, best.loss - candidate.loss, 0, false};
      std::vector<CandidateLoss> both{best, candidate};
      const std::size_t lower = compare_candidates(both);
      trial.standard_error = both[1 - lower].standard_error;
      trial.taken = trial.gain > trial.standard_error;
      if (trial.taken) {
        best = std::move(candidate);
      } else {
        place = kept;
      }
      choice.trials.push_back(std::move(trial));
    }
  };
  if (choice.anchor.tie > 0) try_steps("tie", choice.anchor.tie);
  const std::vector<std::uint8_t> moves = groups_that_move(features, free_parameters(problem));
  for (std::size_t group = 0; group < moves.size(); ++group) {
    if (moves[group] && choice.anchor.group_factor[group] > 0) {
      try_steps(features.group_names[group], choice.anchor.group_factor[group]);
    }
  }
  choice.loss_after = best.loss;
  choice.gradient_passes += fits.gradient_passes();
  choice.stopped = fits.stopped();
  return choice;
}

}  // namespace cannonade
