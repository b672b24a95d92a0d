#include "selfplay/game_codec.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/game/game_record.h"

namespace cannonade {
namespace {

void append(std::string& blob, std::uint16_t value) {
  blob += static_cast<char>(value & 0xFF);
  blob += static_cast<char>(value >> 8);
}

std::uint16_t value_at(std::span<const std::uint8_t> blob, std::size_t i) {
  return static_cast<std::uint16_t>(blob[2 * i] | blob[2 * i + 1] << 8);
}

}  // namespace

std::string encode_moves(std::span<const Move> moves) {
  std::string blob;
  blob.reserve(2 * moves.size());
  for (const Move move : moves) append(blob, move.raw());
  return blob;
}

std::string encode_scores(std::span<const std::int16_t> scores) {
  std::string blob;
  if (std::ranges::all_of(scores, [](std::int16_t s) { return s == kNoScore; })) return blob;
  blob.reserve(2 * scores.size());
  for (const std::int16_t score : scores) append(blob, static_cast<std::uint16_t>(score));
  return blob;
}

std::string decode_moves(std::span<const std::uint8_t> blob, std::vector<Move>& moves) {
  moves.clear();
  if (blob.size() % 2 != 0) return "its moves are not a whole number of turns";
  moves.reserve(blob.size() / 2);
  for (std::size_t i = 0; i < blob.size() / 2; ++i) {
    const Move move = Move::from_raw(value_at(blob, i));
    if (move != Move(move.from(), move.to()) || move.from() >= kSquares || move.to() >= kSquares ||
        !move) {
      return fmt::format("turn {} is not on the board", i + 1);
    }
    moves.push_back(move);
  }
  return {};
}

std::string decode_scores(std::span<const std::uint8_t> blob, std::size_t plies,
                          std::vector<std::int16_t>& scores) {
  scores.clear();
  if (blob.empty()) {
    scores.assign(plies, kNoScore);
    return {};
  }
  if (blob.size() != 2 * plies) {
    return fmt::format("{} bytes of scores for {} turns", blob.size(), plies);
  }
  scores.reserve(plies);
  for (std::size_t i = 0; i < plies; ++i) {
    scores.push_back(static_cast<std::int16_t>(value_at(blob, i)));
  }
  return {};
}

}  // namespace cannonade
