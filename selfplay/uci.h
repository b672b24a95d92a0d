// Our engine behind UCI, and behind UCCI for xiangqi programs: one line of input at a time.
//
// UCI's word for a rule set is UCI_Variant. It takes our own ids and aliases (find_ruleset) and the
// names that engines with variants use (Fairy-Stockfish's): `xiangqi`, `janggitraditional` for
// janggi-kja, and `janggi`, which there means the game in which points are counted and so stands
// for janggi-point-count; the line that answers says which rule set is played. A `ucci` handshake
// turns to xiangqi-casual.
//
// Always holds: whatever comes in, the session goes on; what cannot be done is told in an
// `info string error:` line (UCCI: `info message error:`) and changes nothing. Every `go` is
// answered by one bestmove. A command that needs the engine while it searches (`go`, `setoption`,
// `ucinewgame`) ends that search first; `position` counts from the next `go` on.
//
// Turns are taken as long as they are legal, also behind an ending: what to play on for is the
// other program's affair.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "core/game/game_state.h"
#include "selfplay/background_search.h"
#include "selfplay/engine.h"
#include "selfplay/uci_options.h"
#include "selfplay/uci_strength.h"

namespace cannonade {

class UciSession {
 public:
  // Gets whole lines without their end; is called from two threads, one at a time.
  using Write = std::function<void(const std::string&)>;

  explicit UciSession(Write write);
  // Ends a running search; its answer is still written.
  ~UciSession();
  UciSession(const UciSession&) = delete;
  UciSession& operator=(const UciSession&) = delete;

  // False once the session is over.
  [[nodiscard]] bool handle(std::string_view line);
  // For whoever reads the lines: something that could not be handed on.
  void error(const std::string& what);

 private:
  struct Command {
    std::string_view word;
    void (UciSession::*run)(std::string_view rest);
  };
  static const Command kCommands[];

  // Commands; `rest` is the line behind the word.
  void uci(std::string_view rest);
  void ucci(std::string_view rest);
  void is_ready(std::string_view rest);
  void new_game(std::string_view rest);
  void set_option(std::string_view rest);
  void position(std::string_view rest);
  void ban_moves(std::string_view rest);
  void go(std::string_view rest);
  void stop(std::string_view rest);
  void ponder_hit(std::string_view rest);
  void show(std::string_view rest);
  void explain_position(std::string_view rest);
  void pass_over(std::string_view rest);
  void quit(std::string_view rest);

  void declare_options();
  void greet(Protocol protocol, const std::string& last_word);
  void change_rules(const Ruleset& rules);
  void forget();
  // Looks up the skill that the options ask for with these weights, and plays by it from now on.
  void change_strength(const Weights& weights);
  // Made when first needed: the table takes time and memory.
  Engine& engine();
  [[nodiscard]] Expected<GameState> read_position(std::string_view rest) const;
  void say(const std::string& text);

  Write write_;
  std::mutex write_mutex_;

  Protocol protocol_ = Protocol::kUci;
  bool over_ = false;

  // What the options set.
  UciOptions options_;
  std::string variant_ = "janggi-kja";
  std::string weights_name_ = "default";
  int hash_megabytes_ = 16;
  int threads_ = 1;
  int lines_ = 1;
  bool ponder_ = false;  // UCI's leave to ponder: `go ponder` says the same
  bool analyse_ = false;
  bool milliseconds_ = false;  // UCCI's unit of time
  UciStrength strength_;
  Skill skill_;  // by `strength_`, for the present rules and weights

  const Ruleset* rules_;
  Weights weights_;
  GameState game_;
  std::vector<Move> banned_;  // UCCI: not to be played from here
  std::unique_ptr<Engine> engine_;
  BackgroundSearch search_;  // last: it uses the engine and ends first
};

}  // namespace cannonade
