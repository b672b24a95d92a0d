#include "tests/support/naive_game.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

#include "tests/support/naive_fen.h"
#include "tests/support/naive_rules.h"

namespace cannonade::naive {
namespace {

constexpr int kNoProgressTurns = 120;  // J25, X15

// J26: pieces besides general and guards.
int fighting_pieces(const Board& board, Side side) {
  const std::string_view letters = side == Side::kFirst ? "BNRCP" : "bnrcp";
  int count = 0;
  for (const auto& rank : board.points) {
    for (const char letter : rank) count += letters.find(letter) != std::string_view::npos ? 1 : 0;
  }
  return count;
}

}  // namespace

std::string to_string(const std::optional<Verdict>& verdict) {
  if (!verdict) return "ongoing";
  return verdict->winner + " " + verdict->reason + (verdict->decided_by_points ? " points" : "");
}

Expected<Game> Game::start(Rules rules, std::string_view fen, double han_bonus) {
  auto board = parse_fen(rules, fen);
  if (!board) return Failure{board.error()};
  return Game(rules, *board, han_bonus);
}

// A position from outside is judged at once only for having no legal turn.
Game::Game(Rules rules, Board start, double han_bonus)
    : rules_(rules),
      han_bonus_(han_bonus),
      boards_{start},
      legal_{naive::legal_moves(rules, start)},
      verdict_(no_legal_turn()) {}

bool Game::play(const std::string& word) {
  if (verdict_) return false;
  if (std::find(legal_moves().begin(), legal_moves().end(), word) == legal_moves().end()) {
    return false;
  }
  boards_.push_back(naive::apply(board(), word));
  turns_.push_back(word);
  legal_.push_back(naive::legal_moves(rules_, board()));
  verdict_ = judge();
  return true;
}

void Game::undo() {
  assert(!turns_.empty());
  boards_.pop_back();
  turns_.pop_back();
  legal_.pop_back();
  verdict_.reset();  // a turn was played from here, so the game was not over
}

int Game::occurrences() const {
  int count = 0;
  for (const Board& earlier : boards_) count += board().repeats(earlier) ? 1 : 0;
  return count;
}

Points Game::points() const {
  const double bonus = rules_ == Rules::kJanggiPointCount ? han_bonus_ : 0;
  return {static_cast<double>(material_points(board(), Side::kFirst)),
          material_points(board(), Side::kSecond) + bonus};
}

Verdict Game::won_by(Side side, const std::string& reason) const {
  return {name_of(rules_, side), reason, false};
}

// J29, J30: a level ending goes to the side with more points, under the point count only.
Verdict Game::level(const std::string& reason) const {
  const Points count = points();
  if (rules_ != Rules::kJanggiPointCount || count.cho == count.han) return {"none", reason, false};
  return {count.cho > count.han ? "cho" : "han", reason, true};
}

bool Game::always_checked(Side side, std::size_t first) const {
  for (std::size_t i = first + 1; i < boards_.size(); ++i) {
    const bool made_by_side = boards_[i].to_move == other(side);
    if (made_by_side && !in_check(rules_, boards_[i])) return false;
  }
  return true;
}

std::optional<Verdict> Game::judge() const {
  if (auto verdict = no_legal_turn()) return verdict;
  if (auto verdict = bikjang()) return verdict;
  if (auto verdict = repetition()) return verdict;
  if (auto verdict = double_pass()) return verdict;
  if (auto verdict = no_progress()) return verdict;
  return insufficient_material();
}

// J21, X13.
std::optional<Verdict> Game::no_legal_turn() const {
  if (!legal_moves().empty()) return {};
  return won_by(mover(), in_check(rules_, board()) ? "checkmate" : "stalemate");
}

// J20, J22, J31: facing before the turn and after it.
std::optional<Verdict> Game::bikjang() const {
  if (!is_janggi(rules_)) return {};
  if (!facing(boards_[boards_.size() - 2]) || !facing(board())) return {};
  return Verdict{"none", "bikjang", false};
}

// J23, X14.
std::optional<Verdict> Game::repetition() const {
  if (occurrences() < 3) return {};
  std::size_t first = 0;
  while (!board().repeats(boards_[first])) ++first;
  if (is_janggi(rules_) && in_check(rules_, board())) {
    return won_by(board().to_move, "perpetual_check");
  }
  const bool mover_checked = always_checked(mover(), first);
  const bool other_checked = always_checked(board().to_move, first);
  if (mover_checked && !other_checked) return won_by(board().to_move, "perpetual_check");
  if (other_checked && !mover_checked) return won_by(mover(), "perpetual_check");
  return level("repetition");
}

// J24.
std::optional<Verdict> Game::double_pass() const {
  if (turns_.size() < 2) return {};
  if (!is_pass(turns_[turns_.size() - 1]) || !is_pass(turns_[turns_.size() - 2])) return {};
  return level("double_pass");
}

// J25, X15.
std::optional<Verdict> Game::no_progress() const {
  if (board().no_capture < kNoProgressTurns) return {};
  return level("no_progress");
}

// J26, J31, X16.
std::optional<Verdict> Game::insufficient_material() const {
  if (!is_janggi(rules_)) return {};
  if (fighting_pieces(board(), Side::kFirst) > 1) return {};
  if (fighting_pieces(board(), Side::kSecond) > 1) return {};
  return Verdict{"none", "insufficient_material", false};
}

}  // namespace cannonade::naive
