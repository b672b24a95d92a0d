#include "core/search/move_picker.h"

#include <algorithm>

namespace cannonade {

MovePicker::MovePicker(const Position& position, const Danger& dangers, Move table_move,
                       const PickerContext& context, bool captures_only)
    : position_(position),
      dangers_(dangers),
      context_(context),
      table_move_(table_move),
      captures_only_(captures_only) {
  const bool wanted = table_move &&
                      (!captures_only || position.is_capture(table_move) || dangers.in_check) &&
                      is_legal(position, dangers, table_move);
  if (!wanted) table_move_ = kNoMove;
  stage_ = wanted             ? Stage::kTable
           : dangers.in_check ? Stage::kGenerateEvasions
                              : Stage::kGenerateCaptures;
}

int MovePicker::capture_score(Move move) const {
  return 16 * see_value(position_.game(), position_.at(move.to()).kind()) +
         context_.capture_history(position_, move);
}

// Selection, one at a time: most nodes are cut after a few turns.
Move MovePicker::pick_best() {
  int best = ranks_[at_];
  for (std::size_t i = at_ + 1; i < list_.size(); ++i) best = std::max(best, ranks_[i]);
  const auto place = static_cast<std::size_t>(kPlaces - 1 - (best & (kPlaces - 1)));
  std::uint16_t* moves = list_.raw_begin();
  const Move move = Move::from_raw(moves[place]);
  ranks_[place] = ranks_[at_] - static_cast<int>(place - at_);
  moves[place] = moves[at_++];
  return move;
}

Move MovePicker::next(bool skip_quiets) {
  for (;;) {
    switch (stage_) {
      case Stage::kTable:
        stage_ = dangers_.in_check ? Stage::kGenerateEvasions : Stage::kGenerateCaptures;
        return table_move_;

      case Stage::kGenerateCaptures:
        generate(position_, dangers_, MoveKind::kCaptures, list_);
        for (std::size_t i = 0; i < list_.size(); ++i) rank(i, capture_score(list_[i]));
        stage_ = Stage::kGoodCaptures;
        break;

      case Stage::kGoodCaptures:
        while (at_ < list_.size()) {
          const Move move = pick_best();
          if (move == table_move_) continue;
          if (!see_at_least(position_, move, 0)) {
            if (bad_count_ < bad_captures_.size()) bad_captures_[bad_count_++] = move;
            continue;
          }
          return move;
        }
        stage_ = captures_only_ ? Stage::kDone : Stage::kGenerateQuiets;
        break;

      case Stage::kGenerateQuiets:
        if (!skip_quiets) {
          list_.clear();
          at_ = 0;
          generate(position_, dangers_, MoveKind::kQuiets, list_);
          for (std::size_t i = 0; i < list_.size(); ++i)
            rank(i, context_.quiet_history(position_, list_[i]));
        }
        stage_ = Stage::kQuiets;
        break;

      case Stage::kQuiets:
        while (!skip_quiets && at_ < list_.size()) {
          const Move move = pick_best();
          if (move != table_move_) return move;
        }
        stage_ = Stage::kBadCaptures;
        break;

      case Stage::kBadCaptures:
        if (bad_at_ < bad_count_) return bad_captures_[bad_at_++];
        stage_ = Stage::kDone;
        break;

      case Stage::kGenerateEvasions:
        generate(position_, dangers_, MoveKind::kAll, list_);
        for (std::size_t i = 0; i < list_.size(); ++i) {
          constexpr int kCapturesFirst = 1 << 19;
          rank(i, !position_.is_capture(list_[i]) ? context_.quiet_history(position_, list_[i])
                                                  : kCapturesFirst + capture_score(list_[i]));
        }
        stage_ = Stage::kEvasions;
        break;

      case Stage::kEvasions:
        while (at_ < list_.size()) {
          const Move move = pick_best();
          if (move != table_move_) return move;
        }
        stage_ = Stage::kDone;
        break;

      case Stage::kDone:
        return kNoMove;
    }
  }
}

}  // namespace cannonade
