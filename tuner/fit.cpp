#include "tuner/fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <memory>
#include <utility>

#include "core/base/files.h"
#include "tuner/dataset_cache.h"
#include "tuner/pooling.h"
#include "tuner/sigmoid_scale.h"

namespace cannonade {
namespace {

// Weights as the tuner orders them: all middle game ones, then all end game ones.
Eigen::VectorXd to_vector(const Weights& weights) {
  Eigen::VectorXd vector(2 * kFeatureCount);
  for (int i = 0; i < kFeatureCount; ++i) {
    vector[i] = weights[i].middle;
    vector[kFeatureCount + i] = weights[i].end;
  }
  return vector;
}

Weights to_weights(const Eigen::VectorXd& vector, const Ruleset& rules) {
  Weights weights(rules.id);
  for (int i = 0; i < kFeatureCount; ++i) {
    weights.set(i, {static_cast<int>(std::lround(vector[i])),
                    static_cast<int>(std::lround(vector[kFeatureCount + i]))});
  }
  return weights;
}

// The same numbers for another preset of the variant.
Weights weights_for(const Weights& weights, const Ruleset& rules) {
  Weights result(rules.id);
  for (int i = 0; i < kFeatureCount; ++i) result.set(i, weights[i]);
  return result;
}

double mean_loss(const Objective& objective, const Eigen::VectorXd& weights) {
  const double total = objective.total_weight();
  return total > 0 ? objective.evaluate(weights, nullptr) / total : 0;
}

std::vector<double> parse_factors(const std::vector<std::string>& words, std::size_t stores) {
  std::vector<double> factors;
  for (const std::string& word : words) {
    double value = -1;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    constexpr double kLargest = 1000;
    if (error != std::errc() || end != word.data() + word.size() || !(value >= 0) ||
        value > kLargest) {
      throw user_error(
          fmt::format("source_weights: '{}' is not a number from 0 to {}", word, kLargest));
    }
    factors.push_back(value);
  }
  if (factors.size() > stores) {
    throw user_error(
        fmt::format("source_weights: {} factors for {} stores", factors.size(), stores));
  }
  return factors;
}

// One preset's games, ready to be fitted.
struct Rows {
  Split split;
  std::shared_ptr<const Targets> targets;
  LabelSettings labels;
};

class Fitter {
 public:
  Fitter(const FitInput& input, const FitOptions& options, const FitCallback& progress)
      : input_(input), options_(options), progress_(progress), start_(to_vector(input.start)) {}

  FitResult run();

 private:
  Dataset load_rows();
  Rows prepare(const Dataset& all);
  void solve_scale_of(const Rows& rows);
  [[nodiscard]] Anchor pooled_anchor(const Rows& rows, const Objective& train, const Anchor& anchor,
                                     const AnchorSettings& shape,
                                     const std::vector<Eigen::Index>& pinned);
  void finish(const Rows& rows, const Objective& train, const Anchor& anchor,
              const std::vector<Eigen::Index>& pinned, const Eigen::VectorXd& weights);

  [[nodiscard]] ObjectiveSettings objective_settings() const {
    return {result_.k, options_.loss, Curvature::kGaussNewton};
  }
  // Tells whoever watches; the optimisers stop once it says so.
  [[nodiscard]] ProgressCallback watch(const char* phase) {
    return [this, phase](const Progress& at) {
      if (!progress_) return true;
      FitProgress p;
      p.phase = phase;
      p.share = -1;
      p.loss = at.loss;
      p.eta_seconds = at.eta_seconds;
      if (!progress_(p)) stopped_ = true;
      return !stopped_;
    };
  }
  [[nodiscard]] std::function<bool(const ReplayProgress&)> watch_replay() const {
    return [this](const ReplayProgress& done) {
      if (!progress_) return true;
      FitProgress p;
      p.phase = "replaying games";
      p.share = done.of > 0 ? static_cast<double>(done.games) / static_cast<double>(done.of) : 1;
      return progress_(p);
    };
  }

  const FitInput& input_;
  const FitOptions& options_;
  const FitCallback& progress_;
  Eigen::VectorXd start_;
  bool stopped_ = false;
  FitResult result_;
};

Dataset Fitter::load_rows() {
  const auto begin = std::chrono::steady_clock::now();
  const std::string origin =
      rows_origin(input_.stores, input_.rules, input_.start, options_.filter);
  std::filesystem::path report_path = input_.cache;
  report_path += ".json";
  if (!input_.cache.empty() && std::filesystem::exists(input_.cache) &&
      std::filesystem::exists(report_path)) {
    Dataset cached = read_dataset_cache(input_.cache).value_or_throw();
    const auto report =
        nlohmann::ordered_json::parse(read_file(report_path).value_or_throw(), nullptr, false);
    if (cached.columns().origin == origin && cached.features() == feature_list() &&
        !report.is_discarded()) {
      result_.replay = replay_report_from_json(report);
      result_.from_cache = true;
      return cached;
    }
  }
  Dataset all = replay_stores(input_.stores, input_.rules, input_.start, options_.filter,
                              result_.replay, watch_replay());
  if (!input_.cache.empty()) {
    write_file_atomically(report_path, to_json(result_.replay).dump() + "\n");
    write_dataset_cache(input_.cache, all);
  }
  result_.replay_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return all;
}

Rows Fitter::prepare(const Dataset& all) {
  if (all.rows() == 0) throw user_error("no position passes the filter: nothing to fit");
  SplitSettings settings;
  settings.validation_share = options_.validation_share;
  settings.folds = options_.folds;
  settings.seed = options_.seed;
  settings.merge_duplicates = options_.merge_duplicates;
  Rows rows{split_by_pair(all, settings), nullptr, {}};
  rows.labels.draw_weight = options_.draw_weight;
  rows.labels.source_weight = parse_factors(options_.source_weights, input_.stores.size());
  rows.targets = std::make_shared<const Targets>(make_targets(rows.split.train, rows.labels));
  return rows;
}

// The scale, on results and starting weights.
void Fitter::solve_scale_of(const Rows& rows) {
  const Objective probe(rows.split.train, rows.targets,
                        {1, options_.loss, Curvature::kGaussNewton});
  const ScaleFit scale = solve_scale(probe.scores(start_), *rows.targets, options_.loss);
  // Games too few or too drawn to tell a scale get a customary one, and the result says so.
  constexpr double kCustomary = 0.0025;
  result_.k_at_bound = scale.at_bound;
  result_.k = scale.at_bound ? kCustomary : scale.k;
}

// The anchor moved to what the variant's presets have in common, as strong as their games say.
Anchor Fitter::pooled_anchor(const Rows& rows, const Objective& train, const Anchor& anchor,
                             const AnchorSettings& shape, const std::vector<Eigen::Index>& pinned) {
  const PoolWith& other = *input_.pool;
  if (other.rules.game != input_.rules.game) {
    throw user_error(
        fmt::format("{} cannot be pooled with {}: another game", other.rules.id, input_.rules.id));
  }
  ReplayReport report;
  const Dataset all =
      replay_stores(other.stores, other.rules, weights_for(input_.start, other.rules),
                    options_.filter, report, watch_replay());
  const Rows theirs = prepare(all);
  std::vector<PoolMember> members(2);
  members[0].name = input_.rules.id;
  members[0].whole = std::shared_ptr<const Loss>(&train, [](const Loss*) {});
  members[0].folds =
      make_folds(rows.split.train, rows.split.fold, rows.targets, objective_settings());
  members[1].name = other.rules.id;
  members[1].whole =
      std::make_shared<const Objective>(theirs.split.train, theirs.targets, objective_settings());
  members[1].folds =
      make_folds(theirs.split.train, theirs.split.fold, theirs.targets, objective_settings());
  AnchorSettings unit = shape;
  unit.strength = 1;
  PoolingSettings settings;
  settings.optimiser.progress = watch("pooling presets");
  const Pooling pooled =
      pool(members, anchor, Anchor(rows.split.train.features(), start_, unit), pinned, settings);
  result_.pooled_with = other.rules.id;
  result_.pool_deviation = pooled.deviation;
  result_.pool_curve = pooled.curve;
  // No distance at all from the common weights is a very strong anchor there.
  constexpr double kNearest = 0.01;
  const double deviation = std::max(pooled.deviation, kNearest);
  AnchorSettings moved = shape;
  moved.strength = 1 / (deviation * deviation);
  return {rows.split.train.features(), pooled.common, moved};
}

FitResult Fitter::run() {
  const auto begin = std::chrono::steady_clock::now();
  const Dataset all = load_rows();
  Rows rows = prepare(all);
  result_.training_rows = rows.split.train.rows();
  result_.validation_rows = rows.split.validation.rows();
  result_.positions = result_.training_rows + result_.validation_rows;
  result_.merged = rows.split.merged;
  solve_scale_of(rows);
  if (options_.lambda < 1) {
    rows.labels.lambda = options_.lambda;
    rows.labels.k = result_.k;
    rows.targets = std::make_shared<const Targets>(make_targets(rows.split.train, rows.labels));
  }
  const Objective train(rows.split.train, rows.targets, objective_settings());

  // A soldier keeps its 100 in the middle game, and what hardly any game shows stays where it is.
  const TrustSettings trust;
  std::vector<Eigen::Index> pinned = rarely_seen(train, trust.min_pairs);
  pinned.push_back(offset_of(FeatureGroup::kMaterial) + valued_index(PieceKind::kSoldier));
  std::sort(pinned.begin(), pinned.end());
  pinned.erase(std::unique(pinned.begin(), pinned.end()), pinned.end());
  if (pinned.size() == static_cast<std::size_t>(train.parameters())) {
    throw user_error(fmt::format(
        "too few games to fit: {} of them, and no weight is touched in {} pairs of games",
        result_.replay.games, trust.min_pairs));
  }

  AnchorSettings shape;
  shape.tie = options_.tie;
  shape.group_factor.assign(kFeatureGroups.size(), 1);
  shape.group_factor[static_cast<std::size_t>(FeatureGroup::kMaterial)] = options_.material_factor;
  const bool choose_strength_too = options_.anchor_deviation <= 0;
  std::vector<Fold> folds;
  if (choose_strength_too || options_.choose_factors) {
    folds = make_folds(rows.split.train, rows.split.fold, rows.targets, objective_settings());
  }
  result_.deviation = options_.anchor_deviation;
  if (choose_strength_too) {
    shape.strength = 1;
    CrossValidationSettings cross;
    cross.optimiser.progress = watch("choosing the anchor");
    result_.anchor =
        choose_strength(folds, train, Anchor(all.features(), start_, shape), pinned, cross);
    result_.deviation = 1 / std::sqrt(result_.anchor.strength);
  }
  shape.strength = 1 / (result_.deviation * result_.deviation);
  if (options_.choose_factors && !stopped_) {
    GroupFactorSettings factors;
    factors.optimiser.progress = watch("choosing the groups' anchors");
    const GroupFactorChoice choice =
        choose_group_factors(folds, train, all.features(), start_, shape, pinned, factors);
    shape = choice.anchor;
    result_.factor_trials = choice.trials;
  }
  Anchor anchor(all.features(), start_, shape);
  if (input_.pool && !stopped_) anchor = pooled_anchor(rows, train, anchor, shape, pinned);

  OptimiserSettings optimiser;
  optimiser.max_gradient_passes = options_.max_passes;
  optimiser.progress = watch("fitting");
  const OptimiserResult fitted = minimise({train, anchor, pinned}, anchor.start(), optimiser);
  result_.gradient_passes = fitted.gradient_passes;
  result_.hessian_passes = fitted.hessian_passes;
  result_.converged = fitted.converged;
  result_.stopped = stopped_ || fitted.stopped;
  finish(rows, train, anchor, pinned, fitted.weights);
  result_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return std::move(result_);
}

// Losses, certificate, trust and calibration of the fitted weights.
void Fitter::finish(const Rows& rows, const Objective& train, const Anchor& anchor,
                    const std::vector<Eigen::Index>& pinned, const Eigen::VectorXd& weights) {
  const FeatureList& features = rows.split.train.features();
  const Objective validation(
      rows.split.validation,
      std::make_shared<const Targets>(make_targets(rows.split.validation, rows.labels)),
      objective_settings());
  result_.loss_before = mean_loss(train, start_);
  result_.loss_after = mean_loss(train, weights);
  const LossChange unseen = loss_change(validation, start_, weights);
  result_.validation_loss_before = unseen.before;
  result_.validation_loss_after = unseen.after;
  result_.validation_loss_error = unseen.standard_error;
  result_.weights = to_weights(weights, input_.rules);
  result_.loss_rounded = round_weights(train, weights).loss_after;

  Eigen::MatrixXd hessian;
  train.hessian(weights, hessian, 1);
  result_.trust = assess(train, anchor, pinned, weights, hessian, TrustSettings());
  result_.certificate = certify({train, anchor, pinned}, weights, hessian);
  for (const NullDirection& direction : result_.certificate.null_directions) {
    result_.null_directions.push_back(describe(direction, features));
  }
  result_.features = features;
  result_.start = start_;
  const int soldier = offset_of(FeatureGroup::kMaterial) + valued_index(PieceKind::kSoldier);
  for (const WeightTrust& w : result_.trust.weights) {
    if (w.determined || w.parameter == soldier) continue;
    (w.pinned ? result_.undetermined : result_.weak)
        .push_back(features.parameter_name(w.parameter));
  }
  for (const auto& group : result_.trust.collinear) {
    result_.collinear.emplace_back();
    for (const Eigen::Index parameter : group) {
      result_.collinear.back().push_back(features.parameter_name(parameter));
    }
  }
  result_.calibration = calibration(result_.validation_rows > 0 ? validation : train, weights);
}

}  // namespace

void declare(SettingsTable& table, FitOptions& options) {
  table.add("lambda", options.lambda, 0, 1, "label: share of the result; the rest is the score");
  table.add("draw_weight", options.draw_weight, 0, 100, "weight of drawn games");
  table.add("source_weights", options.source_weights,
            "a factor for each store, as text: [\"1\", \"0.5\"]");
  table.add("loss", options.loss,
            {{"cross-entropy", LossKind::kCrossEntropy}, {"squared", LossKind::kSquaredError}},
            "what is minimised");
  table.add("validation_share", options.validation_share, 0.0, 0.9, "share of game pairs held out");
  table.add("folds", options.folds, 2, 64, "folds of the cross-validation");
  table.add("seed", options.seed, 0, INT64_MAX, "seed of the split");
  table.add("merge_duplicates", options.merge_duplicates, "pool equal positions");
  table.add("anchor_deviation", options.anchor_deviation, 0, 100000,
            "centipawns that a weight may be expected to move; 0: chosen by cross-validation");
  table.add("tie", options.tie, 0, 1000, "pull of middle game and end game toward each other");
  table.add("material_factor", options.material_factor, 0, 1000,
            "the anchor's strength for material, in multiples of the others'");
  table.add("choose_factors", options.choose_factors,
            "choose the anchor's factors by group by cross-validation too");
  table.add("max_passes", options.max_passes, 1, 100000, "gradient passes at most");
  table.add_table("filter", options.filter, "which positions are kept");
}

void declare(SettingsTable& table, FitSettings& settings) {
  table.add("rules", settings.rules, "rule set").required();
  table.add("start", settings.start, "starting weights: material, default or a file");
  table.add_table("fit", settings.options, "how to fit");
}

Weights weights_by_name(const std::string& name, const Ruleset& rules) {
  if (name == "material") return material_weights(rules);
  if (name == "default") return default_weights(rules);
  return Weights::load(name, rules).value_or_throw();
}

FitResult run_fit(const FitInput& input, const FitOptions& options, const FitCallback& progress) {
  return Fitter(input, options, progress).run();
}

}  // namespace cannonade
