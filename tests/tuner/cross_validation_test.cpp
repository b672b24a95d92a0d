#include "tuner/cross_validation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "core/base/rng.h"
#include "tests/support/with_threads.h"
#include "tests/tuner/synthetic.h"
#include "tuner/group_factors.h"
#include "tuner/split.h"

namespace cannonade {
namespace {

struct Case {
  Split split;
  std::shared_ptr<const Targets> targets;
  std::vector<Fold> folds;
  std::unique_ptr<Objective> whole;
};

// Games from weights that lie about `deviation` centipawns from zero.
Case make_case(double deviation, int pairs, std::uint64_t seed = 1) {
  const Dataset data = simulate({.features = 20, .active = 10, .pairs = pairs, .seed = seed},
                                random_weights(20, deviation, seed));
  Case c{split_by_pair(data, {.validation_share = 0, .folds = 5}), nullptr, {}, nullptr};
  c.targets = std::make_shared<Targets>(make_targets(c.split.train, {}));
  return c;
}

void complete(Case& c) {
  const ObjectiveSettings settings{.k = 0.006};
  c.folds = make_folds(c.split.train, c.split.fold, c.targets, settings);
  c.whole = std::make_unique<Objective>(c.split.train, c.targets, settings);
}

StrengthChoice choose(const Case& c, const CrossValidationSettings& settings = {}) {
  const Anchor anchor(c.split.train.features(), Eigen::VectorXd::Zero(40),
                      {.strength = 1, .tie = 0});
  return choose_strength(c.folds, *c.whole, anchor, kNothingPinned, settings);
}

// Weights drawn from a Gaussian of that deviation: the best prior is the one they were drawn from.
// What games say is clustered, so cross-validation may trust it less, not more.
TEST(CrossValidation, ChoosesAboutThePriorThatTheWeightsCameFrom) {
  for (const double deviation : {4.0, 64.0}) {
    Case c = make_case(deviation, 150);
    complete(c);
    const StrengthChoice choice = choose(c);
    ASSERT_EQ(choice.curve.size(), 10U);
    const double chosen = 1 / std::sqrt(choice.strength);
    EXPECT_GE(chosen, deviation / 8) << deviation;
    EXPECT_LE(chosen, deviation * 4) << deviation;
    for (const CandidateLoss& candidate : choice.curve) {
      EXPECT_EQ(candidate.fold_loss.size(), 5U);
      EXPECT_GE(candidate.loss, choice.curve[0].loss - 1);
    }
  }
}

TEST(CrossValidation, WeightsAtTheirAnchorGetAStrongPull) {
  Case c = make_case(0, 60);
  complete(c);
  EXPECT_GE(choose(c).strength, 1 / (4.0 * 4.0));
}

TEST(CrossValidation, SaysWhenTheGridIsTooShort) {
  Case c = make_case(64, 150);
  complete(c);
  CrossValidationSettings settings;
  settings.deviations = {1, 2, 4};
  const StrengthChoice choice = choose(c, settings);
  EXPECT_TRUE(choice.at_end_of_grid);
  EXPECT_DOUBLE_EQ(choice.strength, 1 / 16.0);
  EXPECT_EQ(choice.curve.back().standard_error, 0);
  EXPECT_GT(choice.curve.front().standard_error, 0);
}

// The shared metric and the warm starts are for speed only: a candidate's loss is that of single
// exact fits.
TEST(CrossValidation, CandidatesAreFittedToTheirMinimum) {
  Case c = make_case(40, 60);
  complete(c);
  CrossValidationSettings settings;
  settings.optimiser.tolerance = 1e-3;
  settings.deviations = {8, 64};
  const StrengthChoice choice = choose(c, settings);
  for (const CandidateLoss& candidate : choice.curve) {
    const Anchor anchor(c.split.train.features(), Eigen::VectorXd::Zero(40),
                        {.strength = candidate.strength, .tie = 0});
    double sum = 0;
    double total = 0;
    for (const Fold& fold : c.folds) {
      const OptimiserResult fit = minimise({*fold.train, anchor, kNothingPinned}, anchor.start(),
                                           {.method = Method::kNewton, .tolerance = 1e-3});
      sum += fold.held_out->evaluate(fit.weights, nullptr);
      total += fold.held_out->total_weight();
    }
    EXPECT_NEAR(candidate.loss, sum / total, 2e-6);
  }
}

TEST(CrossValidation, GivesTheSameBytesForAnyNumberOfThreads) {
  Case c = make_case(40, 60);
  complete(c);
  const auto run = [&](int threads) {
    return with_threads(threads, [&] {
      std::vector<double> losses;
      for (const CandidateLoss& candidate : choose(c).curve) losses.push_back(candidate.loss);
      return losses;
    });
  };
  const auto one = run(1);
  EXPECT_EQ(one, run(2));
  EXPECT_EQ(one, run(4));
}

// What is told to be left is of the whole choice: not known before the first of three candidates is
// done, twice the time gone by after it, half of it after the second.
TEST(CrossValidation, TellsWhatIsLeftOfTheWholeChoice) {
  Case c = make_case(40, 30);
  complete(c);
  std::set<double> factors;
  double seconds = 0;
  CrossValidationSettings settings;
  settings.deviations = {2, 8, 32};
  settings.optimiser.progress = [&](const Progress& at) {
    EXPECT_GE(at.seconds, seconds);
    seconds = at.seconds;
    const bool known = at.eta_seconds >= 0;
    factors.insert(known ? std::round(1000 * at.eta_seconds / at.seconds) / 1000 : -1);
    return true;
  };
  EXPECT_EQ(choose(c, settings).curve.size(), 3U);
  EXPECT_EQ(factors, (std::set<double>{-1, 0.5, 2}));
}

TEST(CrossValidation, CanBeStopped) {
  Case c = make_case(40, 30);
  complete(c);
  int calls = 0;
  CrossValidationSettings settings;
  settings.optimiser.progress = [&](const Progress&) { return ++calls < 12; };
  const StrengthChoice choice = choose(c, settings);
  EXPECT_TRUE(choice.stopped);
  EXPECT_LT(choice.curve.size(), 10U);
  EXPECT_GT(choice.strength, 0);
}

// "pieces" (features 0-9) lie far from the anchor, "squares" on it: one strength fits neither.
TEST(GroupFactors, HoldTheGroupThatDoesNotMoveAndLetTheOtherGo) {
  Eigen::VectorXd truth = random_weights(20, 60, 1);
  truth.segment(10, 10).setZero();
  truth.segment(30, 10).setZero();
  const Dataset data = simulate({.features = 20, .active = 10, .pairs = 150}, truth);
  Case c{split_by_pair(data, {.validation_share = 0, .folds = 5}), nullptr, {}, nullptr};
  c.targets = std::make_shared<Targets>(make_targets(c.split.train, {}));
  complete(c);
  const FeatureList& features = c.split.train.features();
  const Eigen::VectorXd start = Eigen::VectorXd::Zero(40);
  const AnchorSettings common{.strength = 1 / (20.0 * 20.0), .tie = 0};
  const GroupFactorSettings settings;
  const GroupFactorChoice choice =
      choose_group_factors(c.folds, *c.whole, features, start, common, kNothingPinned, settings);
  EXPECT_LT(choice.anchor.group_factor[0], 1);
  EXPECT_GT(choice.anchor.group_factor[1], 1);
  EXPECT_LT(choice.loss_after, choice.loss_before);
  EXPECT_EQ(choice.trials.size(), 4U);
  EXPECT_EQ(choice.anchor.strength, common.strength);
  // What it says it gained is what single fits gain.
  const auto held_out = [&](const AnchorSettings& anchor_settings) {
    const Anchor anchor(features, start, anchor_settings);
    double sum = 0;
    for (const Fold& fold : c.folds) {
      const Eigen::VectorXd w = minimise({*fold.train, anchor, kNothingPinned}, start, {}).weights;
      sum += fold.held_out->evaluate(w, nullptr);
    }
    return sum / c.whole->total_weight();
  };
  EXPECT_NEAR(choice.loss_before, held_out(common), 1e-5);
  EXPECT_NEAR(choice.loss_after, held_out(choice.anchor), 1e-5);
}

TEST(GroupFactors, LeavesAGroupThatIsPinnedAlone) {
  Case c = make_case(40, 60);
  complete(c);
  std::vector<Eigen::Index> pinned;
  for (Eigen::Index j = 0; j < 10; ++j) pinned.insert(pinned.end(), {j, 20 + j});
  GroupFactorSettings settings;
  const GroupFactorChoice choice =
      choose_group_factors(c.folds, *c.whole, c.split.train.features(), Eigen::VectorXd::Zero(40),
                           {.strength = 0.01, .tie = 0}, pinned, settings);
  for (const GroupTrial& trial : choice.trials) EXPECT_EQ(trial.what, "squares");
  settings.steps = {0};
  EXPECT_THROW(
      (void)choose_group_factors(c.folds, *c.whole, c.split.train.features(),
                                 Eigen::VectorXd::Zero(40), {.strength = 0.01}, pinned, settings),
      Error);
}

TEST(CrossValidation, RefusesTooFewFoldsAndBadCandidates) {
  Case c = make_case(40, 30);
  complete(c);
  CrossValidationSettings settings;
  for (const std::vector<double>& bad : {std::vector<double>{}, {-1.0}, {0.0}}) {
    settings.deviations = bad;
    EXPECT_THROW((void)choose(c, settings), Error);
  }
  c.folds.resize(1);
  EXPECT_THROW((void)choose(c), Error);
}

}  // namespace
}  // namespace cannonade
