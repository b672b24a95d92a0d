#include "eval/features.h"

#include <fmt/format.h>

#include <unordered_map>

namespace cannonade {
namespace {

constexpr std::string_view kKindNames[] = {"",      "general", "guard",  "elephant",
                                           "horse", "chariot", "cannon", "soldier"};
constexpr std::string_view kClassNames[] = {"soldier", "leaper", "cannon", "chariot"};
constexpr std::string_view kFileNames[] = {"no_own_soldier", "no_soldier", "palace", "developed"};
constexpr std::string_view kBlockedNames[] = {"horse_by_own", "horse_by_enemy", "elephant_by_own",
                                              "elephant_by_enemy"};
constexpr std::string_view kScreenNames[] = {"own", "own_shaky", "enemy", "cannon"};
constexpr std::string_view kGeneralFileNames[] = {"own_between", "held"};
constexpr std::string_view kSoldierNames[] = {"together",  "across", "protected",
                                              "in_palace", "facing", "alone"};
constexpr std::string_view kGuardNames[] = {"beside_0", "beside_1", "beside_2",
                                            "left_0",   "left_1",   "left_2"};

std::string_view valued_name(int index) {
  return kKindNames[index + index_of(PieceKind::kGuard)];
}
std::string_view attacker_name(int index) {
  return kKindNames[index + index_of(PieceKind::kElephant)];
}

std::string detail_name(FeatureGroup group, int i) {
  const auto square = [](int rank, int file) {
    return fmt::format("{}{}", static_cast<char>('a' + file), rank + 1);
  };
  switch (group) {
    case FeatureGroup::kMaterial:
    case FeatureGroup::kHanging:
    case FeatureGroup::kPinned:
    case FeatureGroup::kPair:
      return std::string(valued_name(i));
    case FeatureGroup::kSquare: {
      const int at = i % kMirroredSquares;
      return fmt::format("{}.{}", kKindNames[i / kMirroredSquares + 1], square(at / 5, at % 5));
    }
    case FeatureGroup::kSquareAside: {
      const int at = i % kSquares;
      return fmt::format("{}.{}", kKindNames[i / kSquares + 1], square(at / kFiles, at % kFiles));
    }
    case FeatureGroup::kTropism:
      return fmt::format("{}.{}.{}", attacker_name(i / 60), i / 10 % 6, i % 10);
    case FeatureGroup::kMobility:
    case FeatureGroup::kSafeMobility:
      return fmt::format("{}.{}", attacker_name(i / kMobilitySlots), i % kMobilitySlots);
    case FeatureGroup::kPalaceAttack:
    case FeatureGroup::kSafeCheck:
      return std::string(attacker_name(i));
    case FeatureGroup::kThreat:
      return fmt::format("{}.{}", kClassNames[i / kValued], valued_name(i % kValued));
    case FeatureGroup::kCannonLine:
    case FeatureGroup::kChariotLine:
      return fmt::format("{}.{}", i < 4 ? "file" : "rank", i % 4);
    case FeatureGroup::kCannonScreen:
      return std::string(kScreenNames[i]);
    case FeatureGroup::kGeneralFile:
      return std::string(kGeneralFileNames[i]);
    case FeatureGroup::kChariotFile:
      return std::string(kFileNames[i]);
    case FeatureGroup::kBlocked:
      return std::string(kBlockedNames[i]);
    case FeatureGroup::kSoldier:
      return std::string(kSoldierNames[i]);
    case FeatureGroup::kGuardShape:
      return std::string(kGuardNames[i]);
    case FeatureGroup::kTempo:
      return "turn";
    case FeatureGroup::kZoneAttackers:
    case FeatureGroup::kZoneWeak:
    case FeatureGroup::kGeneralSteps:
      return std::to_string(i);
    case FeatureGroup::kPointsLead:
    case FeatureGroup::kPointsAhead:
      return fmt::format("stage_{}", i);
  }
  return {};
}

}  // namespace

FeatureGroup group_of(int feature) {
  std::size_t g = 0;
  while (feature >= detail::kFeatureOffsets[g + 1]) ++g;
  return kFeatureGroups[g].group;
}

std::string feature_name(int feature) {
  const FeatureGroup group = group_of(feature);
  return fmt::format("{}.{}", info_of(group).name, detail_name(group, feature - offset_of(group)));
}

Expected<int> find_feature(std::string_view name) {
  static const auto kByName = [] {
    std::unordered_map<std::string, int> map;
    for (int i = 0; i < kFeatureCount; ++i) map.emplace(feature_name(i), i);
    return map;
  }();
  const auto found = kByName.find(std::string(name));
  if (found == kByName.end()) return Failure{fmt::format("there is no feature '{}'", name)};
  return found->second;
}

bool feature_applies(int feature, const Ruleset& rules) {
  return rules.count_points || !info_of(group_of(feature)).point_count_only;
}

}  // namespace cannonade
