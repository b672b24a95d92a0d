// The symmetries of the two games on positions of the fast core: left and right exchanged; ranks
// and colours exchanged, side to move too.
#pragma once

#include "core/board/movegen.h"
#include "core/board/position.h"

namespace cannonade::support {

struct Symmetry {
  const char* name;
  bool mirror;  // files
  bool flip;    // ranks, colours, side to move

  [[nodiscard]] Square operator()(Square square) const {
    if (mirror) square = mirror_files(square);
    return flip ? flip_ranks(square) : square;
  }
  [[nodiscard]] Move operator()(Move move) const {
    return {(*this)(move.from()), (*this)(move.to())};
  }
  [[nodiscard]] Side operator()(Side side) const { return flip ? ~side : side; }

  [[nodiscard]] Position operator()(const Position& position) const {
    PieceMap pieces{};
    for (int i = 0; i < kSquares; ++i) {
      const auto square = static_cast<Square>(i);
      const Piece piece = position.at(square);
      if (!piece.empty()) pieces[(*this)(square)] = Piece((*this)(piece.side()), piece.kind());
    }
    return Position::create(position.rules(), pieces, (*this)(position.side_to_move()),
                            position.no_capture(), position.plies() / 2 + 1)
        .value_or_throw("transformed position");
  }
};

constexpr Symmetry kSymmetries[] = {
    {"mirrored", true, false}, {"flipped", false, true}, {"turned", true, true}};

}  // namespace cannonade::support
