#include "core/board/position.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/board/movegen.h"
#include "core/board/zobrist.h"

namespace cannonade {
namespace {

std::string square_name(Square square) {
  return fmt::format("{}{}", static_cast<char>('a' + file_of(square)), rank_of(square) + 1);
}

}  // namespace

void Position::put(Square square, Piece piece) {
  const auto code = static_cast<std::size_t>(piece.code());
  board_[square] = piece;
  by_piece_[code] |= square_bit(square);
  by_side_[at_index(piece.side())] |= square_bit(square);
  slots_[square] = counts_[code];
  lists_[code][counts_[code]++] = square;
}

Expected<Position> Position::create(const Ruleset& rules, const PieceMap& pieces, Side to_move,
                                    int no_capture, int full_move) {
  Position position;
  position.rules_ = &rules;
  position.side_ = to_move;
  position.no_capture_ = no_capture;
  position.plies_ = 2 * (std::max(full_move, 1) - 1) + index_of(to_move);
  for (int i = 0; i < kSquares; ++i) {
    const auto square = static_cast<Square>(i);
    const Piece piece = pieces[square];
    if (piece.empty()) continue;
    const Bitboard palace = kAttacks.palace[at_index(piece.side())];
    const auto owner = side_name(rules.game, piece.side());
    if (piece.kind() == PieceKind::kGeneral && !palace.has(square)) {
      return Failure{
          fmt::format("{}'s general on {} is outside its palace", owner, square_name(square))};
    }
    if (piece.kind() == PieceKind::kGuard && !palace.has(square)) {
      return Failure{fmt::format("{}'s {} on {} is outside its palace", owner,
                                 rules.game == Game::kXiangqi ? "advisor" : "guard",
                                 square_name(square))};
    }
    if (rules.game == Game::kXiangqi && piece.kind() == PieceKind::kElephant &&
        (square < kHalf) != (piece.side() == Side::kFirst)) {
      return Failure{
          fmt::format("{}'s elephant on {} is across the river", owner, square_name(square))};
    }
    position.put(square, piece);
  }
  for (const Side side : {Side::kFirst, Side::kSecond}) {
    const int generals = position.count(side, PieceKind::kGeneral);
    if (generals != 1) {
      return Failure{fmt::format("{} has {} generals, not one", side_name(rules.game, side),
                                 generals == 0 ? "no" : std::to_string(generals))};
    }
  }
  if (rules.game == Game::kXiangqi && position.generals_face()) {
    return Failure{"the generals face each other on an open file"};
  }
  if (in_check(position, ~to_move)) {
    return Failure{fmt::format("{} is in check but {} is to move", side_name(rules.game, ~to_move),
                               side_name(rules.game, to_move))};
  }
  position.key_ = position.compute_key();
  return position;
}

bool Position::generals_face() const {
  const Square first = general(Side::kFirst);
  const Square second = general(Side::kSecond);
  if (file_of(first) != file_of(second)) return false;
  return (general_view(game(), first).line_path[second] & occupied()).empty();
}

void Position::move_piece(Square from, Square to, Piece piece) {
  const auto code = static_cast<std::size_t>(piece.code());
  const Bitboard both = square_bit(from) | square_bit(to);
  by_piece_[code] ^= both;
  by_side_[at_index(piece.side())] ^= both;
  board_[from] = Piece();
  board_[to] = piece;
  const std::uint8_t slot = slots_[from];
  slots_[to] = slot;
  lists_[code][slot] = to;
}

void Position::make(Move move, Undo& undo) {
  const Square from = move.from();
  const Square to = move.to();
  undo.key = key_;
  undo.no_capture = no_capture_;
  ++no_capture_;
  ++plies_;
  key_ ^= zobrist::kKeys.second_to_move;
  if (from == to) {  // J16: a pass
    undo.captured = Piece();
  } else {
    const Piece piece = board_[from];
    const Piece captured = board_[to];
    undo.captured = captured;
    if (!captured.empty()) {
      const auto code = static_cast<std::size_t>(captured.code());
      by_piece_[code] ^= square_bit(to);
      by_side_[at_index(captured.side())] ^= square_bit(to);
      // The last of its list takes the place of the captured piece.
      const std::uint8_t slot = slots_[to];
      const Square last = lists_[code][--counts_[code]];
      lists_[code][slot] = last;
      slots_[last] = slot;
      undo.captured_slot = slot;
      key_ ^= zobrist::kKeys.piece[code][to];
      no_capture_ = 0;
    }
    const auto& keys = zobrist::kKeys.piece[static_cast<std::size_t>(piece.code())];
    key_ ^= keys[from] ^ keys[to];
    move_piece(from, to, piece);
  }
  side_ = ~side_;
}

void Position::unmake(Move move, const Undo& undo) {
  const Square from = move.from();
  const Square to = move.to();
  side_ = ~side_;
  --plies_;
  if (from != to) {
    move_piece(to, from, board_[to]);
    const Piece captured = undo.captured;
    if (!captured.empty()) {
      const auto code = static_cast<std::size_t>(captured.code());
      board_[to] = captured;
      by_piece_[code] ^= square_bit(to);
      by_side_[at_index(captured.side())] ^= square_bit(to);
      const Square moved = lists_[code][undo.captured_slot];
      lists_[code][counts_[code]] = moved;
      slots_[moved] = counts_[code]++;
      lists_[code][undo.captured_slot] = to;
      slots_[to] = undo.captured_slot;
    }
  }
  key_ = undo.key;
  no_capture_ = undo.no_capture;
}

std::uint64_t Position::key_after(Move move) const {
  std::uint64_t key = key_ ^ zobrist::kKeys.second_to_move;
  if (move.is_pass()) return key;
  const auto code = static_cast<std::size_t>(board_[move.from()].code());
  const auto captured = static_cast<std::size_t>(board_[move.to()].code());
  key ^= zobrist::kKeys.piece[code][move.from()] ^ zobrist::kKeys.piece[code][move.to()];
  return key ^ zobrist::kKeys.piece[captured][move.to()];  // zero for an empty point
}

std::uint64_t Position::compute_key() const {
  std::uint64_t key = side_ == Side::kSecond ? zobrist::kKeys.second_to_move : 0;
  for (std::size_t s = 0; s < kSquares; ++s) {
    key ^= zobrist::kKeys.piece[static_cast<std::size_t>(board_[s].code())][s];
  }
  return key;
}

bool Position::consistent() const {
  std::array<int, 16> found{};
  for (int i = 0; i < kSquares; ++i) {
    const auto s = static_cast<Square>(i);
    const auto code = static_cast<std::size_t>(board_[s].code());
    for (std::size_t c = 1; c < 16; ++c) {
      if (c % 8 != 0 && by_piece_[c].has(s) != (c == code)) return false;
    }
    for (const Side side : {Side::kFirst, Side::kSecond}) {
      if (by_side_[at_index(side)].has(s) != (code != 0 && board_[s].side() == side)) return false;
    }
    if (code == 0) continue;
    ++found[code];
    if (slots_[s] >= counts_[code] || lists_[code][slots_[s]] != s) return false;
  }
  for (std::size_t c = 1; c < 16; ++c) {
    if (found[c] != counts_[c]) return false;
  }
  return key_ == compute_key();
}

bool Position::operator==(const Position& other) const {
  if (by_piece_ != other.by_piece_ || by_side_ != other.by_side_ || key_ != other.key_ ||
      *rules_ != *other.rules_ || no_capture_ != other.no_capture_ || plies_ != other.plies_ ||
      side_ != other.side_ || counts_ != other.counts_ || board_ != other.board_) {
    return false;
  }
  for (std::size_t code = 0; code < 16; ++code) {
    for (std::size_t slot = 0; slot < counts_[code]; ++slot) {
      if (lists_[code][slot] != other.lists_[code][slot]) return false;
      if (slots_[lists_[code][slot]] != other.slots_[lists_[code][slot]]) return false;
    }
  }
  return true;
}

}  // namespace cannonade
