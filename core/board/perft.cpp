#include "core/board/perft.h"

#include "core/board/generator.h"

namespace cannonade {
namespace {

template <Game kGame, Side kSide, PerftLeaves kLeaves>
std::uint64_t count(Position& p, int depth) {
  const Danger d = generator::danger<kGame, kSide>(p);
  if (kLeaves == PerftLeaves::kCounted && depth == 1) {
    return static_cast<std::uint64_t>(generator::count_turns<kGame, kSide>(p, d));
  }
  MoveList list;
  std::uint16_t* end = generator::list_turns<kGame, kSide, MoveKind::kAll>(p, d, list.raw_begin());
  const std::uint16_t* begin = list.raw_begin();
  if (kLeaves == PerftLeaves::kListed && depth == 1) {
    return static_cast<std::uint64_t>(end - begin);
  }
  std::uint64_t nodes = 0;
  for (const std::uint16_t* at = begin; at != end; ++at) {
    const Move move = Move::from_raw(*at);
    Undo undo;
    p.make(move, undo);
    nodes += depth == 1 ? 1 : count<kGame, ~kSide, kLeaves>(p, depth - 1);
    p.unmake(move, undo);
  }
  return nodes;
}

template <PerftLeaves kLeaves>
std::uint64_t dispatch(Position& p, int depth) {
  const bool first = p.side_to_move() == Side::kFirst;
  if (p.game() == Game::kJanggi) {
    return first ? count<Game::kJanggi, Side::kFirst, kLeaves>(p, depth)
                 : count<Game::kJanggi, Side::kSecond, kLeaves>(p, depth);
  }
  return first ? count<Game::kXiangqi, Side::kFirst, kLeaves>(p, depth)
               : count<Game::kXiangqi, Side::kSecond, kLeaves>(p, depth);
}

}  // namespace

std::uint64_t perft(Position& position, int depth, PerftLeaves leaves) {
  if (depth <= 0) return 1;
  switch (leaves) {
    case PerftLeaves::kListed:
      return dispatch<PerftLeaves::kListed>(position, depth);
    case PerftLeaves::kCounted:
      return dispatch<PerftLeaves::kCounted>(position, depth);
    case PerftLeaves::kMade:
      break;
  }
  return dispatch<PerftLeaves::kMade>(position, depth);
}

std::vector<std::pair<Move, std::uint64_t>> perft_divide(Position& position, int depth,
                                                         PerftLeaves leaves) {
  std::vector<std::pair<Move, std::uint64_t>> result;
  MoveList list;
  generate(position, list);
  for (const Move move : list) {
    Undo undo;
    position.make(move, undo);
    result.emplace_back(move, perft(position, depth - 1, leaves));
    position.unmake(move, undo);
  }
  return result;
}

}  // namespace cannonade
