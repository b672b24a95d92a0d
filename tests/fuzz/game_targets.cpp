// Readers of games: whatever the text, they end with games that replay under the rules and remarks
// that fit on a line.
#include <string>

#include "core/base/error.h"
#include "core/game/game_state.h"
#include "core/notation/csv.h"
#include "core/notation/epd.h"
#include "core/notation/fen.h"
#include "core/notation/gib.h"
#include "core/notation/pgn.h"
#include "core/notation/text.h"
#include "core/notation/uci_list.h"
#include "tests/fuzz/demand.h"
#include "tests/fuzz/targets.h"

namespace cannonade::fuzz {
namespace {

void replay(const Ruleset& rules, const GameRecord& game) {
  demand(game.moves.size() == game.scores.size(), "a game has turns without a place for scores");
  GameState state(parse_fen(rules, game.start_fen).value_or_throw("a record's start"));
  for (const Move move : game.moves) {
    demand(!state.outcome() && state.legal(move), "a record has a turn that is not legal");
    state.play(move);
  }
  if (state.outcome()) demand(*state.outcome() == game.outcome, "the judge is overruled");
}

// `read` takes the text, a rule set and a sink.
template <class Read>
void read_games(std::string_view bytes, bool janggi_only, const Read& read) {
  const DecodedText decoded = decode_text(bytes);
  demand(is_utf8(decoded.text), "decoded text is not UTF-8");
  for (const Ruleset& rules : rulesets()) {
    if (janggi_only && rules.game != Game::kJanggi) continue;
    std::uint64_t games = 0;
    const GameSink sink{[&](GameRecord&& game, std::size_t /*line*/) {
                          ++games;
                          replay(rules, game);
                        },
                        [](std::size_t /*line*/, const std::string& what) {
                          demand_message(what);
                          demand(is_utf8(what), "a remark is not UTF-8");
                        }};
    try {
      const ImportCounts counts = read(decoded.text, rules, sink);
      demand(counts.games == games, "the count of games is not that of the games");
    } catch (const Error& error) {
      demand(error.kind() == ErrorKind::kUser, error.what());
      demand_message(error.what());
    }
  }
}

}  // namespace

void pgn(std::string_view bytes) {
  read_games(bytes, false, [](std::string_view text, const Ruleset& rules, const GameSink& sink) {
    return read_pgn(text, rules, sink);
  });
}

void gib(std::string_view bytes) {
  read_games(bytes, true, [](std::string_view text, const Ruleset& rules, const GameSink& sink) {
    return read_gib(text, rules, sink);
  });
}

void epd(std::string_view bytes) {
  read_games(bytes, false, [](std::string_view text, const Ruleset& rules, const GameSink& sink) {
    return read_epd(text, rules, sink);
  });
}

void csv(std::string_view bytes) {
  read_games(bytes, false, [](std::string_view text, const Ruleset& rules, const GameSink& sink) {
    return read_csv(text, rules, sink);
  });
}

void uci_list(std::string_view bytes) {
  for (const RankBase base : {RankBase::kRecognise, RankBase::kZero}) {
    read_games(bytes, false,
               [&](std::string_view text, const Ruleset& rules, const GameSink& sink) {
                 return read_uci_list(text, rules, base, sink);
               });
  }
}

}  // namespace cannonade::fuzz
