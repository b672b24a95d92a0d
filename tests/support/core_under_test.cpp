#include "tests/support/core_under_test.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/board/perft.h"
#include "core/game/ending.h"
#include "core/game/history.h"
#include "core/game/points.h"
#include "core/notation/fen.h"
#include "core/notation/uci_move.h"

namespace cannonade::support {
namespace {

class CoreRules : public RulesUnderTest {
 public:
  Expected<bool> start(const std::string& rules, const std::string& fen,
                       double han_bonus) override {
    game_.reset();
    auto found = find_ruleset(rules);
    if (!found) return Failure{found.error()};
    rules_ = *found;
    if (rules_.count_points)
      rules_.second_bonus_halves = static_cast<int>(std::lround(2 * han_bonus));
    auto position = parse_fen(rules_, fen);
    if (!position) return Failure{position.error()};
    game_.emplace(*position);
    return true;
  }

  bool play(const std::string& word) override {
    const auto move = parse_uci_move(word);
    if (game_->outcome || !move) return false;
    const Danger dangers = danger(game_->position);
    if (!is_legal(game_->position, dangers, *move)) return false;
    game_->turns.push_back({*move, {}});
    game_->position.make(*move, game_->turns.back().undo);
    const Danger after = danger(game_->position);
    game_->history.push(game_->position, after.in_check, move->is_pass());
    game_->outcome = judge(game_->position, after, game_->history);
    return true;
  }

  void undo() override {
    const auto& [move, undo] = game_->turns.back();
    game_->history.pop();
    game_->position.unmake(move, undo);
    game_->turns.pop_back();
    game_->outcome.reset();  // a turn was played from here, so the game was not over
  }

  std::string fen() const override { return to_fen(game_->position); }

  std::vector<std::string> legal_moves() const override {
    MoveList list;
    generate(game_->position, list);
    return to_words(list);
  }

  bool in_check() const override {
    return cannonade::in_check(game_->position, game_->position.side_to_move());
  }
  bool facing() const override { return game_->position.generals_face(); }
  int occurrences() const override { return game_->history.repetitions(); }

  PointsPair points() const override {
    const Points points = count_points(game_->position);
    return {points.first_halves / 2.0, points.second_halves / 2.0};
  }

  std::string result() const override {
    const auto& outcome = game_->outcome;
    if (!outcome) return "ongoing";
    std::string text = outcome->winner ? std::string(side_name(rules_.game, *outcome->winner))
                                       : std::string("none");
    text += ' ';
    text += reason_name(outcome->reason);
    if (outcome->by_points) text += " points";
    return text;
  }

  std::uint64_t perft(int depth) const override {
    Position position = game_->position;
    return cannonade::perft(position, depth);
  }

  std::string start_fen(const std::string& cho, const std::string& han) const override {
    const SetUp cho_set_up = parse_set_up(cho).value_or_throw();
    return set_up_fen(cho_set_up, parse_set_up(han).value_or_throw());
  }

 private:
  struct Turn {
    Move move;
    Undo undo;
  };
  struct Game {
    explicit Game(const Position& start) : position(start), history(start) {
      outcome = judge(position, danger(position), history);
    }
    Position position;
    History history;
    std::vector<Turn> turns;
    std::optional<Outcome> outcome;
  };

  Ruleset rules_;
  std::optional<Game> game_;
};

}  // namespace

std::unique_ptr<RulesUnderTest> make_core_rules() {
  return std::make_unique<CoreRules>();
}

naive::Board to_naive(const Position& position) {
  naive::Board board{};
  for (int i = 0; i < kSquares; ++i) {
    const auto square = static_cast<Square>(i);
    const Piece piece = position.at(square);
    board.points[static_cast<std::size_t>(rank_of(square))]
                [static_cast<std::size_t>(file_of(square))] =
        piece.empty() ? naive::kEmpty : piece_letter(piece);
  }
  board.to_move =
      position.side_to_move() == Side::kFirst ? naive::Side::kFirst : naive::Side::kSecond;
  board.no_capture = position.no_capture();
  board.move_number = position.plies() / 2 + 1;
  return board;
}

std::vector<std::string> to_words(const MoveList& moves) {
  std::vector<std::string> words;
  words.reserve(moves.size());
  for (const Move move : moves) words.push_back(to_uci(move));
  std::sort(words.begin(), words.end());
  return words;
}

}  // namespace cannonade::support
