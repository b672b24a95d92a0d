// The evaluation, written once. `extract` walks a position and tells a sink which features are
// active, for whom and how often; the score sink adds up a number, the trace sink lists
// coefficients for the tuner, the explain sink tells a person. Everything is linear in the weights;
// only the phase and the scale (eval/phase.h), which no weight enters, come on top.
//
// A sink has `add(feature, sign, count)`: sign +1 for the first mover, -1 for the second.
#pragma once

#include <algorithm>
#include <array>
#include <cstdlib>

#include "core/board/generator.h"
#include "core/board/position.h"
#include "core/game/points.h"
#include "eval/features.h"
#include "eval/phase.h"

namespace cannonade {

namespace detail {

// One point of view: everything that a side's pieces attack, collected before features are told.
struct AttackView {
  struct Piece {
    Square square;
    PieceKind kind;
    Bitboard attacks;  // what it attacks or protects
    Bitboard reach;    // where it can move (a cannon of xiangqi moves otherwise than it takes)
  };
  // Room for every point, written only as far as there are pieces: clearing it would cost more than
  // using it.
  union Storage {
    Storage() {}
    std::array<Piece, kSquares> pieces;
  } storage;
  int count = 0;
  Bitboard all;                      // attacked by anything, the general too
  Bitboard not_general;              // attacked by anything else
  std::array<Bitboard, 4> by_class;  // soldiers; leapers and guards; cannons; chariots
};

constexpr int class_of(PieceKind kind) {
  switch (kind) {
    case PieceKind::kSoldier:
      return 0;
    case PieceKind::kCannon:
      return 2;
    case PieceKind::kChariot:
      return 3;
    default:
      return 1;
  }
}

// Attackers in the order of tropism and palace attack: elephant, horse, chariot, cannon, soldier.
constexpr int attacker_index(PieceKind kind) {
  return index_of(kind) - index_of(PieceKind::kElephant);
}

template <Game kGame, class Sink>
class Extraction {
 public:
  Extraction(const Position& position, Sink& sink)
      : p_(position), sink_(sink), occupied_(position.occupied()), cannons_(position.cannons()) {}

  void run() {
    collect<Side::kFirst>();
    collect<Side::kSecond>();
    features<Side::kFirst>();
    features<Side::kSecond>();
    tell(FeatureGroup::kTempo, 0, p_.side_to_move() == Side::kFirst ? 1 : -1);
    if (p_.rules().count_points) points();
  }

 private:
  void tell(FeatureGroup group, int index, int sign, int count = 1) {
    sink_.add(offset_of(group) + index, sign, count);
  }

  template <Side kSide>
  void collect() {
    AttackView& view = views_[index_of(kSide)];
    const GameTables& t = tables(kGame);
    const auto each = [&](PieceKind kind, auto&& attacks_of) {
      const Square* squares = p_.list(kSide, kind);
      const int n = p_.count(kSide, kind);
      Bitboard all;
      for (int i = 0; i < n; ++i) {
        auto& piece = view.storage.pieces[static_cast<std::size_t>(view.count++)];
        piece.square = squares[i];
        piece.kind = kind;
        attacks_of(piece);
        all |= piece.attacks;
      }
      view.by_class[static_cast<std::size_t>(class_of(kind))] |= all;
      view.not_general |= all;
    };
    each(PieceKind::kGuard, [&](auto& x) { x.reach = x.attacks = t.guard[x.square].targets.mask; });
    each(PieceKind::kElephant, [&](auto& x) {
      x.reach = x.attacks = t.elephant[x.square].template attacks<PieceKind::kElephant>(occupied_);
    });
    each(PieceKind::kHorse, [&](auto& x) {
      x.reach = x.attacks = kAttacks.horse[x.square].template attacks<PieceKind::kHorse>(occupied_);
    });
    each(PieceKind::kChariot,
         [&](auto& x) { x.reach = x.attacks = chariot_attacks<kGame>(x.square, occupied_); });
    each(PieceKind::kCannon, [&](auto& x) {
      x.reach = x.attacks = cannon_jumps<kGame>(x.square, occupied_, cannons_);
      if constexpr (kGame == Game::kXiangqi) {
        x.reach |= chariot_attacks<kGame>(x.square, occupied_) & ~occupied_;
      }
    });
    each(PieceKind::kSoldier, [&](auto& x) {
      x.reach = x.attacks =
          t.soldier[static_cast<std::size_t>(index_of(kSide))][x.square].targets.mask;
    });
    view.all = view.not_general | t.general[p_.general(kSide)].targets.mask;
  }

  template <Side kSide>
  void features() {
    constexpr int kSign = kSide == Side::kFirst ? 1 : -1;
    constexpr Side kEnemy = ~kSide;
    const AttackView& us = views_[index_of(kSide)];
    const AttackView& them = views_[index_of(kEnemy)];
    const Bitboard ours = p_.pieces(kSide);
    const Bitboard theirs = p_.pieces(kEnemy);
    const Square general = p_.general(kSide);
    const Square enemy_general = p_.general(kEnemy);
    const GeneralView& enemy_view = general_view(kGame, enemy_general);
    const Bitboard enemy_palace = kAttacks.palace[index_of(kEnemy)];
    const Bitboard enemy_zone =
        square_bit(enemy_general) | tables(kGame).general[enemy_general].targets.mask;

    general_features<kSide>(them);

    int zone_attackers = 0;
    Bitboard zone_attacked;
    const Bitboard lesser_of_chariot = them.by_class[0] | them.by_class[1] | them.by_class[2];
    const int aside = file_of(general) - 4;
    for (int i = 0; i < us.count; ++i) {
      const auto& piece = us.storage.pieces[static_cast<std::size_t>(i)];
      const PieceKind kind = piece.kind;
      const Square s = piece.square;
      tell(FeatureGroup::kMaterial, valued_index(kind), kSign);
      square_features<kSide>(kind, s, aside);
      if (kind == PieceKind::kGuard) continue;
      if (kGame == Game::kXiangqi && kind == PieceKind::kElephant) continue;

      const int files = std::min(std::abs(file_of(s) - file_of(enemy_general)), 5);
      const int ranks = std::abs(rank_of(s) - rank_of(enemy_general));
      tell(FeatureGroup::kTropism, (attacker_index(kind) * 6 + files) * 10 + ranks, kSign);
      const int palace_points = (piece.attacks & enemy_palace).count();
      if (palace_points > 0) {
        tell(FeatureGroup::kPalaceAttack, attacker_index(kind), kSign, palace_points);
      }
      const Bitboard on_zone = piece.attacks & enemy_zone;
      if (on_zone) {
        ++zone_attackers;
        zone_attacked |= on_zone;
      }
      if (kind == PieceKind::kSoldier) continue;

      const int slot = attacker_index(kind);  // elephant 0, horse 1, chariot 2, cannon 3
      const Bitboard reach = piece.reach & ~ours;
      tell(FeatureGroup::kMobility, slot * kMobilitySlots + std::min(reach.count(), 19), kSign);
      const Bitboard shunned = kind == PieceKind::kChariot ? lesser_of_chariot : them.by_class[0];
      const Bitboard safe = reach & ~shunned;
      tell(FeatureGroup::kSafeMobility, slot * kMobilitySlots + std::min(safe.count(), 19), kSign);
      line_features(kind, s, enemy_general, enemy_view, kSign);
      check_features(kind, reach & ~them.all, enemy_general, enemy_view, kSign);
      if (kind == PieceKind::kHorse || kind == PieceKind::kElephant) {
        blocked_features<kSide>(kind, s, kSign);
      }
      if (kind == PieceKind::kChariot) chariot_files<kSide>(s, kSign);
    }
    tell(FeatureGroup::kZoneAttackers, std::min(zone_attackers, 7), kSign);
    const int weak = (zone_attacked & ~them.not_general).count();
    tell(FeatureGroup::kZoneWeak, std::min(weak, 7), kSign);
    threats<kSide>(us, them, theirs, kSign);
    pins<kSide>(kSign);
    soldiers<kSide>(us, kSign);
    constexpr PieceKind kPairs[] = {PieceKind::kGuard, PieceKind::kElephant, PieceKind::kHorse,
                                    PieceKind::kChariot, PieceKind::kCannon};
    for (const PieceKind kind : kPairs) {
      if (p_.count(kSide, kind) >= 2) tell(FeatureGroup::kPair, valued_index(kind), kSign);
    }
  }

  template <Side kSide>
  void square_features(PieceKind kind, Square s, int aside) {
    constexpr int kSign = kSide == Side::kFirst ? 1 : -1;
    const Square own = kSide == Side::kFirst ? s : flip_ranks(s);
    const int file = file_of(own);
    const int rank = rank_of(own);
    const int group = index_of(kind) - 1;
    tell(FeatureGroup::kSquare, group * kMirroredSquares + rank * 5 + std::min(file, 8 - file),
         kSign);
    if (aside != 0) {
      const Square seen = aside > 0 ? mirror_files(own) : own;
      tell(FeatureGroup::kSquareAside, group * kSquares + seen, kSign);
    }
  }

  template <Side kSide>
  void general_features(const AttackView& them) {
    constexpr int kSign = kSide == Side::kFirst ? 1 : -1;
    const Square general = p_.general(kSide);
    square_features<kSide>(PieceKind::kGeneral, general, file_of(general) - 4);
    const Bitboard steps = tables(kGame).general[general].targets.mask;
    const int free = (steps & ~p_.pieces(kSide) & ~them.all).count();
    tell(FeatureGroup::kGeneralSteps, std::min(free, 8), kSign);
    const int beside = (steps & p_.pieces(kSide, PieceKind::kGuard)).count();
    tell(FeatureGroup::kGuardShape, std::min(beside, 2), kSign);
    tell(FeatureGroup::kGuardShape, 3 + std::min(p_.count(kSide, PieceKind::kGuard), 2), kSign);
  }

  // Pieces between a chariot or cannon and the enemy general on its file (0 to 3) or rank (4 to 7).
  void line_features(PieceKind kind, Square s, Square enemy_general, const GeneralView& enemy_view,
                     int sign) {
    if (kind != PieceKind::kChariot && kind != PieceKind::kCannon) return;
    const bool same_file = file_of(s) == file_of(enemy_general);
    if (!same_file && rank_of(s) != rank_of(enemy_general)) return;
    const int between = (enemy_view.line_path[s] & occupied_).count();
    tell(kind == PieceKind::kChariot ? FeatureGroup::kChariotLine : FeatureGroup::kCannonLine,
         (same_file ? 0 : 4) + std::min(between, 3), sign);
  }

  // Points that the piece can safely go to and would give check from, the line being as it is now.
  void check_features(PieceKind kind, Bitboard safe, Square enemy_general,
                      const GeneralView& enemy_view, int sign) {
    Bitboard from;
    if (kind == PieceKind::kChariot) {
      from = safe & chariot_attacks<kGame>(enemy_general, occupied_);
    } else if (kind == PieceKind::kCannon) {
      from = safe & cannon_check_points(enemy_general);
    } else if (kind == PieceKind::kHorse) {
      from = leaper_checks(safe & enemy_view.here.horses, enemy_view.horse_path);
    } else {
      from = leaper_checks(safe & enemy_view.here.elephants, enemy_view.elephant_path);
    }
    if (from) tell(FeatureGroup::kSafeCheck, attacker_index(kind), sign, from.count());
  }

  Bitboard leaper_checks(Bitboard candidates, const std::array<Bitboard, kSquares>& path) const {
    Bitboard result;
    while (candidates) {
      const Square s = candidates.pop();
      if ((path[s] & occupied_).empty()) result |= square_bit(s);
    }
    return result;
  }

  // Empty or enemy-held points beyond one screen from the general; worked out once a general.
  Bitboard cannon_check_points(Square general) {
    auto& [known, points] = cannon_checks_[rank_of(general) < 5 ? 0 : 1];
    if (!known) {
      known = true;
      const auto file = static_cast<std::size_t>(file_of(general));
      const auto rank = static_cast<std::size_t>(rank_of(general));
      points = rank_set(kAttacks.cannon_rank[file][rank_bits(occupied_, rank_of(general))],
                        rank_of(general)) |
               file_set(kAttacks.cannon_file[rank][file_bits(occupied_, file_of(general))],
                        file_of(general));
      if constexpr (kGame == Game::kJanggi) {
        points = cannon_jumps<kGame>(general, occupied_, cannons_);
      }
    }
    return points;
  }

  template <Side kSide>
  void blocked_features(PieceKind kind, Square s, int sign) {
    Bitboard ways;
    int at = 0;
    if (kind == PieceKind::kHorse) {
      ways = kAttacks.horse[s].legs.mask;
    } else {
      const Leaps& leaps = tables(kGame).elephant[s];
      ways = leaps.legs.mask | leaps.eyes.mask;
      at = 2;
    }
    const int own = (ways & p_.pieces(kSide)).count();
    const int other = (ways & p_.pieces(~kSide)).count();
    if (own > 0) tell(FeatureGroup::kBlocked, at, sign, own);
    if (other > 0) tell(FeatureGroup::kBlocked, at + 1, sign, other);
  }

  template <Side kSide>
  void chariot_files(Square s, int sign) {
    const int file = file_of(s);
    const unsigned own = file_bits(p_.pieces(kSide, PieceKind::kSoldier), file);
    const unsigned other = file_bits(p_.pieces(~kSide, PieceKind::kSoldier), file);
    if (own == 0) tell(FeatureGroup::kChariotFile, 0, sign);
    if ((own | other) == 0) tell(FeatureGroup::kChariotFile, 1, sign);
    if (file >= 3 && file <= 5) tell(FeatureGroup::kChariotFile, 2, sign);
    if (file != 0 && file != 8) tell(FeatureGroup::kChariotFile, 3, sign);
  }

  template <Side kSide>
  void threats(const AttackView& us, const AttackView& them, Bitboard theirs, int sign) {
    const Bitboard loose = theirs & us.all & ~them.all;
    for (int k = 0; k < kValued; ++k) {
      const auto kind = static_cast<PieceKind>(k + index_of(PieceKind::kGuard));
      const Bitboard victims = p_.pieces(~kSide, kind);
      if ((victims & us.not_general).empty() && (victims & loose).empty()) continue;
      for (int c = 0; c < 4; ++c) {
        const int n = (victims & us.by_class[static_cast<std::size_t>(c)]).count();
        if (n > 0) tell(FeatureGroup::kThreat, c * kValued + k, sign, n);
      }
      const int hanging = (victims & loose).count();
      if (hanging > 0) tell(FeatureGroup::kHanging, k, sign, hanging);
    }
  }

  template <Side kSide>
  void pins(int sign) {
    Bitboard shields = generator::danger<kGame, kSide>(p_).from & p_.pieces(kSide);
    while (shields) {
      const PieceKind kind = p_.at(shields.pop()).kind();
      tell(FeatureGroup::kPinned, valued_index(kind), sign);
    }
  }

  template <Side kSide>
  void soldiers(const AttackView& us, int sign) {
    const Bitboard soldiers = p_.pieces(kSide, PieceKind::kSoldier);
    const Bitboard enemy_soldiers = p_.pieces(~kSide, PieceKind::kSoldier);
    const Square* squares = p_.list(kSide, PieceKind::kSoldier);
    const int n = p_.count(kSide, PieceKind::kSoldier);
    int together = 0;
    int across = 0;
    int facing = 0;
    int alone = 0;
    for (int i = 0; i < n; ++i) {
      const Square s = squares[i];
      const int file = file_of(s);
      const int rank = rank_of(s);
      const unsigned row = rank_bits(soldiers, rank);
      const bool beside = (((row << 1) | (row >> 1)) >> file & 1) != 0;
      if (beside) ++together;
      const int own_rank = kSide == Side::kFirst ? rank : kRanks - 1 - rank;
      if (own_rank >= 5) ++across;
      const int ahead = kSide == Side::kFirst ? rank + 1 : rank - 1;
      if (ahead >= 0 && ahead < kRanks && enemy_soldiers.has(make_square(file, ahead))) ++facing;
      if (!beside && !us.all.has(s)) ++alone;
    }
    const int held = (soldiers & us.all).count();
    const int inside = (soldiers & kAttacks.palace[index_of(~kSide)]).count();
    const int counts[] = {together, across, held, inside, facing, alone};
    for (int i = 0; i < 6; ++i) {
      if (counts[i] > 0) tell(FeatureGroup::kSoldier, i, sign, counts[i]);
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
    if (whole > 0) tell(FeatureGroup::kPointsLead, stage, sign, whole);
    tell(FeatureGroup::kPointsAhead, stage, sign);
  }

  const Position& p_;
  Sink& sink_;
  Bitboard occupied_;
  Bitboard cannons_;
  std::array<AttackView, 2> views_;
  struct CannonChecks {
    bool known = false;
    Bitboard points;
  };
  std::array<CannonChecks, 2> cannon_checks_{};
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
