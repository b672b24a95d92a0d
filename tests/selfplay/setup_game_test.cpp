#include "selfplay/setup_game.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "tests/selfplay/tsv.h"

namespace cannonade {
namespace {

struct Payoffs {
  std::vector<std::string> setups;
  PayoffTable scores{4, 4};
};

Payoffs worked_payoffs() {
  Payoffs result;
  const auto rows = test::read_tsv("setup-game.tsv");
  result.setups.assign(rows[0].begin() + 1, rows[0].end());
  for (std::size_t r = 0; r < 4; ++r) {
    EXPECT_EQ(rows.at(r + 1).at(0), result.setups[r]);
    for (std::size_t c = 0; c < 4; ++c) result.scores.at(r, c) = std::stod(rows[r + 1].at(c + 1));
  }
  return result;
}

std::vector<std::size_t> mirror_of(const std::vector<std::string>& setups) {
  std::vector<std::size_t> mirror;
  for (const std::string& setup : setups) {
    const std::string reversed(setup.rbegin(), setup.rend());
    mirror.push_back(static_cast<std::size_t>(std::find(setups.begin(), setups.end(), reversed) -
                                              setups.begin()));
  }
  return mirror;
}

TEST(SetupGame, TheWorkedExampleAgrees) {
  const Payoffs given = worked_payoffs();
  const SetupGame game = solve_setup_game(given.scores);
  EXPECT_EQ(given.setups[game.han_first.declaration], "EHHE");
  EXPECT_NEAR(game.han_first.value, 0.57, 1e-12);
  EXPECT_EQ(given.setups[game.han_first.answers[game.han_first.declaration]], "HEEH");
  EXPECT_NEAR(game.cho_first.value, 0.53, 1e-12);
  EXPECT_NEAR(game.simultaneous.value, 5063.0 / 9200, 1e-9);
  const double han[] = {19.0 / 46, 33.0 / 92, 0, 21.0 / 92};
  const double cho[] = {41.0 / 92, 0, 13.0 / 46, 25.0 / 92};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(game.simultaneous.rows[i], han[i], 1e-9);
    EXPECT_NEAR(game.simultaneous.columns[i], cho[i], 1e-9);
  }
  EXPECT_NEAR(game.cho_gains_by_last(), 0.57 - 5063.0 / 9200, 1e-9);
  EXPECT_NEAR(game.han_gains_by_last(), 5063.0 / 9200 - 0.53, 1e-9);
}

TEST(MatrixGame, KnownGamesHaveTheirKnownValues) {
  PayoffTable pennies(2, 2);
  pennies.at(0, 0) = pennies.at(1, 1) = 1;
  EXPECT_NEAR(solve_zero_sum(pennies).value, 0.5, 1e-12);
  PayoffTable scissors(3, 3);
  for (std::size_t i = 0; i < 3; ++i) {
    scissors.at(i, (i + 1) % 3) = 1;
    scissors.at(i, (i + 2) % 3) = -1;
  }
  const Equilibrium even = solve_zero_sum(scissors);
  EXPECT_NEAR(even.value, 0, 1e-12);
  for (const double p : even.rows) EXPECT_NEAR(p, 1.0 / 3, 1e-12);
  // A saddle point in pure choices.
  PayoffTable saddle(2, 3);
  const double values[] = {3, 5, 4, 1, 6, 2};
  for (std::size_t i = 0; i < 6; ++i) saddle.at(i / 3, i % 3) = values[i];
  EXPECT_NEAR(solve_zero_sum(saddle).value, 5, 1e-12);
  PayoffTable one(1, 1);
  one.at(0, 0) = -7;
  EXPECT_NEAR(solve_zero_sum(one).value, -7, 1e-12);
  EXPECT_NEAR(solve_zero_sum(PayoffTable(4, 4)).value, 0, 1e-12);
}

// No mix does better than its opponent's allows: checked here against every pure choice.
TEST(MatrixGame, NoChoiceBeatsTheEquilibriumOnRandomTables) {
  Rng rng(4);
  for (int round = 0; round < 500; ++round) {
    PayoffTable table(1 + rng.below(7), 1 + rng.below(7));
    const bool coarse = rng.below(2) == 0;  // many ties
    for (std::size_t r = 0; r < table.rows(); ++r) {
      for (std::size_t c = 0; c < table.columns(); ++c) {
        table.at(r, c) = coarse ? static_cast<double>(rng.below(3)) : 100 * rng.unit() - 30;
      }
    }
    const Equilibrium found = solve_zero_sum(table);
    double rows = 0, columns = 0;
    for (const double p : found.rows) rows += p;
    for (const double p : found.columns) columns += p;
    ASSERT_NEAR(rows, 1, 1e-12);
    ASSERT_NEAR(columns, 1, 1e-12);
    for (std::size_t r = 0; r < table.rows(); ++r) {
      std::vector<double> pure(table.rows());
      pure[r] = 1;
      ASSERT_GE(expected_payoff(table, pure, found.columns), found.value - 1e-7);
    }
    for (std::size_t c = 0; c < table.columns(); ++c) {
      std::vector<double> pure(table.columns());
      pure[c] = 1;
      ASSERT_LE(expected_payoff(table, found.rows, pure), found.value + 1e-7);
    }
    // Choosing last is never worse.
    const SetupGame game = solve_setup_game(table);
    ASSERT_GE(game.cho_gains_by_last(), -1e-7);
    ASSERT_GE(game.han_gains_by_last(), -1e-7);
  }
}

TEST(MatrixGame, EmptyOrUnfinishedTablesAreRefused) {
  EXPECT_THROW((void)solve_zero_sum(PayoffTable(0, 3)), Error);
  PayoffTable bad(1, 2);
  bad.at(0, 1) = std::nan("");
  EXPECT_THROW((void)solve_zero_sum(bad), Error);
}

// `games` in each cell, with the scores of the table and no draws.
SetupCells exact_cells(const PayoffTable& scores, std::uint64_t games) {
  SetupCells cells(scores.rows(), scores.columns());
  for (std::size_t r = 0; r < cells.han(); ++r) {
    for (std::size_t c = 0; c < cells.cho(); ++c) {
      const auto wins =
          static_cast<std::uint64_t>(std::llround(scores.at(r, c) * static_cast<double>(games)));
      cells.at(r, c) = {wins, 0, games - wins};
    }
  }
  return cells;
}

SetupCells drawn_cells(const PayoffTable& scores, std::uint64_t games, Rng& rng) {
  SetupCells cells(scores.rows(), scores.columns());
  for (std::size_t r = 0; r < cells.han(); ++r) {
    for (std::size_t c = 0; c < cells.cho(); ++c) {
      for (std::uint64_t i = 0; i < games; ++i) {
        ++(rng.unit() < scores.at(r, c) ? cells.at(r, c).wins : cells.at(r, c).losses);
      }
    }
  }
  return cells;
}

TEST(SetupGame, SixteenCellsAreTenMirrorClasses) {
  const Payoffs given = worked_payoffs();
  const auto mirror = mirror_of(given.setups);
  EXPECT_EQ(mirror, (std::vector<std::size_t>{0, 1, 3, 2}));
  const SetupCells cells = exact_cells(given.scores, 100);
  EXPECT_EQ(cells.classes(), 16U);
  const SetupCells pooled = cells.pooled(mirror);
  EXPECT_EQ(pooled.classes(), 10U);
  // Both fixed: itself. HEEH, EHEH and HEEH, HEHE: .58 and .52.
  EXPECT_EQ(pooled.at(0, 1), (Trinomial{53, 0, 47}));
  EXPECT_EQ(pooled.at(0, 2), (Trinomial{110, 0, 90}));
  EXPECT_EQ(pooled.at(0, 3), pooled.at(0, 2));
  // EHEH, EHEH and HEHE, HEHE: .53 and .59; EHEH, HEHE and HEHE, EHEH: .50 and .56.
  EXPECT_EQ(pooled.at(2, 2), (Trinomial{112, 0, 88}));
  EXPECT_EQ(pooled.at(3, 2), (Trinomial{106, 0, 94}));
  EXPECT_EQ(pooled.class_of(3, 2), pooled.class_of(2, 3));
  EXPECT_THROW((void)cells.pooled({0, 1, 2}), Error);
  EXPECT_THROW((void)cells.pooled({1, 2, 3, 0}), Error);
}

TEST(SetupGame, MirroredCellsThatDifferAreFound) {
  const Payoffs given = worked_payoffs();
  const auto mirror = mirror_of(given.setups);
  const MirrorCheck check = check_mirror(exact_cells(given.scores, 1000), mirror);
  EXPECT_EQ(check.degrees, 6);
  ASSERT_EQ(check.differences.size(), 6U);
  EXPECT_NEAR(check.differences[0].difference.value, 0.06, 1e-9);
  EXPECT_NEAR(check.differences[0].difference.error, std::sqrt((0.58 * 0.42 + 0.52 * 0.48) / 1000),
              1e-4);
  EXPECT_LT(check.p, 0.01);
  // A table that is its own mirror image, played out by chance, is found at fault 5 % of the time.
  const PayoffTable even = *exact_cells(given.scores, 100).pooled(mirror).scores();
  const auto found = [&](std::uint64_t games, double p) {
    int count = 0;
    for (std::uint64_t round = 0; round < 300; ++round) {
      Rng rng(8, round);
      count += check_mirror(drawn_cells(even, games, rng), mirror).p < p ? 1 : 0;
    }
    return count;
  };
  EXPECT_GT(found(100, 0.05), 3);
  EXPECT_LT(found(100, 0.05), 30);
  // With few games, where a cell's are often all won or all lost, less often if anything.
  for (const std::uint64_t games : {1U, 2U, 4U, 10U}) {
    EXPECT_LT(found(games, 0.05), 30) << games;
    EXPECT_LT(found(games, 0.01), 10) << games;
  }
}

TEST(SetupGame, ChoosingAndReportingOnDifferentGamesDoesNotFlatter) {
  // Sixteen cells of the same worth: the value on the games chosen from is off, the other is not.
  PayoffTable even(4, 4);
  for (std::size_t i = 0; i < 16; ++i) even.at(i / 4, i % 4) = 0.5;
  double flattered = 0, honest = 0, covered = 0, mixed = 0, mixed_off = 0;
  const int rounds = 400;
  for (int round = 0; round < rounds; ++round) {
    Rng rng(12, static_cast<std::uint64_t>(round));
    const SetupCells a = drawn_cells(even, 100, rng);
    const SetupCells b = drawn_cells(even, 100, rng);
    const auto report = choose_and_report(a, b);
    ASSERT_TRUE(report.has_value());
    flattered += report->han_first.chosen.value / rounds;
    honest += report->han_first.value / rounds;
    covered += report->han_first.interval.covers(0.5) ? 1 : 0;
    mixed += report->simultaneous_value.value / rounds;
    const double off = (report->simultaneous_value.value - 0.5) / report->simultaneous_value.error;
    mixed_off += off * off / rounds;
    const auto crossed = cross_report(a, b);
    ASSERT_NEAR(crossed->han_first.value,
                (report->han_first.value + crossed->second.han_first.value) / 2, 1e-12);
  }
  EXPECT_GT(flattered, 0.515);
  EXPECT_NEAR(honest, 0.5, 0.008);  // 0.05 / sqrt(400) = 0.0025
  EXPECT_NEAR(mixed, 0.5, 0.004);
  EXPECT_NEAR(mixed_off, 1, 0.25);
  EXPECT_GT(covered, 0.91 * rounds);
}

TEST(SetupGame, AMissingCellIsNamed) {
  SetupCells cells = exact_cells(worked_payoffs().scores, 10);
  cells.at(2, 1) = {};
  const auto scores = cells.scores();
  ASSERT_FALSE(scores.has_value());
  EXPECT_NE(scores.error().find("Han's set-up 2 and Cho's 1"), std::string::npos);
  EXPECT_FALSE(choose_and_report(cells, cells).has_value());
  EXPECT_FALSE(cross_report(exact_cells(worked_payoffs().scores, 10), cells).has_value());
}

TEST(SetupGame, WithManyGamesOnlyTheBestSetUpsAreLeftAndWithFewAll) {
  const Payoffs given = worked_payoffs();
  const SetupCells many = exact_cells(given.scores, 1'000'000);
  EXPECT_EQ(han_declarations_left(many), (std::vector<std::size_t>{1}));
  EXPECT_EQ(cho_declarations_left(many), (std::vector<std::size_t>{1}));
  EXPECT_EQ(cho_answers_left(many, 0), (std::vector<std::size_t>{2}));
  EXPECT_EQ(han_answers_left(many, 3), (std::vector<std::size_t>{2}));
  const SetupCells few = exact_cells(given.scores, 10);
  EXPECT_EQ(han_declarations_left(few).size(), 4U);
  EXPECT_EQ(cho_declarations_left(few).size(), 4U);
  EXPECT_EQ(cho_answers_left(few, 0).size(), 4U);
  EXPECT_EQ(han_declarations_left(SetupCells(4, 4)).size(), 4U);
  EXPECT_EQ(han_declarations_left(SetupCells(1, 1)).size(), 1U);
}

// Pooled mirror cells are the same games: neither can exclude the other.
TEST(SetupGame, MirroredSetUpsAreLeftTogether) {
  const Payoffs given = worked_payoffs();
  const SetupCells pooled = exact_cells(given.scores, 1'000'000).pooled(mirror_of(given.setups));
  // Worst for Han: HEEH .55, EHHE .57, EHEH and HEHE .60 (against HEEH: .60 and .52, pooled .56).
  const auto scores = pooled.scores();
  const SetupGame game = solve_setup_game(*scores);
  const auto left = han_declarations_left(pooled);
  EXPECT_NE(std::find(left.begin(), left.end(), game.han_first.declaration), left.end());
  EXPECT_EQ(std::count(left.begin(), left.end(), 2), std::count(left.begin(), left.end(), 3));
}

TEST(SetupGame, TheBestSetUpIsLeftAsOftenAsTheLevelSays) {
  // Close calls: every cell differs little.
  PayoffTable scores(4, 4);
  for (std::size_t i = 0; i < 16; ++i)
    scores.at(i / 4, i % 4) = 0.5 + 0.01 * double(i * 7 % 16) / 16;
  const SetupGame truth = solve_setup_game(scores);
  const int rounds = 400;
  for (const std::uint64_t games : {2U, 4U, 10U, 150U}) {
    int han = 0, cho = 0, answer = 0;
    for (int round = 0; round < rounds; ++round) {
      Rng rng(5, static_cast<std::uint64_t>(round));
      const SetupCells cells = drawn_cells(scores, games, rng);
      const auto holds = [](const std::vector<std::size_t>& left, std::size_t i) {
        return std::find(left.begin(), left.end(), i) != left.end() ? 1 : 0;
      };
      han += holds(han_declarations_left(cells), truth.han_first.declaration);
      cho += holds(cho_declarations_left(cells), truth.cho_first.declaration);
      answer += holds(cho_answers_left(cells, 0), truth.han_first.answers[0]);
    }
    EXPECT_GT(han, 0.93 * rounds) << games << " games a cell";
    EXPECT_GT(cho, 0.93 * rounds) << games << " games a cell";
    EXPECT_GT(answer, 0.93 * rounds) << games << " games a cell";
  }
}

}  // namespace
}  // namespace cannonade
