#include "core/game/ending.h"

#include <fmt/format.h>

#include <array>

namespace cannonade {
namespace {

constexpr std::array<std::string_view, kReasons> kReasonNames{
    "checkmate",   "stalemate",  "perpetual_check", "bikjang",
    "double_pass", "repetition", "no_progress",     "insufficient_material",
    "resignation", "time",       "agreement",       "adjudication",
    "forfeit",     "unfinished",
};

}  // namespace

std::string_view reason_name(Reason reason) {
  return kReasonNames[static_cast<std::size_t>(reason)];
}

Expected<Reason> parse_reason(std::string_view name) {
  for (std::size_t i = 0; i < kReasonNames.size(); ++i) {
    if (kReasonNames[i] == name) return static_cast<Reason>(i);
  }
  return Failure{fmt::format("unknown reason '{}'", name)};
}

Outcome level_outcome(const Position& position, Reason reason) {
  if (!position.rules().count_points) return {std::nullopt, reason, false};
  const int lead = count_points(position).lead_halves();
  if (lead == 0) return {std::nullopt, reason, false};
  return {lead > 0 ? Side::kFirst : Side::kSecond, reason, true};
}

bool insufficient_material(const Position& position) {
  for (const Side side : {Side::kFirst, Side::kSecond}) {
    const int pieces = position.pieces(side).count() - 1 - position.count(side, PieceKind::kGuard);
    if (pieces > 1) return false;
  }
  return true;
}

std::optional<Side> perpetual_checker(const Position& position, const History& history, int first) {
  const Side to_move = position.side_to_move();
  const int last = history.last();
  const bool mover_checked = history.always_checked(first, last);
  const bool other_checked = history.always_checked(first, last - 1);
  if (position.game() == Game::kXiangqi) {  // X14: a sole side that checked with every move
    if (mover_checked == other_checked) return std::nullopt;
    return mover_checked ? ~to_move : to_move;
  }
  // J23: giving the third checking position loses, whoever else checked.
  if (history.back().in_check) return ~to_move;
  if (other_checked) return to_move;
  return std::nullopt;
}

std::optional<Outcome> judge(const Position& position, const Danger& dangers,
                             const History& history) {
  const Ruleset& rules = position.rules();
  const Side to_move = position.side_to_move();
  if (has_no_turn(position, dangers)) {  // J21, X13
    return Outcome{~to_move, dangers.in_check ? Reason::kCheckmate : Reason::kStalemate, false};
  }
  const int last = history.last();
  if (last == 0) return std::nullopt;
  const History::Entry& now = history[last];
  const History::Entry& before = history[last - 1];
  if (rules.bikjang && before.facing && now.facing) {  // J20, J22
    return Outcome{std::nullopt, Reason::kBikjang, false};
  }
  const int second = history.previous_occurrence(last);
  const int first = second < 0 ? -1 : history.previous_occurrence(second);
  if (first >= 0) {  // J23, X14
    if (const auto loser = perpetual_checker(position, history, first)) {
      return Outcome{~*loser, Reason::kPerpetualCheck, false};
    }
    return level_outcome(position, Reason::kRepetition);
  }
  if (now.passed && before.passed) return level_outcome(position, Reason::kDoublePass);  // J24
  if (position.no_capture() >= rules.no_capture_limit) {                                 // J25, X15
    return level_outcome(position, Reason::kNoProgress);
  }
  if (rules.insufficient_material && insufficient_material(position)) {  // J26
    return Outcome{std::nullopt, Reason::kInsufficientMaterial, false};
  }
  return std::nullopt;
}

}  // namespace cannonade
