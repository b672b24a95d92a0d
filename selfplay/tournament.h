// Games between engines under one rule set: who plays whom in game `id`, from which opening. Both
// `generate` and `match` are tournaments; the driver plays them.
//
// The schedule goes in rounds. In each round every pairing has two games, next to each other: two
// different engines play the round's opening twice with seats swapped (one pair); an engine with
// itself plays two openings once each (two pairs of one game), for the swapped game would be the
// same.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "selfplay/adjudication.h"
#include "selfplay/driver.h"
#include "selfplay/engine_config.h"
#include "selfplay/openings.h"
#include "selfplay/run_info.h"

namespace cannonade {

struct Pairing {
  std::size_t a = 0;  // indices of engines; a moves first in the first game of a pair
  std::size_t b = 0;
  bool operator==(const Pairing&) const = default;
};

enum class PairingKind : std::uint8_t {
  kSelf,        // each engine with itself
  kRoundRobin,  // each with each other
  kAll,         // both
  kGauntlet,    // the first with each other
};
[[nodiscard]] std::vector<Pairing> make_pairings(PairingKind kind, std::size_t engines);

// What game `id` is.
struct Slot {
  std::uint64_t pair = 0;
  std::uint64_t opening = 0;
  std::size_t first = 0;  // the engine that moves first
  std::size_t second = 0;
  bool operator==(const Slot&) const = default;
};
[[nodiscard]] Slot slot_of(const std::vector<Pairing>& pairings, std::uint64_t id);

struct Tournament {
  std::string command;  // "generate", "match", ...
  Ruleset rules = rulesets().front();
  std::uint64_t seed = 1;
  std::uint64_t games = 0;  // planned
  std::vector<EngineConfig> engines;
  std::vector<Pairing> pairings;
  MoveLimits limits;  // of every engine that has none of its own
  OpeningSettings openings;
  AdjudicationSettings adjudication;
  std::vector<std::string> faults = {};  // of engines' files that could not be read
};

// A tournament whose parts have been found good: every engine can be made (and an outside one
// answers), the book is read, every engine has a limit. Cheap to share between workers.
class PreparedTournament {
 public:
  // Throws one user error that names every fault, the tournament's own among them.
  explicit PreparedTournament(Tournament tournament);

  [[nodiscard]] const Tournament& tournament() const { return tournament_; }
  [[nodiscard]] const Openings& openings() const { return *openings_; }
  [[nodiscard]] const std::vector<EngineId>& engine_ids() const { return engine_ids_; }
  [[nodiscard]] const MoveLimits& limits_of(std::size_t engine) const;
  // What whoever starts the run should know: levels that do not hold for these weights.
  [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }
  // The identity under which a store keeps the games.
  [[nodiscard]] RunInfo run_info(Shard shard = {}) const;
  // Workers for drive(). They refer to this object.
  [[nodiscard]] MakeWorker workers() const;

 private:
  Tournament tournament_;
  std::unique_ptr<Openings> openings_;
  std::vector<EngineId> engine_ids_;
  std::vector<std::string> warnings_;
  std::string checker_hash_;  // of the engine that balances openings, where one does
};

// A player that scores positions for balanced openings, the same in every run of this program:
// our engine with the built-in weights.
[[nodiscard]] std::unique_ptr<Player> make_opening_checker(const Ruleset& rules);
// That player as a BalanceCheck; `checker` must outlive it.
[[nodiscard]] BalanceCheck balance_check(Player& checker, const Ruleset& rules,
                                         std::uint64_t nodes);

}  // namespace cannonade
