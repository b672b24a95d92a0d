#include "selfplay/rating_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "selfplay/rating_model.h"
#include "selfplay/statistics.h"

namespace cannonade {
namespace {

struct Fitted {
  RatingModel model;
  Eigen::VectorXd parameters;
};

Expected<Fitted> fit(const RatingData& data, const RatingOptions& options) {
  auto model = RatingModel::make(data, options);
  if (!model) return Failure{model.error()};
  const auto solution =
      model->maximize(model->counts(), Eigen::VectorXd::Zero(model->parameters()));
  if (!solution) return Failure{solution.error()};
  return Fitted{*model, solution->parameters};
}

// +1 when the term counts for the matchup's lower player, -1 for the other.
double orientation(const RatingModel::Term& term, const RatingModel::Matchup& matchup) {
  return term.a == matchup.a ? 1 : -1;
}

// The inverse of a symmetric matrix on the space where it is not singular, and that space's size.
struct PseudoInverse {
  Eigen::MatrixXd matrix;
  int rank = 0;
};
PseudoInverse pseudo_inverse(const Eigen::MatrixXd& matrix) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(matrix);
  const double least = 1e-9 * std::max(1e-300, eigen.eigenvalues().cwiseAbs().maxCoeff());
  Eigen::VectorXd inverse = Eigen::VectorXd::Zero(matrix.rows());
  PseudoInverse result;
  for (Eigen::Index i = 0; i < inverse.size(); ++i) {
    if (eigen.eigenvalues()[i] <= least) continue;
    inverse[i] = 1 / eigen.eigenvalues()[i];
    ++result.rank;
  }
  result.matrix = eigen.eigenvectors() * inverse.asDiagonal() * eigen.eigenvectors().transpose();
  return result;
}

}  // namespace

Expected<FitTest> test_fit(const RatingData& data, const RatingOptions& options,
                           const std::vector<std::pair<int, int>>& tested) {
  const auto fitted = fit(data, options);
  if (!fitted) return Failure{fitted.error()};
  const RatingModel& model = fitted->model;
  const Eigen::VectorXd& parameters = fitted->parameters;

  // Which of the tested pairings a matchup is; -1: none.
  std::vector<int> index(model.matchups().size(), -1);
  FitTest result;
  for (const auto& [a, b] : tested) {
    const auto [low, high] = std::minmax(a, b);
    std::size_t at = 0;
    while (at < index.size() && (model.matchups()[at].a != low || model.matchups()[at].b != high)) {
      ++at;
    }
    if (at == index.size()) {
      return Failure{fmt::format("players {} and {} have no games to test", low, high)};
    }
    if (index[at] >= 0) continue;
    index[at] = static_cast<int>(result.pairings.size());
    result.pairings.push_back({low, high, 0, 0, 0, {}});
  }

  // The model with one more term for each tested pairing, at 0: its score and information.
  const auto k = static_cast<int>(result.pairings.size());
  const int p = model.parameters();
  Eigen::MatrixXd cross = Eigen::MatrixXd::Zero(k, p);
  Eigen::VectorXd own = Eigen::VectorXd::Zero(k);
  std::vector<RatingModel::Law> laws;
  for (const auto& term : model.terms())
    laws.push_back(model.law(term.design.dot(parameters), parameters));
  std::vector<double> games(model.terms().size());
  for (const auto& kind : model.kinds()) {
    const int row = index[static_cast<std::size_t>(kind.matchup)];
    for (const auto& [number, outcome] : kind.games) {
      const auto t = static_cast<std::size_t>(number);
      games[t] += kind.count;
      if (row < 0) continue;
      PairingFit& pairing = result.pairings[static_cast<std::size_t>(row)];
      const bool forward =
          orientation(model.terms()[t], model.matchups()[static_cast<std::size_t>(kind.matchup)]) >
          0;
      pairing.games += static_cast<std::uint64_t>(kind.count);
      pairing.score += kind.count * (forward ? outcome : 2 - outcome) / 2.0;
      pairing.expected_score +=
          kind.count * (forward ? laws[t].expected_score() : 1 - laws[t].expected_score());
    }
  }
  for (PairingFit& pairing : result.pairings) {
    pairing.score /= static_cast<double>(pairing.games);
    pairing.expected_score /= static_cast<double>(pairing.games);
  }
  for (std::size_t t = 0; t < model.terms().size(); ++t) {
    const auto& term = model.terms()[t];
    const int row = index[static_cast<std::size_t>(term.matchup)];
    if (row < 0) continue;
    const double sign = orientation(term, model.matchups()[static_cast<std::size_t>(term.matchup)]);
    const Eigen::Matrix2d information = games[t] * model.game_information(laws[t]);
    own[row] += information(0, 0);
    cross.row(row) += sign * information(0, 0) * term.design.transpose();
    if (model.draw_index() >= 0) cross(row, model.draw_index()) += sign * information(0, 1);
  }
  const auto nuisance = pseudo_inverse(model.evaluate(parameters, model.counts()).information);
  const Eigen::MatrixXd projection = cross * nuisance.matrix;
  const Eigen::MatrixXd model_variance =
      Eigen::MatrixXd(own.asDiagonal()) - projection * cross.transpose();
  Eigen::VectorXd score = Eigen::VectorXd::Zero(k);
  Eigen::MatrixXd variance = Eigen::MatrixXd::Zero(k, k);
  for (const auto& kind : model.kinds()) {
    Eigen::VectorXd effect = -projection * model.kind_gradient(parameters, kind);
    const int row = index[static_cast<std::size_t>(kind.matchup)];
    if (row >= 0) {
      for (const auto& [number, outcome] : kind.games) {
        const auto t = static_cast<std::size_t>(number);
        effect[row] +=
            model.game_gradient(laws[t], outcome).by_d *
            orientation(model.terms()[t], model.matchups()[static_cast<std::size_t>(kind.matchup)]);
      }
    }
    score += kind.count * effect;
    variance += kind.count * effect * effect.transpose();
  }
  for (int i = 0; i < k; ++i) {
    // Where the pairing alone fixes a rating, nothing is left to contradict it.
    if (model_variance(i, i) <= 1e-9 * own[i]) continue;
    result.pairings[static_cast<std::size_t>(i)].excess = {
        kEloPerUnit * score[i] / model_variance(i, i),
        kEloPerUnit * std::sqrt(variance(i, i)) / model_variance(i, i)};
  }
  // Directions in which the model leaves no room are rounding only.
  const auto room = pseudo_inverse(model_variance);
  Eigen::MatrixXd inside = room.matrix * model_variance;  // projects on what can vary
  const double scale = own.size() > 0 ? own.maxCoeff() : 0;
  if (room.rank == 0 || model_variance.diagonal().maxCoeff() <= 1e-9 * scale) return result;
  const auto inverse = pseudo_inverse(inside * variance * inside.transpose());
  result.chi_squared = score.dot(inverse.matrix * score);
  result.degrees = inverse.rank;
  if (result.degrees > 0) result.p = chi_squared_tail(result.chi_squared, result.degrees);
  return result;
}

Expected<CycleCheck> check_cycles(const RatingData& data, const RatingOptions& options) {
  const auto fitted = fit(data, options);
  if (!fitted) return Failure{fitted.error()};
  const RatingModel& model = fitted->model;
  const auto players = static_cast<std::size_t>(model.players());

  // Direct differences, lower player less higher, in natural units.
  std::vector<std::vector<std::optional<Estimate>>> direct(
      players, std::vector<std::optional<Estimate>>(players));
  for (std::size_t m = 0; m < model.matchups().size(); ++m) {
    const auto& matchup = model.matchups()[m];
    struct Seating {
      double offset;  // what the term's d has beside the rating difference
      double sign;
      double games;
    };
    std::vector<Seating> seatings(model.terms().size());
    for (std::size_t t = 0; t < seatings.size(); ++t) {
      const auto& term = model.terms()[t];
      const double side = model.side_index() < 0 ? 0
                                                 : term.design[model.side_index()] *
                                                       fitted->parameters[model.side_index()];
      seatings[t] = {side, orientation(term, matchup), 0};
    }
    double games = 0;
    double points = 0;
    for (const auto& kind : model.kinds()) {
      if (kind.matchup != static_cast<int>(m)) continue;
      for (const auto& [number, outcome] : kind.games) {
        Seating& seating = seatings[static_cast<std::size_t>(number)];
        seating.games += kind.count;
        games += kind.count;
        points += kind.count * (seating.sign > 0 ? outcome : 2 - outcome) / 2.0;
      }
    }
    if (games == 0) continue;
    const double target = (points + 0.5) / (games + 1);
    const auto expected = [&](double d) {
      double sum = 0;
      for (const Seating& s : seatings) {
        if (s.games == 0) continue;
        const double own = model.law(s.sign * d + s.offset, fitted->parameters).expected_score();
        sum += s.games * (s.sign > 0 ? own : 1 - own);
      }
      return sum / games;
    };
    // The expected score rises with d; 60 units are out of reach of any number of games.
    double low = -60;
    double high = 60;
    for (int i = 0; i < 80; ++i) {
      const double middle = (low + high) / 2;
      (expected(middle) < target ? low : high) = middle;
    }
    const double d = (low + high) / 2;
    const double slope = (expected(d + 1e-4) - expected(d - 1e-4)) / 2e-4;
    // Variance of the points, pairs of games taken whole; half a point to either side as above.
    double variance = target * target / 2 + (1 - target) * (1 - target) / 2;
    for (const auto& kind : model.kinds()) {
      if (kind.matchup != static_cast<int>(m)) continue;
      double off = 0;
      for (const auto& [number, outcome] : kind.games) {
        off += (seatings[static_cast<std::size_t>(number)].sign > 0 ? outcome : 2 - outcome) / 2.0 -
               target;
      }
      variance += kind.count * off * off;
    }
    const Estimate estimate{d, std::sqrt(variance) / (games * slope)};
    const auto a = static_cast<std::size_t>(matchup.a);
    const auto b = static_cast<std::size_t>(matchup.b);
    direct[a][b] = estimate;
  }

  CycleCheck result;
  for (std::size_t a = 0; a < players; ++a) {
    for (std::size_t b = a + 1; b < players; ++b) {
      for (std::size_t c = b + 1; c < players; ++c) {
        const auto& ab = direct[a][b];
        const auto& bc = direct[b][c];
        const auto& ac = direct[a][c];
        if (!ab || !bc || !ac) continue;
        Cycle cycle{static_cast<int>(a), static_cast<int>(b), static_cast<int>(c), {}, 0};
        cycle.sum = {kEloPerUnit * (ab->value + bc->value - ac->value),
                     kEloPerUnit * std::sqrt(ab->error * ab->error + bc->error * bc->error +
                                             ac->error * ac->error)};
        cycle.z = cycle.sum.value / cycle.sum.error;
        result.cycles.push_back(cycle);
      }
    }
  }
  std::stable_sort(result.cycles.begin(), result.cycles.end(),
                   [](const Cycle& x, const Cycle& y) { return std::abs(x.z) > std::abs(y.z); });
  if (!result.cycles.empty()) {
    result.p = std::min(
        1.0, static_cast<double>(result.cycles.size()) * two_sided_p(result.cycles.front().z));
  }
  return result;
}

}  // namespace cannonade
