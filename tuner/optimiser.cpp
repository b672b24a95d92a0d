#include "tuner/optimiser.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <limits>
#include <optional>
#include <utility>

#include "core/base/error.h"

namespace cannonade {
namespace {

constexpr double kSufficientDecrease = 1e-4;  // Armijo's constant
constexpr int kMaxTrials = 30;                // of one line search
constexpr double kKeepRatio = 0.1;            // a Hessian is kept while steps shrink this fast
constexpr std::size_t kMemory = 12;           // pairs that L-BFGS remembers
constexpr int kMetricAge = 12;                // steps after which L-BFGS takes a new sample
constexpr double kSampleFactor = 32;          // rows a parameter in a sample for a Hessian

// The weights, what the objective says there, and the counting.
class Walk {
 public:
  Walk(const Problem& problem, const Eigen::VectorXd& start, const OptimiserSettings& settings)
      : problem_(problem),
        settings_(settings),
        free_(free_parameters(problem)),
        started_(std::chrono::steady_clock::now()) {
    if (start.size() != problem.loss.parameters()) {
      throw user_error(fmt::format("{} starting weights for {} parameters", start.size(),
                                   problem.loss.parameters()));
    }
    if (!start.allFinite()) throw user_error("the starting weights are not all numbers");
    if (!(problem.loss.total_weight() > 0)) throw user_error("no position weighs anything");
    if (!(settings.tolerance > 0) || settings.max_gradient_passes < 1) {
      throw user_error(fmt::format("tolerance {} and {} passes are not both positive",
                                   settings.tolerance, settings.max_gradient_passes));
    }
    here_ = evaluate(start);
    if (!std::isfinite(here_.objective))
      throw internal_error("the loss at the start is not finite");
  }

  [[nodiscard]] const std::vector<Eigen::Index>& free() const { return free_; }
  [[nodiscard]] const Eigen::VectorXd& weights() const { return here_.weights; }
  [[nodiscard]] const Eigen::VectorXd& gradient() const { return here_.gradient; }
  [[nodiscard]] bool out_of_passes() const { return passes_ >= settings_.max_gradient_passes; }
  [[nodiscard]] double tolerance() const { return settings_.tolerance; }

  // The objective's Hessian over the free parameters.
  [[nodiscard]] Eigen::MatrixXd hessian(std::size_t stride) {
    ++hessian_passes_;
    Eigen::MatrixXd whole;
    problem_.loss.hessian(here_.weights, whole, stride);
    problem_.anchor.add_to(whole);
    return whole(free_, free_);
  }

  // Walks along `direction` (over the free parameters), from the whole step down. False: no point
  // on it is lower, and the walk stays.
  [[nodiscard]] bool descend(const Eigen::VectorXd& direction) {
    const double slope = here_.gradient.dot(direction);
    if (!(slope < 0)) return false;
    double length = 1;
    for (int trial = 0; trial < kMaxTrials && !out_of_passes(); ++trial) {
      Eigen::VectorXd weights = here_.weights;
      weights(free_) += length * direction;
      Point there = evaluate(weights);
      const double rise = there.objective - here_.objective;
      // Near the minimum the decrease drowns in rounding; then the slope along the line decides
      // (Hager and Zhang's approximate Wolfe condition, SIAM J. Optim. 16, 2005).
      const bool flat = std::abs(rise) <= 1e-12 * std::abs(here_.objective) &&
                        std::abs(there.gradient.dot(direction)) <= -0.9 * slope;
      if (rise <= kSufficientDecrease * length * slope || flat) {
        last_length_ = length;
        here_ = std::move(there);
        return true;
      }
      // The minimum of the parabola through both values and the slope.
      const double parabola = -slope * length * length / (2 * (rise - slope * length));
      length =
          std::isfinite(parabola) ? std::clamp(parabola, 0.1 * length, 0.5 * length) : 0.1 * length;
    }
    return false;
  }
  [[nodiscard]] bool took_whole_step() const { return last_length_ == 1; }

  // Tells the caller; false if it wants to stop.
  [[nodiscard]] bool report(double largest_step) {
    const double before = std::exchange(largest_step_, largest_step);
    if (!settings_.progress) return true;
    const double total = problem_.loss.total_weight();
    Progress p;
    p.gradient_passes = passes_;
    p.hessian_passes = hessian_passes_;
    p.loss = here_.loss / total;
    p.objective = here_.objective / total;
    p.gradient_norm = here_.gradient.norm() / total;
    p.largest_step = largest_step;
    p.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
    if (largest_step <= settings_.tolerance) {
      p.eta_seconds = 0;
    } else if (before > largest_step) {
      const double left =
          std::log(largest_step / settings_.tolerance) / std::log(before / largest_step);
      p.eta_seconds = std::min<double>(std::ceil(left), settings_.max_gradient_passes - passes_) *
                      p.seconds / passes_;
    }
    stopped_ = !settings_.progress(p);
    return !stopped_;
  }

  [[nodiscard]] OptimiserResult result(bool converged) const {
    const double total = problem_.loss.total_weight();
    return {here_.weights,
            here_.loss / total,
            here_.objective / total,
            passes_,
            hessian_passes_,
            largest_step_,
            converged,
            stopped_};
  }

 private:
  struct Point {
    Eigen::VectorXd weights;
    double loss = 0;
    double objective = 0;
    Eigen::VectorXd gradient;  // free parameters
  };

  Point evaluate(const Eigen::VectorXd& weights) {
    ++passes_;
    Point point;
    point.weights = weights;
    Eigen::VectorXd gradient;
    point.loss = problem_.loss.evaluate(weights, &gradient);
    point.objective = point.loss + problem_.anchor.add_to(weights, &gradient);
    point.gradient = gradient(free_);
    if (!point.gradient.allFinite()) point.objective = std::numeric_limits<double>::infinity();
    return point;
  }

  const Problem& problem_;
  const OptimiserSettings& settings_;
  std::vector<Eigen::Index> free_;
  std::chrono::steady_clock::time_point started_;
  Point here_;
  int passes_ = 0;
  int hessian_passes_ = 0;
  double last_length_ = 1;
  double largest_step_ = std::numeric_limits<double>::infinity();
  bool stopped_ = false;
};

double largest_of(const Eigen::VectorXd& x) {
  return x.size() == 0 ? 0 : x.cwiseAbs().maxCoeff();
}

// Far from the minimum a Hessian of a sample of the rows leads as well as the whole; when its steps
// no longer shrink tenfold, the whole takes over.
OptimiserResult newton(Walk& walk, std::size_t sample_stride) {
  std::optional<Factor> factor;
  std::size_t stride = sample_stride;
  bool fresh = false;
  double before = std::numeric_limits<double>::infinity();
  Eigen::VectorXd step;
  const auto take_hessian = [&] {
    factor.emplace(walk.hessian(stride));
    step = -factor->solve(walk.gradient());
    fresh = true;
  };
  for (;;) {
    if (factor) {
      step = -factor->solve(walk.gradient());
      fresh = false;
      if (!walk.took_whole_step() || largest_of(step) > kKeepRatio * before) {
        if (walk.took_whole_step()) stride = 1;
        take_hessian();
      }
    } else {
      take_hessian();
    }
    before = largest_of(step);
    if (!walk.report(before)) return walk.result(false);
    if (before < walk.tolerance()) return walk.result(true);
    while (!walk.descend(step)) {
      if ((fresh && stride == 1) || walk.out_of_passes()) return walk.result(false);
      stride = 1;
      take_hessian();
    }
    if (walk.out_of_passes()) {
      before = largest_of(factor->solve(walk.gradient()));
      (void)walk.report(before);
      return walk.result(before < walk.tolerance());
    }
  }
}

// Nocedal's two-loop recursion (Math. Comp. 35, 1980) around the metric's inverse.
class LbfgsMemory {
 public:
  void clear() { pairs_.clear(); }
  [[nodiscard]] bool empty() const { return pairs_.empty(); }

  void remember(const Eigen::VectorXd& step, const Eigen::VectorXd& change) {
    const double product = step.dot(change);
    if (!(product > 1e-12 * step.norm() * change.norm())) return;
    pairs_.push_back({step, change, product});
    if (pairs_.size() > kMemory) pairs_.pop_front();
  }

  [[nodiscard]] Eigen::VectorXd solve(const Factor& metric, Eigen::VectorXd q) const {
    std::vector<double> alpha(pairs_.size());
    for (std::size_t i = pairs_.size(); i-- > 0;) {
      alpha[i] = pairs_[i].step.dot(q) / pairs_[i].product;
      q -= alpha[i] * pairs_[i].change;
    }
    Eigen::VectorXd r = metric.solve(q);
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const double beta = pairs_[i].change.dot(r) / pairs_[i].product;
      r += (alpha[i] - beta) * pairs_[i].step;
    }
    return r;
  }

 private:
  struct Pair {
    Eigen::VectorXd step, change;
    double product;
  };
  std::deque<Pair> pairs_;
};

// `renew` gives a metric for where the walk is, or none.
OptimiserResult lbfgs(Walk& walk, const Factor* given,
                      const std::function<std::optional<Factor>()>& renew) {
  std::optional<Factor> own;
  const Factor* metric = given;
  int age = 0;
  const auto take_new_metric = [&] {
    std::optional<Factor> made = renew();
    age = 0;
    if (!made) return false;
    own = std::move(made);
    metric = &*own;
    return true;
  };
  if (!metric) (void)take_new_metric();
  LbfgsMemory memory;
  for (;;) {
    const Eigen::VectorXd gradient = walk.gradient();
    const Eigen::VectorXd step = -memory.solve(*metric, gradient);
    const double largest = largest_of(step);
    if (!walk.report(largest)) return walk.result(false);
    if (largest < walk.tolerance()) return walk.result(true);
    if (walk.out_of_passes()) return walk.result(false);
    const Eigen::VectorXd from = walk.weights();
    if (!walk.descend(step)) {
      if (memory.empty() || walk.out_of_passes()) return walk.result(false);
      memory.clear();
      continue;
    }
    const Eigen::VectorXd moved = walk.weights() - from;
    memory.remember(moved(walk.free()), walk.gradient() - gradient);
    if (++age >= kMetricAge && take_new_metric()) memory.clear();
  }
}

}  // namespace

std::vector<Eigen::Index> free_parameters(const Problem& problem) {
  const Eigen::Index n = problem.loss.parameters();
  std::vector<std::uint8_t> pinned(static_cast<std::size_t>(n));
  for (const Eigen::Index j : problem.pinned) {
    if (j < 0 || j >= n) throw user_error(fmt::format("pinned parameter {} of {}", j, n));
    pinned[static_cast<std::size_t>(j)] = 1;
  }
  std::vector<Eigen::Index> result;
  for (Eigen::Index j = 0; j < n; ++j) {
    if (!pinned[static_cast<std::size_t>(j)]) result.push_back(j);
  }
  return result;
}

OptimiserResult minimise(const Problem& problem, const Eigen::VectorXd& start,
                         const OptimiserSettings& settings) {
  Walk walk(problem, start, settings);
  const auto parameters = static_cast<Eigen::Index>(walk.free().size());
  if (parameters == 0) throw internal_error("no parameter is free to move");
  const double wanted = kSampleFactor * static_cast<double>(parameters);
  const auto stride = static_cast<std::size_t>(std::max(1.0, problem.loss.total_weight() / wanted));
  const bool small = parameters <= settings.newton_limit;
  if (settings.method == Method::kNewton || (settings.method == Method::kAuto && small)) {
    return newton(walk, stride);
  }
  return lbfgs(walk, nullptr, [&] { return std::optional<Factor>(walk.hessian(stride)); });
}

OptimiserResult minimise_with(const Problem& problem, const Eigen::VectorXd& start,
                              const Factor& metric, const OptimiserSettings& settings) {
  Walk walk(problem, start, settings);
  return lbfgs(walk, &metric, [] { return std::optional<Factor>(); });
}

}  // namespace cannonade
