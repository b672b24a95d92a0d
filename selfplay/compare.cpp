#include "selfplay/compare.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <chrono>
#include <map>

#include "core/base/rng.h"
#include "selfplay/play_game.h"
#include "selfplay/revision.h"
#include "selfplay/run_options.h"
#include "selfplay/store.h"
#include "selfplay/summary.h"

namespace cannonade {
namespace {

constexpr int kCompareOpeningPlies = 8;
constexpr int kCompareOpeningScore = 200;
// Set-up games draw from a seed of their own, so that they are other games than the pairs'.
constexpr std::uint64_t kSetUpSeed = 0x5E70'6A3E;
constexpr std::array kPresets{Preset::kKja, Preset::kPointCount};

std::size_t at(Preset preset) {
  return static_cast<std::size_t>(preset);
}

std::vector<Pairing> pairings_of(std::size_t engines) {
  return make_pairings(engines == 1 ? PairingKind::kSelf : PairingKind::kRoundRobin, engines);
}

// A plan whose parts have been found good.
class PreparedCompare {
 public:
  explicit PreparedCompare(ComparePlan plan)
      : plan_(std::move(plan)),
        pairings_(pairings_of(plan_.engines.size())),
        schedule_(plan_.design, pairings_) {
    std::vector<std::string> faults;
    const auto noting = [&](const auto& action) {
      try {
        action();
      } catch (const Error& fault) {
        if (fault.kind() != ErrorKind::kUser) throw;
        faults.emplace_back(fault.what());
      }
    };
    if (plan_.engines.empty()) faults.emplace_back("no engine is given");
    std::map<std::string, int> names;
    for (const EngineConfig& config : plan_.engines) {
      if (++names[config.name] == 2) {
        faults.push_back(fmt::format("two engines are called {}: give each a name", config.name));
      }
      if (config.outside()) {
        faults.push_back(fmt::format(
            "engine {} is an outside program, which cannot be told Han's bonus", config.name));
        continue;
      }
      if (!config.limits.empty()) {
        faults.push_back(fmt::format(
            "engine {} has limits of its own: here `nodes` gives the strengths", config.name));
      }
      if (!config.level.empty()) {
        faults.push_back(fmt::format("engine {} plays at a level: here `nodes` gives the strengths",
                                     config.name));
        continue;
      }
      for (const Preset preset : kPresets) {
        noting([&] {
          const auto player = make_player(config, rules_of(preset));
          ids_.push_back({fmt::format("{}, weights of {}", player->name(), rules_of(preset).id),
                          player->hash()});
        });
      }
    }
    // The openings of both are the same: the presets differ in who wins a level ending only.
    noting([&] {
      const Ruleset& rules = rules_of(Preset::kKja);
      openings_ = std::make_unique<Openings>(plan_.openings, rules, plan_.seed);
      set_up_openings_ =
          std::make_unique<Openings>(plan_.openings, rules, splitmix64(plan_.seed ^ kSetUpSeed));
    });
    if (!faults.empty()) throw user_error(fmt::format("{}", fmt::join(faults, "\n")));
    if (plan_.openings.max_score > 0) {
      checker_hash_ = make_opening_checker(rules_of(Preset::kKja))->hash();
    }
  }

  [[nodiscard]] const ComparePlan& plan() const { return plan_; }
  [[nodiscard]] const CompareSchedule& schedule() const { return schedule_; }
  [[nodiscard]] const Openings& openings(bool set_ups) const {
    return set_ups ? *set_up_openings_ : *openings_;
  }
  [[nodiscard]] const std::string& hash_of(std::size_t engine, Preset weights) const {
    return ids_[engine * kPresets.size() + at(weights)].hash;
  }

  [[nodiscard]] RunInfo run_info(Shard shard) const {
    RunInfo info;
    info.command = "compare";
    info.rules = fmt::format("{},{}", rules_of(Preset::kKja).id, rules_of(Preset::kPointCount).id);
    info.seed = plan_.seed;
    info.engines = ids_;
    info.games = schedule_.whole_rounds(plan_.games);
    info.shard = shard;
    info.revision = revision();
    info.settings = schedule_text(plan_.design, pairings_);
    // What the rule sets are, so that a change of theirs is another run.
    std::size_t column = 0;
    for (const Arm& arm : schedule_.arms()) {
      info.settings += fmt::format(
          "column{}.rules = {} (count_points {}, second_bonus_halves {}, no_capture_limit {}, "
          "passing {}, bikjang {}, insufficient_material {})\n",
          column++, arm.rules.id, arm.rules.count_points, arm.rules.second_bonus_halves,
          arm.rules.no_capture_limit, arm.rules.passing, arm.rules.bikjang,
          arm.rules.insufficient_material);
    }
    OpeningSettings openings = plan_.openings;
    SettingsTable table;
    table.add_table("openings", openings, "");
    info.settings += canonical_text(table);
    info.settings += fmt::format("openings.book = {}\nopenings.checker = {}\n",
                                 openings_->book_hash(), checker_hash_);
    return info;
  }

 private:
  ComparePlan plan_;
  std::vector<Pairing> pairings_;
  CompareSchedule schedule_;
  std::vector<EngineId> ids_;  // engine by engine, with each preset's weights
  std::unique_ptr<Openings> openings_;
  std::unique_ptr<Openings> set_up_openings_;
  std::string checker_hash_;
};

class CompareWorker : public GameWorker {
 public:
  explicit CompareWorker(const PreparedCompare& prepared) : prepared_(prepared) {}

  std::optional<GameRecord> play(std::uint64_t id, const std::atomic<bool>& stop) override {
    const CompareSchedule::Place place = prepared_.schedule().place_of(id);
    const Arm& arm = prepared_.schedule().arms()[place.column];
    GameTask task;
    task.id = id;
    task.pair = place.slot.pair;
    task.seed = splitmix64(splitmix64(prepared_.plan().seed) ^ place.slot.pair);
    task.rules = &arm.rules;
    task.opening = opening(arm.kind == Arm::Kind::kSetUpGame, place.slot.opening);
    task.seats = {seat(place.slot.first, arm), seat(place.slot.second, arm)};
    return play_game(task, stop);
  }

 private:
  Seat seat(std::size_t engine, const Arm& arm) {
    std::unique_ptr<Player>& player = players_[{engine, arm.weights}];
    const EngineConfig& config = prepared_.plan().engines[engine];
    if (!player) {
      player = make_player(config, rules_of(arm.weights));
      if (player->hash() != prepared_.hash_of(engine, arm.weights)) {
        throw user_error(fmt::format("engine {} was changed while the run went on", config.name));
      }
    }
    MoveLimits limits;
    limits.nodes = prepared_.plan().design.nodes[arm.strength];
    return {player.get(), limits, config.on_failure};
  }

  // A row's games ask for the same opening one after another.
  const Opening& opening(bool set_ups, std::uint64_t index) {
    Drawn& last = drawn_[set_ups ? 1 : 0];
    if (!last.known || last.index != index) {
      last.opening = prepared_.openings(set_ups).draw(index, check());
      last.index = index;
      last.known = true;
    }
    return last.opening;
  }

  BalanceCheck check() {
    const OpeningSettings& openings = prepared_.plan().openings;
    if (openings.max_score == 0) return {};
    if (!checker_) checker_ = make_opening_checker(rules_of(Preset::kKja));
    return balance_check(*checker_, rules_of(Preset::kKja), openings.check_nodes);
  }

  struct Drawn {
    bool known = false;
    std::uint64_t index = 0;
    Opening opening;
  };

  const PreparedCompare& prepared_;
  std::map<std::pair<std::size_t, Preset>, std::unique_ptr<Player>> players_;
  std::array<Drawn, 2> drawn_;  // of the pairs, of the set-up games
  std::unique_ptr<Player> checker_;
};

}  // namespace

CompareSettings::CompareSettings() {
  openings.plies = kCompareOpeningPlies;
  openings.max_score = kCompareOpeningScore;
}

void declare(SettingsTable& table, CompareSettings& settings) {
  table.add_paths("engines", settings.engines, "engine files").required();
  table
      .add("games", settings.games, 1, 1'000'000'000,
           "games to play in all; rounded up to whole rounds of the schedule")
      .not_fingerprinted();
  table.add("seed", settings.seed, 0, INT64_MAX, "of everything that is drawn").not_fingerprinted();
  declare(table, settings.design);
  declare_power_loss(table, settings.power_loss_games);
  table.add_table("openings", settings.openings, "Where games start.");
}

ComparePlan make_compare_plan(const CompareSettings& settings) {
  ComparePlan plan;
  plan.engines = read_engine_configs(settings.engines);
  plan.games = settings.games;
  plan.seed = settings.seed;
  plan.design = settings.design;
  plan.openings = settings.openings;
  return plan;
}

CompareResult count_compare(const Store& store) {
  const RunInfo& run = store.run();
  CompareResult result;
  result.run_id = store.id();
  for (const EngineId& engine : run.engines) result.engines.push_back(engine.name);
  result.planned = run.shard.owned_below(run.games);
  result.stored = store.finished().size();
  result.complete = store.remaining() == 0;

  const CompareSchedulePlan plan = parse_schedule(run.settings);
  const CompareSchedule schedule(plan.design, plan.pairings);
  const std::uint64_t rounds_begun = schedule.whole_rounds(store.finished().first_missing());
  const std::uint64_t round = schedule.whole_rounds(1);
  // The round that is not whole does not count.
  const std::uint64_t whole =
      store.finished().first_missing() == rounds_begun ? rounds_begun : rounds_begun - round;
  ComparedGames games(schedule.arms());
  GameReader reader = store.read(0, whole);
  GameRecord game;
  while (reader.next(game)) games.add(game, schedule.place_of(game.id));
  result.comparison = compare_games(games, plan.design, run.seed);
  return result;
}

CompareResult run_compare(ComparePlan plan, const std::filesystem::path& out,
                          const RunControl& control) {
  using Clock = std::chrono::steady_clock;
  const PreparedCompare prepared(std::move(plan));
  Store store = Store::create_or_resume(out, prepared.run_info(control.shard),
                                        {.power_loss_games = control.power_loss_games});
  ProgressState state;
  state.title = fmt::format("compare {} with {}", rules_of(Preset::kKja).id,
                            rules_of(Preset::kPointCount).id);
  state.who = side_name(Game::kJanggi, Side::kFirst);
  state.planned = control.shard.owned_below(store.run().games);
  const auto take = [&](const GameRecord& game) {
    ++state.done;
    ++state.endings[static_cast<std::size_t>(game.outcome.reason)];
    if (game.outcome.known()) count_result(state.counts, game.outcome.first_score_halves() - 1);
  };
  store.for_each(take);

  const auto start = Clock::now();
  const auto report = [&] {
    if (!control.on_progress) return;
    state.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    control.on_progress(state);
  };
  DriveOptions options;
  options.threads = control.threads;
  options.stop = control.stop;
  options.on_game = [&](const GameRecord& game) {
    take(game);
    ++state.played;
    return true;
  };
  options.on_tick = report;
  const DriveResult driven = drive(
      store, [&prepared] { return std::make_unique<CompareWorker>(prepared); }, options);
  report();
  if (driven.end == DriveEnd::kComplete && !store.complete()) {
    store.mark_complete("all games played");
  }
  CompareResult result = count_compare(store);
  result.played = driven.played;
  result.seconds = driven.seconds;
  result.skipped_openings = prepared.openings(false).skipped();
  return result;
}

}  // namespace cannonade
