#include "selfplay/ratings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "core/base/rng.h"
#include "selfplay/rating_checks.h"
#include "selfplay/statistics.h"
#include "tests/selfplay/tsv.h"

namespace cannonade {
namespace {

constexpr double kThreeDecimals = 5.1e-4;

int player_of(const std::string& name) {
  return std::stoi(name.substr(1));
}

RatingData example_a() {
  RatingData data;
  const auto rows = test::read_tsv("ratings.tsv");
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (rows[i][0] != "A") continue;
    const int a = player_of(rows[i][1]);
    const int b = player_of(rows[i][2]);
    data.players = std::max({data.players, a + 1, b + 1});
    data.games.push_back(
        {a, b, {std::stoull(rows[i][3]), std::stoull(rows[i][4]), std::stoull(rows[i][5])}});
  }
  return data;
}

// 60 wins, 20 draws and 20 losses of player 1.
RatingData example_e0() {
  return {2, {{1, 0, {60, 20, 20}}}, {}};
}

void expect_near(const Estimate& estimate, double value, double error) {
  EXPECT_NEAR(estimate.value, value, kThreeDecimals);
  EXPECT_NEAR(estimate.error, error, kThreeDecimals);
}

TEST(Ratings, ExampleE0AsBradleyTerryAgreesToThreeDecimals) {
  const auto fit = fit_ratings(example_e0(), {});
  ASSERT_TRUE(fit.has_value());
  expect_near(fit->fisher.player(1), 147.191, 37.908);
  expect_near(fit->sandwich.player(1), 147.191, 33.089);
  EXPECT_FALSE(fit->log_nu_fisher.has_value());
}

TEST(Ratings, ExampleE0AsDavidsonAgreesToThreeDecimals) {
  const auto fit = fit_ratings(example_e0(), {.draws = DrawModel::kDavidson});
  ASSERT_TRUE(fit.has_value());
  expect_near(fit->fisher.player(1), 190.849, 44.854);
  EXPECT_NEAR(fit->nu, 0.577350, 1e-6);
  EXPECT_NEAR(fit->log_nu_fisher->value, -0.549306, 1e-6);
  EXPECT_NEAR(fit->log_nu_fisher->error, 0.258199, 1e-6);
}

TEST(Ratings, ExampleAAgreesToThreeDecimals) {
  const RatingData data = example_a();
  ASSERT_EQ(data.games.size(), 5U);
  const auto fit = fit_ratings(data, {});
  ASSERT_TRUE(fit.has_value());
  EXPECT_NEAR(fit->log_likelihood, -224.764699, 1e-6);
  EXPECT_EQ(fit->fisher.player(0).value, 0);
  EXPECT_EQ(fit->fisher.player(0).error, 0);
  expect_near(fit->fisher.player(1), 148.810, 33.554);
  expect_near(fit->fisher.player(2), 258.857, 39.507);
  expect_near(fit->fisher.player(3), 460.363, 50.203);
  const Ratings centred = fit->fisher.centred();
  expect_near(centred.player(0), -217.007, 26.972);
  expect_near(centred.player(1), -68.198, 19.422);
  expect_near(centred.player(2), 41.850, 19.277);
  expect_near(centred.player(3), 243.355, 28.648);
  for (const Ratings& scale : {fit->fisher, centred, fit->fisher.anchored(2)}) {
    const auto neighbours = scale.neighbour_differences();
    ASSERT_EQ(neighbours.size(), 3U);
    expect_near(neighbours[0], 148.810, 33.554);
    expect_near(neighbours[1], 110.047, 30.356);
    expect_near(neighbours[2], 201.506, 36.070);
  }
  EXPECT_NEAR(fit->fisher.anchored(3).player(3).error, 0, 1e-6);
  EXPECT_NEAR(fit->fisher.anchored(3).player(0).value, -460.363, kThreeDecimals);
}

// Without a draw Davidson's model is Bradley-Terry's.
TEST(Ratings, DavidsonWithoutDrawsGivesTheSameAsBradleyTerry) {
  const auto fit = fit_ratings(example_a(), {.draws = DrawModel::kDavidson});
  ASSERT_TRUE(fit.has_value());
  expect_near(fit->fisher.player(3), 460.363, 50.203);
  EXPECT_NEAR(fit->log_likelihood, -224.764699, 1e-6);
  EXPECT_EQ(fit->nu, 0);
  EXPECT_FALSE(fit->log_nu_fisher.has_value());
}

// Equal players; whoever moves first scores 60 %: the side term is logit(0.6).
TEST(Ratings, TheSideTermIsFoundFromSwappedSeats) {
  const RatingData data{
      2,
      {{0, 1, {60, 0, 40}, RatedSeat::kMovesFirst}, {0, 1, {40, 0, 60}, RatedSeat::kMovesSecond}},
      {}};
  const auto fit = fit_ratings(data, {.side_term = true});
  ASSERT_TRUE(fit.has_value());
  EXPECT_NEAR(fit->fisher.player(1).value, 0, 1e-6);
  EXPECT_NEAR(fit->side_fisher->value, kEloPerUnit * std::log(1.5), 1e-6);
  EXPECT_NEAR(fit->side_fisher->error, kEloPerUnit / std::sqrt(200 * 0.24), 1e-6);
  // As pairs: moving first won 60 %, and the two games went as if independent.
  RatingData pairs{2, {}, {{1, 0, {}}}};
  pairs.pairs[0].counts = {{{24, 0, 16}, {0, 0, 0}, {36, 0, 24}}};
  const auto paired = fit_ratings(pairs, {.side_term = true});
  ASSERT_TRUE(paired.has_value());
  EXPECT_NEAR(paired->side_sandwich->value, fit->side_fisher->value, 1e-6);
  EXPECT_NEAR(paired->side_sandwich->error, fit->side_fisher->error, 1e-6);
}

// Two games of a pair that always share their points tell less or more than two alone: all pairs
// won and lost once by either seat, the difference is known without error.
TEST(Ratings, TheSandwichSeesThatGamesOfAPairDepend) {
  RatingData data{2, {}, {{0, 1, {}}}};
  data.pairs[0].counts = {{{0, 0, 50}, {0, 0, 0}, {50, 0, 0}}};
  const auto split = fit_ratings(data, {});
  ASSERT_TRUE(split.has_value());
  EXPECT_NEAR(split->sandwich.player(1).error, 0, 1e-9);
  EXPECT_GT(split->fisher.player(1).error, 10);
  // Always both won or both lost: as much information as half the games.
  data.pairs[0].counts = {{{50, 0, 0}, {0, 0, 0}, {0, 0, 50}}};
  const auto same = fit_ratings(data, {});
  EXPECT_NEAR(same->sandwich.player(1).error / same->fisher.player(1).error, std::sqrt(2.0), 1e-9);
}

// Games by Davidson's law among four players, from which the fit finds the law again.
RatingData simulate(const std::vector<double>& strength, double nu, double side, int pairs_each,
                    std::uint64_t seed) {
  Rng rng(seed);
  RatingData data;
  data.players = static_cast<int>(strength.size());
  const auto outcome = [&](double d) {
    const double win = std::exp(d / 2), loss = std::exp(-d / 2);
    const double u = rng.unit() * (win + loss + nu);
    return u < win ? 2U : u < win + nu ? 1U : 0U;
  };
  for (int a = 0; a < data.players; ++a) {
    for (int b = a + 1; b < data.players; ++b) {
      RatedPairs pairs{a, b, {}};
      const double d =
          strength[static_cast<std::size_t>(a)] - strength[static_cast<std::size_t>(b)];
      for (int i = 0; i < pairs_each; ++i) ++pairs.counts[outcome(d + side)][outcome(d - side)];
      data.pairs.push_back(pairs);
    }
  }
  return data;
}

TEST(Ratings, ALawIsFoundAgainFromItsGames) {
  const std::vector<double> strength = {0, 0.5, 1.1, 1.3};
  const auto data = simulate(strength, 1.5, 0.2, 4000, 3);
  const auto fit = fit_ratings(data, {.draws = DrawModel::kDavidson, .side_term = true});
  ASSERT_TRUE(fit.has_value());
  for (std::size_t i = 1; i < 4; ++i) {
    const Estimate player = fit->fisher.player(i);
    EXPECT_LT(std::abs(player.value - kEloPerUnit * strength[i]), 3.5 * player.error);
    // Independent games, a true model: both errors estimate the same.
    EXPECT_NEAR(fit->sandwich.player(i).error / player.error, 1, 0.05);
  }
  EXPECT_LT(std::abs(fit->side_fisher->value - kEloPerUnit * 0.2), 3.5 * fit->side_fisher->error);
  EXPECT_LT(std::abs(fit->log_nu_fisher->value - std::log(1.5)), 3.5 * fit->log_nu_fisher->error);
}

// The maximum is one: the likelihood's gradient, by finite differences of an independent formula.
TEST(Ratings, NoSmallChangeOfARatingIsLikelier) {
  const auto data = simulate({0, 0.4, 0.9}, 0.8, 0.1, 60, 9);
  const auto fit = fit_ratings(data, {.draws = DrawModel::kDavidson, .side_term = true});
  ASSERT_TRUE(fit.has_value());
  const auto likelihood = [&](double r1, double r2, double side, double log_nu) {
    const double rating[] = {0, r1, r2};
    double sum = 0;
    for (const auto& pairs : data.pairs) {
      const double d = (rating[pairs.a] - rating[pairs.b]) / kEloPerUnit;
      for (std::size_t x = 0; x < 3; ++x) {
        for (std::size_t y = 0; y < 3; ++y) {
          const auto log_p = [&](double gap, std::size_t outcome) {
            const double norm = std::exp(gap / 2) + std::exp(-gap / 2) + std::exp(log_nu);
            return (outcome == 2 ? gap / 2 : outcome == 0 ? -gap / 2 : log_nu) - std::log(norm);
          };
          sum += static_cast<double>(pairs.counts[x][y]) *
                 (log_p(d + side / kEloPerUnit, x) + log_p(d - side / kEloPerUnit, y));
        }
      }
    }
    return sum;
  };
  const double at[] = {fit->fisher.player(1).value, fit->fisher.player(2).value,
                       fit->side_fisher->value, fit->log_nu_fisher->value};
  const double best = likelihood(at[0], at[1], at[2], at[3]);
  EXPECT_NEAR(best, fit->log_likelihood, 1e-8);
  for (int i = 0; i < 4; ++i) {
    for (const double change : {-0.5, 0.5}) {
      double moved[] = {at[0], at[1], at[2], at[3]};
      moved[i] += change * (i == 3 ? 0.01 : 1);
      EXPECT_LT(likelihood(moved[0], moved[1], moved[2], moved[3]), best);
    }
  }
}

TEST(Ratings, TheBootstrapAgreesWithTheSandwichAndRepeats) {
  const auto data = simulate({0, 0.5, 1.0}, 1, 0, 300, 21);
  const auto fit = fit_ratings(data, {});
  const auto bootstrap = bootstrap_ratings(data, {}, 400, 5);
  ASSERT_TRUE(fit.has_value() && bootstrap.has_value());
  EXPECT_EQ(bootstrap->without_ratings, 0);
  for (const auto& [i, j] : {std::pair(1, 0), {2, 1}, {2, 0}}) {
    const auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j);
    const Estimate sandwich = fit->sandwich.difference(a, b);
    const Estimate again = bootstrap->ratings.difference(a, b);
    EXPECT_NEAR(again.value, sandwich.value, 1e-6);
    EXPECT_NEAR(again.error / sandwich.error, 1, 0.12);
    const Interval interval = bootstrap->difference(a, b);
    EXPECT_NEAR(interval.low, sandwich.interval().low, 0.35 * sandwich.error);
    EXPECT_NEAR(interval.high, sandwich.interval().high, 0.35 * sandwich.error);
  }
  const auto repeated = bootstrap_ratings(data, {}, 400, 5);
  EXPECT_EQ(repeated->replicates, bootstrap->replicates);
  EXPECT_NE(bootstrap_ratings(data, {}, 400, 6)->replicates, bootstrap->replicates);
}

void expect_refused(const RatingData& data, const RatingOptions& options, const std::string& part) {
  const auto fit = fit_ratings(data, options);
  ASSERT_FALSE(fit.has_value());
  EXPECT_NE(fit.error().find(part), std::string::npos) << fit.error();
}

TEST(Ratings, WhereNoFiniteRatingsExistItSaysWhy) {
  expect_refused({2, {{0, 1, {5, 0, 0}}}, {}}, {}, "players 1 scored nothing against players 0");
  expect_refused({4, {{0, 1, {5, 0, 5}}, {2, 3, {5, 1, 5}}}, {}}, {},
                 "players 0, 1 scored nothing against players 2, 3");
  expect_refused({3, {{0, 1, {5, 0, 5}}, {2, 1, {5, 0, 0}}}, {}}, {},
                 "players 0, 1 scored nothing against players 2");
  expect_refused({2, {{0, 1, {0, 50, 0}}}, {}}, {.draws = DrawModel::kDavidson},
                 "no finite ratings");
  expect_refused({2, {{0, 1, {5, 5, 0}}}, {}}, {.draws = DrawModel::kDavidson},
                 "no finite ratings");
  expect_refused({2, {{0, 1, {5, 0, 5}, RatedSeat::kMovesFirst}}, {}}, {.side_term = true},
                 "apart");
  expect_refused({2, {{0, 1, {5, 0, 5}}}, {}}, {.side_term = true}, "apart");
  expect_refused({2, {{0, 2, {5, 0, 5}}}, {}}, {}, "player 2");
  expect_refused({2, {{1, 1, {5, 0, 5}}}, {}}, {}, "player 1 against player 1");
  expect_refused({1, {}, {}}, {}, "two players");
  expect_refused({2, {}, {}}, {}, "scored nothing");
}

TEST(Ratings, DrawsAloneStillOrderNobody) {
  const auto fit = fit_ratings({2, {{0, 1, {0, 50, 0}}}, {}}, {});
  ASSERT_TRUE(fit.has_value());
  EXPECT_NEAR(fit->fisher.player(1).value, 0, 1e-9);
}

// ---- Checks

// Two ways to the same difference, 0 - 1 - 2 and 0 - 2 directly: the one excess is the direct
// difference less the sum, and its deviation is the cycle's.
TEST(RatingChecks, TheFitTestOfOnePairingIsTheCycleTest) {
  const RatingData data{
      3, {{1, 0, {640, 0, 360}}, {2, 1, {640, 0, 360}}, {2, 0, {700, 0, 300}}}, {}};
  const auto test = test_fit(data, {}, {{2, 0}});
  const auto cycles = check_cycles(data, {});
  ASSERT_TRUE(test.has_value() && cycles.has_value());
  ASSERT_EQ(cycles->cycles.size(), 1U);
  const double logit64 = kEloPerUnit * std::log(0.64 / 0.36);
  const double logit70 = kEloPerUnit * std::log(0.7 / 0.3);
  EXPECT_NEAR(std::abs(cycles->cycles[0].sum.value), 2 * logit64 - logit70, 0.5);
  const double error = kEloPerUnit * std::sqrt(2 / 230.4 + 1 / 210.0);
  EXPECT_NEAR(cycles->cycles[0].sum.error, error, 0.05);
  EXPECT_EQ(test->degrees, 1);
  EXPECT_NEAR(std::sqrt(test->chi_squared), std::abs(cycles->cycles[0].z), 0.15);
  EXPECT_NEAR(test->p, chi_squared_tail(test->chi_squared, 1), 1e-12);
  ASSERT_EQ(test->pairings.size(), 1U);
  const PairingFit& pairing = test->pairings[0];
  EXPECT_EQ(pairing.a, 0);
  EXPECT_EQ(pairing.b, 2);
  EXPECT_EQ(pairing.games, 1000U);
  EXPECT_NEAR(pairing.score, 0.3, 1e-12);
  EXPECT_LT(pairing.expected_score, pairing.score);
  EXPECT_NEAR(pairing.excess.value, 2 * logit64 - logit70, 3);
  EXPECT_NEAR(pairing.excess.value / pairing.excess.error, std::sqrt(test->chi_squared), 1e-9);
}

TEST(RatingChecks, GamesThatFitAreRejectedAsOftenAsTheLevelSays) {
  const std::vector<double> strength = {0, 0.6, 1.1, 1.7};
  int rejected = 0, cyclic = 0;
  const int rounds = 400;
  for (int round = 0; round < rounds; ++round) {
    const auto data = simulate(strength, 1, 0.1, 100, 1000 + static_cast<std::uint64_t>(round));
    const RatingOptions options{.draws = DrawModel::kDavidson, .side_term = true};
    const auto test = test_fit(data, options, {{0, 2}, {1, 3}, {3, 0}});
    ASSERT_TRUE(test.has_value());
    ASSERT_EQ(test->degrees, 3);
    rejected += test->p < 0.05 ? 1 : 0;
    cyclic += check_cycles(data, options)->p < 0.05 ? 1 : 0;
  }
  EXPECT_GT(rejected, 6);  // 20 expected; 3.3 standard deviations
  EXPECT_LT(rejected, 36);
  EXPECT_LT(cyclic, 30);  // Bonferroni: at most 20 expected
}

TEST(RatingChecks, RockPaperScissorsIsACycleAndAMisfit) {
  const RatingData data{3, {{0, 1, {70, 10, 20}}, {1, 2, {70, 10, 20}}, {2, 0, {70, 10, 20}}}, {}};
  const auto fit = fit_ratings(data, {});
  EXPECT_NEAR(fit->fisher.player(1).value, 0, 1e-6);
  const auto cycles = check_cycles(data, {});
  ASSERT_EQ(cycles->cycles.size(), 1U);
  EXPECT_GT(cycles->cycles[0].z, 7);
  EXPECT_LT(cycles->p, 1e-9);
  EXPECT_LT(test_fit(data, {}, {{0, 2}})->p, 1e-9);
  // All three at once are one contradiction only.
  const auto all = test_fit(data, {}, {{0, 1}, {1, 2}, {0, 2}});
  EXPECT_EQ(all->degrees, 1);
  EXPECT_LT(all->p, 1e-9);
}

TEST(RatingChecks, APairingThatFixesARatingCannotContradictIt) {
  const RatingData data{3, {{0, 1, {30, 0, 20}}, {1, 2, {30, 0, 20}}}, {}};
  const auto test = test_fit(data, {}, {{0, 1}, {1, 2}});
  ASSERT_TRUE(test.has_value());
  EXPECT_EQ(test->degrees, 0);
  EXPECT_EQ(test->p, 1);
  EXPECT_TRUE(check_cycles(data, {})->cycles.empty());
  EXPECT_EQ(check_cycles(data, {})->p, 1);
  EXPECT_FALSE(test_fit(data, {}, {{0, 2}}).has_value());
}

TEST(RatingChecks, OneSidedPairingsStayFinite) {
  const RatingData data{3, {{0, 1, {30, 0, 20}}, {1, 2, {30, 0, 20}}, {0, 2, {40, 0, 0}}}, {}};
  const auto cycles = check_cycles(data, {});
  ASSERT_EQ(cycles->cycles.size(), 1U);
  EXPECT_TRUE(std::isfinite(cycles->cycles[0].z));
  EXPECT_GT(cycles->cycles[0].sum.error, 0);
  const auto test = test_fit(data, {}, {{0, 2}});
  EXPECT_TRUE(std::isfinite(test->chi_squared));
}

}  // namespace
}  // namespace cannonade
