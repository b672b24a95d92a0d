#include "core/board/movegen.h"

#include "core/board/generator.h"

namespace cannonade {
namespace {

// One dispatch on (game, side) for everything in this file.
template <class Action>
auto dispatch(Game game, Side side, Action&& action) {
  constexpr auto kJanggi = std::integral_constant<Game, Game::kJanggi>{};
  constexpr auto kXiangqi = std::integral_constant<Game, Game::kXiangqi>{};
  constexpr auto kFirst = std::integral_constant<Side, Side::kFirst>{};
  constexpr auto kSecond = std::integral_constant<Side, Side::kSecond>{};
  if (game == Game::kJanggi) {
    return side == Side::kFirst ? action(kJanggi, kFirst) : action(kJanggi, kSecond);
  }
  return side == Side::kFirst ? action(kXiangqi, kFirst) : action(kXiangqi, kSecond);
}

template <Game kGame, Side kSide>
bool reaches(const Position& p, Move move) {
  const Square from = move.from();
  const Square to = move.to();
  const Bitboard occupied = p.occupied();
  const GameTables& t = tables(kGame);
  switch (p.at(from).kind()) {
    case PieceKind::kGeneral:
      return t.general[from].targets.mask.has(to);
    case PieceKind::kGuard:
      return t.guard[from].targets.mask.has(to);
    case PieceKind::kElephant:
      return t.elephant[from].template attacks<PieceKind::kElephant>(occupied).has(to);
    case PieceKind::kHorse:
      return kAttacks.horse[from].template attacks<PieceKind::kHorse>(occupied).has(to);
    case PieceKind::kChariot:
      return chariot_attacks<kGame>(from, occupied).has(to);
    case PieceKind::kCannon: {
      const bool jumps = cannon_jumps<kGame>(from, occupied, p.cannons()).has(to);
      if constexpr (kGame == Game::kJanggi) return jumps;
      return p.at(to).empty() ? chariot_attacks<kGame>(from, occupied).has(to) : jumps;
    }
    case PieceKind::kSoldier:
      return t.soldier[static_cast<std::size_t>(index_of(kSide))][from].targets.mask.has(to);
    case PieceKind::kNone:
      break;
  }
  return false;
}

}  // namespace

bool in_check(const Position& p, Side side) {
  return dispatch(p.game(), side, [&](auto game, auto us) {
    const Square general = p.general(us);
    Bitboard all = kFullBoard;
    // X11's facing is not check: leave the enemy general out.
    if constexpr (game() == Game::kXiangqi) all &= ~p.pieces(~us(), PieceKind::kGeneral);
    return generator::attacked<game(), ~us()>(p, general_view(game, general), p.occupied(),
                                              p.cannons(), all);
  });
}

Danger danger(const Position& p) {
  return dispatch(p.game(), p.side_to_move(),
                  [&](auto game, auto us) { return generator::danger<game(), us()>(p); });
}

void generate(const Position& p, const Danger& d, MoveKind kind, MoveList& list) {
  list.set_raw_end(dispatch(p.game(), p.side_to_move(), [&](auto game, auto us) {
    switch (kind) {
      case MoveKind::kCaptures:
        return generator::list_turns<game(), us(), MoveKind::kCaptures>(p, d, list.raw_end());
      case MoveKind::kQuiets:
        return generator::list_turns<game(), us(), MoveKind::kQuiets>(p, d, list.raw_end());
      case MoveKind::kAll:
        break;
    }
    return generator::list_turns<game(), us(), MoveKind::kAll>(p, d, list.raw_end());
  }));
}

bool is_legal(const Position& p, const Danger& d, Move move) {
  constexpr unsigned kPastLastPoint = unsigned{kSquares} << 7;
  if (!move || move.raw() >= kPastLastPoint || move.to() >= kSquares) return false;
  return dispatch(p.game(), p.side_to_move(), [&](auto game, auto us) {
    const Square from = move.from();
    const Square to = move.to();
    if (p.at(from).empty() || p.at(from).side() != us()) return false;
    const bool is_general = p.at(from).kind() == PieceKind::kGeneral;
    if (from == to)
      return is_general && game() == Game::kJanggi && p.rules().passing && !d.in_check;
    if (!p.at(to).empty() && p.at(to).side() == us()) return false;
    if (!reaches<game(), us()>(p, move)) return false;
    if (is_general) return generator::general_may_step<game(), us()>(p, to);
    if (!d.in_check && !d.from.has(from) && !d.to.has(to)) return true;
    return generator::safe_after<game(), us()>(p, general_view(game, p.general(us)), move);
  });
}

bool has_no_turn(const Position& p, const Danger& d) {
  if (p.game() == Game::kJanggi && p.rules().passing && !d.in_check) return false;  // J17
  MoveList list;
  generate(p, d, MoveKind::kAll, list);
  return list.empty();
}

}  // namespace cannonade
