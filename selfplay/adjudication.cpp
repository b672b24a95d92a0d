#include "selfplay/adjudication.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include "core/base/rng.h"

namespace cannonade {
namespace {

constexpr int kMaxGamePlies = 10'000;
constexpr std::uint64_t kPlayOutStream = 0xADDD;
constexpr std::string_view kNoteStart = "played out: at ply ";

constexpr std::string_view kFirstWins = "first wins";
constexpr std::string_view kSecondWins = "second wins";
constexpr std::string_view kDrawn = "drawn";
constexpr std::string_view kByPoints = " by points";

}  // namespace

void declare(SettingsTable& table, AdjudicationSettings& settings) {
  table.add("resign_plies", settings.resign_plies, 0, kMaxGamePlies,
            "call a win when both engines agree on it for so many turns in a row; 0 is off");
  table.add("resign_score", settings.resign_score, 1, 32'000, "centipawns that mean a win");
  table.add("draw_plies", settings.draw_plies, 0, kMaxGamePlies,
            "call a draw when scores stay small for so many turns in a row; 0 is off");
  table.add("draw_score", settings.draw_score, 0, 32'000, "centipawns that are small");
  table.add("draw_after", settings.draw_after, 0, kMaxGamePlies,
            "turns before the first such draw");
  table.add("max_plies", settings.max_plies, 0, kMaxGamePlies,
            "turns after which a game is stopped as level; 0 is off");
  table.add("play_out", settings.play_out, 0.0, 1.0,
            "share of games played out all the same, to measure how often a call is wrong");
  table.check([&settings]() -> std::optional<std::string> {
    if (settings.resign_plies != 1) return std::nullopt;
    return "resign_plies: 1 given; allowed: 0, or 2 and more, for both engines must agree";
  });
}

const std::optional<Call>& Adjudicator::see(const GameState& game, std::optional<Score> score) {
  if (call_) return call_;
  const int ply = static_cast<int>(game.moves().size());
  const bool first_moved = game.position().side_to_move() == Side::kSecond;
  const Score first_view = score ? (first_moved ? *score : -*score) : 0;

  if (score && first_view >= settings_.resign_score) {
    winning_ = std::max(winning_, 0) + 1;
  } else if (score && first_view <= -settings_.resign_score) {
    winning_ = std::min(winning_, 0) - 1;
  } else {
    winning_ = 0;
  }
  small_ = score && std::abs(first_view) <= settings_.draw_score ? small_ + 1 : 0;

  if (settings_.resign_plies > 0 && std::abs(winning_) >= settings_.resign_plies) {
    call_ = Call{ply, winning_ > 0 ? Side::kFirst : Side::kSecond, false};
  } else if (settings_.draw_plies > 0 && small_ >= settings_.draw_plies &&
             ply >= settings_.draw_after) {
    call_ = Call{ply, std::nullopt, false};
  } else if (settings_.max_plies > 0 && ply >= settings_.max_plies) {
    const Outcome level = level_outcome(game.position(), Reason::kAdjudication);
    call_ = Call{ply, level.winner, level.by_points};
  }
  return call_;
}

bool played_out(const AdjudicationSettings& settings, std::uint64_t game_seed, std::uint64_t id) {
  Rng rng(splitmix64(game_seed ^ splitmix64(kPlayOutStream)), id);
  return rng.unit() < settings.play_out;
}

std::string call_note(const Call& call) {
  const std::string_view who = !call.winner                   ? kDrawn
                               : *call.winner == Side::kFirst ? kFirstWins
                                                              : kSecondWins;
  return fmt::format("{}{} {}{}", kNoteStart, call.ply, who, call.by_points ? kByPoints : "");
}

std::optional<Call> call_in_note(const std::string& note) {
  const std::size_t start = note.find(kNoteStart);
  if (start == std::string::npos) return std::nullopt;
  Call call;
  const char* end = note.data() + note.size();
  const auto [stop, fault] =
      std::from_chars(note.data() + start + kNoteStart.size(), end, call.ply);
  if (fault != std::errc() || stop == end || *stop != ' ') return std::nullopt;
  std::string_view rest(stop + 1, static_cast<std::size_t>(end - stop - 1));
  if (rest.starts_with(kFirstWins)) {
    call.winner = Side::kFirst;
    rest.remove_prefix(kFirstWins.size());
  } else if (rest.starts_with(kSecondWins)) {
    call.winner = Side::kSecond;
    rest.remove_prefix(kSecondWins.size());
  } else if (rest.starts_with(kDrawn)) {
    rest.remove_prefix(kDrawn.size());
  } else {
    return std::nullopt;
  }
  call.by_points = rest.starts_with(kByPoints);
  return call;
}

}  // namespace cannonade
