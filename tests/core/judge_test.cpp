// The one judge against the naive twin's, which keeps whole boards: random games biased toward
// every ending are played by both in step, and each ending is met at least a hundred times.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/game/game_state.h"
#include "core/notation/fen.h"
#include "core/notation/uci_move.h"
#include "tests/support/core_under_test.h"
#include "tests/support/random_games.h"
#include "tests/support/random_walk.h"

namespace cannonade {
namespace {

using support::RulesUnderTest;

// These games reach each ending a hundred times; the nightly run plays more.
constexpr int kOftenEnough = 100;
constexpr int kGames = 1'600;

// The core and the twin behind one interface: every answer must be the same of both.
class InStep : public RulesUnderTest {
 public:
  InStep() : core_(support::make_core_rules()), naive_(support::make_naive_rules()) {}

  Expected<bool> start(const std::string& rules, const std::string& fen,
                       double han_bonus) override {
    rules_ = find_ruleset(rules).value_or_throw();
    state_.emplace(parse_fen(rules_, fen).value_or_throw());
    last_.clear();
    EXPECT_TRUE(core_->start(rules, fen, han_bonus).has_value());
    return naive_->start(rules, fen, han_bonus);
  }
  bool play(const std::string& word) override {
    last_ = word;
    state_->play(parse_uci_move(word).value());
    EXPECT_TRUE(core_->play(word));
    return naive_->play(word);
  }
  void undo() override {
    core_->undo();
    naive_->undo();
  }
  std::string fen() const override { return same(core_->fen(), naive_->fen()); }
  std::vector<std::string> legal_moves() const override {
    return same(core_->legal_moves(), naive_->legal_moves());
  }
  bool in_check() const override { return same(core_->in_check(), naive_->in_check()); }
  bool facing() const override { return same(core_->facing(), naive_->facing()); }
  int occurrences() const override { return same(core_->occurrences(), naive_->occurrences()); }
  support::PointsPair points() const override {
    const support::PointsPair points = naive_->points();
    same(core_->points().cho, points.cho);
    same(core_->points().han, points.han);
    return points;
  }
  std::string result() const override { return same(core_->result(), naive_->result()); }
  std::uint64_t perft(int depth) const override {
    return same(core_->perft(depth), naive_->perft(depth));
  }
  std::string start_fen(const std::string& cho, const std::string& han) const override {
    return same(core_->start_fen(cho, han), naive_->start_fen(cho, han));
  }

  // Asks everything, and that taking the last turn back and playing it again changes nothing.
  void compare_all() {
    const auto ask = [&] {
      (void)fen();
      (void)in_check();
      (void)facing();
      (void)occurrences();
      (void)points();
      return result();
    };
    const std::string before = ask();
    EXPECT_EQ(state_->outcome().has_value(), before != "ongoing");
    if (last_.empty()) return;
    core_->undo();
    EXPECT_TRUE(core_->play(last_));
    EXPECT_EQ(ask(), before);
  }

 private:
  template <class T>
  T same(const T& core, const T& twin) const {
    EXPECT_EQ(core, twin) << naive_->fen();
    return twin;
  }

  std::unique_ptr<RulesUnderTest> core_;
  std::unique_ptr<RulesUnderTest> naive_;
  Ruleset rules_;
  std::optional<GameState> state_;
  std::string last_;
};

class JudgeOf : public testing::TestWithParam<std::string> {};

TEST_P(JudgeOf, EndsRandomGamesAsTheNaiveTwinDoes) {
  const std::string& id = GetParam();
  std::map<std::string, int> endings;
  InStep both;
  const int games = support::from_environment("CANNONADE_TEST_GAMES", kGames);
  for (int index = 0; index < games && !HasFailure(); ++index) {
    Rng rng(1, static_cast<std::uint64_t>(index));
    const auto plan = support::draw_plan(id, rng);
    const auto result =
        support::play_random_game(both, plan, rng, [&] { both.compare_all(); }).result;
    ++endings[result.substr(result.find(' ') + 1)];
  }
  const auto decided = [&](const std::string& reason) { return endings[reason + " points"]; };
  for (const auto& reason : support::reasons_of(id)) {
    EXPECT_GE(endings[reason] + decided(reason), kOftenEnough) << reason;
  }
  for (const std::string reason : {"repetition", "double_pass", "no_progress"}) {
    EXPECT_GE(decided(reason), id == "janggi-point-count" ? kOftenEnough : 0) << reason;
  }
}

INSTANTIATE_TEST_SUITE_P(RuleSets, JudgeOf,
                         testing::Values("janggi-kja", "janggi-point-count", "xiangqi-casual"),
                         [](const auto& set) {
                           std::string name = set.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace cannonade
