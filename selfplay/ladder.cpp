#include "selfplay/ladder.h"

#include <fmt/format.h>

#include "selfplay/revision.h"
#include "selfplay/run_options.h"

namespace cannonade {

LadderSettings::LadderSettings() {
  weakest.nodes = 10;
  weakest.noise = 300;
  weakest.overlook = 0.9;
  strongest.nodes = 2000;
  constexpr int kUsualPlies = 4;
  openings.plies = kUsualPlies;
}

void declare(SettingsTable& table, LadderSettings& settings) {
  table.add("rules", settings.rules, "rule set").required();
  table
      .add_path("engine", settings.engine,
                "engine file whose weights are played; the built-in ones when not given")
      .not_fingerprinted();
  table.add("seed", settings.seed, 0, INT64_MAX, "of everything that is drawn")
      .not_fingerprinted();  // a run's identity has it in a place of its own
  table
      .add_path("levels_file", settings.levels_file,
                "where the levels are written; beside the store when not given")
      .not_fingerprinted();
  declare_calibration(table, settings);
}

void declare_calibration(SettingsTable& table, LadderSettings& settings) {
  constexpr std::uint64_t kMostGames = 100'000'000;
  table.add("careless_below", settings.careless_below, 0.0, 1.0,
            "strength below which levels may miss mates in one and recaptures");
  table.add("levels", settings.levels, 2, 100, "levels at most; fewer when the path is shorter");
  table.add("gap", settings.gap, 10.0, 400.0, "Elo between neighbours");
  table.add("gap_low", settings.gap_low, 0.0, 400.0,
            "every gap's 95 % interval is to lie above this");
  table.add("gap_high", settings.gap_high, 10.0, 800.0, "and below this");
  table.add("draws", settings.draws,
            {{"half", DrawModel::kHalfEach}, {"davidson", DrawModel::kDavidson}},
            "the ratings' model: Bradley-Terry with draws as halves, or Davidson's");
  table.add("probes", settings.probes, 2, 1000, "players of the survey, spread over the path");
  table.add("survey_games", settings.survey_games, 2, kMostGames,
            "games between two neighbours there");
  // A round that is planned stays as it is; these plan the rounds to come, so that a ladder can be
  // gone on with when it is finished.
  table
      .add("round_games", settings.round_games, 2, kMostGames,
           "games for each gap in an adjusting round, on average")
      .not_fingerprinted();
  table
      .add("confirm_games", settings.confirm_games, 2, kMostGames,
           "games for each gap in a confirming round, on average")
      .not_fingerprinted();
  table.add("skip_share", settings.skip_share, 0.0, 0.9,
            "the part of a round's games that is between next neighbours");
  table
      .add("ready_error", settings.ready_error, 1.0, 1000.0,
           "half the width of the gaps' 95 % intervals by all rounds together at which a "
           "confirmation is tried")
      .not_fingerprinted();
  table
      .add("rounds", settings.rounds, 1, 1000,
           "adjusting and confirming rounds at most; the last one confirms")
      .not_fingerprinted();
  table.add("yardstick_games", settings.yardstick_games, 0, kMostGames,
            "games of the first level against a random mover, and against a one-ply taker");
  table
      .add("profile_games", settings.profile_games, 0, kMostGames,
           "games of every two neighbours that a referee looks at turn by turn")
      .not_fingerprinted();
  table.add("profile_nodes", settings.profile_nodes, 1, 1'000'000'000, "nodes a turn for that")
      .not_fingerprinted();
  declare_power_loss(table, settings.power_loss_games);
  table.add_table("weakest", settings.weakest, "The lower end of the path.");
  table.add_table("strongest", settings.strongest, "The upper end: the strongest level.");
  table.add_table("openings", settings.openings, "Where games start.");
  table.add_table("adjudication", settings.adjudication, "Stopping decided games; off by default.");
  table.check([&settings]() -> std::optional<std::string> {
    if (settings.weakest.nodes == 0 || settings.strongest.nodes == 0) {
      return "weakest.nodes, strongest.nodes: 0 given; allowed: 1 or more, so that a level is the "
             "same on every machine";
    }
    if (settings.weakest.careless || settings.strongest.careless) {
      return "careless: not an end of the path: careless_below says where it begins";
    }
    if (settings.weakest == settings.strongest) {
      return "weakest, strongest: the same; there is no path between them";
    }
    if (!(settings.gap_low < settings.gap && settings.gap < settings.gap_high)) {
      return fmt::format("gap_low, gap, gap_high: {}, {}, {} given; allowed: in rising order",
                         settings.gap_low, settings.gap, settings.gap_high);
    }
    return std::nullopt;
  });
}

LadderPlan make_ladder_plan(const LadderSettings& settings) {
  LadderPlan plan;
  plan.settings = settings;
  if (!settings.engine.empty()) plan.engine = read_engine_config(settings.engine);
  if (plan.engine.name.empty()) plan.engine.name = "ladder";
  if (plan.engine.outside() || plan.engine.kind != EngineKind::kSearch ||
      !plan.engine.level.empty() || plan.engine.skill != Skill{}) {
    throw user_error(fmt::format(
        "{}: a ladder is of our own engine at full strength: no command, kind, level or skill",
        settings.engine.string()));
  }
  return plan;
}

Levels make_levels(const LadderPlan& plan, const LadderResult& result, const std::string& run) {
  const Ruleset& rules = plan.settings.rules;
  Levels levels;
  levels.rules = rules.id;
  levels.engine_hash = engine_signature(rules);
  levels.weights_hash = load_weights(plan.engine, rules).hash();
  levels.rules_hash = rules_signature(rules);
  levels.run = run;
  levels.seed = plan.settings.seed;
  levels.games = result.level_games;
  levels.confirmed = result.confirmed;
  levels.revision = revision();
  levels.command = plan.command;
  levels.levels = result.levels;
  return levels;
}

}  // namespace cannonade
