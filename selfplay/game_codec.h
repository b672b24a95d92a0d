// Turns and scores as the store's compact blobs: two bytes each, little end first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/board/types.h"

namespace cannonade {

[[nodiscard]] std::string encode_moves(std::span<const Move> moves);
// Empty when every score is kNoScore.
[[nodiscard]] std::string encode_scores(std::span<const std::int16_t> scores);

// Into `moves`, whose memory is used again. Empty on success, else what is wrong.
[[nodiscard]] std::string decode_moves(std::span<const std::uint8_t> blob,
                                       std::vector<Move>& moves);
// `plies` scores; an empty blob means kNoScore for all.
[[nodiscard]] std::string decode_scores(std::span<const std::uint8_t> blob, std::size_t plies,
                                        std::vector<std::int16_t>& scores);

}  // namespace cannonade
