#include "selfplay/play_game.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "core/game/points.h"
#include "core/notation/fen.h"
#include "core/notation/uci_move.h"

namespace cannonade {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// A signal to the whole process group may kill an outside engine a moment before our own handler
// has run; a breakdown is believed only when no stop follows it.
constexpr milliseconds kStopGrace{150};

std::size_t at(Side side) {
  return static_cast<std::size_t>(index_of(side));
}

class GameInPlay {
 public:
  GameInPlay(const GameTask& task, const std::atomic<bool>& stop)
      : task_(task),
        stop_(stop),
        game_(parse_fen(*task.rules, task.opening.start_fen).value_or_throw("opening")),
        adjudicator_(task.adjudication),
        played_out_(task.adjudication.on() && played_out(task.adjudication, task.seed, task.id)) {
    record_.id = task.id;
    record_.pair = task.pair;
    record_.rules = task.rules->id;
    record_.start_fen = task.opening.start_fen;
    for (const Side side : {Side::kFirst, Side::kSecond}) {
      const Seat& seat = task.seats[at(side)];
      record_.players[at(side)] = seat.player->name();
      record_.player_hashes[at(side)] = seat.player->hash();
      remaining_[at(side)] = seat.limits.clock.base;
      seat.player->heed(&stop);
    }
  }

  ~GameInPlay() {
    for (const Seat& seat : task_.seats) seat.player->heed(nullptr);
  }
  GameInPlay(const GameInPlay&) = delete;
  GameInPlay& operator=(const GameInPlay&) = delete;

  std::optional<GameRecord> play() {
    const auto start = Clock::now();
    play_opening();
    task_.seats[0].player->new_game(*task_.rules, task_.seed);
    if (task_.seats[1].player != task_.seats[0].player) {
      task_.seats[1].player->new_game(*task_.rules, task_.seed);
    }
    std::optional<Outcome> outcome = game_.outcome();
    while (!outcome) {
      if (stop_.load(std::memory_order_relaxed)) return std::nullopt;
      outcome = play_turn();
      if (abandoned_) return std::nullopt;
    }
    record_.outcome = *outcome;
    record_.moves = game_.moves();
    const Points points = count_points(game_.position());
    record_.points_halves = {points.first_halves, points.second_halves};
    record_.milliseconds = std::chrono::duration_cast<milliseconds>(Clock::now() - start).count();
    return std::move(record_);
  }

 private:
  void play_opening() {
    for (const Move move : task_.opening.moves) {
      if (game_.outcome() || !game_.legal(move)) {
        throw user_error(fmt::format("opening {}: turn {} ({}) cannot be played",
                                     task_.opening.start_fen, game_.moves().size() + 1,
                                     to_uci(move)));
      }
      game_.play(move);
      record_.scores.push_back(kNoScore);
    }
    record_.opening_plies = static_cast<int>(task_.opening.moves.size());
  }

  std::optional<Outcome> play_turn() {
    const Side side = game_.position().side_to_move();
    const Seat& seat = task_.seats[at(side)];
    const auto start = Clock::now();
    const MoveChoice choice = seat.player->choose(game_, limits_for(side));
    const auto used = std::chrono::duration_cast<milliseconds>(Clock::now() - start);
    // A turn that a stop cut short is not the player's: the game is dropped.
    if (stop_.load(std::memory_order_relaxed)) {
      abandoned_ = true;
      return std::nullopt;
    }
    record_.nodes += choice.nodes;

    if (!choice.failure.empty()) return broken_down(side, choice.failure);
    if (seat.limits.clock.base.count() > 0) {
      milliseconds& left = remaining_[at(side)];
      left -= used;
      if (left < milliseconds(-seat.limits.margin_ms)) {
        add_note(
            fmt::format("{} overstepped its time by {} ms", seat.player->name(), -left.count()));
        return Outcome{~side, Reason::kTime, false};
      }
      left = std::max(left, milliseconds(0)) + seat.limits.clock.increment;
    }
    if (choice.resign) return Outcome{~side, Reason::kResignation, false};
    if (!choice.move || !game_.legal(choice.move)) {
      add_note(fmt::format("{} played {} in {}, which is not legal", seat.player->name(),
                           choice.move ? to_uci(choice.move) : "no turn",
                           to_fen(game_.position())));
      return Outcome{~side, Reason::kForfeit, false};  // J28
    }

    game_.play(choice.move);
    const std::optional<Score> score =
        choice.has_score ? std::optional<Score>(choice.score) : std::nullopt;
    record_.scores.push_back(
        score ? static_cast<std::int16_t>(std::clamp(*score, -kMateScore, kMateScore)) : kNoScore);
    if (game_.outcome()) return game_.outcome();
    return called(score);
  }

  // What the adjudicator makes of the turn just played.
  std::optional<Outcome> called(std::optional<Score> score) {
    if (!task_.adjudication.on() || called_) return std::nullopt;
    const std::optional<Call>& call = adjudicator_.see(game_, score);
    if (!call) return std::nullopt;
    called_ = true;
    if (!played_out_) return Outcome{call->winner, Reason::kAdjudication, call->by_points};
    add_note(call_note(*call));
    return std::nullopt;
  }

  std::optional<Outcome> broken_down(Side side, const std::string& failure) {
    for (auto waited = milliseconds(0); waited < kStopGrace; waited += milliseconds(10)) {
      if (stop_.load(std::memory_order_relaxed)) {
        abandoned_ = true;
        return std::nullopt;
      }
      std::this_thread::sleep_for(milliseconds(10));
    }
    const Seat& seat = task_.seats[at(side)];
    add_note(fmt::format("{}{}{}", seat.player->name(), kBrokeDown, failure));
    switch (seat.on_failure) {
      case FailurePolicy::kLoss:
        return Outcome{~side, Reason::kForfeit, false};
      case FailurePolicy::kDraw:
        return Outcome{std::nullopt, Reason::kForfeit, false};
      case FailurePolicy::kVoid:
        break;
    }
    return Outcome{std::nullopt, Reason::kUnfinished, false};
  }

  SearchLimits limits_for(Side side) const {
    SearchLimits limits = task_.seats[at(side)].limits.for_turn();
    // Both clocks are shown to whoever plays on one.
    if (task_.seats[at(side)].limits.clock.base.count() > 0) {
      for (const Side each : {Side::kFirst, Side::kSecond}) {
        limits.remaining[at(each)] = std::max(remaining_[at(each)], milliseconds(1));
        limits.increment[at(each)] = task_.seats[at(each)].limits.clock.increment;
      }
    }
    return limits;
  }

  void add_note(const std::string& text) {
    if (!record_.note.empty()) record_.note += "; ";
    record_.note += text;
  }

  const GameTask& task_;
  const std::atomic<bool>& stop_;
  GameState game_;
  Adjudicator adjudicator_;
  bool played_out_ = false;
  bool called_ = false;
  bool abandoned_ = false;
  std::array<milliseconds, 2> remaining_{};
  GameRecord record_;
};

}  // namespace

std::optional<GameRecord> play_game(const GameTask& task, const std::atomic<bool>& stop) {
  return GameInPlay(task, stop).play();
}

}  // namespace cannonade
