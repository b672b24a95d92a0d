#include "selfplay/tournament.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <utility>

#include "core/base/rng.h"
#include "selfplay/outside_engine.h"
#include "selfplay/play_game.h"
#include "selfplay/revision.h"

namespace cannonade {
namespace {

constexpr int kCheckerHashMegabytes = 1;

// Everything about the rules that a preset may set: a bonus changed by hand is another run.
std::string rules_text(const Ruleset& rules) {
  return fmt::format(
      "rules.count_points = {}\nrules.second_bonus_halves = {}\nrules.no_capture_limit = {}\n"
      "rules.passing = {}\nrules.bikjang = {}\nrules.insufficient_material = {}\n",
      rules.count_points, rules.second_bonus_halves, rules.no_capture_limit, rules.passing,
      rules.bikjang, rules.insufficient_material);
}

class TournamentWorker : public GameWorker {
 public:
  explicit TournamentWorker(const PreparedTournament& prepared) : prepared_(prepared) {}

  std::optional<GameRecord> play(std::uint64_t id, const std::atomic<bool>& stop) override {
    const Tournament& tournament = prepared_.tournament();
    const Slot slot = slot_of(tournament.pairings, id);
    GameTask task;
    task.id = id;
    task.pair = slot.pair;
    task.seed = splitmix64(splitmix64(tournament.seed) ^ slot.pair);
    task.rules = &tournament.rules;
    task.opening = prepared_.openings().draw(slot.opening, check());
    task.adjudication = tournament.adjudication;
    task.seats = {seat(slot.first), seat(slot.second)};
    return play_game(task, stop);
  }

 private:
  Seat seat(std::size_t engine) {
    std::unique_ptr<Player>& player = players_[engine];
    const EngineConfig& config = prepared_.tournament().engines[engine];
    if (!player) {
      player = make_player(config, prepared_.tournament().rules);
      if (player->hash() != prepared_.engine_ids()[engine].hash) {
        throw user_error(fmt::format("engine {} was changed while the run went on", config.name));
      }
    }
    return {player.get(), prepared_.limits_of(engine), config.on_failure};
  }

  BalanceCheck check() {
    const Tournament& tournament = prepared_.tournament();
    if (tournament.openings.max_score == 0) return {};
    if (!checker_) checker_ = make_opening_checker(tournament.rules);
    return balance_check(*checker_, tournament.rules, tournament.openings.check_nodes);
  }

  const PreparedTournament& prepared_;
  std::map<std::size_t, std::unique_ptr<Player>> players_;
  std::unique_ptr<Player> checker_;
};

}  // namespace

std::vector<Pairing> make_pairings(PairingKind kind, std::size_t engines) {
  std::vector<Pairing> pairings;
  if (kind == PairingKind::kSelf || kind == PairingKind::kAll) {
    for (std::size_t i = 0; i < engines; ++i) pairings.push_back({i, i});
  }
  if (kind == PairingKind::kRoundRobin || kind == PairingKind::kAll) {
    for (std::size_t i = 0; i < engines; ++i) {
      for (std::size_t j = i + 1; j < engines; ++j) pairings.push_back({i, j});
    }
  }
  if (kind == PairingKind::kGauntlet) {
    for (std::size_t j = 1; j < engines; ++j) pairings.push_back({0, j});
  }
  return pairings;
}

Slot slot_of(const std::vector<Pairing>& pairings, std::uint64_t id) {
  std::uint64_t pairs_a_round = 0;
  for (const Pairing& pairing : pairings) pairs_a_round += pairing.a == pairing.b ? 2 : 1;
  const std::uint64_t games_a_round = 2 * pairings.size();
  const std::uint64_t round = id / games_a_round;
  const auto place = static_cast<std::size_t>(id % games_a_round / 2);
  const bool swapped = id % 2 != 0;

  Slot slot;
  slot.pair = round * pairs_a_round;
  for (std::size_t i = 0; i < place; ++i) slot.pair += pairings[i].a == pairings[i].b ? 2 : 1;
  const Pairing& pairing = pairings[place];
  if (pairing.a == pairing.b) {
    slot.pair += swapped ? 1 : 0;
    slot.opening = 2 * round + (swapped ? 1 : 0);
    slot.first = slot.second = pairing.a;
  } else {
    slot.opening = round;
    slot.first = swapped ? pairing.b : pairing.a;
    slot.second = swapped ? pairing.a : pairing.b;
  }
  return slot;
}

PreparedTournament::PreparedTournament(Tournament tournament) : tournament_(std::move(tournament)) {
  std::vector<std::string> faults = tournament_.faults;
  const bool engines_missing = !faults.empty();
  const auto noting = [&](const auto& action) {
    try {
      action();
    } catch (const Error& fault) {
      if (fault.kind() != ErrorKind::kUser) throw;
      faults.emplace_back(fault.what());
    }
  };
  std::map<std::string, int> names;
  for (std::size_t i = 0; i < tournament_.engines.size(); ++i) {
    EngineConfig& config = tournament_.engines[i];
    if (++names[config.name] == 2) {
      faults.push_back(fmt::format("two engines are called {}: give each a name", config.name));
    }
    noting([&] { config = with_level(config, tournament_.rules, &warnings_); });
    if (limits_of(i).empty() && !config.bounded()) {
      faults.push_back(fmt::format(
          "no limit for engine {}: give nodes, soft_nodes, depth, movetime_ms or tc", config.name));
    }
    noting([&] {
      const std::unique_ptr<Player> player = make_player(config, tournament_.rules);
      if (auto* outside = dynamic_cast<OutsideEngine*>(player.get())) outside->check();
      engine_ids_.push_back({player->name(), player->hash()});
    });
  }
  if (!engines_missing) {
    if (tournament_.engines.empty()) {
      faults.emplace_back("no engine is given");
    } else if (tournament_.pairings.empty()) {
      faults.emplace_back("these pairings need two engines at least");
    }
  }
  noting([&] {
    openings_ =
        std::make_unique<Openings>(tournament_.openings, tournament_.rules, tournament_.seed);
  });
  if (!faults.empty()) throw user_error(fmt::format("{}", fmt::join(faults, "\n")));
  if (tournament_.openings.max_score > 0) {
    checker_hash_ = make_opening_checker(tournament_.rules)->hash();
  }
}

const MoveLimits& PreparedTournament::limits_of(std::size_t engine) const {
  const MoveLimits& own = tournament_.engines[engine].limits;
  return own.empty() ? tournament_.limits : own;
}

RunInfo PreparedTournament::run_info(Shard shard) const {
  RunInfo info;
  info.command = tournament_.command;
  info.rules = tournament_.rules.id;
  info.seed = tournament_.seed;
  info.engines = engine_ids_;
  info.games = tournament_.games;
  info.shard = shard;
  info.revision = revision();

  std::vector<std::string> pairs;
  for (const Pairing& pairing : tournament_.pairings) {
    pairs.push_back(fmt::format("{}-{}", pairing.a, pairing.b));
  }
  info.settings =
      fmt::format("pairings = {}\n", fmt::join(pairs, " ")) + rules_text(tournament_.rules);
  for (std::size_t i = 0; i < tournament_.engines.size(); ++i) {
    MoveLimits limits = limits_of(i);
    SettingsTable own;
    declare(own, limits);
    const std::string text = canonical_text(own);
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text.find('\n', at);
      info.settings += fmt::format("engine{}.{}\n", i, text.substr(at, end - at));
      at = end + 1;
    }
  }
  OpeningSettings openings = tournament_.openings;
  AdjudicationSettings adjudication = tournament_.adjudication;
  SettingsTable table;
  table.add_table("openings", openings, "");
  table.add_table("adjudication", adjudication, "");
  info.settings += canonical_text(table);
  info.settings += fmt::format("openings.book = {}\nopenings.checker = {}\n",
                               openings_->book_hash(), checker_hash_);
  return info;
}

MakeWorker PreparedTournament::workers() const {
  return [this] { return std::make_unique<TournamentWorker>(*this); };
}

std::unique_ptr<Player> make_opening_checker(const Ruleset& rules) {
  EngineConfig config;
  config.name = "opening check";
  config.hash_mb = kCheckerHashMegabytes;
  return make_player(config, rules);
}

BalanceCheck balance_check(Player& checker, const Ruleset& rules, std::uint64_t nodes) {
  return [&checker, &rules, nodes](const GameState& game) {
    checker.new_game(rules, 0);
    SearchLimits limits;
    limits.nodes = nodes;
    return checker.choose(game, limits).score;
  };
}

}  // namespace cannonade
