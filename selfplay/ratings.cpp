#include "selfplay/ratings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/rng.h"
#include "selfplay/bootstrap.h"
#include "selfplay/rating_model.h"
#include "selfplay/statistics.h"

namespace cannonade {
namespace {

// Elo by player, player 0 at 0.
std::vector<double> elo_of(const RatingModel& model, const Eigen::VectorXd& parameters) {
  std::vector<double> elo(static_cast<std::size_t>(model.players()));
  for (int i = 1; i < model.players(); ++i) {
    elo[static_cast<std::size_t>(i)] = kEloPerUnit * parameters[i - 1];
  }
  return elo;
}

Ratings ratings_of(const RatingModel& model, const Eigen::VectorXd& parameters,
                   const Eigen::MatrixXd& covariance) {
  const auto n = static_cast<std::size_t>(model.players());
  std::vector<double> flat(n * n);
  for (std::size_t i = 1; i < n; ++i) {
    for (std::size_t j = 1; j < n; ++j) {
      flat[i * n + j] =
          kEloPerUnit * kEloPerUnit * covariance(static_cast<int>(i) - 1, static_cast<int>(j) - 1);
    }
  }
  return {elo_of(model, parameters), std::move(flat)};
}

Estimate term_estimate(const Eigen::VectorXd& parameters, const Eigen::MatrixXd& covariance,
                       int index, double unit) {
  return {unit * parameters[index], unit * std::sqrt(std::max(0.0, covariance(index, index)))};
}

}  // namespace

Interval Estimate::interval(double level) const {
  const double z = normal_quantile(0.5 + level / 2);
  return {value - z * error, value + z * error};
}

Ratings::Ratings(std::vector<double> elo, std::vector<double> covariance)
    : elo_(std::move(elo)), covariance_(std::move(covariance)) {
  if (covariance_.size() != elo_.size() * elo_.size()) {
    throw internal_error("the covariance of ratings has the wrong size");
  }
}

Estimate Ratings::player(std::size_t i) const {
  return {elo_.at(i), std::sqrt(std::max(0.0, covariance(i, i)))};
}

Estimate Ratings::difference(std::size_t i, std::size_t j) const {
  const double variance = covariance(i, i) + covariance(j, j) - 2 * covariance(i, j);
  return {elo_.at(i) - elo_.at(j), std::sqrt(std::max(0.0, variance))};
}

std::vector<Estimate> Ratings::neighbour_differences() const {
  std::vector<Estimate> result;
  for (std::size_t i = 1; i < size(); ++i) result.push_back(difference(i, i - 1));
  return result;
}

Ratings Ratings::anchored(std::size_t player) const {
  std::vector<double> weights(size());
  weights.at(player) = 1;
  return shifted(weights);
}

Ratings Ratings::centred() const {
  return shifted(std::vector<double>(size(), 1.0 / static_cast<double>(size())));
}

Ratings Ratings::shifted(const std::vector<double>& weights) const {
  // elo - w . elo for all: covariance (I - 1 w') C (I - w 1').
  const std::size_t n = size();
  double mean = 0;
  std::vector<double> with_mean(n);  // covariance of each player with the mean
  double of_mean = 0;
  for (std::size_t i = 0; i < n; ++i) {
    mean += weights[i] * elo_[i];
    for (std::size_t j = 0; j < n; ++j) with_mean[i] += weights[j] * covariance(i, j);
  }
  for (std::size_t i = 0; i < n; ++i) of_mean += weights[i] * with_mean[i];
  Ratings result = *this;
  for (std::size_t i = 0; i < n; ++i) {
    result.elo_[i] -= mean;
    for (std::size_t j = 0; j < n; ++j) {
      result.covariance_[i * n + j] += of_mean - with_mean[i] - with_mean[j];
    }
  }
  return result;
}

Expected<RatingFit> fit_ratings(const RatingData& data, const RatingOptions& options) {
  const auto model = RatingModel::make(data, options);
  if (!model) return Failure{model.error()};
  const auto solution =
      model->maximize(model->counts(), Eigen::VectorXd::Zero(model->parameters()));
  if (!solution) return Failure{solution.error()};
  const Eigen::VectorXd& parameters = solution->parameters;
  const RatingModel::Evaluation there = model->evaluate(parameters, model->counts());

  // Without a drawn game ln nu is no parameter: its information is nil.
  const int draw_index = model->draw_index();
  double draws = 0;
  for (const auto& kind : model->kinds()) {
    for (const auto& [term, outcome] : kind.games) draws += outcome == 1 ? kind.count : 0;
  }
  const bool has_nu = draw_index >= 0 && draws > 0;
  Eigen::MatrixXd information = there.information;
  if (draw_index >= 0 && !has_nu) {
    information.row(draw_index).setZero();
    information.col(draw_index).setZero();
    information(draw_index, draw_index) = 1;
  }
  Eigen::MatrixXd meat = Eigen::MatrixXd::Zero(model->parameters(), model->parameters());
  for (const auto& kind : model->kinds()) {
    const Eigen::VectorXd gradient = model->kind_gradient(parameters, kind);
    meat += kind.count * gradient * gradient.transpose();
  }
  const Eigen::MatrixXd fisher =
      information.ldlt().solve(Eigen::MatrixXd::Identity(model->parameters(), model->parameters()));
  const Eigen::MatrixXd sandwich = fisher * meat * fisher;

  RatingFit fit;
  fit.fisher = ratings_of(*model, parameters, fisher);
  fit.sandwich = ratings_of(*model, parameters, sandwich);
  if (const int side = model->side_index(); side >= 0) {
    fit.side_fisher = term_estimate(parameters, fisher, side, kEloPerUnit);
    fit.side_sandwich = term_estimate(parameters, sandwich, side, kEloPerUnit);
  }
  if (has_nu) {
    fit.nu = std::exp(parameters[draw_index]);
    fit.log_nu_fisher = term_estimate(parameters, fisher, draw_index, 1);
    fit.log_nu_sandwich = term_estimate(parameters, sandwich, draw_index, 1);
  }
  fit.log_likelihood = there.log_likelihood;
  fit.steps = solution->steps;
  return fit;
}

Interval RatingBootstrap::difference(std::size_t i, std::size_t j, double level) const {
  std::vector<double> values;
  values.reserve(replicates.size());
  for (const auto& elo : replicates) values.push_back(elo.at(i) - elo.at(j));
  return percentile_interval(std::move(values), level);
}

Expected<RatingBootstrap> bootstrap_ratings(const RatingData& data, const RatingOptions& options,
                                            int replicates, std::uint64_t seed) {
  if (replicates < 2) throw internal_error("a bootstrap needs at least two replicates");
  const auto model = RatingModel::make(data, options);
  if (!model) return Failure{model.error()};
  const auto fit = model->maximize(model->counts(), Eigen::VectorXd::Zero(model->parameters()));
  if (!fit) return Failure{fit.error()};

  // Kinds by matchup, with running totals to draw from.
  struct Stratum {
    std::vector<std::size_t> kinds;
    std::vector<std::uint64_t> up_to;
  };
  std::vector<Stratum> strata(model->matchups().size());
  for (std::size_t i = 0; i < model->kinds().size(); ++i) {
    Stratum& stratum = strata[static_cast<std::size_t>(model->kinds()[i].matchup)];
    const std::uint64_t before = stratum.up_to.empty() ? 0 : stratum.up_to.back();
    stratum.kinds.push_back(i);
    stratum.up_to.push_back(before + static_cast<std::uint64_t>(model->kinds()[i].count));
  }

  RatingBootstrap result;
  for (int replicate = 0; replicate < replicates; ++replicate) {
    Rng rng(seed, static_cast<std::uint64_t>(replicate));
    std::vector<double> counts(model->kinds().size());
    for (const Stratum& stratum : strata) {
      if (stratum.up_to.empty()) continue;
      const std::uint64_t total = stratum.up_to.back();
      for (std::uint64_t draw = 0; draw < total; ++draw) {
        const auto at =
            std::upper_bound(stratum.up_to.begin(), stratum.up_to.end(), rng.below(total));
        counts[stratum.kinds[static_cast<std::size_t>(at - stratum.up_to.begin())]] += 1;
      }
    }
    const auto again = model->maximize(counts, fit->parameters);
    if (!again) {
      ++result.without_ratings;
      continue;
    }
    result.replicates.push_back(elo_of(*model, again->parameters));
  }
  if (result.replicates.size() < 2) {
    return Failure{"no finite ratings: hardly a bootstrap replicate has them"};
  }

  const auto n = static_cast<std::size_t>(model->players());
  std::vector<double> mean(n);
  for (const auto& elo : result.replicates) {
    for (std::size_t i = 0; i < n; ++i) mean[i] += elo[i];
  }
  for (double& x : mean) x /= static_cast<double>(result.replicates.size());
  std::vector<double> covariance(n * n);
  for (const auto& elo : result.replicates) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        covariance[i * n + j] += (elo[i] - mean[i]) * (elo[j] - mean[j]);
      }
    }
  }
  for (double& x : covariance) x /= static_cast<double>(result.replicates.size() - 1);
  result.ratings = {elo_of(*model, fit->parameters), std::move(covariance)};
  return result;
}

}  // namespace cannonade
