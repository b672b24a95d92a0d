#include "selfplay/simple_players.h"

#include <utility>
#include <vector>

#include "core/base/files.h"
#include "core/base/rng.h"
#include "core/board/movegen.h"
#include "core/board/see.h"
#include "selfplay/skill.h"

namespace cannonade {
namespace {

// One of them by game seed and turn number; none of nothing.
MoveChoice draw(const std::vector<Move>& moves, const GameState& game, std::uint64_t seed) {
  MoveChoice choice;
  choice.has_score = false;
  if (moves.empty()) {
    choice.failure = "no turn to choose from";
    return choice;
  }
  Rng rng(seed, game.moves().size());
  choice.move = moves[rng.below(moves.size())];
  return choice;
}

}  // namespace

RandomMover::RandomMover(std::string name)
    : name_(std::move(name)), hash_(fingerprint_hex("random mover")) {}

void RandomMover::new_game(const Ruleset& /*rules*/, std::uint64_t seed) {
  seed_ = seed ^ fingerprint(hash_);
}

MoveChoice RandomMover::choose(const GameState& game, const SearchLimits& /*limits*/) {
  MoveList legal;
  generate(game.position(), game.dangers(), MoveKind::kAll, legal);
  std::vector<Move> moves;
  for (const Move move : legal) moves.push_back(move);
  return draw(moves, game, seed_);
}

Taker::Taker(std::string name) : name_(std::move(name)), hash_(fingerprint_hex("one-ply taker")) {}

void Taker::new_game(const Ruleset& /*rules*/, std::uint64_t seed) {
  seed_ = seed ^ fingerprint(hash_);
}

MoveChoice Taker::choose(const GameState& game, const SearchLimits& /*limits*/) {
  constexpr int kMate = 1'000'000;
  const Position& position = game.position();
  MoveList legal;
  generate(position, game.dangers(), MoveKind::kAll, legal);
  std::vector<Move> best;
  int most = -1;
  for (const Move move : legal) {
    int gain =
        position.is_capture(move) ? see_value(position.game(), position.at(move.to()).kind()) : 0;
    if (mates_at_once(position, move)) gain = kMate;
    if (gain < most) continue;
    if (gain > most) best.clear();
    most = gain;
    best.push_back(move);
  }
  return draw(best, game, seed_);
}

}  // namespace cannonade
