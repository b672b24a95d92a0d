// The evaluation, written once. `extract` walks a position and tells a sink which features are
// active, for whom and how often; the score sink adds up a number, the trace sink lists
// coefficients for the tuner, the explain sink tells a person. Everything is linear in the weights;
// only the phase and the scale (eval/phase.h), which no weight enters, come on top.
//
// A sink has `add(feature, sign, count)`: sign +1 for the first mover, -1 for the second; a count
// of zero says nothing. `part()` gives the sink to tell one side's features to and `join(part)`
// takes it back: a copy that stays in registers, or the sink itself. A sink may have
// `stand<kGame>(side, kind, square, own_general, enemy_general)`, which must come to the same as
// tell_standing().
#pragma once

#include <algorithm>
#include <array>
#include <cstdlib>

#include "core/board/generator.h"
#include "core/board/position.h"
#include "core/game/points.h"
#include "eval/attack_view.h"
#include "eval/features.h"
#include "eval/phase.h"

namespace cannonade {

namespace detail {

template <class Sink>
inline void tell(Sink& sink, FeatureGroup group, int index, int sign, int count = 1) {
  sink.add(offset_of(group) + index, sign, count);
}

// Attackers in the order of tropism and palace attack: elephant, horse, chariot, cannon, soldier.
constexpr int attacker_index(PieceKind kind) {
  return index_of(kind) - index_of(PieceKind::kElephant);
}

// Whether a piece of the kind ever comes near the enemy general.
constexpr bool is_attacker(Game game, PieceKind kind) {
  return kind > PieceKind::kGuard && !(game == Game::kXiangqi && kind == PieceKind::kElephant);
}

// What a piece is worth by where it and the generals stand, whatever else is on the board.
template <Game kGame, class Sink>
void tell_standing(Sink& sink, Side side, PieceKind kind, Square square, Square own_general,
                   Square enemy_general) {
  const int sign = side == Side::kFirst ? 1 : -1;
  if (kind != PieceKind::kGeneral) {
    tell(sink, FeatureGroup::kMaterial, valued_index(kind), sign);
  }
  const Square own = side == Side::kFirst ? square : flip_ranks(square);
  const int group = index_of(kind) - index_of(PieceKind::kGeneral);
  tell(sink, FeatureGroup::kSquare,
       group * kMirroredSquares + rank_of(own) * 5 + std::min(file_of(own), 8 - file_of(own)),
       sign);
  const int aside = file_of(own_general) - 4;
  if (aside != 0) {
    const Square seen = aside > 0 ? mirror_files(own) : own;
    tell(sink, FeatureGroup::kSquareAside, group * kSquares + seen, sign);
  }
  if (!is_attacker(kGame, kind)) return;
  const int files = std::min(std::abs(file_of(square) - file_of(enemy_general)), 5);
  const int ranks = std::abs(rank_of(square) - rank_of(enemy_general));
  tell(sink, FeatureGroup::kTropism, (attacker_index(kind) * 6 + files) * 10 + ranks, sign);
}

template <Game kGame, class Sink>
class Extraction {
 public:
  Extraction(const Position& position, Sink& sink)
      : p_(position), sink_(sink), occupied_(position.occupied()), cannons_(position.cannons()) {}

  void run() {
    views_[0].template collect<kGame, Side::kFirst>(p_, occupied_, cannons_);
    views_[1].template collect<kGame, Side::kSecond>(p_, occupied_, cannons_);
    features<Side::kFirst>();
    features<Side::kSecond>();
    tell(sink_, FeatureGroup::kTempo, 0, p_.side_to_move() == Side::kFirst ? 1 : -1);
    if (p_.rules().count_points) points();
  }

 private:
  // One side's pieces seen against the other's.
  template <Side kSide>
  struct Sight {
    const AttackView& us;
    const AttackView& them;
    Bitboard ours;
    Bitboard theirs;
    Square general;
    Square enemy_general;
    const GeneralView& enemy_view;
    Bitboard enemy_zone;         // the enemy general and where it could step
    Bitboard lesser_of_chariot;  // attacked by anything cheaper than a chariot
    Bitboard chariot_checks;     // from where a chariot would give check
    Bitboard cannon_checks;      // likewise a cannon
    int zone_attackers = 0;
    Bitboard zone_attacked{};
  };

  template <Side kSide>
  static constexpr int kSign = kSide == Side::kFirst ? 1 : -1;

  template <Side kSide>
  void features() {
    constexpr Side kEnemy = ~kSide;
    const AttackView& us = views_[index_of(kSide)];
    const AttackView& them = views_[index_of(kEnemy)];
    const Square enemy_general = p_.general(kEnemy);
    Sight<kSide> sight{
        us,
        them,
        p_.pieces(kSide),
        p_.pieces(kEnemy),
        p_.general(kSide),
        enemy_general,
        general_view(kGame, enemy_general),
        square_bit(enemy_general) | tables(kGame).general[enemy_general].targets.mask,
        them.by_class[0] | them.by_class[1] | them.by_class[2],
        chariot_attacks<kGame>(enemy_general, occupied_),
        cannon_check_points(enemy_general)};
    auto&& out = sink_.part();
    general_features<kSide>(out, sight);
    const AttackView::Piece* piece = us.storage.pieces.data();
    piece = kind_features<kSide, PieceKind::kGuard>(out, sight, piece);
    piece = kind_features<kSide, PieceKind::kElephant>(out, sight, piece);
    piece = kind_features<kSide, PieceKind::kHorse>(out, sight, piece);
    piece = kind_features<kSide, PieceKind::kChariot>(out, sight, piece);
    piece = kind_features<kSide, PieceKind::kCannon>(out, sight, piece);
    kind_features<kSide, PieceKind::kSoldier>(out, sight, piece);
    tell(out, FeatureGroup::kZoneAttackers, std::min(sight.zone_attackers, 7), kSign<kSide>);
    const int weak = (sight.zone_attacked & ~them.not_general).count();
    tell(out, FeatureGroup::kZoneWeak, std::min(weak, 7), kSign<kSide>);
    threats<kSide>(out, sight);
    pins<kSide>(out);
    soldiers<kSide>(out, us);
    sink_.join(out);
  }

  template <Side kSide, class Out>
  void stands(Out& out, const Sight<kSide>& sight, PieceKind kind, Square square) {
    if constexpr (requires { out.template stand<kGame>(kSide, kind, square, square, square); }) {
      out.template stand<kGame>(kSide, kind, square, sight.general, sight.enemy_general);
    } else {
      tell_standing<kGame>(out, kSide, kind, square, sight.general, sight.enemy_general);
    }
  }

  // All of a side's pieces of one kind; the first piece of the next kind.
  template <Side kSide, PieceKind kKind, class Out>
  const AttackView::Piece* kind_features(Out& out, Sight<kSide>& sight,
                                         const AttackView::Piece* piece) {
    const int count = p_.count(kSide, kKind);
    for (const AttackView::Piece* const end = piece + count; piece != end; ++piece) {
      stands<kSide>(out, sight, kKind, piece->square);
      if constexpr (is_attacker(kGame, kKind)) attack_features<kSide, kKind>(out, sight, *piece);
      if constexpr (is_attacker(kGame, kKind) && kKind != PieceKind::kSoldier) {
        movement_features<kSide, kKind>(out, sight, *piece);
      }
    }
    if (kKind != PieceKind::kSoldier && count >= 2) {
      tell(out, FeatureGroup::kPair, valued_index(kKind), kSign<kSide>);
    }
    return piece;
  }

  template <Side kSide, PieceKind kKind, class Out>
  void attack_features(Out& out, Sight<kSide>& sight, const AttackView::Piece& piece) {
    tell(out, FeatureGroup::kPalaceAttack, attacker_index(kKind), kSign<kSide>,
         (piece.attacks & kAttacks.palace[index_of(~kSide)]).count());
    const Bitboard on_zone = piece.attacks & sight.enemy_zone;
    sight.zone_attackers += on_zone ? 1 : 0;
    sight.zone_attacked |= on_zone;
  }

  template <Side kSide, PieceKind kKind, class Out>
  void movement_features(Out& out, const Sight<kSide>& sight, const AttackView::Piece& piece) {
    constexpr int kSlot = attacker_index(kKind);  // elephant 0, horse 1, chariot 2, cannon 3
    const auto told = [](Bitboard points) { return std::min(points.count(), kMobilitySlots - 1); };
    const Bitboard reach = piece.reach & ~sight.ours;
    tell(out, FeatureGroup::kMobility, kSlot * kMobilitySlots + told(reach), kSign<kSide>);
    const Bitboard shunned =
        kKind == PieceKind::kChariot ? sight.lesser_of_chariot : sight.them.by_class[0];
    tell(out, FeatureGroup::kSafeMobility, kSlot * kMobilitySlots + told(reach & ~shunned),
         kSign<kSide>);

    // Points that the piece can safely go to and would give check from, the line being as it is
    // now.
    const Bitboard safe = reach & ~sight.them.all;
    Bitboard from;
    if constexpr (kKind == PieceKind::kChariot) {
      from = safe & sight.chariot_checks;
    } else if constexpr (kKind == PieceKind::kCannon) {
      from = safe & sight.cannon_checks;
    } else if constexpr (kKind == PieceKind::kHorse) {
      from = leaper_checks(safe & sight.enemy_view.here.horses, sight.enemy_view.horse_path);
    } else {
      from = leaper_checks(safe & sight.enemy_view.here.elephants, sight.enemy_view.elephant_path);
    }
    if (from) tell(out, FeatureGroup::kSafeCheck, kSlot, kSign<kSide>, from.count());

    const Square s = piece.square;
    if constexpr (kKind == PieceKind::kHorse) {
      blocked_features<kSide>(out, 0, sight, kAttacks.horse[s].legs.mask);
    } else if constexpr (kKind == PieceKind::kElephant) {
      const Leaps& leaps = tables(kGame).elephant[s];
      blocked_features<kSide>(out, 2, sight, leaps.legs.mask | leaps.eyes.mask);
    } else {
      line_features<kSide, kKind>(out, sight, s);
    }
    if constexpr (kKind == PieceKind::kChariot) chariot_files<kSide>(out, s);
    if constexpr (kKind == PieceKind::kCannon) screens<kSide>(out, sight, piece.screens);
  }

  Bitboard leaper_checks(Bitboard candidates, const std::array<Bitboard, kSquares>& path) const {
    Bitboard result;
    while (candidates) {
      const Square s = candidates.pop();
      if ((path[s] & occupied_).empty()) result |= square_bit(s);
    }
    return result;
  }

  // Points beyond one screen from the general.
  Bitboard cannon_check_points(Square general) const {
    if constexpr (kGame == Game::kJanggi) {
      return cannon_jumps<kGame>(general, occupied_, cannons_);
    } else {
      const auto file = static_cast<std::size_t>(file_of(general));
      const auto rank = static_cast<std::size_t>(rank_of(general));
      return rank_set(kAttacks.cannon_rank[file][rank_bits(occupied_, rank_of(general))],
                      rank_of(general)) |
             file_set(kAttacks.cannon_file[rank][file_bits(occupied_, file_of(general))],
                      file_of(general));
    }
  }

  // Horse legs and elephant ways that pieces stand on.
  template <Side kSide, class Out>
  void blocked_features(Out& out, int at, const Sight<kSide>& sight, Bitboard ways) {
    tell(out, FeatureGroup::kBlocked, at, kSign<kSide>, (ways & sight.ours).count());
    tell(out, FeatureGroup::kBlocked, at + 1, kSign<kSide>, (ways & sight.theirs).count());
  }

  // Pieces between a chariot or cannon and the enemy general on its file (0 to 3) or rank (4 to 7).
  template <Side kSide, PieceKind kKind, class Out>
  void line_features(Out& out, const Sight<kSide>& sight, Square s) {
    const bool same_file = file_of(s) == file_of(sight.enemy_general);
    if (!same_file && rank_of(s) != rank_of(sight.enemy_general)) return;
    const int between = (sight.enemy_view.line_path[s] & occupied_).count();
    tell(out, kKind == PieceKind::kChariot ? FeatureGroup::kChariotLine : FeatureGroup::kCannonLine,
         (same_file ? 0 : 4) + std::min(between, 3), kSign<kSide>);
  }

  template <Side kSide, class Out>
  void chariot_files(Out& out, Square s) {
    const int file = file_of(s);
    const Bitboard line = file_set(1023, file);
    const bool own = static_cast<bool>(p_.pieces(kSide, PieceKind::kSoldier) & line);
    const bool other = static_cast<bool>(p_.pieces(~kSide, PieceKind::kSoldier) & line);
    tell(out, FeatureGroup::kChariotFile, 0, kSign<kSide>, own ? 0 : 1);
    tell(out, FeatureGroup::kChariotFile, 1, kSign<kSide>, own || other ? 0 : 1);
    tell(out, FeatureGroup::kChariotFile, 2, kSign<kSide>, file >= 3 && file <= 5 ? 1 : 0);
    tell(out, FeatureGroup::kChariotFile, 3, kSign<kSide>, file != 0 && file != 8 ? 1 : 0);
  }

  // The pieces that a cannon would jump over: own ones that stay, own ones that the enemy can take
  // away, the enemy's, which can walk away; and cannons, which in janggi are no screens (J13).
  template <Side kSide, class Out>
  void screens(Out& out, const Sight<kSide>& sight, Bitboard nearest) {
    if constexpr (kGame == Game::kJanggi) {
      tell(out, FeatureGroup::kCannonScreen, 3, kSign<kSide>, (nearest & cannons_).count());
      nearest &= ~cannons_;
    }
    const Bitboard own = nearest & sight.ours;
    const int shaky = (own & sight.them.all).count();
    tell(out, FeatureGroup::kCannonScreen, 0, kSign<kSide>, own.count() - shaky);
    tell(out, FeatureGroup::kCannonScreen, 1, kSign<kSide>, shaky);
    tell(out, FeatureGroup::kCannonScreen, 2, kSign<kSide>, (nearest & sight.theirs).count());
  }

  template <Side kSide, class Out>
  void general_features(Out& out, const Sight<kSide>& sight) {
    constexpr int kS = kSign<kSide>;
    const Square general = sight.general;
    stands<kSide>(out, sight, PieceKind::kGeneral, general);
    const Bitboard steps = tables(kGame).general[general].targets.mask;
    const int free = (steps & ~sight.ours & ~sight.them.all).count();
    tell(out, FeatureGroup::kGeneralSteps, std::min(free, 8), kS);
    const int beside = (steps & p_.pieces(kSide, PieceKind::kGuard)).count();
    tell(out, FeatureGroup::kGuardShape, std::min(beside, 2), kS);
    tell(out, FeatureGroup::kGuardShape, 3 + std::min(p_.count(kSide, PieceKind::kGuard), 2), kS);

    // The generals' file: who can make them face (J19), whose general holds the other off (X11).
    const int apart = file_of(general) - file_of(sight.enemy_general);
    if (apart == 0) {
      const Bitboard between = sight.enemy_view.line_path[general] & occupied_;
      if (between.count() == 1 && (between & sight.ours)) {
        tell(out, FeatureGroup::kGeneralFile, 0, kS);
      }
    } else if (apart == 1 || apart == -1) {
      const Square meeting = make_square(file_of(general), rank_of(sight.enemy_general));
      const Bitboard path = general_view(kGame, general).line_path[meeting] | square_bit(meeting);
      if ((path & occupied_).empty()) tell(out, FeatureGroup::kGeneralFile, 1, kS);
    }
  }

  template <Side kSide, class Out>
  void threats(Out& out, const Sight<kSide>& sight) {
    const Bitboard victims = sight.theirs & ~square_bit(sight.enemy_general);
    for (Bitboard b = victims & sight.us.not_general; b;) {
      const Square s = b.pop();
      const int kind = valued_index(p_.at(s).kind());
      for (int c = 0; c < kAttackerClasses; ++c) {
        const bool attacked = sight.us.by_class[static_cast<std::size_t>(c)].has(s);
        tell(out, FeatureGroup::kThreat, c * kValued + kind, kSign<kSide>, attacked ? 1 : 0);
      }
    }
    for (Bitboard b = victims & sight.us.all & ~sight.them.all; b;) {
      tell(out, FeatureGroup::kHanging, valued_index(p_.at(b.pop()).kind()), kSign<kSide>);
    }
  }

  template <Side kSide, class Out>
  void pins(Out& out) {
    Bitboard shields = generator::danger<kGame, kSide>(p_).from & p_.pieces(kSide);
    while (shields) {
      const PieceKind kind = p_.at(shields.pop()).kind();
      tell(out, FeatureGroup::kPinned, valued_index(kind), kSign<kSide>);
    }
  }

  template <Side kSide, class Out>
  void soldiers(Out& out, const AttackView& us) {
    const Bitboard own = p_.pieces(kSide, PieceKind::kSoldier);
    const Bitboard enemy = p_.pieces(~kSide, PieceKind::kSoldier);
    const Bitboard together = own & (shift_right(own) | shift_left(own));
    const Bitboard held = own & us.all;
    const Bitboard across =
        own & (kSide == Side::kFirst ? Bitboard{0, kHalfMask} : Bitboard{kHalfMask, 0});
    const Bitboard facing = own & (kSide == Side::kFirst ? shift_down(enemy) : shift_up(enemy));
    const Bitboard inside = own & kAttacks.palace[index_of(~kSide)];
    const Bitboard alone = own & ~together & ~us.all;
    const Bitboard sets[] = {together, across, held, inside, facing, alone};
    for (int i = 0; i < 6; ++i) {
      tell(out, FeatureGroup::kSoldier, i, kSign<kSide>, sets[i].count());
    }
  }

  void points() {
    const int lead = count_points(p_).lead_halves();
    const int stage =
        std::min(p_.no_capture() * kCountStages / p_.rules().no_capture_limit, kCountStages - 1);
    if (lead == 0) return;
    // Whole points, rounded toward zero, so that a coefficient fits a byte.
    const int whole = std::clamp(std::abs(lead) / 2, 0, 100);
    const int sign = lead > 0 ? 1 : -1;
    tell(sink_, FeatureGroup::kPointsLead, stage, sign, whole);
    tell(sink_, FeatureGroup::kPointsAhead, stage, sign);
  }

  const Position& p_;
  Sink& sink_;
  Bitboard occupied_;
  Bitboard cannons_;
  std::array<AttackView, 2> views_;
};

}  // namespace detail

template <class Sink>
void extract(const Position& position, Sink& sink) {
  if (position.game() == Game::kJanggi) {
    detail::Extraction<Game::kJanggi, Sink>(position, sink).run();
  } else {
    detail::Extraction<Game::kXiangqi, Sink>(position, sink).run();
  }
}

// The score of middle- and end-game sums, first mover's view, as every sink's reader must blend
// them.
[[nodiscard]] inline Score blend(const Position& position, int middle, int end) {
  const int phase = game_phase(position);
  const int blended = (middle * phase + end * (kFullPhase - phase)) / kFullPhase;
  const Side leader = blended >= 0 ? Side::kFirst : Side::kSecond;
  return blended * score_scale(position, leader) / kFullScale;
}

}  // namespace cannonade
