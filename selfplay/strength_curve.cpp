#include "selfplay/strength_curve.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "core/base/error.h"

namespace cannonade {
namespace {

constexpr auto kSize = static_cast<Eigen::Index>(StrengthCurve::kCells);
// Elo of a natural unit of the logistic curve.
const double kNatural = 400 / std::log(10.0);

// How much of each cell lies between two strengths, in units of strength.
Eigen::VectorXd overlap(double low, double high) {
  Eigen::VectorXd shares(kSize);
  const double width = 1.0 / static_cast<double>(kSize);
  for (Eigen::Index i = 0; i < kSize; ++i) {
    const double begin = static_cast<double>(i) * width;
    shares[i] = std::max(0.0, std::min(high, begin + width) - std::max(low, begin));
  }
  return shares;
}

}  // namespace

GapObservation observe_gap(double low, double high, double points, double games) {
  const double p = (points + 0.5) / (games + 1);
  return {low, high, kNatural * std::log(p / (1 - p)),
          kNatural / std::sqrt((games + 1) * p * (1 - p))};
}

StrengthCurve::StrengthCurve(const std::vector<GapObservation>& observations) {
  if (observations.empty()) throw internal_error("a strength curve of no games");
  Eigen::MatrixXd precision = Eigen::MatrixXd::Zero(kSize, kSize);
  Eigen::VectorXd pull = Eigen::VectorXd::Zero(kSize);
  double weighted_gap = 0;
  double weighted_width = 0;
  for (const GapObservation& seen : observations) {
    if (!(seen.low >= 0 && seen.low < seen.high && seen.high <= 1 && seen.error > 0)) {
      throw internal_error("a gap that cannot be");
    }
    const Eigen::VectorXd shares = overlap(seen.low, seen.high);
    const double weight = 1 / (seen.error * seen.error);
    precision += weight * shares * shares.transpose();
    pull += weight * seen.gap * shares;
    weighted_gap += std::abs(seen.gap);
    weighted_width += seen.high - seen.low;
  }
  // A slope may well change by a third of the usual one from cell to cell.
  const double usual = std::max(weighted_gap / weighted_width, 100.0);
  const double stiffness = 1 / std::pow(usual / 3, 2);
  for (Eigen::Index i = 0; i + 1 < kSize; ++i) {
    precision(i, i) += stiffness;
    precision(i + 1, i + 1) += stiffness;
    precision(i, i + 1) -= stiffness;
    precision(i + 1, i) -= stiffness;
  }
  const Eigen::LDLT<Eigen::MatrixXd> solver(precision);
  const Eigen::VectorXd slopes = solver.solve(pull);
  const Eigen::MatrixXd covariance = solver.solve(Eigen::MatrixXd::Identity(kSize, kSize));
  const double least = usual / 20;  // more strength never makes weaker
  for (Eigen::Index i = 0; i < kSize; ++i) {
    const auto at = static_cast<std::size_t>(i);
    slope_[at] = std::max(slopes[i], least);
    for (Eigen::Index j = 0; j < kSize; ++j) {
      covariance_[at][static_cast<std::size_t>(j)] = covariance(i, j);
    }
  }
}

double StrengthCurve::elo(double strength) const {
  const Eigen::VectorXd shares = overlap(0, strength);
  double sum = 0;
  for (std::size_t i = 0; i < kCells; ++i) sum += shares[static_cast<Eigen::Index>(i)] * slope_[i];
  return sum;
}

double StrengthCurve::strength_at(double elo) const {
  const double width = 1.0 / static_cast<double>(kSize);
  double below = 0;
  for (std::size_t i = 0; i < kCells; ++i) {
    const double rise = slope_[i] * width;
    if (below + rise >= elo) {
      return std::max(0.0, (static_cast<double>(i) + (elo - below) / rise) * width);
    }
    below += rise;
  }
  return 1;
}

double StrengthCurve::gap_error(double low, double high) const {
  const Eigen::VectorXd shares = overlap(low, high);
  double variance = 0;
  for (std::size_t i = 0; i < kCells; ++i) {
    for (std::size_t j = 0; j < kCells; ++j) {
      variance += shares[static_cast<Eigen::Index>(i)] * shares[static_cast<Eigen::Index>(j)] *
                  covariance_[i][j];
    }
  }
  return std::sqrt(std::max(variance, 0.0));
}

std::vector<double> place_levels(const StrengthCurve& curve, double gap, std::size_t most) {
  std::vector<double> strengths{1};
  while (strengths.size() < most) {
    const double elo = curve.range() - gap * static_cast<double>(strengths.size());
    if (elo < 0) break;
    strengths.push_back(curve.strength_at(elo));
  }
  if (strengths.size() < 2) strengths.push_back(0);
  std::reverse(strengths.begin(), strengths.end());
  return strengths;
}

}  // namespace cannonade
