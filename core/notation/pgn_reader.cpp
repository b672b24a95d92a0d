// The reading half of core/notation/pgn.h.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <utility>

#include "core/notation/pgn.h"
#include "core/notation/text.h"

namespace cannonade {
namespace {

// A score as score_text() writes it, anywhere at a comment's front.
std::optional<std::int16_t> parse_score(std::string_view comment) {
  comment = trim(comment);
  const bool negative = comment.starts_with('-');
  if (!negative && !comment.starts_with('+')) return std::nullopt;
  comment.remove_prefix(1);
  const bool mate = take_prefix(comment, "M");
  const auto take_number = [&](int longest) -> std::optional<int> {
    int digits = 0;
    int value = 0;
    while (!comment.empty() && comment[0] >= '0' && comment[0] <= '9' && digits < longest) {
      value = 10 * value + (comment[0] - '0');
      comment.remove_prefix(1);
      ++digits;
    }
    return digits > 0 ? std::optional(value) : std::nullopt;
  };
  constexpr int kLongestWhole = 3;
  const auto whole = take_number(kLongestWhole);
  if (!whole) return std::nullopt;
  int score = mate ? kMateScore - *whole : 100 * *whole;
  if (!mate) {
    if (!take_prefix(comment, ".")) return std::nullopt;
    const std::size_t before = comment.size();
    const auto hundredths = take_number(2);
    if (!hundredths || before - comment.size() != 2) return std::nullopt;
    score += *hundredths;
  }
  if (score > kMateScore) return std::nullopt;
  return static_cast<std::int16_t>(negative ? -score : score);
}

class PgnReader {
 public:
  PgnReader(std::string_view text, const Ruleset& rules, const GameSink& sink)
      : text_(text), rules_(rules), sink_(sink) {}

  ImportCounts read() {
    while (skip_space(), at_ < text_.size()) {
      const char c = text_[at_];
      const bool line_begins = at_ == 0 || text_[at_ - 1] == '\n';
      if (c == '[' && line_begins) {
        tag();
      } else if (c == '%' && line_begins) {  // an escaped line
        to_line_end();
      } else {
        movetext(c);
      }
    }
    finish(false);
    return counts_;
  }

 private:
  // Tags of a new game may follow a game whose result token is missing.
  void tag() {
    if (game_begun_) finish(false);
    if (tags_.empty()) first_line_ = line_;
    const std::size_t end_of_line = std::min(text_.find('\n', at_), text_.size());
    std::string_view line = text_.substr(at_ + 1, end_of_line - at_ - 1);
    at_ = end_of_line;
    const std::string name = to_lower(line.substr(0, line.find_first_of(" \t\"")));
    const std::size_t open = line.find('"');
    if (name.empty() || open == std::string_view::npos) return;
    std::string value;
    for (std::size_t i = open + 1; i < line.size() && line[i] != '"'; ++i) {
      if (line[i] == '\\' && i + 1 < line.size()) ++i;
      value += line[i];
    }
    tags_[name] = value;
  }

  void movetext(char c) {
    if (c == '{') {
      const std::size_t close = std::min(text_.find('}', at_), text_.size());
      comment(text_.substr(at_ + 1, close - at_ - 1));
      advance(std::min(close + 1, text_.size()));
    } else if (c == ';') {
      const std::size_t begin = at_;
      to_line_end();
      comment(text_.substr(begin + 1, at_ - begin - 1));
    } else if (c == '(') {
      ++depth_;
      ++at_;
    } else if (c == ')') {
      depth_ = std::max(depth_ - 1, 0);
      ++at_;
    } else {
      const std::size_t end = std::min(text_.find_first_of(" \t\r\n\v\f{};()", at_), text_.size());
      const std::string_view word = text_.substr(at_, end - at_);
      at_ = std::max(end, at_ + 1);
      if (depth_ == 0) token(word);
    }
  }

  void comment(std::string_view text) {
    const auto score = depth_ == 0 ? parse_score(text) : std::nullopt;
    if (score && game_) {
      game_->set_score(*score);
    } else {
      ++counts_.comments;
    }
  }

  void token(std::string_view word) {
    if (word.empty() || word.starts_with('$')) return;
    if (const auto result = parse_result(word)) {
      if (!game_begun_) begin();
      told_result_ = *result;
      finish(true);
      return;
    }
    // "12.", "12...", "12.h3e3"; columns may begin with digits too, but have no dot.
    const std::size_t dot = word.find_first_not_of("0123456789");
    if (dot == std::string_view::npos) return;
    if (word[dot] == '.')
      word.remove_prefix(std::min(word.find_first_not_of('.', dot), word.size()));
    if (word.empty()) return;
    if (!game_begun_) begin();
    if (game_ && game_->open()) game_->play(parse_any_turn(game_->position(), word), word);
  }

  void begin() {
    if (tags_.empty()) first_line_ = line_;
    game_begun_ = true;
    const std::string variant = to_lower(tag_value("variant"));
    const std::string_view ours = rules_.game == Game::kJanggi ? "janggi" : "xiangqi";
    if (!variant.empty() && !variant.starts_with(ours)) {
      why_not_ = fmt::format("a game of {}", shown(variant));
      return;
    }
    Expected<ToldGame> game = ToldGame::begin(rules_, tag_value("fen"));
    if (game) {
      game_.emplace(std::move(*game));
    } else {
      why_not_ = game.error();
    }
  }

  [[nodiscard]] std::optional<Outcome> claim() const {
    Result result = told_result_.value_or(Result{});
    if (const auto tagged = parse_result(tag_value("result")); tagged && tagged->known) {
      result = *tagged;
    }
    std::optional<Outcome> outcome = plain_claim(result);
    if (!outcome) return outcome;
    const std::string termination = to_lower(tag_value("termination"));
    if (const auto reason = parse_reason(termination); reason && *reason != Reason::kUnfinished) {
      outcome->reason = *reason;
    } else if (termination == "time forfeit") {
      outcome->reason = Reason::kTime;
    } else if (termination == "rules infraction") {
      outcome->reason = Reason::kForfeit;
    } else if (!termination.empty() && termination != "normal") {
      outcome->reason = Reason::kAdjudication;
    }
    outcome->by_points = outcome->winner && tag_value("decidedby") == "points";
    return outcome;
  }

  void finish(bool at_result) {
    if (game_) {
      auto finished = std::move(*game_).finish(claim());
      GameRecord& game = finished.game;
      game.players = {name("white", "red"), name("black", "black")};
      game.player_hashes = {std::string(cut(tag_value("whitehash"), kLongestToldName)),
                            std::string(cut(tag_value("blackhash"), kLongestToldName))};
      int plies = 0;
      const std::string opening = tag_value("openingplies");
      std::from_chars(opening.data(), opening.data() + opening.size(), plies);
      game.opening_plies = std::clamp(plies, 0, static_cast<int>(game.moves.size()));
      deliver(std::move(finished), first_line_, sink_, counts_);
    } else if (game_begun_) {
      skip(first_line_, why_not_, sink_, counts_);
    } else if (!tags_.empty() && !at_result) {
      skip(first_line_, "tags without a game", sink_, counts_);
    }
    tags_.clear();
    game_.reset();
    game_begun_ = false;
    told_result_.reset();
    why_not_.clear();
    depth_ = 0;
  }

  [[nodiscard]] std::string tag_value(const std::string& lower_name) const {
    const auto found = tags_.find(lower_name);
    return found == tags_.end() ? std::string() : found->second;
  }
  [[nodiscard]] std::string name(const std::string& tag, const std::string& other) const {
    const std::string value = tag_value(tags_.contains(tag) ? tag : other);
    return value.empty() ? std::string("?") : shown(value, kLongestToldName);
  }

  void advance(std::size_t to) {
    line_ +=
        static_cast<std::size_t>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                                            text_.begin() + static_cast<std::ptrdiff_t>(to), '\n'));
    at_ = to;
  }
  void skip_space() {
    advance(std::min(text_.find_first_not_of(" \t\r\n\v\f", at_), text_.size()));
  }
  void to_line_end() { at_ = std::min(text_.find('\n', at_), text_.size()); }

  std::string_view text_;
  const Ruleset& rules_;
  const GameSink& sink_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  ImportCounts counts_;
  // The game being read.
  std::map<std::string, std::string> tags_;  // names in lower case
  std::size_t first_line_ = 1;
  bool game_begun_ = false;
  std::optional<ToldGame> game_;
  std::optional<Result> told_result_;
  std::string why_not_;
  int depth_ = 0;  // of variations
};

}  // namespace

ImportCounts read_pgn(std::string_view utf8, const Ruleset& rules, const GameSink& sink) {
  return PgnReader(utf8, rules, sink).read();
}

}  // namespace cannonade
