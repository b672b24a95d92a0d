// The features of the evaluation: every weight has a group, a place in it and a name that files,
// the tuner and people use ("mobility.chariot.7"). One table declares them all; a change here
// changes kFeatureCount and the schema, and older weights files are refused or read by name.
//
// Each feature has two weights, for the middle game and for the end game, blended by the phase.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/board/ruleset.h"
#include "core/board/types.h"

namespace cannonade {

enum class FeatureGroup : std::uint8_t {
  kMaterial,
  kSquare,
  kSquareAside,
  kTropism,
  kMobility,
  kSafeMobility,
  kPalaceAttack,
  kZoneAttackers,
  kZoneWeak,
  kSafeCheck,
  kGeneralSteps,
  kThreat,
  kHanging,
  kPinned,
  kCannonLine,
  kCannonScreen,
  kChariotLine,
  kChariotFile,
  kBlocked,
  kSoldier,
  kGuardShape,
  kGeneralFile,
  kPair,
  kTempo,
  kPointsLead,
  kPointsAhead,
};

struct GroupInfo {
  FeatureGroup group;
  std::string_view name;
  int size;
  bool point_count_only;
  std::string_view help;
};

// Kinds with a material weight: guard, elephant, horse, chariot, cannon, soldier.
constexpr int kValued = 6;
constexpr int valued_index(PieceKind kind) {
  return index_of(kind) - index_of(PieceKind::kGuard);
}
constexpr int kMirroredSquares = 50;  // ten ranks of five files, the board folded at file e
constexpr int kMobilitySlots = 20;    // counts 0 to 19 and beyond
constexpr int kCountStages = 4;       // of the no-progress count, for the points lead

inline constexpr std::array kFeatureGroups{
    GroupInfo{FeatureGroup::kMaterial, "material", kValued, false, "pieces on the board"},
    GroupInfo{FeatureGroup::kSquare, "square", 7 * kMirroredSquares, false,
              "where pieces stand, files mirrored"},
    GroupInfo{FeatureGroup::kSquareAside, "square_aside", 7 * kSquares, false,
              "on top of that while the own general stands aside (mirrored to its left)"},
    GroupInfo{FeatureGroup::kTropism, "tropism", 5 * 6 * 10, false,
              "distance to the enemy general in files and ranks, by attacking piece"},
    GroupInfo{FeatureGroup::kMobility, "mobility", 4 * kMobilitySlots, false,
              "points that a piece reaches"},
    GroupInfo{FeatureGroup::kSafeMobility, "safe_mobility", 4 * kMobilitySlots, false,
              "points reached that no lesser enemy piece attacks"},
    GroupInfo{FeatureGroup::kPalaceAttack, "palace_attack", 5, false,
              "points of the enemy palace attacked, by piece"},
    GroupInfo{FeatureGroup::kZoneAttackers, "zone_attackers", 8, false,
              "pieces that attack the points around the enemy general"},
    GroupInfo{FeatureGroup::kZoneWeak, "zone_weak", 8, false,
              "points around the enemy general attacked and guarded by the general alone"},
    GroupInfo{FeatureGroup::kSafeCheck, "safe_check", 4, false,
              "points from which a piece could give check unharmed"},
    GroupInfo{FeatureGroup::kGeneralSteps, "general_steps", 9, false,
              "steps of the general to points not attacked"},
    GroupInfo{FeatureGroup::kThreat, "threat", 4 * kValued, false,
              "attacks on a piece by soldiers, leapers and guards, cannons, chariots"},
    GroupInfo{FeatureGroup::kHanging, "hanging", kValued, false,
              "enemy pieces attacked and not protected"},
    GroupInfo{FeatureGroup::kPinned, "pinned", kValued, false,
              "own pieces that shield the general"},
    GroupInfo{FeatureGroup::kCannonLine, "cannon_line", 8, false,
              "cannon on file or rank of the enemy general, by pieces between"},
    GroupInfo{FeatureGroup::kCannonScreen, "cannon_screen", 4, false,
              "pieces before a cannon: own, own that the enemy can take, enemy's, cannons"},
    GroupInfo{FeatureGroup::kChariotLine, "chariot_line", 8, false,
              "chariot on file or rank of the enemy general, by pieces between"},
    GroupInfo{FeatureGroup::kChariotFile, "chariot_file", 4, false,
              "chariot on a file without own soldiers, without soldiers, of the palace, developed"},
    GroupInfo{FeatureGroup::kBlocked, "blocked", 4, false,
              "horse legs and elephant ways blocked by own, by enemy pieces"},
    GroupInfo{FeatureGroup::kSoldier, "soldier", 6, false,
              "soldiers side by side, across, protected, in the palace, facing, alone"},
    GroupInfo{FeatureGroup::kGuardShape, "guard_shape", 6, false,
              "guards beside the general, and none, one or two left"},
    GroupInfo{FeatureGroup::kGeneralFile, "general_file", 2, false,
              "the generals' file: the one piece between is own, the own general holds it"},
    GroupInfo{FeatureGroup::kPair, "pair", 5, false, "both pieces of a kind still there"},
    GroupInfo{FeatureGroup::kTempo, "tempo", 1, false, "the turn"},
    GroupInfo{FeatureGroup::kPointsLead, "points_lead", kCountStages, true,
              "points ahead, by stage of the count of turns without a capture"},
    GroupInfo{FeatureGroup::kPointsAhead, "points_ahead", kCountStages, true,
              "being ahead at all, by stage"},
};

namespace detail {
constexpr auto kFeatureOffsets = []() {
  std::array<int, kFeatureGroups.size() + 1> offsets{};
  for (std::size_t i = 0; i < kFeatureGroups.size(); ++i) {
    offsets[i + 1] = offsets[i] + kFeatureGroups[i].size;
  }
  return offsets;
}();
constexpr bool groups_are_in_order() {
  for (std::size_t i = 0; i < kFeatureGroups.size(); ++i) {
    if (static_cast<std::size_t>(kFeatureGroups[i].group) != i) return false;
  }
  return true;
}
static_assert(groups_are_in_order());
}  // namespace detail

constexpr int kFeatureCount = detail::kFeatureOffsets.back();
constexpr int offset_of(FeatureGroup group) {
  return detail::kFeatureOffsets[static_cast<std::size_t>(group)];
}
constexpr const GroupInfo& info_of(FeatureGroup group) {
  return kFeatureGroups[static_cast<std::size_t>(group)];
}
[[nodiscard]] FeatureGroup group_of(int feature);

// "group.detail", unique; and the way back.
[[nodiscard]] std::string feature_name(int feature);
[[nodiscard]] Expected<int> find_feature(std::string_view name);

// Whether the feature can be active under the rule set at all.
[[nodiscard]] bool feature_applies(int feature, const Ruleset& rules);

}  // namespace cannonade
