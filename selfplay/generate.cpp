#include "selfplay/generate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>

#include "selfplay/run_options.h"
#include "selfplay/session_json.h"
#include "selfplay/store.h"

namespace cannonade {

void declare(SettingsTable& table, GenerateSettings& settings) {
  table.add("rules", settings.rules, "rule set").required();
  table.add("games", settings.games, 1, 1'000'000'000, "games to play").not_fingerprinted();
  table.add("seed", settings.seed, 0, INT64_MAX, "of everything that is drawn")
      .not_fingerprinted();  // a run's identity has it in a place of its own
  table.add_paths("engines", settings.engines, "engine files").required();
  table.add("pairing", settings.pairing,
            {{"all", PairingKind::kAll},
             {"self", PairingKind::kSelf},
             {"round_robin", PairingKind::kRoundRobin},
             {"gauntlet", PairingKind::kGauntlet}},
            "who plays whom: each with itself (self), with each other (round_robin), both (all), "
            "or the first with each other (gauntlet)");
  declare(table, settings.limits);
  declare_power_loss(table, settings.power_loss_games);
  table.add_table("openings", settings.openings, "Where games start.");
  table.add_table("adjudication", settings.adjudication, "Stopping decided games; off by default.");
}

Tournament make_tournament(const GenerateSettings& settings) {
  Tournament tournament;
  tournament.command = "generate";
  tournament.rules = settings.rules;
  tournament.seed = settings.seed;
  tournament.games = settings.games;
  tournament.limits = settings.limits;
  tournament.openings = settings.openings;
  tournament.adjudication = settings.adjudication;
  tournament.engines = read_engine_configs(settings.engines, tournament.faults);
  tournament.pairings = make_pairings(settings.pairing, tournament.engines.size());
  return tournament;
}

namespace {

// Gathers what a person wants to see of a generate run.
class Meter {
 public:
  Meter(const PreparedTournament& prepared, const Store& store, const RunControl& control)
      : control_(control) {
    const Tournament& tournament = prepared.tournament();
    state_.title = fmt::format("generate {}", tournament.rules.id);
    state_.who = side_name(tournament.rules.game, Side::kFirst);
    state_.planned = store.run().shard.owned_below(store.run().games);
  }

  void count(const GameRecord& game) {
    ++state_.done;
    ++state_.endings[static_cast<std::size_t>(game.outcome.reason)];
    if (game.outcome.known()) count_result(state_.counts, game.outcome.first_score_halves() - 1);
  }
  void begin() { start_ = Clock::now(); }
  void played() { ++state_.played; }
  void report() {
    if (!control_.on_progress) return;
    state_.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    control_.on_progress(state_);
  }

 private:
  using Clock = std::chrono::steady_clock;
  const RunControl& control_;
  ProgressState state_;
  Clock::time_point start_ = Clock::now();
};

}  // namespace

GenerateResult run_generate(Tournament tournament, const std::filesystem::path& out,
                            const RunControl& control) {
  const PreparedTournament prepared(std::move(tournament));
  Store store = Store::create_or_resume(out, prepared.run_info(control.shard),
                                        {.power_loss_games = control.power_loss_games});
  GenerateResult result;
  result.game = prepared.tournament().rules.game;
  result.run_id = store.id();
  result.skipped_openings = prepared.openings().skipped();
  result.warnings = prepared.warnings();
  result.planned = store.run().shard.owned_below(store.run().games);

  Meter meter(prepared, store, control);
  const auto take = [&](const GameRecord& game) {
    result.summary.add(game);
    meter.count(game);
  };
  store.for_each(take);

  DriveOptions options;
  options.threads = control.threads;
  options.stop = control.stop;
  options.on_game = [&](const GameRecord& game) {
    take(game);
    meter.played();
    return true;
  };
  options.on_tick = [&] { meter.report(); };
  meter.begin();
  const DriveResult driven = drive(store, prepared.workers(), options);
  meter.report();

  result.played = driven.played;
  result.seconds = driven.seconds;
  result.complete = driven.end == DriveEnd::kComplete;
  if (result.complete && !store.complete()) store.mark_complete("all games played");
  return result;
}

nlohmann::ordered_json to_json(const GenerateResult& result) {
  nlohmann::ordered_json json = to_json(result.summary, result.game);
  add_session(json, result);
  return json;
}

}  // namespace cannonade
