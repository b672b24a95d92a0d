#include "selfplay/sprt.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <charconv>
#include <cmath>
#include <limits>

namespace cannonade {
namespace {

using Values = std::array<double, 5>;

// The most likely distribution under a condition E[x] = 0 is q_i = p_i / (1 + theta x_i), with p
// the observed one (A. Owen, "Empirical Likelihood"). All p_i are positive.
struct Tilt {
  Values x{};
  double theta = 0;
};

// p_i / q_i. At least p_i, for q_i is a probability; held there against rounding.
double inverse_weight(const Sample& sample, const Tilt& tilt, std::size_t i) {
  return std::max(sample.probability[i], 1 + tilt.theta * tilt.x[i]);
}

// log(q_i / p_i).
Values log_ratios(const Sample& sample, const Tilt& tilt) {
  Values result{};
  for (std::size_t i = 0; i < sample.size; ++i) {
    result[i] = -std::log1p(std::max(sample.probability[i] - 1, tilt.theta * tilt.x[i]));
  }
  return result;
}

// The mean points under q.
double tilted_mean(const Sample& sample, const Tilt& tilt) {
  double sum = 0;
  for (std::size_t i = 0; i < sample.size; ++i) {
    sum += sample.probability[i] / inverse_weight(sample, tilt, i) * sample.value(i);
  }
  return sum;
}

// Of the observed distribution under q, an observation, against under p.
double log_likelihood(const Sample& sample, const Tilt& tilt) {
  const Values ratio = log_ratios(sample, tilt);
  double sum = 0;
  for (std::size_t i = 0; i < sample.size; ++i) sum += sample.probability[i] * ratio[i];
  return sum;
}

// The root of a continuous function that is `f_low` at `low` and has the other sign, `f_high`, at
// `high`.
template <class F>
double root_between(const F& f, double low, double high, double f_low, double f_high) {
  if (f_low == 0) return low;
  if (f_high == 0) return high;
  std::uintmax_t steps = 200;
  const auto [a, b] = boost::math::tools::toms748_solve(
      f, low, high, f_low, f_high, boost::math::tools::eps_tolerance<double>(50), steps);
  return 0.5 * (a + b);
}

// Some x_i must be negative and some positive.
Tilt tilt_to(const Sample& sample, const Values& x) {
  // p_i <= 1 + theta x_i bounds theta on both sides, and the mean has its sign there.
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < sample.size; ++i) {
    const double edge = (sample.probability[i] - 1) / x[i];
    if (x[i] > 0) low = std::max(low, edge);
    if (x[i] < 0) high = std::min(high, edge);
  }
  const auto mean = [&](double theta) {
    double sum = 0;
    for (std::size_t i = 0; i < sample.size; ++i) {
      sum += sample.probability[i] * x[i] / inverse_weight(sample, {x, theta}, i);
    }
    return sum;
  };
  const double f_low = mean(low);
  const double f_high = mean(high);
  if (f_low <= 0) return {x, low};
  if (f_high >= 0) return {x, high};
  return {x, root_between(mean, low, high, f_low, f_high)};
}

Tilt tilt_to_score(const Sample& sample, double score) {
  Values x{};
  for (std::size_t i = 0; i < sample.size; ++i) x[i] = sample.value(i) - score;
  return tilt_to(sample, x);
}

// The most likely distribution with (mean - 1/2) / deviation = t. Lagrange's condition, with mean m
// and deviation s of the solution and m = 1/2 + t s, is a tilt with
//   x_i = value_i - 1/2 - t s / 2 - t (m - value_i)^2 / (2 s).
// Taking s as given leaves one unknown: where the tilted mean is 1/2 + t s, s is the deviation too
// and the likelihood is stationary along s. With c = 1 / sqrt(1 + t^2) and y = |value_i - 1/2| on
// the side of t, x_i has the sign of t for s in y / |t| (1 - c, 1 + c): the tilt exists on the
// union of these intervals. At an end all weight goes to that one outcome, so that the tilted mean
// less 1/2 + t s is c y there, away from even at the lower end and towards it at the upper: there
// always is a solution. For a t beyond the observed one the problem is not convex and may have
// several; each interval is scanned and the likeliest is taken. (Van den Bergh's fixed point
// iteration finds one of them or, with one outcome only, circles.)
Tilt tilt_to_deviations(const Sample& sample, double t) {
  const double size = std::abs(t);
  if (size < 1e-12) return tilt_to_score(sample, 0.5);
  const double sign = t > 0 ? 1 : -1;
  const auto at = [&](double s) {
    Values x{};
    std::size_t top = 0;
    for (std::size_t i = 0; i < sample.size; ++i) {
      const double y = sample.value(i) - 0.5;
      x[i] = y - t * s / 2 - t * (t * s - y) * (t * s - y) / (2 * s);
      if (sign * x[i] > sign * x[top]) top = i;
    }
    // At the very end of an interval rounding may take the last outcome on the side of t.
    x[top] = sign * std::max(sign * x[top], 1e-200);
    return tilt_to(sample, x);
  };
  const auto excess = [&](double s) {
    return sign * (tilted_mean(sample, at(s)) - 0.5) - size * s;
  };
  std::optional<Tilt> best;
  double best_likelihood = -std::numeric_limits<double>::infinity();
  const auto scan = [&](double low, double high, double excess_low, double excess_high) {
    constexpr int kSteps = 16;
    double s = low;
    double f = excess_low;
    for (int step = 1; step <= kSteps; ++step) {
      const bool last = step == kSteps;
      const double next = last ? high : low * std::pow(high / low, double(step) / kSteps);
      const double f_next = last ? excess_high : excess(next);
      if ((f > 0) != (f_next > 0)) {
        const Tilt candidate = at(root_between(excess, s, next, f, f_next));
        const double likelihood = log_likelihood(sample, candidate);
        if (!best || likelihood > best_likelihood) best = candidate;
        best_likelihood = std::max(best_likelihood, likelihood);
      }
      s = next;
      f = f_next;
    }
  };
  const double c = 1 / std::sqrt(1 + t * t);
  const double near_one = t * t * c / (1 + c) * c;  // 1 - c without cancellation
  const auto lower_end = [&](double y) { return y / size * near_one; };
  const auto upper_end = [&](double y) { return y / size * (1 + c); };
  const double half = 0.5;
  const double quarter = sample.size == 5 ? 0.25 : 0.5;
  if (upper_end(quarter) > lower_end(half)) {
    scan(lower_end(quarter), upper_end(half), c * quarter, -c * half);
  } else {
    scan(lower_end(quarter), upper_end(quarter), c * quarter, -c * quarter);
    scan(lower_end(half), upper_end(half), c * half, -c * half);
  }
  return *best;
}

Tilt tilt_to_elo(const Sample& sample, EloModel model, double elo) {
  if (model == EloModel::kLogistic) return tilt_to_score(sample, score_of_elo(elo));
  return tilt_to_deviations(sample,
                            elo / kNormalizedEloPerDeviation * std::sqrt(sample.games_each));
}

// log(q1_i / q0_i): what one more observation of outcome i adds to the LLR, the two distributions
// moving along with the data only to second order.
Values increments(const SprtTest& test, const Sample& sample) {
  const Values h0 = log_ratios(sample, tilt_to_elo(sample, test.model, test.elo0));
  Values result = log_ratios(sample, tilt_to_elo(sample, test.model, test.elo1));
  for (std::size_t i = 0; i < sample.size; ++i) result[i] -= h0[i];
  return result;
}

void require_sound(const SprtTest& test) {
  if (const auto fault = test.fault()) throw internal_error("sequential test: " + *fault);
}

SprtResult judge_sample(const SprtTest& test, const Sample& sample, std::uint64_t games) {
  require_sound(test);
  SprtResult result{0, test.lower(), test.upper(), Verdict::kContinue};
  if (games == 0) return result;
  const Values step = increments(test, sample);
  for (std::size_t i = 0; i < sample.size; ++i) {
    result.llr += sample.total * sample.probability[i] * step[i];
  }
  if (result.llr >= result.upper) result.verdict = Verdict::kH1;
  if (result.llr <= result.lower) result.verdict = Verdict::kH0;
  return result;
}

// Half points of a pair that has no result.
constexpr int kNoResult = -1;

}  // namespace

std::string_view name_of(EloModel model) {
  return model == EloModel::kLogistic ? "logistic" : "normalized";
}

Expected<EloModel> parse_elo_model(std::string_view text) {
  if (text == "logistic") return EloModel::kLogistic;
  if (text == "normalized") return EloModel::kNormalized;
  return Failure{fmt::format("'{}' is not an Elo model; allowed: logistic, normalized", text)};
}

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kH0:
      return "H0";
    case Verdict::kH1:
      return "H1";
    case Verdict::kContinue:
      break;
  }
  return "continue";
}

double SprtTest::lower() const {
  return std::log(beta / (1 - alpha));
}

double SprtTest::upper() const {
  return std::log((1 - beta) / alpha);
}

std::optional<std::string> SprtTest::fault() const {
  if (!(std::abs(elo0) <= kMaxSprtElo && std::abs(elo1) <= kMaxSprtElo && elo0 < elo1)) {
    return fmt::format("bounds {},{} given; allowed: two numbers from {} to {}, the smaller first",
                       elo0, elo1, -kMaxSprtElo, kMaxSprtElo);
  }
  for (const auto& [name, value] : {std::pair("alpha", alpha), std::pair("beta", beta)}) {
    if (!(value >= kMinErrorRate && value <= kMaxErrorRate)) {
      return fmt::format("{} {} given; allowed: {} to {}", name, value, kMinErrorRate,
                         kMaxErrorRate);
    }
  }
  return std::nullopt;
}

Expected<SprtTest> parse_sprt(std::string_view text) {
  SprtTest test;
  const auto number = [](std::string_view part, double& out) {
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), out);
    return error == std::errc() && end == part.data() + part.size();
  };
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos || !number(text.substr(0, comma), test.elo0) ||
      !number(text.substr(comma + 1), test.elo1) || test.fault()) {
    return Failure{fmt::format("allowed: two numbers E0,E1 from {} to {}, the smaller first",
                               -kMaxSprtElo, kMaxSprtElo)};
  }
  return test;
}

SprtResult judge(const SprtTest& test, const Trinomial& counts) {
  return judge_sample(test, sample_of(counts), counts.games());
}

SprtResult judge(const SprtTest& test, const Pentanomial& counts) {
  return judge_sample(test, sample_of(counts), counts.games());
}

nlohmann::json to_json(const SprtTest& test, const SprtResult& result) {
  return {{"llr", result.llr},           {"lower", result.lower},
          {"upper", result.upper},       {"verdict", name_of(result.verdict)},
          {"elo0", test.elo0},           {"elo1", test.elo1},
          {"alpha", test.alpha},         {"beta", test.beta},
          {"model", name_of(test.model)}};
}

SprtForecast forecast(const SprtTest& test, double true_elo, const Sample& shape) {
  require_sound(test);
  if (!(std::abs(true_elo) <= 2 * kMaxSprtElo)) {
    throw internal_error(fmt::format("no forecast for a true Elo of {}", true_elo));
  }
  const Tilt tilt = tilt_to_elo(shape, test.model, true_elo);
  Sample truth = shape;
  for (std::size_t i = 0; i < shape.size; ++i) {
    truth.probability[i] /= inverse_weight(shape, tilt, i);
  }
  const Values step = increments(test, truth);
  double drift = 0;
  double square = 0;
  for (std::size_t i = 0; i < truth.size; ++i) {
    drift += truth.probability[i] * step[i];
    square += truth.probability[i] * step[i] * step[i];
  }
  const double variance = square - drift * drift;
  const double overshoot = 0.583 * std::sqrt(variance);
  const double below = overshoot - test.lower();
  const double above = overshoot + test.upper();
  const double span = below + above;
  // exp(-h LLR) is a martingale.
  const double h = 2 * drift / variance;
  SprtForecast result;
  double observations = 0;
  if (std::abs(h) * span < 1e-5) {
    result.h1_probability = below / span;
    observations = below * above / variance;
  } else {
    result.h1_probability = h > 0 ? std::expm1(-h * below) / std::expm1(-h * span)
                                  : 1 - std::expm1(h * above) / std::expm1(h * span);
    observations = (result.h1_probability * above - (1 - result.h1_probability) * below) / drift;
  }
  result.games = shape.games_each * std::max(1.0, observations);
  return result;
}

PrefixJudge::PrefixJudge(std::optional<SprtTest> test) : test_(test) {
  if (!test_) return;
  require_sound(*test_);
  result_ = {0, test_->lower(), test_->upper(), Verdict::kContinue};
}

void PrefixJudge::finish(std::uint64_t index, int half_points) {
  if (half_points < 0 || half_points > 4) {
    throw internal_error(fmt::format("a pair of games cannot give {} half points", half_points));
  }
  fold(index, half_points);
}

void PrefixJudge::pass_over(std::uint64_t index) {
  fold(index, kNoResult);
}

void PrefixJudge::fold(std::uint64_t index, int half_points) {
  if (decided()) return;
  if (index < next_ || !waiting_.emplace(index, half_points).second) {
    throw internal_error(fmt::format("pair {} finished twice", index));
  }
  while (!decided() && !waiting_.empty() && waiting_.begin()->first == next_) {
    const int points = waiting_.begin()->second;
    waiting_.erase(waiting_.begin());
    ++next_;
    if (points == kNoResult) continue;
    ++counts_.counts[static_cast<std::size_t>(points)];
    if (test_) result_ = judge(*test_, counts_);
  }
  if (decided()) waiting_.clear();
}

PrefixJudge fold_schedule(std::span<const std::optional<int>> half_points,
                          const std::optional<SprtTest>& test) {
  PrefixJudge judge(test);
  for (std::size_t i = 0; i < half_points.size() && half_points[i]; ++i) {
    judge.finish(i, *half_points[i]);
  }
  return judge;
}

}  // namespace cannonade
