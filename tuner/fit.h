// From stores of games to a weights file: replay, split, scale, anchor, minimise, certify, round.
//
// Always holds: the result is the same bytes for any number of threads; the sigmoid's scale K is
// solved once on the starting weights and then fixed, and a soldier stays at 100 in the middle
// game, so the weights' own scale cannot run away.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "eval/weights.h"
#include "selfplay/settings.h"
#include "tuner/calibration.h"
#include "tuner/certificate.h"
#include "tuner/cross_validation.h"
#include "tuner/group_factors.h"
#include "tuner/labels.h"
#include "tuner/objective.h"
#include "tuner/replay.h"
#include "tuner/split.h"
#include "tuner/trust.h"

namespace cannonade {

// How to fit.
struct FitOptions {
  FilterSettings filter;
  // Labels.
  double lambda = 1;
  double draw_weight = 1;
  std::vector<std::string> source_weights;  // factors of the stores, in their order; 1 where none
  LossKind loss = LossKind::kCrossEntropy;
  // Split.
  double validation_share = 0.1;
  int folds = 5;
  std::uint64_t seed = 1;
  bool merge_duplicates = true;
  // Anchor.
  double anchor_deviation =
      0;  // centipawns a weight may be expected to move; 0: by cross-validation
  double tie = 1;
  double material_factor = 0.05;  // of the anchor's strength
  bool choose_factors = false;    // the anchor's factors by group, by cross-validation too
  int max_passes = 100;
};
void declare(SettingsTable& table, FitOptions& options);

// A fit file: what to fit, and how.
struct FitSettings {
  Ruleset rules;
  std::string start = "default";  // "material", "default" or a weights file
  FitOptions options;
};
void declare(SettingsTable& table, FitSettings& settings);

// A person watching: a line of what is going on, now and then.
struct FitProgress {
  std::string phase;  // "replaying games", "choosing the anchor", "fitting"
  double share = 0;   // done, 0 to 1; negative when not known
  double loss = 0;
  double eta_seconds = -1;
};
using FitCallback = std::function<bool(const FitProgress&)>;  // false stops

struct FitResult {
  Weights weights{""};
  ReplayReport replay;
  std::size_t positions = 0;  // rows fitted and held out
  std::size_t training_rows = 0;
  std::size_t validation_rows = 0;
  std::size_t merged = 0;
  double k = 0;
  bool k_at_bound = false;  // the games did not determine it; k is a customary value
  StrengthChoice anchor;
  double deviation = 0;  // the anchor's, in centipawns
  int gradient_passes = 0;
  int hessian_passes = 0;
  double loss_before = 0;
  double loss_after = 0;
  double validation_loss_before = 0;
  double validation_loss_after = 0;
  double validation_loss_error = 0;  // standard error of their difference, clustered by pair
  double loss_rounded = 0;           // on training rows, after rounding to whole centipawns
  bool converged = false;
  bool stopped = false;
  std::vector<GroupTrial> factor_trials;
  std::string pooled_with;    // the other preset, when its games were fitted too
  double pool_deviation = 0;  // centipawns from the common weights
  std::vector<CandidateLoss> pool_curve;
  bool from_cache = false;
  double replay_seconds = 0;
  Certificate certificate;
  std::vector<std::string> null_directions;  // in words
  FeatureList features;
  Eigen::VectorXd start;  // as features orders weights
  TrustReport trust;
  // Names of weights that hardly any game shows: held at their start. Then of those that are free
  // but of which the data say little (WeightTrust::data_share): mostly the anchor's.
  std::vector<std::string> undetermined;
  std::vector<std::string> weak;
  std::vector<std::vector<std::string>> collinear;  // names of weights that only show in sums
  std::vector<CalibrationBucket> calibration;       // on held-out rows where there are some
  double seconds = 0;
};

// Games of another preset of the same variant, toward whose common weights a fit is pulled.
struct PoolWith {
  Ruleset rules;
  std::vector<std::filesystem::path> stores;
};

// What is fitted.
struct FitInput {
  Ruleset rules;
  Weights start{""};  // for `rules`
  std::vector<std::filesystem::path> stores;
  std::optional<PoolWith> pool;
  // Rows kept between fits, with their report beside it; remade when they are of other games,
  // another filter or other starting weights. None when empty.
  std::filesystem::path cache;
};

// Throws user errors for stores that do not fit, and for a damaged cache.
[[nodiscard]] FitResult run_fit(const FitInput& input, const FitOptions& options,
                                const FitCallback& progress = {});

// Keys games, positions, passes, gradient_norm, loss_before, loss_after, validation_loss_before,
// validation_loss_after, weights, undetermined, seconds, and more.
[[nodiscard]] nlohmann::ordered_json to_json(const FitResult& result);

// "material", "default" or a file.
[[nodiscard]] Weights weights_by_name(const std::string& name, const Ruleset& rules);

}  // namespace cannonade
