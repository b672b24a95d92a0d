// The evaluation as a weak player has it: wrong by an error of judgement, and blind for some turns.
// An OverlookingEvaluator for the search; a player at full strength never goes through it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "core/search/evaluator.h"
#include "eval/sinks.h"
#include "selfplay/skill.h"

namespace cannonade {

struct SkilledEvaluator {
  std::shared_ptr<const PackedWeights> weights;
  Skill skill;
  std::uint64_t seed = 0;     // of the game
  bool clear_headed = false;  // as if at full strength, for a moment

  Score operator()(const Position& position) const {
    constexpr Score kMost = 15'000;  // far from decided games
    const Score value = evaluate(position, *weights);
    if (clear_headed) return value;
    return std::clamp(value + judgement_error(skill, position.key(), seed), -kMost, kMost);
  }
  [[nodiscard]] bool overlooks(const Position& position, Move last, Move move) const {
    return !clear_headed && cannonade::overlooks(skill, seed, position, last, move);
  }
};
static_assert(OverlookingEvaluator<SkilledEvaluator>);

}  // namespace cannonade
