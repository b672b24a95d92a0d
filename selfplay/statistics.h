// What a match says about the strength of engine A: score, Elo, likelihood of superiority and
// normalised Elo, from single games (trinomial) or from pairs of games with seats swapped
// (pentanomial, which sees that the two games of an opening are not independent).
//
// Everything here is pure and finite for all counts, zero games and one outcome only included: an
// outcome that never happened counts as kUnseen observations, so that a variance is never zero, and
// a score is read as Elo only inside [kScoreMargin, 1 - kScoreMargin], that is +-4000 Elo.
//
// Sources: M. Van den Bergh, "Normalized Elo" and "Comments on Normalized Elo"
// (cantate.be/Fishtest).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "selfplay/intervals.h"

namespace cannonade {

inline constexpr double kUnseen = 1e-3;
inline constexpr double kScoreMargin = 1e-10;

// Elo of one natural unit of rating, 400 / ln 10.
inline constexpr double kEloPerUnit = 173.71779276130073;
// Normalised Elo of one standard deviation of a game's points, 800 / ln 10.
inline constexpr double kNormalizedEloPerDeviation = 2 * kEloPerUnit;

// Pairs counted by A's half points over the two games: LL, LD, WL or DD, DW, WW.
struct Pentanomial {
  std::array<std::uint64_t, 5> counts{};
  [[nodiscard]] std::uint64_t pairs() const;
  [[nodiscard]] std::uint64_t games() const { return 2 * pairs(); }
  [[nodiscard]] double score() const;  // points a game in [0, 1]; one half without games
  Pentanomial& operator+=(const Pentanomial& other);
  bool operator==(const Pentanomial&) const = default;
};

// The distribution that the statistics are computed from: `size` outcomes (3 or 5) equally spaced
// on [0, 1] with their probabilities, unseen ones filled in; `total` observations, each of
// `games_each` games.
struct Sample {
  std::array<double, 5> probability{};
  std::size_t size = 0;
  double total = 0;
  double games_each = 1;

  [[nodiscard]] double value(std::size_t i) const {
    return static_cast<double>(i) / static_cast<double>(size - 1);
  }
  [[nodiscard]] double mean() const;
  [[nodiscard]] double variance() const;  // of one observation; positive
};
[[nodiscard]] Sample sample_of(const Trinomial& counts);
[[nodiscard]] Sample sample_of(const Pentanomial& counts);

// Logistic Elo and back. The score is held inside the margin; the Elo may be any finite number.
[[nodiscard]] double elo_of_score(double score);
[[nodiscard]] double score_of_elo(double elo);

struct MatchStatistics {
  std::uint64_t games = 0;
  double score = 0.5;     // as counted
  double elo = 0;         // logistic
  double elo_error = 0;   // half the width of its 95 % interval
  double elo_low = 0;     // the interval: the score's, read as Elo
  double elo_high = 0;    //
  double los = 0.5;       // probability that A is stronger, given a flat prior
  double nelo = 0;        // normalised Elo: (score - 1/2) over a game's standard deviation
  double nelo_error = 0;  // half the width of its 95 % interval
};
[[nodiscard]] MatchStatistics match_statistics(const Trinomial& counts);
[[nodiscard]] MatchStatistics match_statistics(const Pentanomial& counts);

// Keys as the fields.
[[nodiscard]] nlohmann::json to_json(const MatchStatistics& statistics);

}  // namespace cannonade
