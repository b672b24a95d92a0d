#include "core/notation/told_game.h"

#include <fmt/format.h>

#include <utility>

#include "core/game/points.h"
#include "core/notation/fen.h"
#include "core/notation/text.h"
#include "core/notation/uci_move.h"

namespace cannonade {
namespace {

bool decided_on_the_board(Reason reason) {
  return reason <= Reason::kInsufficientMaterial;
}

}  // namespace

ImportCounts& ImportCounts::operator+=(const ImportCounts& other) {
  games += other.games;
  cut += other.cut;
  skipped += other.skipped;
  comments += other.comments;
  return *this;
}

Expected<ToldGame> ToldGame::begin(const Ruleset& rules, std::string_view start) {
  if (start.empty()) start = start_fen(rules.game);
  const Expected<Position> position = parse_fen(rules, start);
  constexpr std::size_t kLongestMessage = 200;  // it may quote the text
  if (!position) return Failure{shown(position.error(), kLongestMessage)};
  return ToldGame(GameState(*position), to_fen(*position));
}

void ToldGame::play(const Expected<Move>& move, std::string_view text) {
  if (!open()) return;
  const std::size_t turn = state_.moves().size() + 1;
  if (state_.outcome()) {
    close(fmt::format("turn {} ({}) follows the end of the game ({})", turn, shown(text),
                      reason_name(state_.outcome()->reason)));
  } else if (!move) {
    close(fmt::format("turn {}: {}", turn, move.error()));
  } else if (!state_.legal(*move)) {
    close(fmt::format("turn {} ({}) is not legal", turn, shown(text)));
  } else if (turn > kMaxToldPlies) {
    close(fmt::format("more than {} turns", kMaxToldPlies));
  } else {
    state_.play(*move);
    scores_.push_back(kNoScore);
  }
}

void ToldGame::close(const std::string& why) {
  if (open()) cut_ = why.empty() ? "broken off" : why;
}

void ToldGame::set_score(std::int16_t score) {
  if (open() && !scores_.empty()) scores_.back() = score;
}

ToldGame::Finished ToldGame::finish(const std::optional<Outcome>& claim) && {
  Finished finished;
  GameRecord& game = finished.game;
  game.rules = position().rules().id;
  game.start_fen = std::move(fen_);
  game.moves = state_.moves();
  game.scores = std::move(scores_);
  const Points points = count_points(position());
  game.points_halves = {points.first_halves, points.second_halves};
  finished.cut = !open();
  if (finished.cut) {
    finished.remarks.push_back(fmt::format("{}; kept up to turn {}", cut_, state_.moves().size()));
    game.note = finished.remarks.back();
  }
  const bool claims = claim && claim->known();
  if (state_.outcome()) {
    game.outcome = *state_.outcome();
    if (claims && claim->winner != game.outcome.winner) {
      finished.remarks.push_back(fmt::format("the file says {}, the rules say {} ({})",
                                             result_text(*claim), result_text(game.outcome),
                                             reason_name(game.outcome.reason)));
    }
  } else if (claims) {
    game.outcome = *claim;
    if (decided_on_the_board(claim->reason)) {
      game.outcome.reason = Reason::kAdjudication;
      if (!finished.cut) {
        finished.remarks.push_back(fmt::format("the file says {}, which the board does not show",
                                               reason_name(claim->reason)));
      }
    }
  } else {
    game.outcome = {std::nullopt, Reason::kUnfinished, false};
  }
  return finished;
}

Expected<GameState> replay(const GameRecord& game, const Ruleset& rules) {
  const Expected<Position> start = parse_fen(rules, game.start_fen);
  if (!start) return Failure{start.error()};
  GameState state(*start);
  for (const Move move : game.moves) {
    if (state.outcome() || !state.legal(move)) {
      return Failure{
          fmt::format("turn {} ({}) is not legal", state.moves().size() + 1, to_uci(move))};
    }
    state.play(move);
  }
  return state;
}

void deliver(ToldGame::Finished&& finished, std::size_t line, const GameSink& sink,
             ImportCounts& counts) {
  for (const std::string& what : finished.remarks) sink.remark(line, what);
  ++counts.games;
  if (finished.cut) ++counts.cut;
  sink.game(std::move(finished.game), line);
}

void skip(std::size_t line, const std::string& why, const GameSink& sink, ImportCounts& counts) {
  ++counts.skipped;
  sink.remark(line, why + "; left out");
}

std::string_view result_text(const Outcome& outcome) {
  if (!outcome.known()) return "*";
  if (!outcome.winner) return "1/2-1/2";
  return *outcome.winner == Side::kFirst ? "1-0" : "0-1";
}

std::optional<Result> parse_result(std::string_view text, bool bare) {
  if (text == "*") return Result{};
  if (text == "1-0") return Result{true, Side::kFirst};
  if (text == "0-1") return Result{true, Side::kSecond};
  if (text == "1/2-1/2") return Result{true, std::nullopt};
  if (!bare) return std::nullopt;
  if (text.size() > 2 && text.front() == '[' && text.back() == ']') {
    text = text.substr(1, text.size() - 2);
  }
  if (text == "1" || text == "1.0") return Result{true, Side::kFirst};
  if (text == "0" || text == "0.0") return Result{true, Side::kSecond};
  if (text == "1/2" || text == "0.5") return Result{true, std::nullopt};
  return parse_result(text, false);
}

std::optional<Outcome> plain_claim(const Result& result) {
  if (!result.known) return std::nullopt;
  return Outcome{result.winner, result.winner ? Reason::kResignation : Reason::kAgreement, false};
}

}  // namespace cannonade
