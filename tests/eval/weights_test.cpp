#include "eval/weights.h"

#include <gtest/gtest.h>

#include "core/base/rng.h"
#include "tests/support/rulesets.h"

namespace cannonade {
namespace {

std::string refusal(const std::string& text, const Ruleset& rules = kKja) {
  const auto weights = Weights::from_toml(text, "w.toml", rules);
  return weights ? std::string() : weights.error();
}

const std::string kHead = "[weights]\nrules = \"janggi-kja\"\nschema = 1\n";

TEST(Weights, WhatIsWrittenReadsBack) {
  Rng rng(7);
  Weights weights(kKja.id);
  for (int i = 0; i < kFeatureCount; ++i) {
    if (rng.below(3) != 0) {
      weights.set(i, {static_cast<int>(rng.below(4001)) - 2000, static_cast<int>(rng.below(99))});
    }
  }
  weights.set_provenance("odd \"key\"", "line\nbreak \\ and \"quotes\"");
  const auto back = Weights::from_toml(weights.to_toml(), "w.toml", kKja);
  ASSERT_TRUE(back.has_value()) << back.error();
  EXPECT_EQ(*back, weights);
  EXPECT_EQ(back->provenance(), weights.provenance());
  EXPECT_EQ(back->hash(), weights.hash());
}

TEST(Weights, ProvenanceDoesNotChangeTheHashAndNumbersDo) {
  Weights a = material_weights(kKja);
  const std::string hash = a.hash();
  a.set_provenance("x", "y");
  EXPECT_EQ(a.hash(), hash);
  a.set(0, {1, 2});
  EXPECT_NE(a.hash(), hash);
}

TEST(Weights, AFileThatDoesNotFitIsRefusedWithWhatDiffers) {
  EXPECT_NE(
      refusal(material_weights(kCasual).to_toml()).find("for xiangqi-casual, not for janggi-kja"),
      std::string::npos);
  EXPECT_NE(refusal("[weights]\nrules = \"janggi-kja\"\nschema = 99\n").find("schema 99"),
            std::string::npos);
  EXPECT_NE(refusal("x = 1\n").find("unknown key 'x'"), std::string::npos);
  EXPECT_NE(refusal("").find("not a weights file"), std::string::npos);
  EXPECT_NE(refusal("[weights\n").find("line 1"), std::string::npos);
  EXPECT_NE(refusal(kHead + "[features.material]\ndragon = [1, 2]\n").find("material.dragon"),
            std::string::npos);
  for (const char* bad : {"[1]", "[1, 2, 3]", "7", "[1.5, 2]", "[40000, 0]", "[\"a\", 1]"}) {
    const std::string why = refusal(kHead + "[features.material]\nhorse = " + bad + "\n");
    EXPECT_NE(why.find("material.horse"), std::string::npos) << bad;
  }
  EXPECT_FALSE(Weights::load("/nonexistent.toml", kKja).has_value());
}

TEST(Weights, TheBuiltInOnesFitEveryRuleset) {
  for (const Ruleset& rules : rulesets()) {
    const Weights weights = default_weights(rules);
    EXPECT_EQ(weights.rules_id(), rules.id);
    EXPECT_EQ(
        weights[offset_of(FeatureGroup::kMaterial) + valued_index(PieceKind::kSoldier)].middle,
        100);
  }
}

}  // namespace
}  // namespace cannonade
