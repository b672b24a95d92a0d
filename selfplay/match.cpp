#include "selfplay/match.h"

#include <fmt/format.h>

#include <chrono>
#include <unordered_map>

#include "selfplay/play_game.h"
#include "selfplay/run_options.h"
#include "selfplay/store.h"

namespace cannonade {
namespace {

constexpr int kMatchOpeningPlies = 8;
constexpr int kMatchOpeningScore = 150;

// A is the first engine, and moves first in the first game of each pair.
bool a_moves_first(const GameRecord& game) {
  return game.id % 2 == 0;
}

int a_half_points(const GameRecord& game) {
  const int first = game.outcome.first_score_halves();
  return a_moves_first(game) ? first : 2 - first;
}

// The pair's place in its shard's schedule.
std::uint64_t place_of_pair(const GameRecord& game, const Shard& shard) {
  return game.id / 2 / static_cast<std::uint64_t>(shard.count);
}

// Follows a match game by game, in any order: the judge of the prefix.
class LiveMatch {
 public:
  LiveMatch(const std::optional<SprtTest>& test, const Shard& shard)
      : judge_(test), shard_(shard) {}

  void add(const GameRecord& game) {
    if (judge_.decided()) return;
    const std::uint64_t place = place_of_pair(game, shard_);
    const int points = game.outcome.known() ? a_half_points(game) : kVoid;
    const auto other = half_.find(place);
    if (other == half_.end()) {
      half_.emplace(place, points);
      return;
    }
    if (points == kVoid || other->second == kVoid) {
      judge_.pass_over(place);
    } else {
      judge_.finish(place, points + other->second);
    }
    half_.erase(other);
  }
  [[nodiscard]] const PrefixJudge& judge() const { return judge_; }

 private:
  static constexpr int kVoid = -1;
  PrefixJudge judge_;
  Shard shard_;
  std::unordered_map<std::uint64_t, int> half_;  // pairs with one game finished
};

std::string sprt_text(const std::optional<SprtTest>& test) {
  return test ? fmt::format("{},{}", test->elo0, test->elo1) : "";
}

void refuse_identical(const PreparedTournament& prepared) {
  const std::vector<EngineId>& ids = prepared.engine_ids();
  const auto limits_text = [&](std::size_t engine) {
    MoveLimits limits = prepared.limits_of(engine);
    SettingsTable table;
    declare(table, limits);
    return canonical_text(table);
  };
  if (ids[0].hash != ids[1].hash || limits_text(0) != limits_text(1)) return;
  throw user_error(fmt::format(
      "{} and {} are the same configuration: every pair would be the same game twice and say "
      "nothing of strength; to play it all the same give --allow-identical",
      ids[0].name, ids[1].name));
}

}  // namespace

MatchSettings::MatchSettings() {
  openings.plies = kMatchOpeningPlies;
  openings.max_score = kMatchOpeningScore;
}

void declare(SettingsTable& table, MatchSettings& settings) {
  table.add("rules", settings.rules, "rule set").required();
  table.add_path("a", settings.a, "engine file of A").required();
  table.add_path("b", settings.b, "engine file of B").required();
  table.add("games", settings.games, 2, 1'000'000'000, "games to play at most, in pairs")
      .not_fingerprinted();
  table
      .add("round_games", settings.round_games, 2, 1'000'000'000,
           "games that shards play, all together, before the test is asked again")
      .not_fingerprinted();
  table.add("seed", settings.seed, 0, INT64_MAX, "of everything that is drawn").not_fingerprinted();
  table.add_parsed<std::optional<SprtTest>>(
      "sprt", settings.sprt,
      [](std::string_view text) -> Expected<std::optional<SprtTest>> {
        if (text.empty()) return std::optional<SprtTest>();
        const Expected<SprtTest> test = parse_sprt(text);
        if (!test) return Failure{test.error()};
        return std::optional<SprtTest>(*test);
      },
      sprt_text, "E0,E1", "stop by the sequential test of Elo E0 against E1");
  table.add("sprt_model", settings.sprt_model,
            {{"logistic", EloModel::kLogistic}, {"normalized", EloModel::kNormalized}},
            "the Elo of the test's bounds");
  table.add("sprt_alpha", settings.sprt_alpha, 1e-6, 0.5, "chance of accepting E1 when E0 is true");
  table.add("sprt_beta", settings.sprt_beta, 1e-6, 0.5, "chance of accepting E0 when E1 is true");
  table.add("allow_identical", settings.allow_identical,
            "play although both engines are the same configuration");
  declare(table, settings.limits);
  declare_power_loss(table, settings.power_loss_games);
  table.add_table("openings", settings.openings, "Where games start.");
  table.add_table("adjudication", settings.adjudication, "Stopping decided games; off by default.");
  table.check([&settings]() -> std::optional<std::string> {
    for (const auto& [key, games] :
         {std::pair{"games", settings.games}, std::pair{"round_games", settings.round_games}}) {
      if (games % 2 == 0) continue;
      return fmt::format("{}: {} given; allowed: an even number, for games go in pairs", key,
                         games);
    }
    return std::nullopt;
  });
}

void set_opponents(Tournament& tournament, EngineConfig a, EngineConfig b) {
  if (a.name == b.name) {
    a.name += " (A)";
    b.name += " (B)";
  }
  tournament.engines.clear();
  tournament.engines.push_back(std::move(a));
  tournament.engines.push_back(std::move(b));
  tournament.pairings = {{0, 1}};
}

MatchPlan make_match_plan(const MatchSettings& settings) {
  MatchPlan plan;
  plan.tournament.command = "match";
  plan.tournament.rules = settings.rules;
  plan.tournament.seed = settings.seed;
  plan.tournament.games = settings.games;
  plan.tournament.limits = settings.limits;
  plan.tournament.openings = settings.openings;
  plan.tournament.adjudication = settings.adjudication;
  std::vector<EngineConfig> engines =
      read_engine_configs({settings.a, settings.b}, plan.tournament.faults);
  if (engines.size() == 2) {
    set_opponents(plan.tournament, std::move(engines[0]), std::move(engines[1]));
  } else {
    plan.tournament.engines = std::move(engines);  // told with the other faults
  }
  plan.sprt = settings.sprt;
  if (plan.sprt) {
    plan.sprt->model = settings.sprt_model;
    plan.sprt->alpha = settings.sprt_alpha;
    plan.sprt->beta = settings.sprt_beta;
    if (const auto fault = plan.sprt->fault()) plan.tournament.faults.push_back("sprt: " + *fault);
  }
  plan.allow_identical = settings.allow_identical;
  return plan;
}

MatchResult count_match(const Store& store, const std::optional<SprtTest>& test) {
  MatchResult result;
  const RunInfo& run = store.run();
  result.run_id = store.id();
  result.rules = run.rules;
  if (run.engines.size() >= 2) result.names = {run.engines[0].name, run.engines[1].name};
  result.game = find_ruleset(run.rules).value_or_throw().game;
  result.planned = run.shard.owned_below(run.games);
  result.stored = store.finished().size();
  if (run.shard.count == 1) result.test = test;

  LiveMatch match(result.test, run.shard);
  Pentanomial sound;
  bool failures = false;
  GameReader reader = store.read();
  GameRecord first;
  GameRecord second;
  while (!match.judge().decided() && reader.next(first) && reader.next(second)) {
    // Ids come in order: the first pair that is not whole ends the prefix.
    const std::uint64_t place = match.judge().folded();
    if (first.id % 2 != 0 || second.id != first.id + 1 ||
        place_of_pair(first, run.shard) != place) {
      break;
    }
    bool failed = false;
    for (const GameRecord* game : {&first, &second}) {
      match.add(*game);
      result.summary.add(*game);
      failed = failed || game->note.find(kBrokeDown) != std::string::npos;
      if (!game->outcome.known()) continue;
      const int score = a_half_points(*game) - 1;
      count_result(result.counts, score);
      count_result(result.counts_by_side[a_moves_first(*game) ? 0 : 1], score);
    }
    if (!first.outcome.known() || !second.outcome.known()) ++result.void_pairs;
    failures = failures || failed;
    if (!failed && first.outcome.known() && second.outcome.known()) {
      ++sound.counts[static_cast<std::size_t>(a_half_points(first) + a_half_points(second))];
    }
  }
  result.pentanomial = match.judge().counts();
  result.statistics = match_statistics(result.pentanomial);
  if (failures) result.without_failures = match_statistics(sound);
  result.sprt = match.judge().result();
  result.complete = match.judge().decided() || store.remaining() == 0;
  return result;
}

MatchResult run_match(MatchPlan plan, const std::filesystem::path& out, const RunControl& control) {
  using Clock = std::chrono::steady_clock;
  if (plan.tournament.games % 2 != 0) {
    throw user_error(
        fmt::format("games: {} given; allowed: an even number", plan.tournament.games));
  }
  const PreparedTournament prepared(std::move(plan.tournament));
  if (!plan.allow_identical) refuse_identical(prepared);
  const RunInfo run = prepared.run_info(control.shard);
  Store store = out.empty() ? Store::temporary(run)
                            : Store::create_or_resume(
                                  out, run, {.power_loss_games = control.power_loss_games});
  const bool sharded = control.shard.count > 1;
  LiveMatch match(sharded ? std::nullopt : plan.sprt, control.shard);

  const Tournament& tournament = prepared.tournament();
  ProgressState state;
  state.title = fmt::format("match {}: {} against {}", tournament.rules.id,
                            tournament.engines[0].name, tournament.engines[1].name);
  state.who = tournament.engines[0].name;
  state.planned = control.shard.owned_below(store.run().games);
  const auto take = [&](const GameRecord& game) {
    match.add(game);
    ++state.done;
    ++state.endings[static_cast<std::size_t>(game.outcome.reason)];
    if (game.outcome.known()) count_result(state.counts, a_half_points(game) - 1);
  };
  store.for_each(take);
  if (plan.sprt) store.set_fact(kSprtFact, to_json(*plan.sprt, SprtResult{}).dump());

  const auto start = Clock::now();
  const auto report = [&] {
    if (!control.on_progress) return;
    state.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    state.statistics = match_statistics(match.judge().counts());
    if (plan.sprt && !sharded) state.sprt = match.judge().result();
    control.on_progress(state);
  };
  DriveOptions options;
  options.threads = control.threads;
  options.stop = control.stop;
  options.on_game = [&](const GameRecord& game) {
    take(game);
    ++state.played;
    return !match.judge().decided();
  };
  options.on_tick = report;
  DriveResult driven;
  if (!match.judge().decided()) driven = drive(store, prepared.workers(), options);
  report();

  MatchResult result = count_match(store, plan.sprt);
  result.played = driven.played;
  result.seconds = driven.seconds;
  result.skipped_openings = prepared.openings().skipped();
  result.warnings = prepared.warnings();
  if (result.complete && !store.complete()) {
    store.mark_complete(result.sprt.verdict == Verdict::kContinue
                            ? "all games played"
                            : fmt::format("sprt: {}", name_of(result.sprt.verdict)));
  }
  return result;
}

}  // namespace cannonade
