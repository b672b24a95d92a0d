#include "tuner/fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <utility>

#include "tuner/sigmoid_scale.h"

namespace cannonade {
namespace {

// Weights of the listed features as the tuner orders them: all middle game ones, then all end game
// ones.
Eigen::VectorXd to_vector(const Weights& weights, const std::vector<int>& listed) {
  const auto n = static_cast<Eigen::Index>(listed.size());
  Eigen::VectorXd vector(2 * n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const Weight& w = weights[listed[static_cast<std::size_t>(i)]];
    vector[i] = w.middle;
    vector[n + i] = w.end;
  }
  return vector;
}

Weights to_weights(const Eigen::VectorXd& vector, const std::vector<int>& listed,
                   const Ruleset& rules) {
  Weights weights(rules.id);
  const auto n = static_cast<Eigen::Index>(listed.size());
  for (Eigen::Index i = 0; i < n; ++i) {
    weights.set(
        listed[static_cast<std::size_t>(i)],
        {static_cast<int>(std::lround(vector[i])), static_cast<int>(std::lround(vector[n + i]))});
  }
  return weights;
}

double mean_loss(const Objective& objective, const Eigen::VectorXd& weights) {
  const double total = objective.total_weight();
  return total > 0 ? objective.evaluate(weights, nullptr) / total : 0;
}

}  // namespace

void declare(SettingsTable& table, FitOptions& options) {
  table.add("lambda", options.lambda, 0, 1, "label: share of the result; the rest is the score");
  table.add("draw_weight", options.draw_weight, 0, 100, "weight of drawn games");
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

FitResult run_fit(const Ruleset& rules, const Weights& start, const FitOptions& options,
                  const std::vector<std::filesystem::path>& stores, const FitCallback& progress) {
  const auto begin = std::chrono::steady_clock::now();
  const std::vector<int> listed = listed_features(rules);
  const Eigen::VectorXd start_vector = to_vector(start, listed);

  FitResult result;
  const Dataset all = replay_stores(
      stores, rules, start, options.filter, result.replay, [&](const ReplayProgress& done) {
        if (!progress) return true;
        FitProgress p;
        p.phase = "replaying games";
        p.share = done.of > 0 ? static_cast<double>(done.games) / static_cast<double>(done.of) : 1;
        return progress(p);
      });
  if (all.rows() == 0) throw user_error("no position passes the filter: nothing to fit");
  SplitSettings split_settings;
  split_settings.validation_share = options.validation_share;
  split_settings.folds = options.folds;
  split_settings.seed = options.seed;
  split_settings.merge_duplicates = options.merge_duplicates;
  const Split split = split_by_pair(all, split_settings);
  result.training_rows = split.train.rows();
  result.validation_rows = split.validation.rows();
  result.positions = result.training_rows + result.validation_rows;
  result.merged = split.merged;

  // The scale, on results and starting weights.
  LabelSettings labels;
  labels.draw_weight = options.draw_weight;
  auto targets = std::make_shared<const Targets>(make_targets(split.train, labels));
  {
    const Objective probe(split.train, targets, {1, options.loss, Curvature::kGaussNewton});
    const ScaleFit scale = solve_scale(probe.scores(start_vector), *targets, options.loss);
    // Games too few or too drawn to tell a scale get a customary one, and the result says so.
    constexpr double kCustomary = 0.0025;
    result.k_at_bound = scale.at_bound;
    result.k = scale.at_bound ? kCustomary : scale.k;
  }
  if (options.lambda < 1) {
    labels.lambda = options.lambda;
    labels.k = result.k;
    targets = std::make_shared<const Targets>(make_targets(split.train, labels));
  }
  const ObjectiveSettings objective_settings{result.k, options.loss, Curvature::kGaussNewton};
  const Objective train(split.train, targets, objective_settings);
  const Objective validation(
      split.validation, std::make_shared<const Targets>(make_targets(split.validation, labels)),
      objective_settings);

  // A soldier keeps its 100 in the middle game, and what hardly any game shows stays where it is.
  const int soldier = offset_of(FeatureGroup::kMaterial) + valued_index(PieceKind::kSoldier);
  const auto soldier_parameter =
      static_cast<Eigen::Index>(std::find(listed.begin(), listed.end(), soldier) - listed.begin());
  const TrustSettings trust_settings;
  std::vector<Eigen::Index> pinned = rarely_seen(train, trust_settings.min_pairs);
  pinned.push_back(soldier_parameter);
  std::sort(pinned.begin(), pinned.end());
  pinned.erase(std::unique(pinned.begin(), pinned.end()), pinned.end());

  AnchorSettings anchor_settings;
  anchor_settings.tie = options.tie;
  anchor_settings.group_factor.assign(kFeatureGroups.size(), 1);
  anchor_settings.group_factor[static_cast<std::size_t>(FeatureGroup::kMaterial)] =
      options.material_factor;
  bool stopped = false;
  const auto watch = [&](const char* phase) {
    return [&progress, &stopped, phase](const Progress& at) {
      if (!progress) return true;
      FitProgress p;
      p.phase = phase;
      p.share = -1;
      p.loss = at.loss;
      p.eta_seconds = at.eta_seconds;
      if (!progress(p)) stopped = true;
      return !stopped;
    };
  };
  result.deviation = options.anchor_deviation;
  if (options.anchor_deviation <= 0) {
    anchor_settings.strength = 1;
    const Anchor unit(all.features(), start_vector, anchor_settings);
    const std::vector<Fold> folds =
        make_folds(split.train, split.fold, targets, objective_settings);
    CrossValidationSettings cross;
    cross.optimiser.progress = watch("choosing the anchor");
    result.anchor = choose_strength(folds, train, unit, pinned, cross);
    result.deviation = 1 / std::sqrt(result.anchor.strength);
  }
  anchor_settings.strength = 1 / (result.deviation * result.deviation);
  const Anchor anchor(all.features(), start_vector, anchor_settings);

  const Problem problem{train, anchor, pinned};
  OptimiserSettings optimiser;
  optimiser.max_gradient_passes = options.max_passes;
  optimiser.progress = watch("fitting");
  const OptimiserResult fitted = minimise(problem, start_vector, optimiser);
  result.hessian_passes = fitted.hessian_passes;
  Eigen::MatrixXd hessian;
  train.hessian(fitted.weights, hessian, 1);
  result.trust = assess(train, anchor, pinned, fitted.weights, hessian, trust_settings);
  result.gradient_passes = fitted.gradient_passes;
  result.converged = fitted.converged;
  result.stopped = stopped || fitted.stopped;
  result.loss_before = mean_loss(train, start_vector);
  result.loss_after = mean_loss(train, fitted.weights);
  result.validation_loss_before = mean_loss(validation, start_vector);
  result.validation_loss_after = mean_loss(validation, fitted.weights);
  result.weights = to_weights(fitted.weights, listed, rules);
  result.loss_rounded = mean_loss(train, to_vector(result.weights, listed));

  result.certificate = certify(problem, fitted.weights, hessian);
  for (const NullDirection& direction : result.certificate.null_directions) {
    result.null_directions.push_back(describe(direction, all.features()));
  }
  result.features = all.features();
  result.start = start_vector;
  for (const WeightTrust& w : result.trust.weights) {
    if (!w.determined && w.parameter != soldier_parameter) {
      result.undetermined.push_back(all.features().parameter_name(w.parameter));
    }
  }
  for (const auto& group : result.trust.collinear) {
    result.collinear.emplace_back();
    for (const Eigen::Index parameter : group) {
      result.collinear.back().push_back(all.features().parameter_name(parameter));
    }
  }
  result.calibration = calibration(result.validation_rows > 0 ? validation : train, fitted.weights);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

nlohmann::ordered_json to_json(const FitResult& r) {
  using Json = nlohmann::ordered_json;
  Json json{{"rules", r.weights.rules_id()},
            {"games", r.replay.games},
            {"positions", r.positions},
            {"training", r.training_rows},
            {"validation", r.validation_rows},
            {"duplicates", r.merged},
            {"passes", r.gradient_passes},
            {"hessian_passes", r.hessian_passes},
            {"converged", r.converged},
            {"gradient_norm", r.certificate.gradient_norm},
            {"largest_step", r.certificate.largest_step},
            {"condition", r.certificate.condition},
            {"null_directions", r.null_directions},
            {"k", r.k},
            {"anchor_deviation", r.deviation},
            {"loss_before", r.loss_before},
            {"loss_after", r.loss_after},
            {"loss_rounded", r.loss_rounded},
            {"validation_loss_before", r.validation_loss_before},
            {"validation_loss_after", r.validation_loss_after}};
  Json& filter = json["filter"];
  filter = {{"seen", r.replay.seen},
            {"in_check", r.replay.in_check},
            {"not_quiet", r.replay.not_quiet},
            {"decided", r.replay.decided},
            {"thinned", r.replay.thinned},
            {"kept", r.replay.kept},
            {"without_result", r.replay.without_result}};
  for (const SourceCount& source : r.replay.sources) {
    json["sources"].push_back({{"store", source.store},
                               {"games", source.games},
                               {"positions", source.positions},
                               {"first_lost", source.results[0]},
                               {"drawn", source.results[1]},
                               {"first_won", source.results[2]}});
  }
  for (const CandidateLoss& candidate : r.anchor.curve) {
    json["anchor_curve"].push_back({{"deviation", 1 / std::sqrt(candidate.strength)},
                                    {"loss", candidate.loss},
                                    {"error", candidate.standard_error}});
  }
  json["weights"] = Json::array();
  for (const WeightTrust& w : r.trust.weights) {
    json["weights"].push_back({{"name", r.features.parameter_name(w.parameter)},
                               {"start", r.start[w.parameter]},
                               {"value", w.value},
                               {"change", w.change},
                               {"error", w.standard_error},
                               {"z", w.z},
                               {"positions", w.positions},
                               {"pairs", w.pairs},
                               {"determined", w.determined}});
  }
  json["clusters"] = r.trust.clusters;
  json["error_ratio"] = r.trust.median_error_ratio;
  json["collinear"] = r.collinear;
  json["calibration"] = Json::array();
  for (const CalibrationBucket& bucket : r.calibration) {
    json["calibration"].push_back({{"low", bucket.low},
                                   {"high", bucket.high},
                                   {"weight", bucket.weight},
                                   {"predicted", bucket.predicted},
                                   {"actual", bucket.actual},
                                   {"error", bucket.standard_error}});
  }
  json["undetermined"] = r.undetermined;
  json["seconds"] = r.seconds;
  return json;
}

}  // namespace cannonade
