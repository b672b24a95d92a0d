// How strong the anchor should be: K-fold cross-validation over game pairs.
//
// What always holds: folds are those of tuner/split.h, so no pair is on both sides of a fold; every
// candidate is fitted to its minimum, not for a few steps.
//
// How it is fast: all fits of a candidate share one factored metric, the whole data's Hessian
// scaled to the training part, and start from the solution of the candidate before; a fit then
// takes a handful of gradient passes and no Hessian.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "tuner/anchor.h"
#include "tuner/objective.h"
#include "tuner/optimiser.h"

namespace cannonade {

struct Fold {
  std::shared_ptr<const Loss> train;
  std::shared_ptr<const Loss> held_out;
};

// One a fold that has positions on both sides. `fold`: of each row. It and `data` must outlive the
// folds.
[[nodiscard]] std::vector<Fold> make_folds(const Dataset& data, std::span<const std::uint8_t> fold,
                                           std::shared_ptr<const Targets> targets,
                                           const ObjectiveSettings& settings);

struct CandidateLoss {
  double strength = 0;
  double loss = 0;                // mean over held-out positions
  std::vector<double> fold_loss;  // mean, one a fold
  double standard_error = 0;      // of the difference to the best candidate, over folds
};

struct StrengthChoice {
  double strength = 0;
  std::vector<CandidateLoss> curve;  // in the order of the candidates
  int gradient_passes = 0;
  bool at_end_of_grid = false;  // the best candidate is the weakest or the strongest
  bool stopped = false;         // by the callback; `strength` is then the best so far
};

// A held-out loss needs no more precision than this.
[[nodiscard]] inline OptimiserSettings quick_fits() {
  OptimiserSettings settings;
  settings.tolerance = 0.2;
  return settings;
}

struct CrossValidationSettings {
  OptimiserSettings optimiser = quick_fits();
  // Prior standard deviations of a weight in centipawns, strongest pull first.
  std::vector<double> deviations = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512};
};

// `anchor`: with strength 1 / centipawns^2; it is multiplied by each candidate's strength. `whole`:
// the loss of all folds' positions together. Throws a user error if there are fewer than two folds
// or no candidates. The callback of the optimiser is called with the passes of the single fits, the
// seconds of the whole choice and what is left of it by the candidates that are done.
[[nodiscard]] StrengthChoice choose_strength(std::span<const Fold> folds, const Loss& whole,
                                             const Anchor& anchor,
                                             const std::vector<Eigen::Index>& pinned,
                                             const CrossValidationSettings& settings);

// The engine of it, for other searches over anchors.
class FoldFits {
 public:
  // `hessian`: of the whole loss, at about the solution.
  FoldFits(std::span<const Fold> folds, Eigen::MatrixXd hessian,
           const std::vector<Eigen::Index>& pinned, const OptimiserSettings& settings);

  // The metric of the fits: factored for these anchors, or that of the call before.
  enum class Metric : std::uint8_t { kNew, kKept };

  // Fits every fold under `anchors` (one for all, or one a fold), from the fits of the call before.
  [[nodiscard]] CandidateLoss evaluate(std::span<const Anchor> anchors,
                                       Metric metric = Metric::kNew);

  [[nodiscard]] int gradient_passes() const { return passes_; }
  [[nodiscard]] bool stopped() const { return stopped_; }

 private:
  std::span<const Fold> folds_;
  Eigen::MatrixXd hessian_;
  const std::vector<Eigen::Index>& pinned_;
  OptimiserSettings settings_;
  std::optional<Factor> factor_;
  std::vector<Eigen::VectorXd> weights_;
  int passes_ = 0;
  bool stopped_ = false;
};

// Sets standard errors against the best candidate and returns its index; of equal ones the first.
std::size_t compare_candidates(std::vector<CandidateLoss>& curve);

}  // namespace cannonade
