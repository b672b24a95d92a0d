#include "selfplay/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cannonade {
namespace {

template <std::size_t N>
Sample make_sample(const std::array<std::uint64_t, N>& counts, double games_each) {
  Sample sample;
  sample.size = N;
  sample.games_each = games_each;
  const double total = std::accumulate(counts.begin(), counts.end(), 0.0,
                                       [](double sum, std::uint64_t c) { return sum + double(c); });
  // What is a trillionth or less of the whole would vanish in the rounding of the rest.
  const double least = std::max(kUnseen, 1e-12 * total);
  for (std::size_t i = 0; i < N; ++i) {
    sample.probability[i] = std::max(least, static_cast<double>(counts[i]));
    sample.total += sample.probability[i];
  }
  for (std::size_t i = 0; i < N; ++i) sample.probability[i] /= sample.total;
  return sample;
}

MatchStatistics summarize(const Sample& sample, std::uint64_t games, double score) {
  MatchStatistics result;
  result.games = games;
  result.score = score;
  const double mean = sample.mean();
  const double deviation = std::sqrt(sample.variance());
  const double error = deviation / std::sqrt(sample.total);
  result.elo = elo_of_score(mean);
  result.elo_low = elo_of_score(mean - kNormal95 * error);
  result.elo_high = elo_of_score(mean + kNormal95 * error);
  result.elo_error = 0.5 * (result.elo_high - result.elo_low);
  result.los = normal_cdf((mean - 0.5) / error);
  // A game's deviation from an observation's: the mean of g independent games has 1/g the variance.
  const double scale = kNormalizedEloPerDeviation / std::sqrt(sample.games_each);
  result.nelo = scale * (mean - 0.5) / deviation;
  result.nelo_error = scale * kNormal95 / std::sqrt(sample.total);
  return result;
}

}  // namespace

std::uint64_t Pentanomial::pairs() const {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

double Pentanomial::score() const {
  const auto n = static_cast<double>(pairs());
  if (n == 0) return 0.5;
  double half_points = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    half_points += static_cast<double>(i) * static_cast<double>(counts[i]);
  }
  return half_points / (4 * n);
}

Pentanomial& Pentanomial::operator+=(const Pentanomial& other) {
  for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += other.counts[i];
  return *this;
}

double Sample::mean() const {
  double sum = 0;
  for (std::size_t i = 0; i < size; ++i) sum += probability[i] * value(i);
  return sum;
}

double Sample::variance() const {
  const double centre = mean();
  double sum = 0;
  for (std::size_t i = 0; i < size; ++i) {
    sum += probability[i] * (value(i) - centre) * (value(i) - centre);
  }
  return sum;
}

Sample sample_of(const Trinomial& counts) {
  return make_sample<3>({counts.losses, counts.draws, counts.wins}, 1);
}

Sample sample_of(const Pentanomial& counts) {
  return make_sample<5>(counts.counts, 2);
}

double elo_of_score(double score) {
  const double held = std::clamp(score, kScoreMargin, 1 - kScoreMargin);
  return kEloPerUnit * std::log(held / (1 - held));
}

double score_of_elo(double elo) {
  return 1 / (1 + std::exp(-elo / kEloPerUnit));
}

MatchStatistics match_statistics(const Trinomial& counts) {
  return summarize(sample_of(counts), counts.games(), counts.score());
}

MatchStatistics match_statistics(const Pentanomial& counts) {
  return summarize(sample_of(counts), counts.games(), counts.score());
}

nlohmann::json to_json(const MatchStatistics& s) {
  return {{"games", s.games},
          {"score", s.score},
          {"elo", s.elo},
          {"elo_error", s.elo_error},
          {"elo_low", s.elo_low},
          {"elo_high", s.elo_high},
          {"los", s.los},
          {"nelo", s.nelo},
          {"nelo_error", s.nelo_error}};
}

}  // namespace cannonade
