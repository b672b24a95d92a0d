// The writing half of core/notation/pgn.h.
#include <fmt/format.h>

#include "core/notation/fen.h"
#include "core/notation/pgn.h"
#include "core/notation/uci_move.h"

namespace cannonade {
namespace {

std::string tag(std::string_view name, std::string_view value) {
  std::string text = fmt::format("[{} \"", name);
  for (const char c : value) {
    if (c == '"' || c == '\\') text += '\\';
    text += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return text + "\"]\n";
}

std::string score_text(int score) {
  const char sign = score < 0 ? '-' : '+';
  const int size = score < 0 ? -score : score;
  if (size >= kMateBound && size <= kMateScore) {
    return fmt::format("{{{}M{}}}", sign, kMateScore - size);
  }
  return fmt::format("{{{}{}.{:02}}}", sign, size / 100, size % 100);
}

// Words in lines of at most 100 bytes where a word allows.
class Lines {
 public:
  void add(std::string_view word) {
    constexpr std::size_t kWidth = 100;
    if (length_ > 0 && length_ + 1 + word.size() > kWidth) {
      text_ += '\n';
      length_ = 0;
    }
    if (length_ > 0) {
      text_ += ' ';
      ++length_;
    }
    text_ += word;
    length_ += word.size();
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::size_t length_ = 0;
};

}  // namespace

Expected<std::string> to_pgn(const GameRecord& game, const Ruleset& rules,
                             const PgnOptions& options) {
  const Expected<Position> start = parse_fen(rules, game.start_fen);
  if (!start) return Failure{start.error()};
  const std::string_view result = result_text(game.outcome);
  std::string text = tag("Event", options.event) + tag("Site", "?") + tag("Date", "????.??.??") +
                     tag("Round", std::to_string(game.id + 1)) + tag("White", game.players[0]) +
                     tag("Black", game.players[1]) + tag("Result", result) +
                     tag("Variant", rules.game == Game::kJanggi ? "Janggi" : "Xiangqi") +
                     tag("Rules", rules.id);
  if (game.start_fen != start_fen(rules.game)) {
    text += tag("SetUp", "1") + tag("FEN", game.start_fen);
  }
  text += tag("Termination", reason_name(game.outcome.reason));
  if (game.outcome.by_points) text += tag("DecidedBy", "points");
  for (const std::size_t side : {0U, 1U}) {
    if (!game.player_hashes[side].empty()) {
      text += tag(side == 0 ? "WhiteHash" : "BlackHash", game.player_hashes[side]);
    }
  }
  if (game.opening_plies > 0) text += tag("OpeningPlies", std::to_string(game.opening_plies));

  Lines lines;
  GameState state(*start);
  for (std::size_t i = 0; i < game.moves.size(); ++i) {
    const Move move = game.moves[i];
    const Position& position = state.position();
    if (state.outcome() || !state.legal(move)) {
      return Failure{fmt::format("turn {} ({}) is not legal", i + 1, to_uci(move))};
    }
    const bool first = position.side_to_move() == Side::kFirst;
    if (first || i == 0)
      lines.add(fmt::format("{}{}", position.plies() / 2 + 1, first ? "." : "..."));
    lines.add(to_text(position, move, options.style));
    if (options.scores && i < game.scores.size() && game.scores[i] != kNoScore) {
      lines.add(score_text(game.scores[i]));
    }
    state.play(move);
  }
  lines.add(result);
  return text + '\n' + lines.text() + "\n\n";
}

}  // namespace cannonade
