#include "core/notation/epd.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "core/notation/fen.h"
#include "core/notation/text.h"
#include "core/notation/uci_move.h"

namespace cannonade {
namespace {

constexpr std::size_t kLongestLine = 20'000;

// An operand that may hold spaces: in quotes, which themselves become apostrophes.
std::string quoted_operand(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c == '"' || c == '\n' || c == '\r') c = '\'';
  }
  return fmt::format("\"{}\"", result);
}

bool is_count(std::string_view word) {
  return !word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos;
}

// The operations after the FEN; a word that ends the line without a semicolon may be a result.
void parse_operations(std::string_view text, EpdLine& line) {
  while (!(text = trim(text)).empty()) {
    const std::string name(take_word(text));
    if (parse_result(name, true) && trim(text).empty()) {
      line.result = name;
      return;
    }
    if (name.ends_with(';')) {
      line.operations[name.substr(0, name.size() - 1)];
      continue;
    }
    text = trim(text);
    std::string operand;
    if (text.starts_with('"')) {
      const std::size_t close = std::min(text.find('"', 1), text.size());
      operand = text.substr(1, close - 1);
      text.remove_prefix(std::min(close + 1, text.size()));
      text.remove_prefix(std::min(text.find(';'), text.size()));
    } else {
      const std::size_t end = std::min(text.find(';'), text.size());
      operand = trim(text.substr(0, end));
      text.remove_prefix(end);
    }
    (void)take_prefix(text, ";");
    line.operations[name] = operand;
  }
}

std::string operation(const EpdLine& line, const std::string& name) {
  const auto found = line.operations.find(name);
  return found == line.operations.end() ? std::string()
                                        : std::string(cut(found->second, kLongestToldName));
}

}  // namespace

bool is_epd_comment(std::string_view line) {
  return line.starts_with('#') || line.starts_with('%') || line.starts_with("//");
}

Expected<EpdLine> parse_epd_line(std::string_view text) {
  if (text.size() > kLongestLine) return Failure{"the line is too long"};
  EpdLine line;
  std::string_view rest = text;
  const std::string_view board = take_word(rest);
  const std::string_view side = take_word(rest);
  if (board.find('/') == std::string_view::npos || (side != "w" && side != "b")) {
    return Failure{"no position: a board and a side to move are needed"};
  }
  line.fen = fmt::format("{} {} - -", board, side);
  // Up to two dashes and two numbers follow; what comes then is operations. A single 1 or 0 at the
  // line's end is a result, not a counter.
  for (int field = 0; field < 4; ++field) {
    std::string_view after = rest;
    const std::string_view word = take_word(after);
    const bool fits = field < 2 ? word == "-" : is_count(word);
    if (!fits) {
      if (field < 2) continue;
      break;
    }
    if (field == 2 && trim(after).empty()) break;
    if (field >= 2) line.fen += fmt::format(" {}", word);
    rest = after;
  }
  parse_operations(rest, line);
  return line;
}

Expected<std::string> to_epd(const GameRecord& game, const Ruleset& rules) {
  const Expected<Position> start = parse_fen(rules, game.start_fen);
  if (!start) return Failure{start.error()};
  GameState state(*start);
  std::string text;
  const std::size_t lines = std::max<std::size_t>(game.moves.size(), 1);
  for (std::size_t i = 0; i < lines; ++i) {
    text += fmt::format("{} c9 \"{}\"; id \"{}\";", to_fen(state.position()),
                        result_text(game.outcome), game.id);
    if (i < game.moves.size()) {
      const Move move = game.moves[i];
      if (state.outcome() || !state.legal(move)) {
        return Failure{fmt::format("turn {} ({}) is not legal", i + 1, to_uci(move))};
      }
      text += fmt::format(" sm {};", to_uci(move));
      state.play(move);
    }
    if (i == 0) {
      text +=
          fmt::format(" c0 \"{}\"; c1 {}; c2 {}; c3 {}; c4 {};", reason_name(game.outcome.reason),
                      quoted_operand(game.players[0]), quoted_operand(game.players[1]),
                      quoted_operand(game.player_hashes[0]), quoted_operand(game.player_hashes[1]));
      if (game.outcome.by_points) text += " c5 \"points\";";
      text += fmt::format(" c6 \"{}\";", game.opening_plies);
    }
    text += '\n';
  }
  return text;
}

namespace {

class EpdReader {
 public:
  EpdReader(const Ruleset& rules, const GameSink& sink) : rules_(rules), sink_(sink) {}

  ImportCounts read(std::string_view text) {
    LineReader lines(text);
    std::string_view line;
    while (lines.next(line)) {
      line = trim(line);
      if (line.empty()) continue;
      if (is_epd_comment(line)) {
        ++counts_.comments;
        continue;
      }
      position(line, lines.number());
    }
    finish();
    return counts_;
  }

 private:
  void position(std::string_view text, std::size_t number) {
    const Expected<EpdLine> parsed = parse_epd_line(text);
    if (!parsed) {
      finish();
      skip(number, parsed.error(), sink_, counts_);
      return;
    }
    if (!goes_on(*parsed)) {
      finish();
      if (!begin(*parsed, number)) return;
    }
    const std::string played = operation(*parsed, "sm");
    if (played.empty()) return;
    turns_told_ = true;
    game_->play(parse_uci_move(played), played);
  }

  // Whether the line is the next position of the game being read.
  [[nodiscard]] bool goes_on(const EpdLine& line) const {
    if (!game_ || !turns_told_ || operation(line, "id") != id_ || id_.empty()) return false;
    return game_->open() ? line.fen == to_fen(game_->position()) : true;
  }

  bool begin(const EpdLine& line, std::size_t number) {
    const std::string c9 = operation(line, "c9");
    const std::optional<Result> result = parse_result(c9.empty() ? line.result : c9, true);
    if (!result) {
      skip(number, "no result (c9 \"1-0\"; or at the end)", sink_, counts_);
      return false;
    }
    Expected<ToldGame> game = ToldGame::begin(rules_, line.fen);
    if (!game) {
      skip(number, game.error(), sink_, counts_);
      return false;
    }
    game_.emplace(std::move(*game));
    first_line_ = number;
    id_ = operation(line, "id");
    turns_told_ = false;
    claim_ = plain_claim(*result);
    if (claim_) {
      // Without a word about it nobody knows how a lone position's game ended.
      claim_->reason = Reason::kAdjudication;
      if (const auto reason = parse_reason(operation(line, "c0"))) claim_->reason = *reason;
      claim_->by_points = operation(line, "c5") == "points";
    }
    players_ = {operation(line, "c1"), operation(line, "c2")};
    hashes_ = {operation(line, "c3"), operation(line, "c4")};
    opening_plies_ = 0;
    const std::string opening = operation(line, "c6");
    std::from_chars(opening.data(), opening.data() + opening.size(), opening_plies_);
    return true;
  }

  void finish() {
    if (!game_) return;
    auto finished = std::move(*game_).finish(claim_);
    game_.reset();
    for (std::string& name : players_) {
      if (name.empty()) name.assign(1, '?');
    }
    finished.game.players = players_;
    finished.game.player_hashes = hashes_;
    finished.game.opening_plies =
        std::clamp(opening_plies_, 0, static_cast<int>(finished.game.moves.size()));
    deliver(std::move(finished), first_line_, sink_, counts_);
  }

  const Ruleset& rules_;
  const GameSink& sink_;
  ImportCounts counts_;
  // The game being read.
  std::optional<ToldGame> game_;
  std::size_t first_line_ = 0;
  std::string id_;
  bool turns_told_ = false;
  std::optional<Outcome> claim_;
  std::array<std::string, 2> players_;
  std::array<std::string, 2> hashes_;
  int opening_plies_ = 0;
};

}  // namespace

ImportCounts read_epd(std::string_view utf8, const Ruleset& rules, const GameSink& sink) {
  return EpdReader(rules, sink).read(utf8);
}

}  // namespace cannonade
