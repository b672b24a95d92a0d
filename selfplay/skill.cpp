#include "selfplay/skill.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/base/rng.h"
#include "core/board/movegen.h"

namespace cannonade {
namespace {

constexpr std::uint64_t kMaxSkillNodes = 1'000'000'000;
constexpr int kMaxSkillDepth = 100;
constexpr double kMaxNoise = 3000;
// Streams of the game's seed.
constexpr std::uint64_t kNoiseStream = 0x4E01;
constexpr std::uint64_t kSightStream = 0x516E;

// Steps as a person counts them: along a line or a leap, the longer of both directions.
int distance(Square a, Square b) {
  return std::max(std::abs(file_of(a) - file_of(b)), std::abs(rank_of(a) - rank_of(b)));
}

// By kind: how hard the piece's turns are to foresee, whatever their length.
double hiding(PieceKind kind) {
  switch (kind) {
    case PieceKind::kElephant:
    case PieceKind::kCannon:
      return 1;
    case PieceKind::kHorse:
      return 0.7;
    case PieceKind::kChariot:
      return 0.55;
    case PieceKind::kSoldier:
      return 0.4;
    default:
      return 0.3;
  }
}

// Uniform in [0, 1).
double unit(std::uint64_t bits) {
  return static_cast<double>(bits >> 11) * 0x1.0p-53;
}

double between(double weak, double strong, double strength) {
  return weak + (strong - weak) * strength;
}

}  // namespace

void declare(SettingsTable& table, Skill& skill) {
  table.add("nodes", skill.nodes, 0, kMaxSkillNodes, "nodes a move at most; 0 is no such bound");
  table.add("depth", skill.depth, 0, kMaxSkillDepth, "plies at most; 0 is no such bound");
  table.add("noise", skill.noise, 0.0, kMaxNoise,
            "standard deviation of the error of judgement, centipawns");
  table.add("overlook", skill.overlook, 0.0, 1.0,
            "chance of overlooking a turn that is as hard to see as turns are");
  table.add("careless", skill.careless, "may overlook mates in one and recaptures, too");
}

std::string skill_text(const Skill& skill) {
  return fmt::format("nodes = {}, depth = {}, noise = {}, overlook = {}, careless = {}",
                     skill.nodes, skill.depth, skill.noise, skill.overlook, skill.careless);
}

SearchLimits bounded_limits(const Skill& skill, SearchLimits limits) {
  if (skill.nodes > 0 && (limits.nodes == 0 || limits.nodes > skill.nodes)) {
    limits.nodes = skill.nodes;
  }
  if (skill.depth > 0 && (limits.depth == 0 || limits.depth > skill.depth)) {
    limits.depth = skill.depth;
  }
  return limits;
}

Skill skill_between(const Skill& weak, const Skill& strong, double strength,
                    double careless_below) {
  const double s = std::clamp(strength, 0.0, 1.0);
  if (s >= 1) return strong;
  Skill skill;
  if (weak.nodes > 0 && strong.nodes > 0) {
    const double log_nodes = between(std::log(static_cast<double>(weak.nodes)),
                                     std::log(static_cast<double>(strong.nodes)), s);
    skill.nodes = static_cast<std::uint64_t>(std::llround(std::exp(log_nodes)));
  }
  if (weak.depth > 0 && strong.depth > 0) {
    skill.depth = static_cast<int>(std::lround(between(weak.depth, strong.depth, s)));
  }
  // What a file shows is what is played: no digits that it leaves out.
  skill.noise = std::round(100 * between(weak.noise, strong.noise, s)) / 100;
  skill.overlook = std::round(1e5 * between(weak.overlook, strong.overlook, s)) / 1e5;
  skill.careless = s < careless_below;
  return skill;
}

Score judgement_error(const Skill& skill, std::uint64_t position_key, std::uint64_t seed) {
  if (skill.noise <= 0) return 0;
  // Four 16-bit draws add up to nearly a normal one.
  const std::uint64_t bits = splitmix64(position_key ^ splitmix64(seed ^ kNoiseStream));
  constexpr double kMean = 2 * 65'535.0;
  constexpr double kDeviation = 37'837.2;  // sqrt(4 * (2^32 - 1) / 12)
  const double sum = static_cast<double>((bits & 0xFFFF) + (bits >> 16 & 0xFFFF) +
                                         (bits >> 32 & 0xFFFF) + (bits >> 48));
  return static_cast<Score>(std::lround((sum - kMean) / kDeviation * skill.noise));
}

double sight_difficulty(const Position& position, Move last, Move move) {
  constexpr double kAcross = kRanks - 1;
  constexpr double kUnknown = 0.5;
  const double length = std::min(distance(move.from(), move.to()) / kAcross, 1.0);
  const double away =
      last ? std::min(distance(move.from(), last.to()), distance(move.to(), last.to())) / kAcross
           : kUnknown;
  const double sight =
      hiding(position.at(move.from()).kind()) * (0.3 + 0.35 * length + 0.35 * away);
  return position.is_capture(move) ? 0.7 * sight : sight;
}

bool is_recapture(const Position& position, Move last, Move move) {
  return last && !last.is_pass() && move.to() == last.to() && position.no_capture() == 0 &&
         position.is_capture(move);
}

bool mates_at_once(const Position& position, Move move) {
  Position after = position;
  Undo undo;
  after.make(move, undo);
  return has_no_turn(after, danger(after));
}

bool overlooks(const Skill& skill, std::uint64_t seed, const Position& position, Move last,
               Move move) {
  if (skill.overlook <= 0 || move.is_pass()) return false;
  const std::uint64_t bits =
      splitmix64(splitmix64(position.key() ^ splitmix64(seed ^ kSightStream)) ^ move.raw());
  if (unit(bits) >= skill.overlook * sight_difficulty(position, last, move)) return false;
  if (skill.careless) return true;
  return !is_recapture(position, last, move) && !mates_at_once(position, move);
}

}  // namespace cannonade
