// What a report needs to know of a run's games, gathered in one pass: per rule set how they ended
// and for whom, their lengths and starts, how soon they differ, which are the same, how scores and
// results agree, and who met whom. Some 120 bytes a game are kept.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/board/ruleset.h"
#include "core/game/game_record.h"
#include "selfplay/intervals.h"
#include "selfplay/summary.h"

namespace cannonade {

// After so many turns it is asked how many different games there are.
inline constexpr std::array<int, 10> kDiversityTurns{0, 2, 4, 8, 12, 16, 24, 32, 48, 64};

// Scores from the first mover's view, in centipawns, fall between these (and beyond the outer two).
inline constexpr std::array<int, 12> kScoreEdges{-1200, -800, -500, -300, -150, -50,
                                                 50,    150,  300,  500,  800,  1200};
inline constexpr int kScoreReach = 1500;
struct ScoreBin {
  Trinomial first;       // results of the games whose position fell here
  double score_sum = 0;  // centipawns; what lies beyond +-kScoreReach, mates too, counts as that
};

struct GameLength {
  std::uint32_t plies = 0;
  std::uint64_t id = 0;
};

// A player as a run tells players apart.
struct PlayerKey {
  std::string name;
  std::string hash;
  bool operator==(const PlayerKey&) const = default;
  bool operator<(const PlayerKey& other) const {
    return std::tie(name, hash) < std::tie(other.name, other.hash);
  }
};

// Games that are the same: start, turns and players.
struct DuplicateGroup {
  std::uint64_t games = 0;
  std::uint64_t first_id = 0;
};

// The games of one rule set.
class RulesDigest {
 public:
  explicit RulesDigest(Ruleset rules) : rules_(std::move(rules)) {}
  void add(const GameRecord& game);

  [[nodiscard]] const Ruleset& rules() const { return rules_; }
  [[nodiscard]] const Summary& summary() const { return summary_; }
  // Games that ended by `reason` and were won by the first mover, the second, nobody.
  [[nodiscard]] const std::array<std::uint64_t, 3>& endings(Reason reason) const {
    return endings_[static_cast<std::size_t>(reason)];
  }
  [[nodiscard]] const std::vector<GameLength>& lengths() const { return lengths_; }
  [[nodiscard]] const std::map<std::string, Trinomial>& starts() const { return starts_; }
  // How many different games there are when each is cut after kDiversityTurns[i].
  [[nodiscard]] std::array<std::uint64_t, kDiversityTurns.size()> distinct() const;
  // Largest first, at most `most`.
  [[nodiscard]] std::vector<DuplicateGroup> duplicates(std::size_t most) const;
  // One position a game, drawn from those that have a score, so that no game counts twice: bin i
  // lies below kScoreEdges[i].
  [[nodiscard]] const std::array<ScoreBin, kScoreEdges.size() + 1>& scores() const {
    return scores_;
  }
  // The first of the two moved first.
  [[nodiscard]] const std::map<std::pair<PlayerKey, PlayerKey>, Trinomial>& meetings() const {
    return meetings_;
  }
  [[nodiscard]] std::int64_t milliseconds() const { return milliseconds_; }

 private:
  void add_score(const GameRecord& game, int result);

  Ruleset rules_;
  Summary summary_;
  std::array<std::array<std::uint64_t, 3>, kReasons> endings_{};
  std::vector<GameLength> lengths_;
  std::map<std::string, Trinomial> starts_;
  std::array<std::vector<std::uint64_t>, kDiversityTurns.size()> prefixes_;  // fingerprints
  std::vector<std::pair<std::uint64_t, std::uint64_t>> whole_;               // fingerprint, id
  std::array<ScoreBin, kScoreEdges.size() + 1> scores_{};
  std::map<std::pair<PlayerKey, PlayerKey>, Trinomial> meetings_;
  std::int64_t milliseconds_ = 0;
};

class RunDigest {
 public:
  // Games may come in any order; the same games give the same digest. User error for a game of an
  // unknown rule set.
  void add(const GameRecord& game);

  // By rule set id.
  [[nodiscard]] const std::map<std::string, RulesDigest>& by_rules() const { return by_rules_; }
  [[nodiscard]] std::uint64_t games() const { return games_; }
  [[nodiscard]] std::uint64_t plies() const { return plies_; }

 private:
  std::map<std::string, RulesDigest> by_rules_;
  std::uint64_t games_ = 0;
  std::uint64_t plies_ = 0;
};

}  // namespace cannonade
