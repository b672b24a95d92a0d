// The likelihood behind ratings.h, in natural units: the parameters are the players' ratings less
// player 0's, then the side term and ln nu where the options have them. For the files of the rating
// library alone, since it shows Eigen.
#pragma once

#include <Eigen/Dense>
#include <array>
#include <vector>

#include "core/base/error.h"
#include "selfplay/ratings.h"

namespace cannonade {

class RatingModel {
 public:
  // Two players in one seating: every game of theirs has the same law.
  struct Term {
    int a = 0;
    int b = 0;
    int matchup = 0;
    Eigen::VectorXd design;  // d = design . parameters
  };
  // An outcome that is drawn as a whole: a game or a pair of games, each (term, 0 lost, 1 drawn,
  // 2 won for the term's a).
  struct Kind {
    int matchup = 0;
    std::vector<std::pair<int, int>> games;
    double count = 0;
  };
  // Two players, the lower number first.
  struct Matchup {
    int a = 0;
    int b = 0;
  };
  // Of one game: chances of loss, draw and win; as a half-draw model knows no chance of a draw,
  // that one is 0 there.
  struct Law {
    double loss = 0, draw = 0, win = 0;
    [[nodiscard]] double expected_score() const { return win + draw / 2; }
  };
  // Derivatives of the log-likelihood. The information is that of the model at the parameters.
  struct Evaluation {
    double log_likelihood = 0;
    Eigen::VectorXd gradient;
    Eigen::MatrixXd information;
  };

  [[nodiscard]] static Expected<RatingModel> make(const RatingData& data,
                                                  const RatingOptions& options);

  [[nodiscard]] int players() const { return players_; }
  [[nodiscard]] int parameters() const { return parameters_; }
  [[nodiscard]] int side_index() const { return side_index_; }  // -1: no such term
  [[nodiscard]] int draw_index() const { return draw_index_; }  // -1: no such term
  [[nodiscard]] const std::vector<Term>& terms() const { return terms_; }
  [[nodiscard]] const std::vector<Kind>& kinds() const { return kinds_; }
  [[nodiscard]] const std::vector<Matchup>& matchups() const { return matchups_; }
  // How often each kind was seen.
  [[nodiscard]] std::vector<double> counts() const;

  [[nodiscard]] Law law(double d, const Eigen::VectorXd& parameters) const;
  // Derivatives of one game's log-likelihood by d and by ln nu.
  struct GameGradient {
    double by_d = 0;
    double by_log_nu = 0;
  };
  [[nodiscard]] GameGradient game_gradient(const Law& law, int outcome) const;
  // What one game tells about (d, ln nu).
  [[nodiscard]] Eigen::Matrix2d game_information(const Law& law) const;

  [[nodiscard]] Evaluation evaluate(const Eigen::VectorXd& parameters,
                                    const std::vector<double>& counts) const;
  [[nodiscard]] Eigen::VectorXd kind_gradient(const Eigen::VectorXd& parameters,
                                              const Kind& kind) const;

  struct Solution {
    Eigen::VectorXd parameters;
    int steps = 0;
  };
  // The maximum, by Newton's method from `start`.
  [[nodiscard]] Expected<Solution> maximize(const std::vector<double>& counts,
                                            const Eigen::VectorXd& start) const;

 private:
  RatingModel() = default;
  int term(int a, int b, double side);
  int matchup(int a, int b);
  [[nodiscard]] std::vector<std::array<double, 3>> outcomes(
      const std::vector<double>& counts) const;
  // Why no finite maximum exists, by Ford's condition.
  [[nodiscard]] std::optional<std::string> disconnection(
      const std::vector<std::array<double, 3>>& outcomes) const;

  bool davidson_ = false;
  int players_ = 0;
  int parameters_ = 0;
  int side_index_ = -1;
  int draw_index_ = -1;
  std::vector<Term> terms_;
  std::vector<double> term_side_;
  std::vector<Kind> kinds_;
  std::vector<Matchup> matchups_;
};

}  // namespace cannonade
