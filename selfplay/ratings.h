// Ratings of a set of players from games among them, by maximum likelihood and no prior:
// Bradley-Terry, where a draw is half a win and half a loss, or Davidson's model with a term for
// draws; both with an optional term for moving first. Elo differences come with the whole
// covariance, so that the error of any difference is right (errors of ratings on one scale do not
// add up in quadrature).
//
// Pure; the same input gives the same output. Ratings do not exist when some players never scored
// against the rest, or the games cannot tell a term from the others: a Failure says so.
//
// Sources: R. Bradley, M. Terry, Biometrika 39 (1952); R. Davidson, J. Am. Stat. Assoc. 65 (1970);
// L. Ford, Am. Math. Monthly 64 (1957), on existence; H. White, Econometrica 50 (1982), on the
// sandwich.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "selfplay/intervals.h"

namespace cannonade {

enum class DrawModel {
  kHalfEach,  // Bradley-Terry: P(win) = e^d / (e^d + 1), a draw is half of each outcome
  kDavidson,  // P(win) : P(loss) : P(draw) = e^(d/2) : e^(-d/2) : nu
};

struct RatingOptions {
  DrawModel draws = DrawModel::kHalfEach;
  bool side_term =
      false;  // d gains the term for the player who moves first, loses it for the other
};

enum class RatedSeat : std::uint8_t { kUnknown, kMovesFirst, kMovesSecond };

// Independent games of `a` against `b`, counted for `a`.
struct RatedGames {
  int a = 0;
  int b = 0;
  Trinomial games;
  RatedSeat seat = RatedSeat::kUnknown;  // a's
};

// Pairs of games on one opening with seats swapped: counts[x][y], x how `a` fared moving first and
// y moving second; 0 lost, 1 drawn, 2 won.
struct RatedPairs {
  int a = 0;
  int b = 0;
  std::array<std::array<std::uint64_t, 3>, 3> counts{};
};

struct RatingData {
  int players = 0;
  std::vector<RatedGames> games;
  std::vector<RatedPairs> pairs;
};

// A value with its standard error.
struct Estimate {
  double value = 0;
  double error = 0;
  [[nodiscard]] Interval interval(double level = 0.95) const;
};

// Elo of each player and the covariance of all.
class Ratings {
 public:
  Ratings() = default;
  // `covariance` row by row, in Elo squared.
  Ratings(std::vector<double> elo, std::vector<double> covariance);

  [[nodiscard]] std::size_t size() const { return elo_.size(); }
  [[nodiscard]] Estimate player(std::size_t i) const;
  [[nodiscard]] Estimate difference(std::size_t i, std::size_t j) const;  // i less j
  // Each player less the one before.
  [[nodiscard]] std::vector<Estimate> neighbour_differences() const;
  [[nodiscard]] double covariance(std::size_t i, std::size_t j) const {
    return covariance_[i * elo_.size() + j];
  }

  // The same on a scale where one player, or the players' mean, is 0 without error.
  [[nodiscard]] Ratings anchored(std::size_t player) const;
  [[nodiscard]] Ratings centred() const;

 private:
  // The scale on which the sum of weights[i] * elo[i] is 0; the weights add up to 1.
  [[nodiscard]] Ratings shifted(const std::vector<double>& weights) const;

  std::vector<double> elo_;
  std::vector<double> covariance_;
};

struct RatingFit {
  // The same ratings, player 0 at 0. Fisher's errors believe the model and take each game as
  // independent; the sandwich takes each pair of games as independent and believes only the mean.
  Ratings fisher;
  Ratings sandwich;
  // Elo for moving first, when asked for, with both errors.
  std::optional<Estimate> side_fisher;
  std::optional<Estimate> side_sandwich;
  // Davidson's draw term: nu, and its logarithm with both errors. Without a drawn game nu is 0 and
  // the model is Bradley-Terry.
  double nu = 0;
  std::optional<Estimate> log_nu_fisher;
  std::optional<Estimate> log_nu_sandwich;

  double log_likelihood = 0;  // of the outcomes in their order
  int steps = 0;              // of Newton's method
};

[[nodiscard]] Expected<RatingFit> fit_ratings(const RatingData& data, const RatingOptions& options);

// Ratings with the covariance of refits to data drawn again with replacement, pairs whole and as
// many as there were within each two players. Replicate i draws from its own stream of `seed`.
struct RatingBootstrap {
  Ratings ratings;  // the fit's, player 0 at 0, with the replicates' covariance
  std::vector<std::vector<double>> replicates;  // Elo by player, player 0 at 0
  int without_ratings = 0;                      // replicates for which no finite ratings exist

  // Between percentiles of the replicates.
  [[nodiscard]] Interval difference(std::size_t i, std::size_t j, double level = 0.95) const;
};
[[nodiscard]] Expected<RatingBootstrap> bootstrap_ratings(const RatingData& data,
                                                          const RatingOptions& options,
                                                          int replicates, std::uint64_t seed);

}  // namespace cannonade
