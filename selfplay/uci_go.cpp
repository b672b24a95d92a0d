#include "selfplay/uci_go.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <utility>

#include "core/notation/text.h"
#include "selfplay/engine_lines.h"

namespace cannonade {
namespace {

constexpr std::int64_t kLongestMilliseconds = 10'000'000'000;  // about four months
constexpr std::int64_t kMostNodes = 1'000'000'000'000'000'000;
constexpr std::int64_t kMostMoves = 10'000;
constexpr std::size_t kMostFaults = 8;  // told of one line

// Saturates; nothing when the word is not a whole number.
std::optional<std::int64_t> whole_number(std::string_view word) {
  std::int64_t value = 0;
  const char* end = word.data() + word.size();
  const auto [stop, fault] = std::from_chars(word.data(), end, value);
  if (word.empty() || stop != end || fault == std::errc::invalid_argument) return std::nullopt;
  if (fault == std::errc::result_out_of_range) {
    return word.front() == '-' ? std::numeric_limits<std::int64_t>::min()
                               : std::numeric_limits<std::int64_t>::max();
  }
  return value;
}

// One reading of a `go`.
class GoReader {
 public:
  GoReader(std::span<const std::string_view> words, const GameState& game, Protocol protocol,
           bool in_milliseconds)
      : words_(words),
        game_(game),
        protocol_(protocol),
        factor_(in_milliseconds ? 1 : 1000),
        mine_(static_cast<std::size_t>(index_of(game.position().side_to_move()))) {}

  GoCommand read() {
    while (at_ < words_.size()) {
      const std::string_view word = words_[at_++];
      if (word == "infinite") {
        go_.infinite = true;
      } else if (word == "ponder") {
        go_.ponder = true;
      } else if (word == "searchmoves") {
        listing_ = true;
      } else if (read_number(word) || word == "draw") {  // UCCI's offer of a draw
        continue;
      } else if (listing_) {
        read_search_move(word);
      } else {
        fault(fmt::format("unknown word '{}'", shown(word)));
      }
    }
    settle();
    return std::move(go_);
  }

 private:
  using Milliseconds = std::chrono::milliseconds;

  void fault(const std::string& what) {
    if (go_.faults.size() < kMostFaults) go_.faults.push_back("go: " + what);
  }

  // True when `word` is a limit with a number behind it (or should have one).
  bool read_number(std::string_view word) {
    SearchLimits& limits = go_.limits;
    const auto time = [&](Milliseconds& limit, std::int64_t least) {
      const auto value = take(word, 0, kLongestMilliseconds);
      if (value) limit = Milliseconds(std::clamp(*value * factor_, least, kLongestMilliseconds));
    };
    const auto count = [&](auto& limit, std::int64_t least, std::int64_t most) {
      const auto value = take(word, least, most);
      if (value) limit = static_cast<std::remove_reference_t<decltype(limit)>>(*value);
    };
    const bool uci = protocol_ == Protocol::kUci;
    if (word == "depth" && !uci && at_ < words_.size() && words_[at_] == "infinite") {
      return true;  // the next word says it
    }
    if (word == "depth") {
      count(limits.depth, 1, std::numeric_limits<int>::max());
    } else if (word == "nodes") {
      count(limits.nodes, 1, kMostNodes);
    } else if (word == "mate") {
      count(go_.mate, 1, kMaxMatePlies / 2);
    } else if (word == "movestogo") {
      count(limits.moves_to_go, 0, kMostMoves);
    } else if (uci && word == "movetime") {
      time(limits.movetime, 1);
    } else if (word == (uci ? mine_ == 0 ? "wtime" : "btime" : "time")) {
      time(limits.remaining[mine_], 1);
    } else if (word == (uci ? mine_ == 0 ? "btime" : "wtime" : "opptime")) {
      time(limits.remaining[1 - mine_], 1);
    } else if (word == (uci ? mine_ == 0 ? "winc" : "binc" : "increment")) {
      time(limits.increment[mine_], 0);
    } else if (word == (uci ? mine_ == 0 ? "binc" : "winc" : "oppincrement")) {
      time(limits.increment[1 - mine_], 0);
    } else if (!uci && word == "oppmovestogo") {
      int unused = 0;
      count(unused, 0, kMostMoves);
    } else {
      return false;
    }
    limit_words_ = true;
    return true;
  }

  std::optional<std::int64_t> take(std::string_view word, std::int64_t least, std::int64_t most) {
    const std::string_view text = at_ < words_.size() ? words_[at_] : std::string_view();
    const auto value = whole_number(text);
    if (!value) {
      fault(fmt::format("{}: '{}' given; allowed: a whole number", word, shown(text)));
      return std::nullopt;
    }
    ++at_;
    return std::clamp(*value, least, most);
  }

  void read_search_move(std::string_view word) {
    std::vector<Move>& moves = go_.limits.search_moves;
    const Expected<Move> move = parse_move(word, protocol_);
    if (!move || !game_.legal(*move)) {
      fault(fmt::format("searchmoves: '{}' is not a legal turn here", shown(word)));
    } else if (std::find(moves.begin(), moves.end(), *move) == moves.end()) {
      moves.push_back(*move);
    }
  }

  void settle() {
    const SearchLimits& limits = go_.limits;
    if (listing_ && limits.search_moves.empty()) {
      fault("searchmoves: no legal turn, so any will do");
    }
    if (go_.infinite || go_.ponder) return;
    const bool bounded = limits.depth > 0 || limits.nodes > 0 || go_.mate > 0 ||
                         limits.movetime.count() > 0 || limits.remaining[mine_].count() > 0;
    if (bounded) return;
    if (!limit_words_) {
      go_.infinite = true;
      return;
    }
    fault("no limit that can be used: one ply it is");
    go_.limits.depth = 1;
  }

  std::span<const std::string_view> words_;
  const GameState& game_;
  Protocol protocol_;
  std::int64_t factor_;
  std::size_t mine_;
  std::size_t at_ = 0;
  bool limit_words_ = false;
  bool listing_ = false;  // behind `searchmoves`
  GoCommand go_;
};

}  // namespace

GoCommand parse_go(std::span<const std::string_view> words, const GameState& game,
                   Protocol protocol, bool in_milliseconds) {
  return GoReader(words, game, protocol, in_milliseconds).read();
}

}  // namespace cannonade
