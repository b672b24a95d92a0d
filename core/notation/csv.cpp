#include "core/notation/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/notation/text.h"
#include "core/notation/uci_move.h"

namespace cannonade {
namespace {

constexpr std::size_t kLongestNote = 16'000;

std::string field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

// One record after another; a field in quotes may hold commas, quotes and line ends.
class RecordReader {
 public:
  explicit RecordReader(std::string_view text) : text_(text) {}

  // The line that the record begins on.
  [[nodiscard]] std::size_t line() const { return line_; }

  [[nodiscard]] bool next(std::vector<std::string>& fields) {
    line_ = next_line_;
    fields.clear();
    if (text_.empty()) return false;
    for (;;) {
      fields.push_back(take_field());
      if (take_prefix(text_, ",")) continue;
      (void)take_prefix(text_, "\r");
      if (take_prefix(text_, "\n")) ++next_line_;
      return true;
    }
  }

 private:
  std::string take_field() {
    std::string value;
    if (take_prefix(text_, "\"")) {
      while (!text_.empty()) {
        if (take_prefix(text_, "\"\"")) {
          value += '"';
          continue;
        }
        if (take_prefix(text_, "\"")) break;
        next_line_ += text_.front() == '\n' ? 1 : 0;
        value += text_.front();
        text_.remove_prefix(1);
      }
    }
    // What follows a closing quote belongs to the field too: nothing is lost, nothing loops.
    const std::size_t end = std::min(text_.find_first_of(",\r\n"), text_.size());
    value += text_.substr(0, end);
    text_.remove_prefix(end);
    if (text_.starts_with('\r') && !text_.starts_with("\r\n")) text_.remove_prefix(1);
    return value;
  }

  std::string_view text_;
  std::size_t line_ = 1;
  std::size_t next_line_ = 1;
};

template <class T>
T number_or(std::string_view text, T otherwise) {
  T value = otherwise;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? value : otherwise;
}

class Row {
 public:
  Row(const std::map<std::string, std::size_t>& columns, const std::vector<std::string>& fields)
      : columns_(columns), fields_(fields) {}

  [[nodiscard]] std::string_view operator[](const std::string& name) const {
    const auto column = columns_.find(name);
    if (column == columns_.end() || column->second >= fields_.size()) return {};
    return fields_[column->second];
  }

 private:
  const std::map<std::string, std::size_t>& columns_;
  const std::vector<std::string>& fields_;
};

void read_row(const Row& row, std::size_t line, const Ruleset& rules, const GameSink& sink,
              ImportCounts& counts) {
  if (const std::string_view told = row["rules"]; !told.empty()) {
    const auto known = find_ruleset(told);
    if (!known || known->game != rules.game) {
      skip(line, fmt::format("a game of {}", shown(told)), sink, counts);
      return;
    }
  }
  Expected<ToldGame> game = ToldGame::begin(rules, row["start_fen"]);
  if (!game) {
    skip(line, game.error(), sink, counts);
    return;
  }
  std::string_view words = row["moves"];
  std::string_view scores = row["scores"];
  for (std::string_view word = take_word(words); !word.empty(); word = take_word(words)) {
    if (!game->open()) break;
    game->play(parse_uci_move(word), word);
    game->set_score(number_or<std::int16_t>(take_word(scores), kNoScore));
  }
  std::optional<Outcome> claim;
  if (const auto result = parse_result(row["result"], true)) claim = plain_claim(*result);
  if (claim) {
    const auto reason = parse_reason(row["reason"]);
    if (reason && *reason != Reason::kUnfinished) claim->reason = *reason;
    claim->by_points = claim->winner && row["decided_by"] == "points";
  }
  auto finished = std::move(*game).finish(claim);
  GameRecord& record = finished.game;
  const auto name = [&](const std::string& column) {
    return row[column].empty() ? std::string("?") : shown(row[column], kLongestToldName);
  };
  record.players = {name("first"), name("second")};
  record.player_hashes = {std::string(cut(row["first_hash"], kLongestToldName)),
                          std::string(cut(row["second_hash"], kLongestToldName))};
  record.opening_plies =
      std::clamp(number_or(row["opening_plies"], 0), 0, static_cast<int>(record.moves.size()));
  record.nodes =
      std::min(number_or<std::uint64_t>(row["nodes"], 0), static_cast<std::uint64_t>(INT64_MAX));
  if (record.note.empty()) record.note = cut(row["note"], kLongestNote);
  deliver(std::move(finished), line, sink, counts);
}

}  // namespace

std::string csv_header() {
  return "id,pair,rules,first,second,first_hash,second_hash,start_fen,opening_plies,result,reason,"
         "decided_by,first_points,second_points,plies,nodes,moves,scores,note\r\n";
}

std::string to_csv(const GameRecord& game) {
  std::string moves;
  std::string scores;
  bool scored = false;
  for (std::size_t i = 0; i < game.moves.size(); ++i) {
    if (i > 0) moves += ' ';
    if (i > 0) scores += ' ';
    moves += to_uci(game.moves[i]);
    const bool has = i < game.scores.size() && game.scores[i] != kNoScore;
    scored = scored || has;
    scores += has ? std::to_string(game.scores[i]) : "-";
  }
  if (!scored) scores.clear();
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\r\n", game.id,
                     game.pair, field(game.rules), field(game.players[0]), field(game.players[1]),
                     field(game.player_hashes[0]), field(game.player_hashes[1]),
                     field(game.start_fen), game.opening_plies, result_text(game.outcome),
                     reason_name(game.outcome.reason), game.outcome.by_points ? "points" : "",
                     format_halves(game.points_halves[0]), format_halves(game.points_halves[1]),
                     game.moves.size(), game.nodes, moves, scores, field(game.note));
}

ImportCounts read_csv(std::string_view utf8, const Ruleset& rules, const GameSink& sink) {
  RecordReader records(utf8);
  std::vector<std::string> fields;
  std::map<std::string, std::size_t> columns;
  if (records.next(fields)) {
    for (std::size_t i = 0; i < fields.size(); ++i) columns.emplace(trim(fields[i]), i);
  }
  if (!columns.contains("moves")) {
    throw user_error("line 1: no header with a column 'moves'");
  }
  ImportCounts counts;
  while (records.next(fields)) {
    if (fields.size() == 1 && trim(fields[0]).empty()) continue;
    read_row(Row(columns, fields), records.line(), rules, sink, counts);
  }
  return counts;
}

}  // namespace cannonade
