#include <optional>

#include "tests/support/naive_fen.h"
#include "tests/support/naive_game.h"
#include "tests/support/naive_rules.h"
#include "tests/support/rules_under_test.h"

namespace cannonade::support {
namespace {

class NaiveRules : public RulesUnderTest {
 public:
  Expected<bool> start(const std::string& rules, const std::string& fen,
                       double han_bonus) override {
    game_.reset();
    const auto parsed = naive::parse_rules(rules);
    if (!parsed) return Failure{parsed.error()};
    auto game = naive::Game::start(*parsed, fen, han_bonus);
    if (!game) return Failure{game.error()};
    game_.emplace(*game);
    return true;
  }
  bool play(const std::string& word) override { return game_->play(word); }
  void undo() override { game_->undo(); }

  std::string fen() const override { return naive::to_fen(game_->board()); }
  std::vector<std::string> legal_moves() const override { return game_->legal_moves(); }
  bool in_check() const override { return naive::in_check(game_->rules(), game_->board()); }
  bool facing() const override { return naive::facing(game_->board()); }
  int occurrences() const override { return game_->occurrences(); }
  PointsPair points() const override {
    const auto points = game_->points();
    return {points.cho, points.han};
  }
  std::string result() const override { return naive::to_string(game_->verdict()); }
  std::uint64_t perft(int depth) const override {
    return naive::perft(game_->rules(), game_->board(), depth);
  }
  std::string start_fen(const std::string& cho, const std::string& han) const override {
    return naive::start_fen(cho, han).value_or_throw();
  }

 private:
  std::optional<naive::Game> game_;
};

}  // namespace

std::unique_ptr<RulesUnderTest> make_naive_rules() {
  return std::make_unique<NaiveRules>();
}

}  // namespace cannonade::support
