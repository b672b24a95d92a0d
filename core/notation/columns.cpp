#include "core/notation/columns.h"

#include <fmt/format.h>

#include <cctype>
#include <optional>

#include "core/board/movegen.h"
#include "core/notation/korean_columns.h"
#include "core/notation/text.h"
#include "core/notation/uci_move.h"
#include "core/notation/xiangqi_columns.h"

namespace cannonade {
namespace {

// "H2-E2": ranks from 0.
std::optional<Move> parse_iccs(std::string_view text) {
  if (text.size() != 5 || text[2] != '-') return std::nullopt;
  const auto square = [](char file, char rank) -> std::optional<Square> {
    if (file < 'A' || file > 'I' || rank < '0' || rank > '9') return std::nullopt;
    return make_square(file - 'A', rank - '0');
  };
  const auto from = square(text[0], text[1]);
  const auto to = square(text[3], text[4]);
  if (!from || !to || !Move(*from, *to)) return std::nullopt;
  return Move(*from, *to);
}

// Algebraic letters: an optional piece (none: a soldier), what tells it from others (file, rank or
// both), an optional x, the point arrived at.
struct Algebraic {
  PieceKind kind = PieceKind::kSoldier;
  int file = -1;
  int rank = -1;
  Square to = kNoSquare;
};

std::optional<int> take_rank(std::string_view& text) {
  if (text.empty() || text[0] < '1' || text[0] > '9') return std::nullopt;
  const bool ten = text.starts_with("10");
  const int rank = ten ? kRanks - 1 : text[0] - '1';
  text.remove_prefix(ten ? 2 : 1);
  return rank;
}

std::optional<int> take_file(std::string_view& text) {
  if (text.empty() || text[0] < 'a' || text[0] > 'i') return std::nullopt;
  const int file = text[0] - 'a';
  text.remove_prefix(1);
  return file;
}

std::optional<Algebraic> parse_algebraic(std::string_view text) {
  while (!text.empty() && std::string_view("+#!?").find(text.back()) != std::string_view::npos) {
    text.remove_suffix(1);
  }
  Algebraic a;
  if (!text.empty() && std::isupper(static_cast<unsigned char>(text[0])) != 0) {
    constexpr std::string_view kAlgebraicLetters = ".KABNRCP..EH";
    constexpr std::size_t kAliasOffset = 7;
    std::size_t kind = kAlgebraicLetters.find(text[0]);
    if (kind == std::string_view::npos) return std::nullopt;
    if (kind >= kPieceKinds) kind -= kAliasOffset;  // E is B, H is N
    a.kind = static_cast<PieceKind>(kind);
    text.remove_prefix(1);
  }
  const std::size_t last = text.find_last_of("abcdefghi");
  if (last == std::string_view::npos) return std::nullopt;
  std::string_view target = text.substr(last);
  const auto file = take_file(target);
  const auto rank = take_rank(target);
  if (!rank || !target.empty()) return std::nullopt;
  a.to = make_square(*file, *rank);
  std::string_view origin = text.substr(0, last);
  if (origin.ends_with('x') || origin.ends_with('-')) origin.remove_suffix(1);
  a.file = take_file(origin).value_or(-1);
  a.rank = take_rank(origin).value_or(-1);
  if (!origin.empty()) return std::nullopt;
  return a;
}

Expected<Move> find_algebraic(const Position& position, const Algebraic& a, std::string_view text) {
  Move found;
  MoveList legal;
  generate(position, legal);
  for (const Move move : legal) {
    const Square from = move.from();
    if (move.to() != a.to || move.is_pass() || position.at(from).kind() != a.kind ||
        (a.file >= 0 && file_of(from) != a.file) || (a.rank >= 0 && rank_of(from) != a.rank)) {
      continue;
    }
    if (found) return Failure{fmt::format("'{}' names more than one turn", shown(text))};
    found = move;
  }
  if (!found) return Failure{fmt::format("'{}' names no legal turn", shown(text))};
  return found;
}

}  // namespace

std::string to_text(const Position& position, Move move, MoveStyle style) {
  if (style == MoveStyle::kUci) return to_uci(move);
  if (position.game() == Game::kJanggi) return to_korean(position, move);
  return to_xiangqi_columns(
      position, move, style == MoveStyle::kWxf ? XiangqiColumns::kWxf : XiangqiColumns::kChinese);
}

Expected<Move> parse_any_turn(const Position& position, std::string_view text) {
  if (const auto uci = parse_uci_move(text)) return *uci;
  if (const auto iccs = parse_iccs(text)) return *iccs;
  if (text == "--" || text == "pass") {
    const Square general = position.general(position.side_to_move());
    return Move(general, general);
  }
  if (const auto algebraic = parse_algebraic(text)) {
    return find_algebraic(position, *algebraic, text);
  }
  return position.game() == Game::kJanggi ? parse_korean_turn(position, text)
                                          : parse_xiangqi_columns(position, text);
}

}  // namespace cannonade
