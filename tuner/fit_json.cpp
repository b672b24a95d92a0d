// What a fit tells machines.
#include <cmath>

#include "tuner/fit.h"

namespace cannonade {

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
            {"validation_loss_after", r.validation_loss_after},
            {"validation_loss_error", r.validation_loss_error}};
  json["replay"] = to_json(r.replay);
  json["replay_seconds"] = r.replay_seconds;
  json["from_cache"] = r.from_cache;
  for (const CandidateLoss& candidate : r.anchor.curve) {
    json["anchor_curve"].push_back({{"deviation", 1 / std::sqrt(candidate.strength)},
                                    {"loss", candidate.loss},
                                    {"error", candidate.standard_error}});
  }
  for (const GroupTrial& trial : r.factor_trials) {
    json["factor_trials"].push_back({{"what", trial.what},
                                     {"factor", trial.factor},
                                     {"gain", trial.gain},
                                     {"error", trial.standard_error},
                                     {"taken", trial.taken}});
  }
  if (!r.pooled_with.empty()) {
    json["pool"] = {{"with", r.pooled_with}, {"deviation", r.pool_deviation}};
    for (const CandidateLoss& candidate : r.pool_curve) {
      json["pool"]["curve"].push_back(
          {{"deviation", candidate.strength > 0 && std::isfinite(candidate.strength)
                             ? 1 / std::sqrt(candidate.strength)
                             : 0},
           {"loss", candidate.loss},
           {"error", candidate.standard_error}});
    }
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
                               {"data_share", w.data_share},
                               {"determined", !w.pinned}});
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
  json["weak"] = r.weak;
  json["seconds"] = r.seconds;
  return json;
}

}  // namespace cannonade
