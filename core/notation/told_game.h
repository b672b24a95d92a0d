// A game as a file from outside tells it, replayed under our rules. What the board decides, the one
// judge decides; what the file claims counts where the board is silent. A turn that is not legal,
// or that follows the end, closes the game: it is kept up to there and the reason is told.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/board/ruleset.h"
#include "core/game/game_record.h"
#include "core/game/game_state.h"

namespace cannonade {

// Where a reader of games sends what it finds. Lines are counted from 1.
struct GameSink {
  // A game and the line that it begins on. Its id and pair are left 0.
  std::function<void(GameRecord&& game, std::size_t line)> game;
  // Something a person should know: a game cut short or left out and why, a result that the rules
  // do not bear out.
  std::function<void(std::size_t line, const std::string& what)> remark;
};

struct ImportCounts {
  std::uint64_t games = 0;     // handed to the sink, cut ones included
  std::uint64_t cut = 0;       // kept up to the turn that broke a rule
  std::uint64_t skipped = 0;   // told by the file, but not handed on
  std::uint64_t comments = 0;  // ignored
  ImportCounts& operator+=(const ImportCounts& other);
};

// Longer games are cut: no rule set of ours lets one come near.
constexpr std::size_t kMaxToldPlies = 20'000;
// Bytes of a name that are kept.
constexpr std::size_t kLongestToldName = 1000;

class ToldGame {
 public:
  // `rules` must outlive the game. `start` is a FEN; empty means the usual start.
  [[nodiscard]] static Expected<ToldGame> begin(const Ruleset& rules, std::string_view start);
  static Expected<ToldGame> begin(const Ruleset&&, std::string_view) = delete;

  [[nodiscard]] const GameState& state() const { return state_; }
  [[nodiscard]] const Position& position() const { return state_.position(); }
  // Whether further turns are taken.
  [[nodiscard]] bool open() const { return cut_.empty(); }

  // Plays a turn that the file writes as `text`; a failed parse closes the game too. Turns after
  // the game is closed are ignored.
  void play(const Expected<Move>& move, std::string_view text);
  void close(const std::string& why);
  // The last turn's score from its mover's view.
  void set_score(std::int16_t score);

  // The finished record; `claim` is the result that the file states, none when it states none.
  // Names and hashes are the caller's to set. Remarks say what was cut and where claim and rules
  // disagree; the first explains the record's note.
  struct Finished {
    GameRecord game;
    std::vector<std::string> remarks;
    bool cut = false;
  };
  [[nodiscard]] Finished finish(const std::optional<Outcome>& claim) &&;

 private:
  ToldGame(GameState state, std::string fen) : state_(std::move(state)), fen_(std::move(fen)) {}

  GameState state_;
  std::string fen_;
  std::vector<std::int16_t> scores_;
  std::string cut_;  // why no further turn is taken
};

// A record's game played to its end; fails when its start or a turn is not legal under `rules`,
// which must outlive the state.
[[nodiscard]] Expected<GameState> replay(const GameRecord& game, const Ruleset& rules);
Expected<GameState> replay(const GameRecord&, const Ruleset&&) = delete;

// Sends a finished game to the sink and counts it.
void deliver(ToldGame::Finished&& finished, std::size_t line, const GameSink& sink,
             ImportCounts& counts);
// Reports and counts a game that is left out.
void skip(std::size_t line, const std::string& why, const GameSink& sink, ImportCounts& counts);

// "1-0", "0-1", "1/2-1/2" (1-0: the first mover won) and "*" for an outcome without result.
[[nodiscard]] std::string_view result_text(const Outcome& outcome);
struct Result {
  bool known = false;  // false for "*"
  std::optional<Side> winner;
};
// The four texts; with `bare` also 1.0 0.5 0.0 1 0 and brackets around them.
[[nodiscard]] std::optional<Result> parse_result(std::string_view text, bool bare = false);
// What a claimed result means where the file does not say how the game ended.
[[nodiscard]] std::optional<Outcome> plain_claim(const Result& result);

}  // namespace cannonade
