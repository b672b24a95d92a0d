#include "selfplay/ladder_plan.h"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/error.h"

namespace cannonade {
namespace {

constexpr std::array<std::string_view, 4> kNames{"survey", "adjust", "confirm", "yardstick"};
// Portions that a round is dealt out in, for each two neighbours.
constexpr std::uint64_t kPortions = 12;

// What a game between players `difference` Elo apart tells about that difference, 1 / Elo^2: of a
// game without draws, p (1 - p) in natural units.
double information(double difference) {
  const double natural = std::log(10.0) / 400;
  const double p = 1 / (1 + std::exp(-natural * difference));
  return natural * natural * p * (1 - p);
}

}  // namespace

std::string_view name_of(RoundKind kind) {
  return kNames[static_cast<std::size_t>(kind)];
}

std::uint64_t LadderRound::games() const {
  std::uint64_t sum = 0;
  for (const RoundPairing& pairing : pairings) sum += pairing.games;
  return sum;
}

std::vector<RoundPairing> allocate_games(const std::vector<double>& elo, std::uint64_t games,
                                         double skip_share) {
  const auto players = static_cast<int>(elo.size());
  std::vector<RoundPairing> pairings;
  for (int i = 0; i + 1 < players; ++i) pairings.push_back({i, i + 1, 0});
  for (int i = 0; i + 2 < players; ++i) pairings.push_back({i, i + 2, 0});
  const auto gaps = static_cast<std::uint64_t>(players - 1);
  const std::uint64_t portion = std::max<std::uint64_t>(games / (gaps * kPortions) / 2 * 2, 2);

  // The covariance of all players but the first.
  const Eigen::Index size = players - 1;
  const auto contrast = [&](const RoundPairing& pairing) {
    Eigen::VectorXd v = Eigen::VectorXd::Zero(size);
    v[pairing.b - 1] = 1;
    if (pairing.a > 0) v[pairing.a - 1] = -1;
    return v;
  };
  const auto worth = [&](const RoundPairing& pairing) {
    return static_cast<double>(portion) * information(elo[static_cast<std::size_t>(pairing.b)] -
                                                      elo[static_cast<std::size_t>(pairing.a)]);
  };
  Eigen::MatrixXd precision = Eigen::MatrixXd::Zero(size, size);
  std::uint64_t left = games;
  for (RoundPairing& pairing : pairings) {
    if (pairing.b != pairing.a + 1) continue;
    pairing.games = portion;
    left -= std::min(left, portion);
    precision += worth(pairing) * contrast(pairing) * contrast(pairing).transpose();
  }
  Eigen::MatrixXd covariance = precision.inverse();
  const auto after = [&](const RoundPairing& pairing) -> Eigen::MatrixXd {  // one portion more
    const Eigen::VectorXd along = covariance * contrast(pairing);
    const double own = contrast(pairing).dot(along);
    return covariance - worth(pairing) / (1 + worth(pairing) * own) * along * along.transpose();
  };
  // Near the worst gap's variance, but lowered by whatever lowers one of several bad gaps: with the
  // maximum itself a tie between two would leave both as they are.
  const double unit = covariance.diagonal().maxCoeff();
  const auto worst_gaps = [&](const Eigen::MatrixXd& c) {
    constexpr int kPower = 8;
    double sum = std::pow(c(0, 0) / unit, kPower);
    for (Eigen::Index i = 1; i < size; ++i) {
      sum += std::pow((c(i, i) + c(i - 1, i - 1) - 2 * c(i, i - 1)) / unit, kPower);
    }
    return sum;
  };
  auto skips_left =
      players > 2 ? static_cast<std::uint64_t>(skip_share * static_cast<double>(games)) : 0;
  while (left >= portion) {
    // Skips and neighbours in turn, so that each knows of the other's.
    const bool skip = skips_left >= portion && skips_left * (gaps + 1) >= left;
    RoundPairing* best = nullptr;
    double least = 0;
    for (RoundPairing& pairing : pairings) {
      if ((pairing.b != pairing.a + 1) != skip) continue;
      const double value = worst_gaps(after(pairing));
      if (best == nullptr || value < least) {
        best = &pairing;
        least = value;
      }
    }
    covariance = after(*best);
    best->games += portion;
    left -= portion;
    if (skip) skips_left -= portion;
  }
  std::erase_if(pairings, [](const RoundPairing& pairing) { return pairing.games == 0; });
  return pairings;
}

std::string to_text(const LadderRound& round) {
  nlohmann::ordered_json json;
  json["number"] = round.number;
  json["kind"] = name_of(round.kind);
  json["first_game"] = round.first_game;
  json["strengths"] = round.strengths;
  for (const RoundPairing& pairing : round.pairings) {
    json["pairings"].push_back({pairing.a, pairing.b, pairing.games});
  }
  return json.dump();
}

LadderRound parse_round(std::string_view text) {
  LadderRound round;
  try {
    const auto json = nlohmann::json::parse(text);
    round.number = json.at("number").get<int>();
    const auto kind = std::find(kNames.begin(), kNames.end(), json.at("kind").get<std::string>());
    round.first_game = json.at("first_game").get<std::uint64_t>();
    round.strengths = json.at("strengths").get<std::vector<double>>();
    const auto players = static_cast<int>(round.strengths.size());
    bool fits = kind != kNames.end() && players > 0;
    round.kind = static_cast<RoundKind>(kind - kNames.begin());
    const int last = round.kind == RoundKind::kYardstick ? players + 1 : players - 1;
    for (const auto& each : json.at("pairings")) {
      RoundPairing pairing{each.at(0).get<int>(), each.at(1).get<int>(),
                           each.at(2).get<std::uint64_t>()};
      fits = fits && pairing.a >= 0 && pairing.a < pairing.b && pairing.b <= last &&
             pairing.games % 2 == 0 && pairing.games > 0;
      round.pairings.push_back(pairing);
    }
    for (const double strength : round.strengths) fits = fits && strength >= 0 && strength <= 1;
    if (!fits) throw user_error("the plan of a round cannot be");
  } catch (const nlohmann::json::exception& fault) {
    throw user_error(std::string("the plan of a round cannot be read: ") + fault.what());
  }
  return round;
}

}  // namespace cannonade
