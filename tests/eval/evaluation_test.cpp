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
