#include "selfplay/rating_model.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace cannonade {
namespace {

// Beyond this many natural units (5200 Elo) a rating is on its way to infinity.
constexpr double kFarOff = 30;
// ln nu of a fit without a drawn game.
constexpr double kNoDraws = -50;

double log1p_exp(double x) {
  return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
}

}  // namespace

Expected<RatingModel> RatingModel::make(const RatingData& data, const RatingOptions& options) {
  RatingModel model;
  model.players_ = data.players;
  if (data.players < 2) return Failure{"ratings need at least two players"};
  const auto allowed = [&](int a, int b) {
    return a >= 0 && b >= 0 && a < data.players && b < data.players && a != b;
  };
  std::vector<std::pair<int, int>> met;
  for (const auto& games : data.games) met.emplace_back(games.a, games.b);
  for (const auto& pairs : data.pairs) met.emplace_back(pairs.a, pairs.b);
  for (const auto& [a, b] : met) {
    if (!allowed(a, b)) {
      return Failure{
          fmt::format("games of player {} against player {}, of {} players", a, b, data.players)};
    }
  }
  model.davidson_ = options.draws == DrawModel::kDavidson;
  model.parameters_ = data.players - 1;
  if (options.side_term) model.side_index_ = model.parameters_++;
  if (model.davidson_) model.draw_index_ = model.parameters_++;

  for (const RatedGames& games : data.games) {
    const double side = games.seat == RatedSeat::kUnknown      ? 0
                        : games.seat == RatedSeat::kMovesFirst ? 1
                                                               : -1;
    const int term = model.term(games.a, games.b, side);
    const std::uint64_t counts[] = {games.games.losses, games.games.draws, games.games.wins};
    for (int outcome = 0; outcome < 3; ++outcome) {
      if (counts[outcome] == 0) continue;
      model.kinds_.push_back({model.terms_[static_cast<std::size_t>(term)].matchup,
                              {{term, outcome}},
                              static_cast<double>(counts[outcome])});
    }
  }
  for (const RatedPairs& pairs : data.pairs) {
    const int first = model.term(pairs.a, pairs.b, 1);
    const int second = model.term(pairs.a, pairs.b, -1);
    for (int x = 0; x < 3; ++x) {
      for (int y = 0; y < 3; ++y) {
        const std::uint64_t count =
            pairs.counts[static_cast<std::size_t>(x)][static_cast<std::size_t>(y)];
        if (count == 0) continue;
        model.kinds_.push_back({model.terms_[static_cast<std::size_t>(first)].matchup,
                                {{first, x}, {second, y}},
                                static_cast<double>(count)});
      }
    }
  }
  return model;
}

int RatingModel::matchup(int a, int b) {
  const auto [low, high] = std::minmax(a, b);
  for (std::size_t i = 0; i < matchups_.size(); ++i) {
    if (matchups_[i].a == low && matchups_[i].b == high) return static_cast<int>(i);
  }
  matchups_.push_back({low, high});
  return static_cast<int>(matchups_.size()) - 1;
}

int RatingModel::term(int a, int b, double side) {
  if (side_index_ < 0) side = 0;
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    if (terms_[i].a == a && terms_[i].b == b && term_side_[i] == side) return static_cast<int>(i);
  }
  Term term{a, b, matchup(a, b), Eigen::VectorXd::Zero(parameters_)};
  if (a > 0) term.design[a - 1] += 1;
  if (b > 0) term.design[b - 1] -= 1;
  if (side_index_ >= 0) term.design[side_index_] = side;
  terms_.push_back(std::move(term));
  term_side_.push_back(side);
  return static_cast<int>(terms_.size()) - 1;
}

std::vector<double> RatingModel::counts() const {
  std::vector<double> result;
  result.reserve(kinds_.size());
  for (const Kind& kind : kinds_) result.push_back(kind.count);
  return result;
}

std::vector<std::array<double, 3>> RatingModel::outcomes(const std::vector<double>& counts) const {
  std::vector<std::array<double, 3>> result(terms_.size());
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    for (const auto& [term, outcome] : kinds_[i].games) {
      result[static_cast<std::size_t>(term)][static_cast<std::size_t>(outcome)] += counts[i];
    }
  }
  return result;
}

RatingModel::Law RatingModel::law(double d, const Eigen::VectorXd& parameters) const {
  if (!davidson_) {
    return {1 / (1 + std::exp(d)), 0, 1 / (1 + std::exp(-d))};
  }
  const double logs[] = {-d / 2, parameters[draw_index_], d / 2};
  const double top = std::max({logs[0], logs[1], logs[2]});
  Law law{std::exp(logs[0] - top), std::exp(logs[1] - top), std::exp(logs[2] - top)};
  const double sum = law.loss + law.draw + law.win;
  law.loss /= sum;
  law.draw /= sum;
  law.win /= sum;
  return law;
}

RatingModel::GameGradient RatingModel::game_gradient(const Law& law, int outcome) const {
  if (!davidson_) return {outcome / 2.0 - law.win, 0};
  return {(outcome - 1) / 2.0 - (law.win - law.loss) / 2, (outcome == 1 ? 1 : 0) - law.draw};
}

Eigen::Matrix2d RatingModel::game_information(const Law& law) const {
  Eigen::Matrix2d result = Eigen::Matrix2d::Zero();
  if (!davidson_) {
    result(0, 0) = law.win * law.loss;
    return result;
  }
  // The covariance of (win - loss) / 2 and draw, the model's sufficient statistics.
  const double lead = (law.win - law.loss) / 2;
  result(0, 0) = (law.win + law.loss) / 4 - lead * lead;
  result(0, 1) = result(1, 0) = -lead * law.draw;
  result(1, 1) = law.draw * (1 - law.draw);
  return result;
}

RatingModel::Evaluation RatingModel::evaluate(const Eigen::VectorXd& parameters,
                                              const std::vector<double>& counts) const {
  Evaluation result{0, Eigen::VectorXd::Zero(parameters_),
                    Eigen::MatrixXd::Zero(parameters_, parameters_)};
  const auto seen = outcomes(counts);
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    const Eigen::VectorXd& x = terms_[i].design;
    const double d = x.dot(parameters);
    const Law chances = law(d, parameters);
    const double games = seen[i][0] + seen[i][1] + seen[i][2];
    if (games == 0) continue;
    if (davidson_) {
      const double draw = parameters[draw_index_];
      const double scale = std::max(std::abs(d) / 2, draw);
      const double norm = scale + std::log(std::exp(d / 2 - scale) + std::exp(-d / 2 - scale) +
                                           std::exp(draw - scale));
      result.log_likelihood +=
          seen[i][2] * d / 2 - seen[i][0] * d / 2 + seen[i][1] * draw - games * norm;
    } else {
      result.log_likelihood += (seen[i][2] + seen[i][1] / 2) * d - games * log1p_exp(d);
    }
    for (int outcome = 0; outcome < 3; ++outcome) {
      const double count = seen[i][static_cast<std::size_t>(outcome)];
      const GameGradient gradient = game_gradient(chances, outcome);
      result.gradient += count * gradient.by_d * x;
      if (draw_index_ >= 0) result.gradient[draw_index_] += count * gradient.by_log_nu;
    }
    const Eigen::Matrix2d information = games * game_information(chances);
    result.information += information(0, 0) * x * x.transpose();
    if (draw_index_ >= 0) {
      result.information.col(draw_index_) += information(0, 1) * x;
      result.information.row(draw_index_) += information(0, 1) * x.transpose();
      result.information(draw_index_, draw_index_) += information(1, 1);
    }
  }
  return result;
}

Eigen::VectorXd RatingModel::kind_gradient(const Eigen::VectorXd& parameters,
                                           const Kind& kind) const {
  Eigen::VectorXd result = Eigen::VectorXd::Zero(parameters_);
  for (const auto& [term, outcome] : kind.games) {
    const Eigen::VectorXd& x = terms_[static_cast<std::size_t>(term)].design;
    const GameGradient gradient = game_gradient(law(x.dot(parameters), parameters), outcome);
    result += gradient.by_d * x;
    if (draw_index_ >= 0) result[draw_index_] += gradient.by_log_nu;
  }
  return result;
}

std::optional<std::string> RatingModel::disconnection(
    const std::vector<std::array<double, 3>>& outcomes) const {
  // scored[u][v]: u took at least half a point from v.
  const auto n = static_cast<std::size_t>(players_);
  std::vector<std::vector<bool>> scored(n, std::vector<bool>(n));
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    const auto a = static_cast<std::size_t>(terms_[i].a);
    const auto b = static_cast<std::size_t>(terms_[i].b);
    if (outcomes[i][1] + outcomes[i][2] > 0) scored[a][b] = true;
    if (outcomes[i][1] + outcomes[i][0] > 0) scored[b][a] = true;
  }
  for (const bool forward : {true, false}) {
    std::vector<std::size_t> reached = {0};
    std::vector<bool> known(n);
    known[0] = true;
    for (std::size_t i = 0; i < reached.size(); ++i) {
      for (std::size_t v = 0; v < n; ++v) {
        if (!known[v] && (forward ? scored[reached[i]][v] : scored[v][reached[i]])) {
          known[v] = true;
          reached.push_back(v);
        }
      }
    }
    if (reached.size() == n) continue;
    std::sort(reached.begin(), reached.end());
    std::vector<std::size_t> rest;
    for (std::size_t v = 0; v < n; ++v) {
      if (!known[v]) rest.push_back(v);
    }
    return fmt::format("no finite ratings: players {} scored nothing against players {}",
                       fmt::join(forward ? reached : rest, ", "),
                       fmt::join(forward ? rest : reached, ", "));
  }
  return std::nullopt;
}

Expected<RatingModel::Solution> RatingModel::maximize(const std::vector<double>& counts,
                                                      const Eigen::VectorXd& start) const {
  const auto seen = outcomes(counts);
  if (const auto why = disconnection(seen)) return Failure{*why};
  double games = 0;
  double draws = 0;
  for (const auto& term : seen) {
    games += term[0] + term[1] + term[2];
    draws += term[1];
  }
  const bool fixed_draws = davidson_ && draws == 0;
  Solution solution{start, 0};
  if (fixed_draws) solution.parameters[draw_index_] = kNoDraws;
  const auto at = [&](const Eigen::VectorXd& parameters) {
    Evaluation evaluation = evaluate(parameters, counts);
    if (fixed_draws) {
      evaluation.gradient[draw_index_] = 0;
      evaluation.information.row(draw_index_).setZero();
      evaluation.information.col(draw_index_).setZero();
      evaluation.information(draw_index_, draw_index_) = 1;
    }
    return evaluation;
  };
  Evaluation here = at(solution.parameters);
  constexpr int kMaxSteps = 100;
  for (; solution.steps < kMaxSteps; ++solution.steps) {
    // Scaled to a unit diagonal, so that only true dependence among the terms is near singular.
    const Eigen::VectorXd scale = here.information.diagonal().cwiseMax(1e-300).cwiseSqrt();
    const Eigen::MatrixXd scaled =
        scale.cwiseInverse().asDiagonal() * here.information * scale.cwiseInverse().asDiagonal();
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(scaled);
    if (eigen.eigenvalues().minCoeff() < 1e-11) {
      return Failure{"no finite ratings: the games do not tell all terms of the model apart"};
    }
    const Eigen::VectorXd step =
        scale.cwiseInverse().asDiagonal() *
        (eigen.eigenvectors() * (eigen.eigenvalues().cwiseInverse().asDiagonal() *
                                 (eigen.eigenvectors().transpose() *
                                  (scale.cwiseInverse().asDiagonal() * here.gradient))));
    // The Newton decrement: twice what a full step gains.
    const double decrement = step.dot(here.gradient);
    if (decrement < 1e-20 * games) return solution;
    // The likelihood is concave: halving the step always ends. Near the top a full step is right,
    // and what it gains is below the likelihood's rounding.
    const bool near_top = decrement < 1e-6;
    double size = 1;
    for (;; size /= 2) {
      const Eigen::VectorXd next = solution.parameters + size * step;
      Evaluation there = at(next);
      if (near_top || there.log_likelihood >= here.log_likelihood || size < 1e-9) {
        solution.parameters = next;
        here = std::move(there);
        break;
      }
    }
    for (int i = 0; i < parameters_; ++i) {
      if (std::abs(solution.parameters[i]) > kFarOff && !(fixed_draws && i == draw_index_)) {
        return Failure{"no finite ratings: the likelihood rises without end"};
      }
    }
  }
  return Failure{"the ratings did not converge"};
}

}  // namespace cannonade
