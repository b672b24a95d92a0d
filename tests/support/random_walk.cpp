#include "tests/support/random_walk.h"

#include <charconv>
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/board/movegen.h"
#include "core/notation/fen.h"
#include "tests/support/random_games.h"

namespace cannonade::support {
namespace {

constexpr int kLongestWalk = 150;

std::string start_of_walk(const Ruleset& rules, int walk, Rng& rng) {
  if (walk % 2 == 1) return draw_plan(rules.id, rng).fen;
  if (rules.game == Game::kXiangqi) return std::string(start_fen(rules.game));
  const int set_ups = walk / 2 % 16;
  return set_up_fen(static_cast<SetUp>(set_ups / 4), static_cast<SetUp>(set_ups % 4));
}

// Mostly any turn; now and then one that takes or one that gives check.
Move draw_turn(Position& position, const MoveList& turns, Rng& rng) {
  MoveList wished;
  const auto wish = rng.below(6);
  if (wish == 0) generate(position, danger(position), MoveKind::kCaptures, wished);
  if (wish == 1) {
    for (const Move move : turns) {
      Undo undo;
      position.make(move, undo);
      if (in_check(position, position.side_to_move())) wished.push(move);
      position.unmake(move, undo);
    }
  }
  const MoveList& choice = wished.empty() ? turns : wished;
  return choice[rng.below(choice.size())];
}

}  // namespace

int from_environment(const char* variable, int ordinary) {
  const char* text = std::getenv(variable);
  if (text == nullptr) return ordinary;
  const std::string_view wanted = text;
  int value = 0;
  const auto [end, error] = std::from_chars(wanted.begin(), wanted.end(), value);
  if (error != std::errc() || end != wanted.end() || value <= 0) {
    throw user_error(std::string(variable) + " is not a positive number: " + text);
  }
  return value;
}

void walk_positions(const Ruleset& rules, int positions, std::uint64_t seed,
                    const std::function<void(Position&, Rng&)>& visit) {
  int visited = 0;
  for (int walk = 0; visited < positions; ++walk) {
    const auto index = static_cast<std::uint64_t>(walk);
    Rng turns_rng(seed, 2 * index);
    Rng visit_rng(seed, 2 * index + 1);
    Position position =
        parse_fen(rules, start_of_walk(rules, walk, turns_rng)).value_or_throw("walk's start");
    for (int turn = 0; turn < kLongestWalk && visited < positions; ++turn) {
      visit(position, visit_rng);
      ++visited;
      MoveList turns;
      generate(position, turns);
      if (turns.empty()) break;
      Undo undo;
      position.make(draw_turn(position, turns, turns_rng), undo);
    }
  }
}

}  // namespace cannonade::support
