#include "selfplay/engine_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>

#include "core/notation/text.h"
#include "core/notation/uci_move.h"

namespace cannonade {
namespace {

template <class T>
std::optional<T> number_in(const std::string& word) {
  T value{};
  const char* end = word.data() + word.size();
  const auto [stop, fault] = std::from_chars(word.data(), end, value);
  if (fault != std::errc() || stop != end) return std::nullopt;
  return value;
}

// A mate in `moves` of the one who mates, in our plies.
Score mate_score(int moves) {
  const int plies = std::min(moves > 0 ? 2 * moves - 1 : -2 * moves, kMaxMatePlies - 1);
  return moves > 0 ? kMateScore - plies : -(kMateScore - plies);
}

}  // namespace

std::string to_ucci(Move move) {
  const auto point = [](Square square) {
    return fmt::format("{}{}", static_cast<char>('a' + file_of(square)), rank_of(square));
  };
  return point(move.from()) + point(move.to());
}

Expected<Move> parse_ucci_move(std::string_view text) {
  const auto good = [&](std::size_t i) {
    return text[i] >= 'a' && text[i] <= 'i' && text[i + 1] >= '0' && text[i + 1] <= '9';
  };
  if (text.size() != 4 || !good(0) || !good(2)) {
    return Failure{fmt::format("'{}' is not a move (like h2e2)", shown(std::string(text)))};
  }
  return Move(make_square(text[0] - 'a', text[1] - '0'), make_square(text[2] - 'a', text[3] - '0'));
}

std::string move_text(Move move, Protocol protocol) {
  return protocol == Protocol::kUci ? to_uci(move) : to_ucci(move);
}

Expected<Move> parse_move(std::string_view text, Protocol protocol) {
  return protocol == Protocol::kUci ? parse_uci_move(text) : parse_ucci_move(text);
}

void read_info(const std::vector<std::string>& words, MoveChoice* choice) {
  Score score = 0;
  bool scored = false;
  std::optional<std::uint64_t> nodes;
  std::optional<int> depth;
  for (std::size_t i = 1; i + 1 < words.size(); ++i) {
    if (words[i] == "string" || words[i] == "pv") break;
    if (words[i] == "multipv" && words[i + 1] != "1") return;
    if (words[i] == "nodes") nodes = number_in<std::uint64_t>(words[i + 1]);
    if (words[i] == "depth") depth = number_in<int>(words[i + 1]);
    if (words[i] != "score") continue;
    const std::string& kind = words[i + 1];
    if (const auto bare = number_in<int>(kind)) {  // UCCI
      score = std::clamp(*bare, -kMateBound + 1, kMateBound - 1);
      scored = true;
    } else if (i + 2 < words.size()) {
      const auto value = number_in<int>(words[i + 2]);
      if (!value || (kind != "cp" && kind != "mate")) continue;
      score =
          kind == "mate" ? mate_score(*value) : std::clamp(*value, -kMateBound + 1, kMateBound - 1);
      scored = i + 3 >= words.size() || !words[i + 3].ends_with("bound");
    }
  }
  if (nodes) choice->nodes = *nodes;
  if (depth) choice->depth = *depth;
  if (scored) {
    choice->score = score;
    choice->has_score = true;
  }
}

std::pair<std::string, std::vector<std::string>> read_option(
    const std::vector<std::string>& words) {
  std::string name;
  std::vector<std::string> values;
  std::size_t i = words.size() > 1 && words[1] == "name" ? 2 : 1;
  for (; i < words.size() && words[i] != "type"; ++i) name += (name.empty() ? "" : " ") + words[i];
  for (; i + 1 < words.size(); ++i) {
    if (words[i] == "var") values.push_back(words[i + 1]);
  }
  return {name, values};
}

std::string position_line(const GameState& game, const std::string& start_fen, Protocol protocol) {
  std::string line = "position fen " + start_fen;
  if (!game.moves().empty()) line += " moves";
  for (const Move move : game.moves()) {
    line += ' ';
    line += move_text(move, protocol);
  }
  return line;
}

std::string go_line(const SearchLimits& limits, Side side, Protocol protocol) {
  std::string line = "go";
  const auto mine = static_cast<std::size_t>(index_of(side));
  const bool clock = limits.remaining[mine].count() > 0;
  const std::uint64_t nodes = limits.nodes > 0 ? limits.nodes : limits.soft_nodes;
  if (protocol == Protocol::kUci) {
    if (clock) {
      line += fmt::format(" wtime {} btime {} winc {} binc {}", limits.remaining[0].count(),
                          limits.remaining[1].count(), limits.increment[0].count(),
                          limits.increment[1].count());
      if (limits.moves_to_go > 0) line += fmt::format(" movestogo {}", limits.moves_to_go);
    }
    if (limits.movetime.count() > 0) line += fmt::format(" movetime {}", limits.movetime.count());
    if (nodes > 0) line += fmt::format(" nodes {}", nodes);
    if (limits.depth > 0) line += fmt::format(" depth {}", limits.depth);
    return line;
  }
  if (clock) {
    return line + fmt::format(" time {} increment {} opptime {} oppincrement {}",
                              limits.remaining[mine].count(), limits.increment[mine].count(),
                              limits.remaining[1 - mine].count(),
                              limits.increment[1 - mine].count());
  }
  if (limits.movetime.count() > 0) {
    return line + fmt::format(" time {} movestogo 1", limits.movetime.count());
  }
  if (nodes > 0) return line + fmt::format(" nodes {}", nodes);
  return line + fmt::format(" depth {}", limits.depth);
}

}  // namespace cannonade
