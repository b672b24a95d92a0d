#include "core/notation/uci_list.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "core/notation/text.h"
#include "core/notation/uci_move.h"

namespace cannonade {
namespace {

// A line taken apart; `start` is a FEN, empty for the usual start.
struct Line {
  std::string start;
  std::string_view moves;
};

bool is_comment(std::string_view line) {
  return line.starts_with('#') || line.starts_with('%');
}

Line take_apart(std::string_view line) {
  Line parts;
  parts.moves = line;
  std::string_view rest = line;
  std::string_view word = take_word(rest);
  if (word == "position") word = take_word(rest);
  if (word == "startpos") {
    parts.moves = rest;
  } else if (word == "fen") {
    parts.moves = rest;
    for (word = take_word(rest); !word.empty() && word != "moves"; word = take_word(rest)) {
      parts.start += parts.start.empty() ? "" : " ";
      parts.start += word;
      parts.moves = rest;
    }
    return {parts.start, rest};
  }
  rest = parts.moves;
  if (take_word(rest) == "moves") parts.moves = rest;
  return parts;
}

Expected<Move> parse_word(std::string_view word, bool zero_based) {
  if (!zero_based) return parse_uci_move(word);
  if (const auto move = parse_zero_based(word)) return *move;
  return Failure{fmt::format("'{}' is not a move (like h2e2, ranks from 0)", shown(word))};
}

// Which base a rank demands.
struct Ranks {
  bool zero = false;  // a rank 0
  bool ten = false;   // a rank 10
};

void look_for_ranks(std::string_view words, Ranks& seen) {
  for (std::string_view word = take_word(words); !word.empty(); word = take_word(words)) {
    if (!parse_uci_move(word) && parse_zero_based(word)) seen.zero = true;
    if (!parse_zero_based(word) && parse_uci_move(word)) seen.ten = true;
  }
}

class UciListReader {
 public:
  UciListReader(const Ruleset& rules, bool zero_based, const GameSink& sink)
      : rules_(rules), zero_based_(zero_based), sink_(sink) {}

  ImportCounts read(std::string_view text) {
    LineReader lines(text);
    std::string_view line;
    while (lines.next(line)) {
      line = trim(line);
      if (is_comment(line)) {
        ++counts_.comments;
      } else if (!line.empty()) {
        game(line, lines.number());
      }
    }
    return counts_;
  }

 private:
  void game(std::string_view line, std::size_t number) {
    const Line parts = take_apart(line);
    Expected<ToldGame> told = ToldGame::begin(rules_, parts.start);
    if (!told) {
      skip(number, told.error(), sink_, counts_);
      return;
    }
    std::optional<Outcome> claim;
    std::string_view words = parts.moves;
    bool any = false;
    for (std::string_view word = take_word(words); !word.empty(); word = take_word(words)) {
      any = true;
      if (const auto result = parse_result(word); result && trim(words).empty()) {
        claim = plain_claim(*result);
      } else if (told->open()) {
        told->play(parse_word(word, zero_based_), word);
      }
    }
    if (!any && parts.start.empty()) {
      skip(number, "a line without moves", sink_, counts_);
      return;
    }
    auto finished = std::move(*told).finish(claim);
    finished.game.players = {"?", "?"};
    deliver(std::move(finished), number, sink_, counts_);
  }

  const Ruleset& rules_;
  bool zero_based_;
  const GameSink& sink_;
  ImportCounts counts_;
};

// The base that a whole file fits; none when it fits both alike.
std::optional<bool> recognise_zero_based(std::string_view text, const Ruleset& rules) {
  Ranks seen;
  LineReader lines(text);
  std::string_view line;
  while (lines.next(line)) {
    line = trim(line);
    if (!line.empty() && !is_comment(line)) look_for_ranks(take_apart(line).moves, seen);
  }
  if (seen.zero != seen.ten) return seen.zero;
  // Both or neither: which reading leaves more games whole, or else more turns?
  std::pair<std::uint64_t, std::uint64_t> fit[2];
  for (const bool zero_based : {false, true}) {
    auto& [whole, turns] = fit[zero_based ? 1 : 0];
    const GameSink silent{
        [&turns_read = turns](GameRecord&& game, std::size_t) { turns_read += game.moves.size(); },
        [](std::size_t, const std::string&) {}};
    const ImportCounts counts = UciListReader(rules, zero_based, silent).read(text);
    whole = counts.games - counts.cut;
  }
  if (fit[0] == fit[1] && fit[0].second > 0) return std::nullopt;
  return fit[1] > fit[0];
}

}  // namespace

std::optional<Move> parse_zero_based(std::string_view word) {
  if (word.size() != 4) return std::nullopt;
  for (const std::size_t i : {0U, 2U}) {
    if (word[i] < 'a' || word[i] > 'i' || word[i + 1] < '0' || word[i + 1] > '9') {
      return std::nullopt;
    }
  }
  const Move move(make_square(word[0] - 'a', word[1] - '0'),
                  make_square(word[2] - 'a', word[3] - '0'));
  return move ? std::optional(move) : std::nullopt;
}

ImportCounts read_uci_list(std::string_view text, const Ruleset& rules, RankBase base,
                           const GameSink& sink) {
  bool zero_based = base == RankBase::kZero;
  if (base == RankBase::kRecognise) {
    const std::optional<bool> recognised = recognise_zero_based(text, rules);
    if (!recognised) sink.remark(0, "ranks from 1 and from 0 fit alike; read from 1");
    zero_based = recognised.value_or(false);
  }
  return UciListReader(rules, zero_based, sink).read(text);
}

}  // namespace cannonade
