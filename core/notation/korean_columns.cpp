#include "core/notation/korean_columns.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <utility>

#include "core/notation/text.h"
#include "core/notation/uci_move.h"

namespace cannonade {
namespace {

constexpr std::string_view kPass = "한수쉼";

// Every name of a piece; a general may also be written by the side's own character.
constexpr std::pair<std::string_view, PieceKind> kNames[] = {
    {"차", PieceKind::kChariot}, {"車", PieceKind::kChariot},  {"车", PieceKind::kChariot},
    {"포", PieceKind::kCannon},  {"包", PieceKind::kCannon},   {"砲", PieceKind::kCannon},
    {"炮", PieceKind::kCannon},  {"마", PieceKind::kHorse},    {"馬", PieceKind::kHorse},
    {"马", PieceKind::kHorse},   {"상", PieceKind::kElephant}, {"象", PieceKind::kElephant},
    {"사", PieceKind::kGuard},   {"士", PieceKind::kGuard},    {"졸", PieceKind::kSoldier},
    {"卒", PieceKind::kSoldier}, {"병", PieceKind::kSoldier},  {"兵", PieceKind::kSoldier},
    {"장", PieceKind::kGeneral}, {"將", PieceKind::kGeneral},  {"将", PieceKind::kGeneral},
    {"궁", PieceKind::kGeneral}, {"宮", PieceKind::kGeneral},  {"왕", PieceKind::kGeneral},
    {"王", PieceKind::kGeneral},
};
constexpr std::pair<std::string_view, Side> kSides[] = {
    {"楚", Side::kFirst},  {"초", Side::kFirst},  {"漢", Side::kSecond},
    {"汉", Side::kSecond}, {"한", Side::kSecond},
};

std::optional<Square> take_point(std::string_view& text) {
  if (text.size() < 2 || text[0] < '0' || text[0] > '9' || text[1] < '1' || text[1] > '9') {
    return std::nullopt;
  }
  const int row = text[0] == '0' ? kRanks : text[0] - '0';
  const Square square = make_square(text[1] - '1', kRanks - row);
  text.remove_prefix(2);
  return square;
}

std::string point(Square square) {
  const int row = kRanks - rank_of(square);
  return fmt::format("{}{}", row % 10, file_of(square) + 1);
}

template <class Table>
auto take_name(std::string_view& text, const Table& table)
    -> std::optional<decltype(table[0].second)> {
  for (const auto& [name, meaning] : table) {
    if (take_prefix(text, name)) return meaning;
  }
  return std::nullopt;
}

}  // namespace

std::string to_korean(const Position& position, Move move) {
  if (move.is_pass()) return std::string(kPass);
  const Piece piece = position.at(move.from());
  constexpr std::array<std::string_view, kPieceKinds> kWritten{"?",  "장", "사", "상",
                                                               "마", "차", "포", "졸"};
  const bool han_soldier = piece == Piece(Side::kSecond, PieceKind::kSoldier);
  return fmt::format(
      "{}{}{}", point(move.from()),
      han_soldier ? "병" : kWritten[static_cast<std::size_t>(index_of(piece.kind()))],
      point(move.to()));
}

Expected<Move> parse_korean_turn(const Position& position, std::string_view text) {
  const auto refuse = [whole = text](const std::string& why) {
    return Failure{fmt::format("'{}' {}", shown(whole), why)};
  };
  const Side mover = position.side_to_move();
  if (text.starts_with("한수쉼") || text == "쉼" || text.starts_with("한수쉬")) {
    const Square general = position.general(mover);
    return Move(general, general);
  }
  const auto from = take_point(text);
  if (!from) return refuse("does not begin with a point (row and file)");
  const auto side = take_name(text, kSides);
  auto kind = take_name(text, kNames);
  if (!kind && side) kind = PieceKind::kGeneral;
  if (!kind) return refuse("names no piece");
  const auto to = take_point(text);
  if (!to) return refuse("has no point to go to");
  if (side && *side != mover) return refuse("is the other side's turn");
  if (*from == *to && *kind != PieceKind::kGeneral) return refuse("goes nowhere");
  if (position.at(*from) != Piece(mover, *kind)) {
    return refuse(fmt::format("is not played by the piece on {}", to_uci(*from)));
  }
  return Move(*from, *to);
}

}  // namespace cannonade
