#include "tuner/anchor.h"

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <utility>

#include "core/base/error.h"

namespace cannonade {
namespace {

Eigen::VectorXd strength_by_feature(const FeatureList& features, const AnchorSettings& settings) {
  if (settings.group_factor.size() > features.group_names.size()) {
    throw user_error(fmt::format("{} anchor factors for {} groups of weights",
                                 settings.group_factor.size(), features.group_names.size()));
  }
  Eigen::VectorXd result(features.size());
  for (Eigen::Index j = 0; j < result.size(); ++j) {
    const std::size_t group = features.group[static_cast<std::size_t>(j)];
    const double factor = group < settings.group_factor.size() ? settings.group_factor[group] : 1.0;
    result[j] = settings.strength * factor;
  }
  return result;
}

Eigen::VectorXd twice(const Eigen::VectorXd& x) {
  Eigen::VectorXd result(2 * x.size());
  result << x, x;
  return result;
}

}  // namespace

Anchor::Anchor(Eigen::VectorXd start, Eigen::VectorXd strength, Eigen::VectorXd tie)
    : start_(std::move(start)), strength_(std::move(strength)), tie_(std::move(tie)) {
  if (strength_.size() != start_.size() || 2 * tie_.size() != start_.size()) {
    throw user_error(fmt::format("an anchor of {} weights with {} strengths and {} ties",
                                 start_.size(), strength_.size(), tie_.size()));
  }
  if (!start_.allFinite()) throw user_error("the starting weights are not all numbers");
  for (const Eigen::VectorXd* strengths : {&strength_, &tie_}) {
    if (!strengths->allFinite() || (strengths->array() < 0).any()) {
      throw user_error("an anchor's strength is negative or not a number");
    }
  }
}

Anchor::Anchor(const FeatureList& features, Eigen::VectorXd start, const AnchorSettings& settings)
    : Anchor(std::move(start), twice(strength_by_feature(features, settings)),
             settings.tie * strength_by_feature(features, settings)) {}

Anchor Anchor::none(const Eigen::VectorXd& start) {
  return {start, Eigen::VectorXd::Zero(start.size()), Eigen::VectorXd::Zero(start.size() / 2)};
}

Anchor Anchor::moved_to(const Eigen::VectorXd& start) const {
  return {start, strength_, tie_};
}

Anchor Anchor::scaled(double factor) const {
  return {start_, factor * strength_, factor * tie_};
}

double Anchor::add_to(const Eigen::VectorXd& weights, Eigen::VectorXd* gradient) const {
  const Eigen::Index n = tie_.size();
  const Eigen::VectorXd change = weights - start_;
  const Eigen::VectorXd pull = strength_.cwiseProduct(change);
  const Eigen::VectorXd apart = change.head(n) - change.tail(n);
  const Eigen::VectorXd tied = tie_.cwiseProduct(apart);
  if (gradient) {
    *gradient += pull;
    gradient->head(n) += tied;
    gradient->tail(n) -= tied;
  }
  return 0.5 * (pull.dot(change) + tied.dot(apart));
}

void Anchor::add_to(Eigen::MatrixXd& hessian) const {
  const Eigen::Index n = tie_.size();
  hessian.diagonal() += strength_;
  hessian.diagonal().head(n) += tie_;
  hessian.diagonal().tail(n) += tie_;
  hessian.diagonal(n) -= tie_;
  hessian.diagonal(-n) -= tie_;
}

Eigen::VectorXd Anchor::prior_variances(const std::vector<Eigen::Index>& free) const {
  const Eigen::Index n = tie_.size();
  std::vector<std::uint8_t> moves(static_cast<std::size_t>(2 * n));
  for (const Eigen::Index j : free) moves[static_cast<std::size_t>(j)] = 1;
  Eigen::VectorXd result(static_cast<Eigen::Index>(free.size()));
  for (std::size_t i = 0; i < free.size(); ++i) {
    const Eigen::Index j = free[i];
    const Eigen::Index twin = j < n ? j + n : j - n;
    const double tie = tie_[j % n];
    double precision = strength_[j] + tie;
    if (moves[static_cast<std::size_t>(twin)] && tie > 0) {
      precision -= tie * tie / (strength_[twin] + tie);  // the 2 x 2 block's Schur complement
    }
    result[static_cast<Eigen::Index>(i)] =
        precision > 0 ? 1 / precision : std::numeric_limits<double>::infinity();
  }
  return result;
}

}  // namespace cannonade
