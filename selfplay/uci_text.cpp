#include "selfplay/uci_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "core/game/points.h"
#include "core/notation/fen.h"
#include "selfplay/engine_lines.h"

namespace cannonade {

std::string score_text(Score score) {
  if (!is_mate_score(score)) return fmt::format("cp {}", score);
  const int turns = (kMateScore - std::abs(score) + 1) / 2;
  return fmt::format("mate {}", score > 0 ? turns : -turns);
}

std::string info_line(const SearchInfo& info, Protocol protocol) {
  const bool uci = protocol == Protocol::kUci;
  std::string line = fmt::format("info depth {} seldepth {}", info.depth, info.selective_depth);
  if (uci) line += fmt::format(" multipv {} score {}", info.line, score_text(info.score));
  if (uci && info.bound == Bound::kUpper) line += " upperbound";
  if (uci && info.bound == Bound::kLower) line += " lowerbound";
  if (!uci) line += fmt::format(" score {}", info.score);
  const auto milliseconds = static_cast<std::uint64_t>(info.time.count());
  line += fmt::format(" nodes {} nps {} hashfull {} time {}", info.nodes,
                      info.nodes * 1000 / std::max<std::uint64_t>(milliseconds, 1), info.hashfull,
                      milliseconds);
  if (info.moves != nullptr && !info.moves->empty()) {
    line += " pv";
    for (const Move move : *info.moves) line += " " + move_text(move, protocol);
  }
  return line;
}

std::string bestmove_line(const SearchResult& result, Protocol protocol) {
  if (!result.move) return protocol == Protocol::kUci ? "bestmove (none)" : "nobestmove";
  std::string line = "bestmove " + move_text(result.move, protocol);
  if (result.ponder) line += " ponder " + move_text(result.ponder, protocol);
  return line;
}

std::string message_line(const std::string& text, Protocol protocol) {
  return (protocol == Protocol::kUci ? "info string " : "info message ") + text;
}

std::string board_text(const GameState& game) {
  const Position& position = game.position();
  const Ruleset& rules = position.rules();
  std::string text;
  for (int rank = kRanks - 1; rank >= 0; --rank) {
    text += fmt::format("{:>3}", rank + 1);
    for (int file = 0; file < kFiles; ++file) {
      const Piece piece = position.at(make_square(file, rank));
      text += fmt::format(" {}", piece.empty() ? '.' : piece_letter(piece));
    }
    text += '\n';
  }
  text += "    a b c d e f g h i\n";
  text += fmt::format("fen: {}\n", to_fen(position));
  text += fmt::format("rules: {}, {} to move{}{}\n", rules.id,
                      side_name(rules.game, position.side_to_move()),
                      game.dangers().in_check ? ", in check" : "",
                      position.generals_face() ? ", generals facing" : "");
  const Points points = count_points(position);
  text += fmt::format("points: {} {}, {} {}; seen {} times, {} turns without a capture",
                      side_name(rules.game, Side::kFirst), format_halves(points.first_halves),
                      side_name(rules.game, Side::kSecond), format_halves(points.second_halves),
                      game.history().repetitions(), position.no_capture());
  if (const auto& outcome = game.outcome()) {
    text += fmt::format(
        "\nover: {} by {}{}",
        outcome->winner ? fmt::format("{} wins", side_name(rules.game, *outcome->winner)) : "drawn",
        reason_name(outcome->reason), outcome->by_points ? ", on points" : "");
  }
  return text;
}

}  // namespace cannonade
