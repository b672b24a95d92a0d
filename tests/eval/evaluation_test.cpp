#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "eval/explain.h"
#include "eval/sinks.h"
#include "tests/eval/random_positions.h"

namespace cannonade {
namespace {

Weights random_weights(const Ruleset& rules, std::uint64_t seed) {
  Rng rng(seed);
  Weights weights(rules.id);
  for (int i = 0; i < kFeatureCount; ++i) {
    const auto draw = [&] { return static_cast<int>(rng.below(121)) - 60; };
    weights.set(i, {draw(), draw()});
  }
  return weights;
}

Position rebuilt(const Position& p, bool mirror, bool flip) {
  PieceMap pieces{};
  for (int i = 0; i < kSquares; ++i) {
    const auto s = static_cast<Square>(i);
    if (p.at(s).empty()) continue;
    Square to = mirror ? mirror_files(s) : s;
    if (flip) to = flip_ranks(to);
    pieces[to] = Piece(flip ? ~p.at(s).side() : p.at(s).side(), p.at(s).kind());
  }
  return Position::create(p.rules(), pieces, flip ? ~p.side_to_move() : p.side_to_move(),
                          p.no_capture(), 1)
      .value_or_throw();
}

class EveryRuleset : public testing::TestWithParam<std::string> {
 protected:
  Ruleset rules_ = find_ruleset(GetParam()).value_or_throw();
};

INSTANTIATE_TEST_SUITE_P(Evaluation, EveryRuleset,
                         testing::Values("janggi-kja", "janggi-point-count", "xiangqi-casual"),
                         [](const auto& param) {
                           std::string name = param.param;
                           for (char& c : name) {
                             if (c == '-') c = '_';
                           }
                           return name;
                         });

TEST_P(EveryRuleset, TraceTimesWeightsIsTheScore) {
  const Weights weights = random_weights(rules_, 1);
  const PackedWeights packed(weights);
  TraceSink trace;
  std::vector<TraceSink::Entry> entries;
  for (const Position& p : random_positions(rules_, 40, 120, 1)) {
    extract(p, trace);
    trace.take(entries);
    int middle = 0;
    int end = 0;
    for (const auto& [feature, coefficient] : entries) {
      middle += coefficient * weights[feature].middle;
      end += coefficient * weights[feature].end;
      ASSERT_TRUE(feature_applies(feature, rules_)) << feature_name(feature);
    }
    const Score first = std::clamp(blend(p, middle, end), -15000, 15000);
    ASSERT_EQ(evaluate(p, packed), p.side_to_move() == Side::kFirst ? first : -first) << to_fen(p);
  }
}

TEST_P(EveryRuleset, AMirroredBoardIsWorthTheSame) {
  const PackedWeights packed(random_weights(rules_, 2));
  for (const Position& p : random_positions(rules_, 20, 100, 2)) {
    ASSERT_EQ(evaluate(p, packed), evaluate(rebuilt(p, true, false), packed)) << to_fen(p);
  }
}

TEST_P(EveryRuleset, ColoursExchangedTheSideToMoveSeesTheSame) {
  rules_.second_bonus_halves = 0;  // the one thing that is not symmetric
  const PackedWeights packed(random_weights(rules_, 3));
  for (const Position& p : random_positions(rules_, 20, 100, 3)) {
    ASSERT_EQ(evaluate(p, packed), evaluate(rebuilt(p, false, true), packed)) << to_fen(p);
  }
}

TEST_P(EveryRuleset, TheExplanationAddsUpToTheEvaluation) {
  const Weights weights = random_weights(rules_, 4);
  const PackedWeights packed(weights);
  for (const Position& p : random_positions(rules_, 10, 100, 4)) {
    const Explanation told = explain(p, weights);
    const Score score = evaluate(p, packed);
    ASSERT_EQ(told.score, p.side_to_move() == Side::kFirst ? score : -score);
    double groups = 0;
    double features = 0;
    for (const GroupScore& g : told.groups) groups += g.net();
    for (const FeatureScore& f : told.features) features += f.value;
    ASSERT_NEAR(groups, features, 1e-6);
    ASSERT_NEAR(groups * told.scale / kFullScale, told.score, 2.0) << to_fen(p);
  }
}

TEST_P(EveryRuleset, MaterialWeightsCountMaterial) {
  // A chariot taken off the start is worth its material and nothing else.
  const PackedWeights packed(material_weights(rules_));
  std::string fen(start_fen(rules_.game));
  const Position whole = parse_fen(rules_, fen).value_or_throw();
  fen[fen.find("/RNBA") + 1] = '1';
  const Position less = parse_fen(rules_, fen).value_or_throw();
  EXPECT_EQ(evaluate(whole, packed), 0);
  EXPECT_EQ(evaluate(less, packed), rules_.game == Game::kJanggi ? -650 : -900);
}

TEST(Features, NamesAreUniqueAndFoundAgain) {
  for (int i = 0; i < kFeatureCount; ++i) {
    const auto found = find_feature(feature_name(i));
    ASSERT_TRUE(found.has_value()) << feature_name(i);
    ASSERT_EQ(*found, i);
  }
  EXPECT_FALSE(find_feature("material.dragon").has_value());
}

// How often the first mover's and the second's pieces show a feature.
std::pair<int, int> counts_of(const std::string& fen, const char* id, const char* feature) {
  const Ruleset rules = find_ruleset(id).value_or_throw();
  Weights weights(rules.id);
  weights.set(find_feature(feature).value_or_throw(), {1000, 1000});
  const Explanation told = explain(parse_fen(rules, fen).value_or_throw(), weights);
  if (told.features.empty()) return {0, 0};
  return {told.features.front().first, told.features.front().second};
}

TEST(Features, ScreensOfACannonAreToldByWhoCanTakeThemAway) {
  // The cannon on e2 has an own soldier before it on e4, an enemy horse on b2 and a cannon on h2.
  const std::string calm = "3k5/9/9/9/9/9/4P4/9/1n2C2C1/5K3 w - - 0 1";
  const auto first = [&](const std::string& fen, const char* feature) {
    return counts_of(fen, "janggi-kja", feature).first;
  };
  EXPECT_EQ(first(calm, "cannon_screen.own"), 1);
  EXPECT_EQ(first(calm, "cannon_screen.own_shaky"), 0);
  EXPECT_EQ(first(calm, "cannon_screen.enemy"), 1);
  EXPECT_EQ(first(calm, "cannon_screen.cannon"), 2);  // each is the other's
  // Nor does it jump from the centre of the palace along the diagonals, but from a corner (J13).
  EXPECT_EQ(first("3k5/9/9/9/9/9/9/9/4CA3/3K1A3 w - - 0 1", "cannon_screen.own"), 1);
  EXPECT_EQ(first("3k5/9/9/9/9/9/9/9/4A4/3CK4 w - - 0 1", "cannon_screen.own"), 2);
  // A chariot of the enemy's attacks the soldier.
  const std::string attacked = "3k5/9/9/9/9/9/r3P4/9/1n2C2C1/5K3 w - - 0 1";
  EXPECT_EQ(first(attacked, "cannon_screen.own"), 0);
  EXPECT_EQ(first(attacked, "cannon_screen.own_shaky"), 1);
  // In xiangqi a cannon is a screen like any other (X9).
  EXPECT_EQ(counts_of(calm, "xiangqi-casual", "cannon_screen.own").first, 3);
  EXPECT_EQ(counts_of(calm, "xiangqi-casual", "cannon_screen.cannon").first, 0);
}

TEST(Features, TheGeneralsFileKnowsWhoCanOpenItAndWhoHoldsIt) {
  for (const char* id : {"janggi-kja", "xiangqi-casual"}) {
    const auto told = [&](const char* fen, const char* feature) {
      return counts_of(fen, id, feature);
    };
    const char* between = "4k4/9/9/9/9/9/4P4/9/9/4K4 w - - 0 1";
    EXPECT_EQ(told(between, "general_file.own_between"), std::pair(1, 0)) << id;
    const char* two = "4k4/9/9/4p4/9/9/4P4/9/9/4K4 w - - 0 1";
    EXPECT_EQ(told(two, "general_file.own_between"), std::pair(0, 0)) << id;
    // Cho's general on e1 looks up the open file to the point beside Han's on d10; Han's own file
    // is closed by the soldier.
    const char* held = "3k5/9/9/3p5/9/9/9/9/9/4K4 w - - 0 1";
    EXPECT_EQ(told(held, "general_file.held"), std::pair(1, 0)) << id;
    const char* far = "3k5/9/9/9/9/9/9/9/9/5K3 w - - 0 1";
    EXPECT_EQ(told(far, "general_file.held"), std::pair(0, 0)) << id;
  }
}

TEST(Scale, ALeadFadesUnderKjaAndNotUnderPointCount) {
  for (const auto& [id, expected] :
       {std::pair{"janggi-kja", false}, {"janggi-point-count", true}}) {
    const Ruleset rules = find_ruleset(id).value_or_throw();
    const Position p = parse_fen(rules, "4k4/9/9/p8/9/9/9/9/R8/3K4R w - - 118 1").value_or_throw();
    EXPECT_EQ(score_scale(p, Side::kFirst) == kFullScale, expected) << id;
  }
}

}  // namespace
}  // namespace cannonade
