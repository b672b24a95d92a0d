// The only judge. Nothing else decides who won.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/base/error.h"
#include "core/board/position.h"
#include "core/game/history.h"
#include "core/game/points.h"

namespace cannonade {

enum class Reason : std::uint8_t {
  kCheckmate,
  kStalemate,
  kPerpetualCheck,
  kBikjang,
  kDoublePass,
  kRepetition,
  kNoProgress,
  kInsufficientMaterial,
  // Decided outside the board.
  kResignation,
  kTime,
  kAgreement,
  kAdjudication,
  kForfeit,
  kUnfinished,  // a record from outside that does not say how the game ended: no result at all
};
constexpr int kReasons = 14;

// "checkmate", "stalemate", ... as the commands print them.
[[nodiscard]] std::string_view reason_name(Reason reason);
[[nodiscard]] Expected<Reason> parse_reason(std::string_view name);

struct Outcome {
  std::optional<Side> winner;  // none: drawn
  Reason reason = Reason::kCheckmate;
  bool by_points = false;  // J29: the count decided, `reason` ended the game

  // Whether there is a result; only a game from outside may have none.
  [[nodiscard]] bool known() const { return reason != Reason::kUnfinished; }
  // The first mover's score in half points: 2, 1 or 0.
  [[nodiscard]] int first_score_halves() const {
    return !winner ? 1 : *winner == Side::kFirst ? 2 : 0;
  }
  bool operator==(const Outcome&) const = default;
};

// A level ending by `reason`: drawn, or under point count the better side's (J29, J30).
[[nodiscard]] Outcome level_outcome(const Position& position, Reason reason);

// J26: at most one piece besides general and guards on each side.
[[nodiscard]] bool insufficient_material(const Position& position);

// The loser when the position of the last entry, which stood before at entry `first`, ends the game
// by repetition (J23, X14); none when the repetition is level.
[[nodiscard]] std::optional<Side> perpetual_checker(const Position& position,
                                                    const History& history, int first);

// Judges the current position, the last entry of `history`. A start position is judged only for
// having no legal turn. `dangers` is danger(position).
[[nodiscard]] std::optional<Outcome> judge(const Position& position, const Danger& dangers,
                                           const History& history);

}  // namespace cannonade
