// What games of a comparison amount to, against hands that count differently.
#include "selfplay/comparison.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "core/board/bonus.h"
#include "core/notation/fen.h"
#include "tests/support/random_record.h"

namespace cannonade {
namespace {

constexpr std::string_view kPieces = "RCNBAP";
constexpr std::array<int, 6> kPoints{13, 7, 5, 3, 3, 2};  // J29

// Cho's points less Han's, read off a FEN's letters.
int margin_of(const std::string& fen) {
  int margin = 0;
  for (const char c : fen.substr(0, fen.find(' '))) {
    const std::size_t upper = kPieces.find(c);
    if (upper != std::string_view::npos) margin += kPoints[upper];
    const std::size_t lower = kPieces.find(static_cast<char>(c - 'a' + 'A'));
    if (c >= 'a' && lower != std::string_view::npos) margin -= kPoints[lower];
  }
  return margin;
}

CompareDesign plain_design() {
  CompareDesign design;
  design.nodes = {100};
  design.han_bonus = {};
  design.setups.games = 0;
  return design;
}

std::vector<Pairing> self_play() {
  return make_pairings(PairingKind::kSelf, 1);
}

TEST(Rescore, SaysWhatTheJudgeSaysOfTheSameTurns) {
  std::map<Reason, int> seen;
  for (std::uint64_t id = 0; id < 150; ++id) {
    const GameRecord game = random_game("janggi-kja", id);
    if (game.outcome.reason == Reason::kResignation) continue;
    for (const int bonus : {0, 3, 5, 20}) {
      const Ruleset count = with_bonus(rules_of(Preset::kPointCount), bonus);
      GameState again(parse_fen(count, game.start_fen).value_or_throw());
      for (const Move move : game.moves) again.play(move);
      ASSERT_TRUE(again.outcome().has_value());
      const std::string fen = to_fen(again.position());
      EXPECT_EQ(rescore(game.outcome, margin_of(fen), bonus), *again.outcome()) << fen;
    }
    ++seen[game.outcome.reason];
  }
  // Both kinds were there: endings that the count decides and others.
  EXPECT_GT(seen[Reason::kNoProgress] + seen[Reason::kRepetition] + seen[Reason::kDoublePass], 10);
  EXPECT_GT(seen[Reason::kCheckmate] + seen[Reason::kBikjang], 10);
}

TEST(Rescore, OnlyThreeReasonsAreCounted) {  // J29, J31
  for (int i = 0; i < kReasons; ++i) {
    const auto reason = static_cast<Reason>(i);
    const bool counted = reason == Reason::kRepetition || reason == Reason::kDoublePass ||
                         reason == Reason::kNoProgress;
    EXPECT_EQ(counted_ending(reason), counted) << reason_name(reason);
    const Outcome drawn{std::nullopt, reason, false};
    EXPECT_EQ(rescore(drawn, 10, 3).winner.has_value(), counted);
  }
  // A checker still loses.
  const Outcome checker{Side::kSecond, Reason::kPerpetualCheck, false};
  EXPECT_EQ(rescore(checker, 30, 3), checker);
}

// A game with a made-up ending; `margin` as points tell it.
GameRecord made(std::uint64_t id, const Arm& arm, const Outcome& outcome, int margin,
                std::size_t plies = 2) {
  GameRecord game;
  game.id = id;
  game.rules = arm.rules.id;
  game.start_fen = set_up_fen(SetUp::kInside, SetUp::kInside);
  game.players = {"A", "A"};
  game.player_hashes = {"aa", "aa"};
  for (std::size_t i = 0; i < plies; ++i) {
    game.moves.push_back(Move(static_cast<Square>(i), static_cast<Square>(i + 1)));
  }
  game.scores.assign(plies, kNoScore);
  game.outcome = outcome;
  game.points_halves = {2 * (40 + margin), 80 + arm.rules.second_bonus_halves};
  return game;
}

const Outcome kChoMates{Side::kFirst, Reason::kCheckmate, false};
const Outcome kHanMates{Side::kSecond, Reason::kCheckmate, false};
const Outcome kBikjangDraw{std::nullopt, Reason::kBikjang, false};
const Outcome kRepeated{std::nullopt, Reason::kRepetition, false};
const Outcome kChoOnPoints{Side::kFirst, Reason::kRepetition, true};
const Outcome kHanOnPoints{Side::kSecond, Reason::kDoublePass, true};

struct Row {
  Outcome kja;
  int kja_margin;
  Outcome count;
  int count_margin;
  std::size_t count_plies = 2;
};

Comparison compare(const std::vector<Row>& rows) {
  const CompareDesign design = plain_design();
  const CompareSchedule schedule(design, self_play());
  ComparedGames games(schedule.arms());
  std::uint64_t id = 0;
  for (const Row& row : rows) {
    games.add(made(id, schedule.arms()[0], row.kja, row.kja_margin), schedule.place_of(id));
    ++id;
    games.add(made(id, schedule.arms()[1], row.count, row.count_margin, row.count_plies),
              schedule.place_of(id));
    ++id;
  }
  return compare_games(games, design, 1);
}

TEST(Comparison, TellsRescoredFromPlayChanged) {
  const Comparison comparison = compare({
      {kChoMates, 9, kChoMates, 9, 2},      // nothing changed, the same turns
      {kRepeated, 4, kChoOnPoints, 4, 5},   // scored again: Cho's, and so it was played
      {kRepeated, 1, kHanOnPoints, 0, 4},   // Han's by the bonus, both ways
      {kRepeated, -2, kBikjangDraw, 0, 4},  // scored again Han's, but play kept it drawn
      {kBikjangDraw, 0, kHanMates, -5, 6},  // play alone
      {kRepeated, 7, kHanMates, -5, 6},     // scored again Cho's, played Han's
  });
  ASSERT_EQ(comparison.strengths.size(), 1U);
  EXPECT_EQ(comparison.rows, 6U);
  const StrengthComparison& found = comparison.last();
  EXPECT_EQ(found.kja.cho, (Trinomial{1, 5, 0}));
  EXPECT_EQ(found.point_count.cho, (Trinomial{2, 1, 3}));
  EXPECT_EQ(found.rescored, (Trinomial{3, 1, 2}));
  EXPECT_EQ(found.winners.games, 6U);
  EXPECT_EQ(found.winners.changed, 4U);
  EXPECT_EQ(found.winners.explained, 2U);
  EXPECT_EQ(found.winners.rescored, 4U);
  EXPECT_EQ(found.winners.undone, 1U);
  EXPECT_EQ(found.winners.by_play, 3U);
  EXPECT_EQ(found.winners.same_play, 1U);
  ASSERT_EQ(found.changed.size(), 4U);
  EXPECT_EQ(found.changed[3].row, 5U);
  EXPECT_EQ(found.changed[3].kja, kRepeated);
  EXPECT_EQ(found.changed[3].rescored, kChoOnPoints);
  EXPECT_EQ(found.changed[3].point_count, kHanMates);
  // The two parts add up to the whole difference.
  EXPECT_NEAR(found.by_rule.difference + found.by_play.difference,
              found.figures[0].difference.difference, 1e-12);
  EXPECT_NEAR(found.by_rule.difference, (3.5 - 3.5) / 6, 1e-12);
  EXPECT_NEAR(found.by_play.difference, (2.5 - 3.5) / 6, 1e-12);
  EXPECT_EQ(found.point_count.mates, (std::array<std::uint64_t, 2>{1, 2}));
  EXPECT_EQ(found.point_count.point_wins, (std::array<std::uint64_t, 2>{1, 1}));
}

TEST(Comparison, CrossesReasonsAndPairsOutcomes) {
  const Comparison comparison = compare({{kRepeated, 4, kChoOnPoints, 4},
                                         {kRepeated, 4, kHanMates, -4},
                                         {kBikjangDraw, 0, kBikjangDraw, 0},
                                         {kChoMates, 9, kRepeated, 0}});
  const StrengthComparison& found = comparison.last();
  const auto at = [](Reason reason) { return static_cast<std::size_t>(reason); };
  EXPECT_EQ(found.endings[at(Reason::kRepetition)][at(Reason::kRepetition)], 1U);
  EXPECT_EQ(found.endings[at(Reason::kRepetition)][at(Reason::kCheckmate)], 1U);
  EXPECT_EQ(found.endings[at(Reason::kBikjang)][at(Reason::kBikjang)], 1U);
  EXPECT_EQ(found.endings[at(Reason::kCheckmate)][at(Reason::kRepetition)], 1U);
  std::uint64_t all = 0;
  for (const auto& row : found.endings) {
    for (const std::uint64_t count : row) all += count;
  }
  EXPECT_EQ(all, 4U);
  // Drawn under KJA only: two; under the count only: one.
  const PairedFigure& draws = found.figures[static_cast<std::size_t>(Measure::kDraws)];
  ASSERT_TRUE(draws.mcnemar.has_value());
  EXPECT_EQ(draws.mcnemar->only_first, 2U);
  EXPECT_EQ(draws.mcnemar->only_second, 1U);
  // Cho's points rose once, fell twice, stayed once.
  const PairedFigure& score = found.figures[static_cast<std::size_t>(Measure::kScore)];
  ASSERT_TRUE(score.signs.has_value());
  EXPECT_EQ(score.signs->positive, 1U);
  EXPECT_EQ(score.signs->negative, 2U);
  EXPECT_EQ(score.signs->zero, 1U);
}

// Cho mates and is mated as often; half of the counts have margin 4, half 0: between them the game
// is even.
TEST(Comparison, TheFairBonusCrossesWhereTheGamesSay) {
  std::vector<Row> rows;
  for (int i = 0; i < 400; ++i) {
    const Outcome& mate = i % 2 == 0 ? kChoMates : kHanMates;
    rows.push_back(i % 4 < 2 ? Row{mate, 0, mate, 0}
                             : Row{kRepeated, 0, rescore(kRepeated, i % 4 == 2 ? 4 : 0, 3),
                                   i % 4 == 2 ? 4 : 0});
  }
  const Comparison comparison = compare(rows);
  const BonusFigures& found = comparison.last().bonus;
  ASSERT_TRUE(found.rescored_point_count.has_value());
  const BonusCurve& curve = *found.rescored_point_count;
  EXPECT_EQ(curve.curve.size(), 21U);
  EXPECT_FALSE(found.replayed.has_value());
  EXPECT_FALSE(found.by_replay());
  ASSERT_TRUE(curve.crossing.has_value());
  ASSERT_TRUE(curve.crossing_low.has_value());
  ASSERT_TRUE(curve.crossing_high.has_value());
  // Level from 0.5 to 3.5; the middle is the answer, and the interval is around it.
  EXPECT_NEAR(curve.crossing->value, 2, 1e-9);
  EXPECT_LE(*curve.crossing_low, 2);
  EXPECT_GE(*curve.crossing_high, 2);
  EXPECT_GE(*curve.crossing_low, 0);
  EXPECT_LE(*curve.crossing_high, 4.5);
}

TEST(Comparison, ACrossingBeyondTheCurveHasNoBound) {
  std::vector<Row> rows(50, Row{kChoMates, 9, kChoMates, 9});
  const Comparison comparison = compare(rows);
  const BonusFigures& found = comparison.last().bonus;
  EXPECT_FALSE(found.rescored_point_count->crossing.has_value());
  EXPECT_FALSE(found.rescored_point_count->crossing_low.has_value());
  EXPECT_FALSE(found.rescored_point_count->crossing_high.has_value());
}

TEST(Comparison, LeavesOutRowsWithoutAResult) {
  const Outcome unfinished{std::nullopt, Reason::kUnfinished, false};
  const Comparison comparison = compare(
      {{kChoMates, 9, kChoMates, 9}, {kChoMates, 9, unfinished, 0}, {unfinished, 0, kHanMates, 0}});
  EXPECT_EQ(comparison.rows, 1U);
  EXPECT_EQ(comparison.void_rows, 2U);
  EXPECT_EQ(comparison.last().kja.games(), 1U);
}

TEST(Comparison, OfNoGamesSaysNothing) {
  const Comparison comparison = compare({});
  EXPECT_EQ(comparison.rows, 0U);
  EXPECT_EQ(comparison.last().kja.games(), 0U);
  EXPECT_EQ(comparison.last().bonus.answer(), nullptr);
  EXPECT_FALSE(comparison.setups.front().game.has_value());
}

TEST(Comparison, RefusesGamesOfOtherRulesOrOutOfOrder) {
  const CompareSchedule schedule(plain_design(), self_play());
  ComparedGames games(schedule.arms());
  EXPECT_THROW(games.add(made(1, schedule.arms()[1], kChoMates, 0), schedule.place_of(1)), Error);
  EXPECT_THROW(games.add(made(0, schedule.arms()[1], kChoMates, 0), schedule.place_of(0)), Error);
}

// tests/data/fair-bonus.tsv, added up by hand: 1 000 games, margins of 2 and more are Cho's 245,
// 0 and 1 (52 + 47) go to Han by the bonus alone.
TEST(LevelEndings, AreSharedOutByMarginAndBonus) {
  MarginCounts counts;
  counts.played_out = {260, 0, 212};
  counts.margins = {{-9, 8},  {-7, 14}, {-6, 11}, {-5, 22}, {-4, 20}, {-3, 35},
                    {-2, 33}, {-1, 41}, {0, 52},  {1, 47},  {2, 55},  {3, 50},
                    {4, 31},  {5, 36},  {6, 19},  {7, 24},  {8, 12},  {10, 18}};
  const LevelEndings found = level_endings(counts, 3);
  EXPECT_EQ(found.games, 528U);
  EXPECT_EQ(found.cho, 245U);
  EXPECT_EQ(found.han, 283U);
  EXPECT_EQ(found.level, 0U);
  EXPECT_EQ(found.by_bonus, 99U);
  EXPECT_NEAR((260.0 + 245.0) / 1000, 0.505, 1e-12);  // the file's answer for 1.5
  // A whole bonus leaves its own margin level; without one nothing is decided by it.
  EXPECT_EQ(level_endings(counts, 4).level, 55U);
  EXPECT_EQ(level_endings(counts, 4).by_bonus, 99U);
  EXPECT_EQ(level_endings(counts, 0).by_bonus, 0U);
  EXPECT_EQ(level_endings(counts, 0).level, 52U);
}

std::string start_of(std::size_t cho, std::size_t han) {
  return set_up_fen(static_cast<SetUp>(cho), static_cast<SetUp>(han));
}

// The start of (Cho, Han) read from right to left is the start of their mirrors (J6).
TEST(SetUpMirror, IsTheBoardsMirror) {
  const auto mirrored = [](const std::string& fen) {
    std::string board = fen.substr(0, fen.find(' '));
    for (std::size_t at = 0; at < board.size();) {
      const std::size_t end = std::min(board.find('/', at), board.size());
      std::reverse(board.begin() + static_cast<std::ptrdiff_t>(at),
                   board.begin() + static_cast<std::ptrdiff_t>(end));
      at = end + 1;
    }
    return board + fen.substr(fen.find(' '));
  };
  const std::vector<std::size_t>& mirror = set_up_mirror();
  for (std::size_t cho = 0; cho < kSetUps; ++cho) {
    for (std::size_t han = 0; han < kSetUps; ++han) {
      EXPECT_EQ(mirrored(start_of(cho, han)), start_of(mirror[cho], mirror[han]));
    }
  }
  EXPECT_EQ(SetupCells(kSetUps, kSetUps).pooled(mirror).classes(), 10U);
}

}  // namespace
}  // namespace cannonade
