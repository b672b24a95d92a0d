#include "selfplay/sprt.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/rng.h"
#include "tests/selfplay/tsv.h"

namespace cannonade {
namespace {

TEST(Sprt, EveryWorkedExampleAgreesToSixDigits) {
  const auto rows = test::read_tsv("statistics.tsv");
  ASSERT_GE(rows.size(), 12U);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const test::Row& row = rows[i];
    SCOPED_TRACE(row[0]);
    std::vector<std::uint64_t> c;
    for (const auto& field : test::split(row[2], ',')) c.push_back(std::stoull(field));
    SprtTest test{EloModel::kLogistic, std::stod(row[3]), std::stod(row[4])};
    const auto llr = [&] {
      return c.size() == 5 ? judge(test, Pentanomial{{c[0], c[1], c[2], c[3], c[4]}}).llr
                           : judge(test, Trinomial{c[2], c[1], c[0]}).llr;
    };
    EXPECT_NEAR(llr(), std::stod(row[10]), 5.1e-7);
    test.model = EloModel::kNormalized;
    EXPECT_NEAR(llr(), std::stod(row[11]), 5.1e-7);
  }
}

// Wald's bounds for 5 % and 5 %: ln 19.
TEST(Sprt, BoundsAreWalds) {
  const SprtTest even;
  EXPECT_NEAR(even.upper(), std::log(19.0), 1e-12);
  EXPECT_NEAR(even.lower(), -std::log(19.0), 1e-12);
  const SprtTest strict{.alpha = 0.01, .beta = 0.1};
  EXPECT_NEAR(strict.upper(), std::log(90.0), 1e-12);
  EXPECT_NEAR(strict.lower(), std::log(0.1 / 0.99), 1e-12);
}

TEST(Sprt, VerdictFollowsTheBounds) {
  const SprtTest test{EloModel::kLogistic, 0, 10};
  EXPECT_EQ(judge(test, Pentanomial{{10, 40, 100, 60, 15}}).verdict, Verdict::kContinue);
  EXPECT_EQ(judge(test, Pentanomial{{10, 40, 100, 160, 15}}).verdict, Verdict::kH1);
  EXPECT_EQ(judge(test, Pentanomial{{10, 160, 100, 40, 15}}).verdict, Verdict::kH0);
}

// A trinomial with given mean m has one free number left, and so has one with mean 1/2 + t s and
// deviation s: the maximum of the likelihood by brute force along it.
double brute_force_llr(EloModel model, double elo0, double elo1, const Trinomial& c) {
  const double w = std::max<double>(1e-3, double(c.wins));
  const double d = std::max<double>(1e-3, double(c.draws));
  const double l = std::max<double>(1e-3, double(c.losses));
  const auto best = [&](double elo) {
    const auto likelihood = [&](double decided, double lead) {
      const double win = (decided + lead) / 2;
      const double loss = (decided - lead) / 2;
      if (win <= 0 || loss <= 0 || decided >= 1) return -1e300;
      return w * std::log(win) + d * std::log(1 - decided) + l * std::log(loss);
    };
    const auto along = [&](double x) {
      if (model == EloModel::kLogistic) return likelihood(x, 2 * score_of_elo(elo) - 1);
      const double t = elo / (800 / std::log(10.0));
      const double s = x / 2;
      return likelihood(4 * s * s * (1 + t * t), 2 * t * s);
    };
    double low = 0, high = 1;
    for (int zoom = 0; zoom < 12; ++zoom) {
      const double step = (high - low) / 400;
      double at = low;
      for (int i = 1; i <= 400; ++i) {
        if (along(low + i * step) > along(at)) at = low + i * step;
      }
      low = std::max(0.0, at - 2 * step);
      high = std::min(1.0, at + 2 * step);
    }
    return along((low + high) / 2);
  };
  return best(elo1) - best(elo0);
}

TEST(Sprt, LogLikelihoodRatioIsThatOfBruteForceMaxima) {
  const Trinomial matches[] = {{120, 180, 100}, {7, 0, 3},    {0, 40, 2},
                               {30, 1, 0},      {1, 5000, 1}, {900, 10, 20}};
  const std::pair<double, double> bounds[] = {{0, 5}, {-30, 80}, {150, 250}, {-400, -390}};
  for (const auto& match : matches) {
    for (const auto& [elo0, elo1] : bounds) {
      for (const auto model : {EloModel::kLogistic, EloModel::kNormalized}) {
        const double mine = judge({model, elo0, elo1}, match).llr;
        const double theirs = brute_force_llr(model, elo0, elo1, match);
        EXPECT_NEAR(mine, theirs, 1e-6 * (1 + std::abs(theirs)))
            << match.wins << ' ' << match.draws << ' ' << match.losses << ' ' << elo0 << ' ' << elo1
            << ' ' << name_of(model);
      }
    }
  }
}

TEST(Sprt, EveryCountGivesAFiniteAnswer) {
  const std::uint64_t sizes[] = {0, 0, 0, 1, 2, 10, 300, 1'000'000, 1'000'000'000'000'000};
  Rng rng(1);
  for (int round = 0; round < 1500; ++round) {
    Pentanomial pairs;
    for (auto& count : pairs.counts) count = sizes[rng.below(9)];
    const Trinomial games{pairs.counts[0], pairs.counts[2], pairs.counts[4]};
    const double elo0 = (2 * rng.unit() - 1) * 990;
    const double elo1 = elo0 + std::pow(10.0, -2 + 3 * rng.unit());
    for (const auto model : {EloModel::kLogistic, EloModel::kNormalized}) {
      const SprtTest test{model, elo0, elo1};
      ASSERT_TRUE(std::isfinite(judge(test, pairs).llr));
      ASSERT_TRUE(std::isfinite(judge(test, games).llr));
      const SprtForecast expected = forecast(test, elo0, sample_of(pairs));
      ASSERT_TRUE(std::isfinite(expected.games) && expected.games >= 2);
      ASSERT_TRUE(expected.h1_probability >= 0 && expected.h1_probability <= 1);
    }
  }
}

TEST(Sprt, NoGamesAreNoEvidence) {
  for (const auto model : {EloModel::kLogistic, EloModel::kNormalized}) {
    EXPECT_EQ(judge({model, 3, 9}, Pentanomial{}).llr, 0);
    EXPECT_EQ(judge({model, 3, 9}, Trinomial{}).llr, 0);
    EXPECT_EQ(judge({model, 3, 9}, Trinomial{}).verdict, Verdict::kContinue);
  }
}

TEST(Sprt, SwappingTheEnginesMirrorsTheRatio) {
  for (const auto model : {EloModel::kLogistic, EloModel::kNormalized}) {
    EXPECT_NEAR(judge({model, -2, 7}, Pentanomial{{4, 9, 30, 11, 2}}).llr,
                -judge({model, -7, 2}, Pentanomial{{2, 11, 30, 9, 4}}).llr, 1e-9);
  }
}

TEST(Sprt, AtElo0AndElo1TheForecastErrsAsOftenAsAllowed) {
  const SprtTest test{EloModel::kLogistic, 0, 3, 0.05, 0.1};
  const Sample shape = sample_of(Pentanomial{{100, 200, 400, 200, 100}});
  EXPECT_NEAR(forecast(test, 0, shape).h1_probability, 0.05, 0.003);
  EXPECT_NEAR(forecast(test, 3, shape).h1_probability, 0.9, 0.005);
  EXPECT_GT(forecast(test, 1.5, shape).games, forecast(test, 0, shape).games);
  EXPECT_GT(forecast(test, 1.5, shape).games, forecast(test, 3, shape).games);
  // Half way between, drift is nil: - lower * upper / variance of an increment.
  const SprtTest even{EloModel::kLogistic, 0, 3};
  const double step = score_of_elo(3) - 0.5;
  EXPECT_NEAR(forecast(even, 1.5, shape).games,
              2 * std::pow(std::log(19.0), 2) * shape.variance() / (step * step), 0.01 * 1e5);
  EXPECT_NEAR(forecast(even, 1.5, shape).h1_probability, 0.5, 1e-3);
}

TEST(Sprt, SimulatedTestsTakeAsLongAndErrAsOftenAsForecast) {
  // Bounds 60 Elo apart keep the tests short.
  const double law[] = {0.06, 0.22, 0.40, 0.24, 0.08};
  const Sample shape = sample_of(Pentanomial{{60, 220, 400, 240, 80}});
  for (const auto model : {EloModel::kLogistic, EloModel::kNormalized}) {
    const SprtTest test{model, 0, model == EloModel::kLogistic ? 40.0 : 80.0};
    const MatchStatistics truth = match_statistics(Pentanomial{{60, 220, 400, 240, 80}});
    const SprtForecast expected =
        forecast(test, model == EloModel::kLogistic ? truth.elo : truth.nelo, shape);
    const int runs = 300;
    double sum = 0, squares = 0, accepted = 0;
    for (int run = 0; run < runs; ++run) {
      Rng rng(11, static_cast<std::uint64_t>(run));
      PrefixJudge judge(test);
      for (std::uint64_t pair = 0; !judge.decided(); ++pair) {
        double u = rng.unit();
        int outcome = 0;
        while (outcome < 4 && u >= law[outcome]) u -= law[outcome++];
        judge.finish(pair, outcome);
      }
      const double games = 2 * static_cast<double>(judge.pairs());
      sum += games;
      squares += games * games;
      accepted += judge.result().verdict == Verdict::kH1 ? 1 : 0;
    }
    const double mean = sum / runs;
    const double error = std::sqrt((squares / runs - mean * mean) / runs);
    EXPECT_NEAR(mean, expected.games, 3 * error + 0.05 * expected.games) << name_of(model);
    const double p = expected.h1_probability;
    EXPECT_NEAR(accepted / runs, p, 3 * std::sqrt(p * (1 - p) / runs) + 0.02) << name_of(model);
  }
}

TEST(Sprt, BoundsAreReadAndBadOnesRefused) {
  const auto test = parse_sprt("-3,1.5");
  ASSERT_TRUE(test.has_value());
  EXPECT_EQ(test->elo0, -3);
  EXPECT_EQ(test->elo1, 1.5);
  for (const char* bad :
       {"", "3", "3,", ",3", "a,b", "0,5,7", "5,0", "2,2", "0,nan", "inf,5", "0,1e9", "0, 5"}) {
    const auto refused = parse_sprt(bad);
    ASSERT_FALSE(refused.has_value()) << bad;
    EXPECT_NE(refused.error().find("allowed"), std::string::npos);
  }
  EXPECT_EQ(*parse_elo_model("normalized"), EloModel::kNormalized);
  EXPECT_FALSE(parse_elo_model("bayes").has_value());
  EXPECT_THROW((void)judge({EloModel::kLogistic, 5, 0}, Trinomial{}), Error);
  EXPECT_THROW((void)judge({.alpha = 0.5}, Trinomial{}), Error);
}

std::vector<int> random_schedule(std::uint64_t seed, std::size_t n) {
  Rng rng(seed);
  std::vector<int> result;
  for (std::size_t i = 0; i < n; ++i) result.push_back(static_cast<int>(rng.below(5)));
  return result;
}

TEST(PrefixJudge, TheOrderOfFinishingChangesNothing) {
  const SprtTest test{EloModel::kLogistic, 0, 60};
  const auto schedule = random_schedule(5, 400);
  PrefixJudge in_order(test);
  for (std::size_t i = 0; i < schedule.size(); ++i) in_order.finish(i, schedule[i]);
  ASSERT_TRUE(in_order.decided());
  ASSERT_LT(in_order.pairs(), 400U);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    std::vector<std::size_t> order(schedule.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    Rng rng(seed);
    rng.shuffle(order);
    PrefixJudge shuffled(test);
    for (const std::size_t i : order) shuffled.finish(i, schedule[i]);
    EXPECT_EQ(shuffled.counts(), in_order.counts());
    EXPECT_EQ(shuffled.result().llr, in_order.result().llr);
    EXPECT_EQ(shuffled.result().verdict, in_order.result().verdict);
  }
}

TEST(PrefixJudge, AnUnfinishedPairHoldsBackThoseBehindIt) {
  PrefixJudge judge(SprtTest{EloModel::kLogistic, 0, 5});
  judge.finish(0, 2);
  for (std::uint64_t i = 2; i < 1000; ++i) judge.finish(i, 4);
  EXPECT_EQ(judge.pairs(), 1U);
  EXPECT_EQ(judge.waiting(), 998U);
  EXPECT_FALSE(judge.decided());
  judge.finish(1, 0);
  EXPECT_TRUE(judge.decided());
  EXPECT_EQ(judge.result().verdict, Verdict::kH1);
  EXPECT_EQ(judge.waiting(), 0U);
}

TEST(PrefixJudge, StopsAtTheFirstVerdictOfAnyPrefix) {
  const SprtTest test{EloModel::kNormalized, 0, 60};
  const auto schedule = random_schedule(5, 400);
  Pentanomial prefix;
  std::size_t length = 0;
  while (judge(test, prefix).verdict == Verdict::kContinue) {
    ++prefix.counts[static_cast<std::size_t>(schedule.at(length++))];
  }
  std::vector<std::optional<int>> finished(schedule.begin(), schedule.end());
  const PrefixJudge folded = fold_schedule(finished, test);
  EXPECT_EQ(folded.pairs(), length);
  EXPECT_EQ(folded.counts(), prefix);
  finished[length - 1].reset();
  EXPECT_FALSE(fold_schedule(finished, test).decided());
  EXPECT_EQ(fold_schedule(finished, test).pairs(), length - 1);
}

TEST(PrefixJudge, WithoutATestItCounts) {
  PrefixJudge judge(std::nullopt);
  for (std::uint64_t i = 0; i < 1000; ++i) judge.finish(i, 4);
  EXPECT_EQ(judge.pairs(), 1000U);
  EXPECT_FALSE(judge.decided());
}

TEST(PrefixJudge, RefusesWhatCannotBe) {
  PrefixJudge judge(SprtTest{});
  EXPECT_THROW(judge.finish(0, 5), Error);
  EXPECT_THROW(judge.finish(0, -1), Error);
  judge.finish(0, 2);
  EXPECT_THROW(judge.finish(0, 2), Error);
  judge.finish(2, 2);
  EXPECT_THROW(judge.finish(2, 2), Error);
}

}  // namespace
}  // namespace cannonade
