#include "core/notation/uci_move.h"

#include <fmt/format.h>

#include <optional>

#include "core/notation/text.h"

namespace cannonade {
namespace {

std::optional<Square> take_square(std::string_view& text) {
  if (text.size() < 2 || text[0] < 'a' || text[0] > 'i') return std::nullopt;
  if (text[1] < '1' || text[1] > '9') return std::nullopt;
  int rank = text[1] - '1';
  std::size_t length = 2;
  if (text[1] == '1' && text.size() > 2 && text[2] == '0') {
    rank = kRanks - 1;
    length = 3;
  }
  const Square square = make_square(text[0] - 'a', rank);
  text.remove_prefix(length);
  return square;
}

}  // namespace

std::string to_uci(Square square) {
  return fmt::format("{}{}", static_cast<char>('a' + file_of(square)), rank_of(square) + 1);
}

std::string to_uci(Move move) {
  return to_uci(move.from()) + to_uci(move.to());
}

Expected<Square> parse_square(std::string_view text) {
  std::string_view rest = text;
  const auto square = take_square(rest);
  if (!square || !rest.empty()) {
    return Failure{fmt::format("'{}' is not a point (a1 to i10)", shown(text, 20))};
  }
  return *square;
}

Expected<Move> parse_uci_move(std::string_view text) {
  std::string_view rest = text;
  const auto from = take_square(rest);
  const auto to = from ? take_square(rest) : std::nullopt;
  if (!to || !rest.empty() || !Move(*from, *to)) {
    return Failure{fmt::format("'{}' is not a move (like a1a10)", shown(text, 20))};
  }
  return Move(*from, *to);
}

}  // namespace cannonade
