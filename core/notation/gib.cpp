#include "core/notation/gib.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "core/notation/fen.h"
#include "core/notation/korean_columns.h"
#include "core/notation/text.h"

namespace cannonade {
namespace {

constexpr std::size_t kLongestPlayer = 200;

// One wing pair of a set-up as letters for files b, c, g, h (as Cho sees the board for both sides).
std::optional<std::array<char, 4>> parse_wings(std::string_view text) {
  constexpr std::pair<std::string_view, char> kWingLetters[] = {
      {"마", 'N'}, {"馬", 'N'}, {"상", 'B'}, {"象", 'B'}};
  std::array<char, 4> wings{};
  for (char& wing : wings) {
    for (const auto& [name, letter] : kWingLetters) {
      if (take_prefix(text, name)) {
        wing = letter;
        break;
      }
    }
    if (wing == 0) return std::nullopt;
  }
  // Each wing has one of each (J6).
  if (!text.empty() || wings[0] == wings[1] || wings[2] == wings[3]) return std::nullopt;
  return wings;
}

char lower(char letter) {
  return static_cast<char>(letter - 'A' + 'a');
}

// A start board in FEN letters, Han's back rank first; programs differ in which side is upper case.
Expected<std::string> read_board(const Ruleset& rules, std::string_view board, Side to_move) {
  constexpr std::size_t kLongest = 200;
  if (board.size() > kLongest) return Failure{"it is too long"};
  const char mover = to_move == Side::kFirst ? 'w' : 'b';
  board = trim(board);
  std::string text(board.substr(0, board.find(' ')));
  for (int swaps = 0; swaps < 2; ++swaps) {
    const std::string fen = fmt::format("{} {} - - 0 1", text, mover);
    if (parse_fen(rules, fen)) return fen;
    for (char& c : text) {
      const bool upper = c >= 'A' && c <= 'Z';
      if (upper || (c >= 'a' && c <= 'z')) c = static_cast<char>(c ^ 0x20);
    }
  }
  return Failure{"it is not in letters that are known here"};
}

std::optional<Outcome> read_result(std::string_view text) {
  text = trim(text);
  const auto has = [text](std::string_view part) {
    return text.find(part) != std::string_view::npos;
  };
  if (has("무승부") || has("비김") || has("비긴")) {
    return Outcome{std::nullopt, Reason::kAgreement, false};
  }
  std::optional<Side> winner;
  if (text.starts_with("초") || text.starts_with("楚")) winner = Side::kFirst;
  if (text.starts_with("한") || text.starts_with("漢")) winner = Side::kSecond;
  if (!winner || !has("승")) return std::nullopt;
  if (has("점수")) return Outcome{winner, Reason::kAdjudication, true};
  if (has("시간")) return Outcome{winner, Reason::kTime, false};
  if (has("반칙")) return Outcome{winner, Reason::kForfeit, false};
  if (has("완승") || has("기권") || has("불계")) {
    return Outcome{winner, Reason::kResignation, false};
  }
  return Outcome{winner, Reason::kAdjudication, false};
}

std::optional<int> number_of(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

class GibReader {
 public:
  GibReader(const Ruleset& rules, const GameSink& sink) : rules_(rules), sink_(sink) {}

  ImportCounts read(std::string_view text) {
    LineReader lines(text);
    std::string_view line;
    while (lines.next(line)) {
      line_ = lines.number();
      line = trim(line);
      if (!in_comment_ && line.starts_with('[')) {
        header(line);
      } else {
        turns(line);
      }
    }
    finish();
    return counts_;
  }

 private:
  void header(std::string_view line) {
    const std::size_t open = line.find('"');
    const std::size_t close = line.rfind('"');
    if (open == std::string_view::npos || close <= open) return;
    const std::string key(trim(line.substr(1, open - 1)));
    if (has_turns_ || tags_.contains(key)) finish();
    if (tags_.empty()) first_line_ = line_;
    tags_[key] = std::string(line.substr(open + 1, close - open - 1));
  }

  void turns(std::string_view line) {
    while (!line.empty()) {
      if (in_comment_) {
        const std::size_t end = line.find('}');
        if (end == std::string_view::npos) return;
        line.remove_prefix(end + 1);
        in_comment_ = false;
        continue;
      }
      line = trim(line);
      if (line.starts_with('{')) {
        ++counts_.comments;
        in_comment_ = true;
        continue;
      }
      if (line.starts_with('<')) {
        const std::size_t end = line.find('>');
        line.remove_prefix(end == std::string_view::npos ? line.size() : end + 1);
        continue;
      }
      const std::size_t comment = line.find('{');
      std::string_view rest = line.substr(0, comment);
      const std::string_view word = take_word(rest);
      line.remove_prefix(static_cast<std::size_t>(word.data() - line.data()) + word.size());
      take(word);
    }
  }

  // "12.", "12.79졸78", "79졸78" or "한수쉼".
  void take(std::string_view word) {
    if (word.empty()) return;
    const std::size_t dot = word.find('.');
    if (dot != std::string_view::npos) {
      number_ = number_of(word.substr(0, dot));
      word.remove_prefix(dot + 1);
      if (word.empty()) return;
    }
    if (!has_turns_) begin();
    has_turns_ = true;
    if (!game_ || !game_->open()) return;
    // Cho's turns have odd numbers, Han's even ones.
    const std::size_t expected = game_->state().moves().size() + first_number_;
    if (number_ && static_cast<std::size_t>(*number_) != expected) {
      game_->close(fmt::format("turn {} stands where turn {} should", *number_, expected));
    }
    number_.reset();
    game_->play(parse_korean_turn(game_->position(), word), word);
  }

  void begin() {
    if (tags_.empty()) first_line_ = line_;
    first_number_ = number_ && *number_ % 2 == 0 && *number_ > 0 ? 2 : 1;
    const Side to_move = first_number_ == 1 ? Side::kFirst : Side::kSecond;
    Expected<std::string> fen = start(to_move);
    Expected<ToldGame> game =
        fen ? ToldGame::begin(rules_, *fen) : Expected<ToldGame>(Failure{fen.error()});
    if (game) {
      game_.emplace(std::move(*game));
    } else {
      why_not_ = game.error();
    }
  }

  Expected<std::string> start(Side to_move) const {
    if (const std::string* board = tag("판")) {
      Expected<std::string> fen = read_board(rules_, *board, to_move);
      if (!fen) return Failure{"its start board (판) cannot be read: " + fen.error()};
      return fen;
    }
    const std::string* cho_text = tag("초차림");
    const std::string* han_text = tag("한차림");
    if (cho_text == nullptr) cho_text = tag("초포진");
    if (han_text == nullptr) han_text = tag("한포진");
    if (cho_text == nullptr || han_text == nullptr) return Failure{"no set-up is given"};
    const auto cho = parse_wings(trim(*cho_text));
    const auto han = parse_wings(trim(*han_text));
    if (!cho || !han) {
      return Failure{fmt::format("'{}' is no set-up", shown(cho ? *han_text : *cho_text))};
    }
    const auto& c = *cho;
    const auto& h = *han;
    return fmt::format(
        "r{}{}a1a{}{}r/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/R{}{}A1A{}{}R {} - - 0 1",
        lower(h[0]), lower(h[1]), lower(h[2]), lower(h[3]), c[0], c[1], c[2], c[3],
        to_move == Side::kFirst ? 'w' : 'b');
  }

  void finish() {
    if (game_) {
      deliver_game();
    } else if (has_turns_) {
      skip(first_line_, why_not_, sink_, counts_);
    } else if (!tags_.empty()) {
      skip(first_line_, "a game without turns", sink_, counts_);
    }
    tags_.clear();
    game_.reset();
    has_turns_ = false;
    number_.reset();
    why_not_.clear();
  }

  void deliver_game() {
    std::optional<Outcome> claim;
    if (const std::string* result = tag("대국결과")) {
      claim = read_result(*result);
      if (!claim) {
        sink_.remark(first_line_, fmt::format("the result '{}' says nothing", shown(*result)));
      }
    }
    auto finished = std::move(*game_).finish(claim);
    const auto told = tag("총수") != nullptr ? number_of(trim(*tag("총수"))) : std::nullopt;
    if (told && !finished.cut && static_cast<std::size_t>(*told) != finished.game.moves.size()) {
      finished.remarks.push_back(
          fmt::format("{} turns of {} announced", finished.game.moves.size(), *told));
    }
    finished.game.players = {name("초대국자"), name("한대국자")};
    deliver(std::move(finished), first_line_, sink_, counts_);
  }

  [[nodiscard]] const std::string* tag(const std::string& key) const {
    const auto found = tags_.find(key);
    return found == tags_.end() ? nullptr : &found->second;
  }
  [[nodiscard]] std::string name(const std::string& key) const {
    const std::string* value = tag(key);
    return value == nullptr ? std::string("?") : shown(trim(*value), kLongestPlayer);
  }

  const Ruleset& rules_;
  const GameSink& sink_;
  ImportCounts counts_;
  std::size_t line_ = 0;
  bool in_comment_ = false;
  // The block being read.
  std::size_t first_line_ = 0;
  std::map<std::string, std::string> tags_;
  bool has_turns_ = false;
  std::optional<int> number_;  // the one before the next turn
  std::size_t first_number_ = 1;
  std::optional<ToldGame> game_;
  std::string why_not_;
};

}  // namespace

ImportCounts read_gib(std::string_view utf8, const Ruleset& rules, const GameSink& sink) {
  if (rules.game != Game::kJanggi) {
    throw user_error(fmt::format(".gib files hold janggi games, not {}", rules.id));
  }
  return GibReader(rules, sink).read(utf8);
}

}  // namespace cannonade
