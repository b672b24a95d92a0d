#include "tuner/pooling.h"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "core/base/error.h"

namespace cannonade {
namespace {

void check(std::span<const PoolMember> members, const Anchor& anchor,
           const PoolingSettings& settings) {
  if (members.empty()) throw user_error("no presets to pool");
  for (const PoolMember& member : members) {
    if (member.whole->parameters() != anchor.start().size()) {
      throw user_error(fmt::format("{}: {} weights, the anchor has {}", member.name,
                                   member.whole->parameters(), anchor.start().size()));
    }
    if (!(member.whole->total_weight() > 0)) {
      throw user_error(fmt::format("{}: no position weighs anything", member.name));
    }
    if (member.folds.size() < 2 || member.folds.size() != members.front().folds.size()) {
      throw user_error(fmt::format("{}: games in {} folds, {} has them in {}; two are needed",
                                   member.name, member.folds.size(), members.front().name,
                                   members.front().folds.size()));
    }
  }
  if (settings.deviations.empty()) throw user_error("no strengths of pooling to choose from");
  for (const double deviation : settings.deviations) {
    if (!(deviation >= 0)) {
      throw user_error(fmt::format("{} centipawns is no deviation", deviation));
    }
  }
}

double strength_of(double deviation) {
  return deviation > 0 ? 1 / (deviation * deviation) : std::numeric_limits<double>::infinity();
}

// The search for the strength; all fits that it needs.
class PoolSearch {
 public:
  PoolSearch(std::span<const PoolMember> members, const Anchor& shape,
             const std::vector<Eigen::Index>& pinned, const PoolingSettings& settings,
             Pooling& result)
      : members_(members),
        shape_(shape),
        pinned_(pinned),
        settings_(settings),
        result_(result),
        quick_(settings.optimiser) {
    quick_.tolerance = settings.quick_tolerance;
  }

  // The common weights of every fold's training games.
  void fit_common(const Anchor& anchor) {
    for (std::size_t f = 0; f < members_.front().folds.size() && !result_.stopped; ++f) {
      std::vector<std::shared_ptr<const Loss>> parts;
      for (const PoolMember& member : members_) parts.push_back(member.folds[f].train);
      const SumLoss train(std::move(parts));
      const OptimiserResult fit = minimise({train, anchor, pinned_}, result_.common, quick_);
      result_.gradient_passes += fit.gradient_passes * static_cast<int>(members_.size());
      result_.stopped = fit.stopped;
      common_.push_back(fit.weights);
    }
  }

  // One curve a member, joined.
  void evaluate_candidates() {
    for (const double deviation : settings_.deviations) {
      CandidateLoss joined;
      joined.strength = strength_of(deviation);
      joined.fold_loss.assign(common_.size(), 0);
      result_.curve.push_back(joined);
    }
    std::vector<double> weight(common_.size());
    for (const PoolMember& member : members_) {
      for (std::size_t f = 0; f < common_.size(); ++f) {
        weight[f] += member.folds[f].held_out->total_weight();
      }
    }
    for (const PoolMember& member : members_) {
      Eigen::MatrixXd hessian;
      member.whole->hessian(result_.common, hessian, 1);
      FoldFits fits(member.folds, std::move(hessian), pinned_, quick_);
      for (std::size_t i = 0; i < settings_.deviations.size() && !result_.stopped; ++i) {
        const std::vector<double> sums = held_out_sums(member, fits, settings_.deviations[i]);
        for (std::size_t f = 0; f < sums.size(); ++f) {
          result_.curve[i].fold_loss[f] += sums[f] / weight[f];
        }
        result_.stopped = fits.stopped();
      }
      result_.gradient_passes += fits.gradient_passes();
    }
    double total = 0;
    for (const double w : weight) total += w;
    for (CandidateLoss& candidate : result_.curve) {
      for (std::size_t f = 0; f < weight.size(); ++f) {
        candidate.loss += candidate.fold_loss[f] * weight[f] / total;
      }
    }
  }

 private:
  std::vector<double> held_out_sums(const PoolMember& member, FoldFits& fits, double deviation) {
    std::vector<double> sums;
    if (deviation == 0) {
      for (std::size_t f = 0; f < common_.size(); ++f) {
        sums.push_back(member.folds[f].held_out->evaluate(common_[f], nullptr));
      }
      return sums;
    }
    std::vector<Anchor> anchors;
    for (const Eigen::VectorXd& common : common_) {
      anchors.push_back(shape_.scaled(strength_of(deviation)).moved_to(common));
    }
    const CandidateLoss candidate = fits.evaluate(anchors);
    for (std::size_t f = 0; f < candidate.fold_loss.size(); ++f) {
      sums.push_back(candidate.fold_loss[f] * member.folds[f].held_out->total_weight());
    }
    return sums;
  }

  std::span<const PoolMember> members_;
  const Anchor& shape_;
  const std::vector<Eigen::Index>& pinned_;
  const PoolingSettings& settings_;
  Pooling& result_;
  OptimiserSettings quick_;
  std::vector<Eigen::VectorXd> common_;  // one a fold
};

}  // namespace

Pooling pool(std::span<const PoolMember> members, const Anchor& anchor, const Anchor& shape,
             const std::vector<Eigen::Index>& pinned, const PoolingSettings& settings) {
  check(members, anchor, settings);
  Pooling result;
  std::vector<std::shared_ptr<const Loss>> parts;
  for (const PoolMember& member : members) parts.push_back(member.whole);
  const SumLoss all(std::move(parts));
  const OptimiserResult common =
      minimise({all, anchor, pinned}, anchor.start(), settings.optimiser);
  result.gradient_passes += common.gradient_passes * static_cast<int>(members.size());
  result.stopped = common.stopped;
  result.common = common.weights;
  result.weights.assign(members.size(), result.common);

  PoolSearch search(members, shape, pinned, settings, result);
  search.fit_common(anchor);
  if (result.stopped) return result;
  search.evaluate_candidates();
  if (result.stopped) return result;
  result.deviation = settings.deviations[compare_candidates(result.curve)];
  if (result.deviation == 0) return result;
  const Anchor pull = shape.scaled(strength_of(result.deviation)).moved_to(result.common);
  for (std::size_t m = 0; m < members.size() && !result.stopped; ++m) {
    const OptimiserResult fit =
        minimise({*members[m].whole, pull, pinned}, result.common, settings.optimiser);
    result.gradient_passes += fit.gradient_passes;
    result.stopped = fit.stopped;
    result.weights[m] = fit.weights;
  }
  return result;
}

}  // namespace cannonade
