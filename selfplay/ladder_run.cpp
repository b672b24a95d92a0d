// Plays a ladder: round after round, each planned from those before.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/base/files.h"
#include "selfplay/ladder.h"
#include "selfplay/ladder_games.h"
#include "selfplay/ladder_report.h"
#include "selfplay/revision.h"
#include "selfplay/store.h"
#include "selfplay/summary.h"
#include "selfplay/tournament.h"

namespace cannonade {
namespace {

// A whole number of pairs.
std::uint64_t pairs_of(double games) {
  return 2 * std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(games / 2)));
}

std::string round_fact(int number) {
  return fmt::format("ladder.round.{}", number);
}
// Of these games with this much thought.
std::string profiles_fact(int number, const LadderSettings& settings) {
  return fmt::format("ladder.profiles.{}.{}.{}", number, settings.profile_games,
                     settings.profile_nodes);
}

class LadderRun {
 public:
  LadderRun(const LadderPlan& plan, const std::filesystem::path& out, const RunControl& control)
      : plan_(plan),
        settings_(plan_.settings),
        control_(control),
        openings_(settings_.openings, settings_.rules, settings_.seed),
        store_(Store::create_or_resume(out, run_info(),
                                       {.power_loss_games = control.power_loss_games})) {}

  LadderResult run() {
    result_.rules = settings_.rules.id;
    result_.game = settings_.rules.game;
    result_.run_id = store_.id();
    result_.gap = settings_.gap;
    result_.gap_low = settings_.gap_low;
    result_.gap_high = settings_.gap_high;
    bool played_out = true;
    for (;;) {
      std::optional<LadderRound> round = stored_round(static_cast<int>(result_.rounds.size()) + 1);
      if (!round) round = next_round();
      if (!round) break;
      played_out = play(*round);
      if (!played_out) break;
      take(*round);
    }
    if (played_out) played_out = finish();
    result_.complete = played_out;
    result_.stored = store_.finished().size();
    result_.seconds = seconds();
    if (result_.complete) {
      store_.set_fact(kLadderFact, to_json(result_).dump());
      if (!store_.complete()) {
        store_.mark_complete(result_.confirmed ? "the levels are confirmed"
                                               : "the rounds are used up");
      }
    }
    return std::move(result_);
  }

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(Clock::now() - start_).count();
  }

  // The ladder's identity: the games follow from it.
  [[nodiscard]] RunInfo run_info() const {
    RunInfo info;
    info.command = "ladder";
    info.rules = settings_.rules.id;
    info.seed = settings_.seed;
    info.engines = {{plan_.engine.name, make_player(plan_.engine, settings_.rules)->hash()}};
    LadderSettings shown = settings_;
    SettingsTable table;
    declare(table, shown);
    info.settings = canonical_text(table);
    info.settings += fmt::format("rules_hash = {}\nopenings.book = {}\n",
                                 rules_signature(settings_.rules), openings_.book_hash());
    if (settings_.openings.max_score > 0) {
      info.settings +=
          fmt::format("openings.checker = {}\n", make_opening_checker(settings_.rules)->hash());
    }
    info.games = survey().games();
    info.revision = revision();
    return info;
  }

  [[nodiscard]] LadderRound survey() const {
    LadderRound round;
    for (int i = 0; i < settings_.probes; ++i) {
      round.strengths.push_back(static_cast<double>(i) / (settings_.probes - 1));
      if (i > 0) {
        const auto games = pairs_of(static_cast<double>(settings_.survey_games));
        round.pairings.push_back({i - 1, i, games});
      }
    }
    return round;
  }

  [[nodiscard]] std::optional<LadderRound> stored_round(int number) const {
    const std::optional<std::string> text = store_.fact(round_fact(number));
    if (!text) return std::nullopt;
    return parse_round(*text);
  }

  // Written down before it is played.
  std::optional<LadderRound> next_round() {
    std::optional<LadderRound> round = plan_round();
    if (!round) return std::nullopt;
    round->number = static_cast<int>(result_.rounds.size()) + 1;
    round->first_game = result_.rounds.empty() ? 0 : result_.rounds.back().round.end();
    store_.set_fact(round_fact(round->number), to_text(*round));
    return round;
  }

  [[nodiscard]] std::optional<LadderRound> plan_round() const {
    if (result_.rounds.empty()) return survey();
    // Behind yardsticks only when more rounds are asked for than were then.
    const RoundResult* last = last_of_levels();
    const auto done =
        std::count_if(result_.rounds.begin(), result_.rounds.end(),
                      [](const RoundResult& round) { return of_levels(round.round.kind); });
    const bool confirmed =
        last != nullptr && last->round.kind == RoundKind::kConfirm && last->inside;
    if (confirmed || done >= settings_.rounds) {
      if (result_.rounds.back().round.kind == RoundKind::kYardstick) return std::nullopt;
      return yardsticks(last->round);
    }

    const StrengthCurve curve(seen_);
    LadderRound round;
    round.strengths =
        place_levels(curve, settings_.gap, static_cast<std::size_t>(settings_.levels));
    std::vector<double> elo;
    double worst = 0;
    for (std::size_t i = 0; i < round.strengths.size(); ++i) {
      elo.push_back(curve.elo(round.strengths[i]));
      if (i > 0) {
        worst = std::max(worst, curve.gap_error(round.strengths[i - 1], round.strengths[i]));
      }
    }
    const bool ready = kNormal95 * worst <= settings_.ready_error;
    round.kind = ready || done + 1 >= settings_.rounds ? RoundKind::kConfirm : RoundKind::kAdjust;
    const std::uint64_t each =
        round.kind == RoundKind::kConfirm ? settings_.confirm_games : settings_.round_games;
    const double gaps = static_cast<double>(round.strengths.size() - 1);
    const double skip_share = round.strengths.size() > 2 ? settings_.skip_share : 0;
    round.pairings = allocate_games(
        elo, pairs_of(static_cast<double>(each) * gaps / (1 - skip_share)), skip_share);
    return round;
  }

  [[nodiscard]] static bool of_levels(RoundKind kind) {
    return kind == RoundKind::kAdjust || kind == RoundKind::kConfirm;
  }
  // The round whose levels count; null before there is one.
  [[nodiscard]] const RoundResult* last_of_levels() const {
    const auto last =
        std::find_if(result_.rounds.rbegin(), result_.rounds.rend(),
                     [](const RoundResult& round) { return of_levels(round.round.kind); });
    return last == result_.rounds.rend() ? nullptr : &*last;
  }

  [[nodiscard]] std::optional<LadderRound> yardsticks(const LadderRound& last) const {
    if (settings_.yardstick_games == 0) return std::nullopt;
    LadderRound round;
    round.kind = RoundKind::kYardstick;
    round.strengths = {last.strengths.front()};
    const std::uint64_t games = pairs_of(static_cast<double>(settings_.yardstick_games));
    round.pairings = {{0, 1, games}, {0, 2, games}};
    return round;
  }

  // False when it was interrupted.
  bool play(const LadderRound& round) {
    store_.extend(round.end());
    ProgressState state;
    state.title = fmt::format("ladder {}: round {}, {}, {} players", settings_.rules.id,
                              round.number, name_of(round.kind), round.strengths.size());
    state.who = "the weaker";
    state.planned = round.games();
    const auto take = [&](const GameRecord& game) {
      ++state.done;
      ++state.endings[static_cast<std::size_t>(game.outcome.reason)];
      if (!game.outcome.known()) return;
      const int first = game.outcome.first_score_halves() - 1;
      count_result(state.counts, game.id % 2 == 0 ? first : -first);
    };
    GameReader reader = store_.read(round.first_game, round.end());
    GameRecord game;
    while (reader.next(game)) take(game);
    const auto begin = Clock::now();
    const auto report = [&] {
      if (!control_.on_progress) return;
      state.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
      control_.on_progress(state);
    };
    // The store may be at a later round already.
    if (state.done == round.games()) return true;
    DriveOptions options;
    options.threads = control_.threads;
    options.stop = control_.stop;
    options.on_game = [&](const GameRecord& finished) {
      take(finished);
      ++state.played;
      return true;
    };
    options.on_tick = report;
    const DriveResult driven = drive(store_, round_workers(plan_, round, openings_), options);
    report();
    result_.played += driven.played;
    return driven.end == DriveEnd::kComplete;
  }

  // What the games of a round that is played say.
  void take(const LadderRound& round) {
    RoundResult outcome;
    outcome.round = round;
    const RatingData data = round_data(store_, round);
    if (round.kind == RoundKind::kYardstick) {
      result_.yardsticks.clear();
      for (const RatedPairs& pairs : data.pairs) {
        Yardstick yardstick{round_player(plan_, round, pairs.b).name, {}};
        for (int x = 0; x < 3; ++x) {
          for (int y = 0; y < 3; ++y) {
            const std::uint64_t count =
                pairs.counts[static_cast<std::size_t>(x)][static_cast<std::size_t>(y)];
            for (std::uint64_t i = 0; i < count; ++i) {
              count_result(yardstick.games, x - 1);
              count_result(yardstick.games, y - 1);
            }
          }
        }
        result_.yardsticks.push_back(yardstick);
      }
      result_.rounds.push_back(std::move(outcome));
      return;
    }
    const std::vector<GapObservation> seen = observations(round, data);
    seen_.insert(seen_.end(), seen.begin(), seen.end());
    outcome.skills = round_skills(plan_, round);
    if (round.kind != RoundKind::kSurvey) {
      Expected<RatingFit> fit = fit_ratings(data, rating_options());
      if (fit) {
        outcome.fit = std::move(*fit);
        outcome.inside = true;
        for (const Estimate& gap : outcome.ratings().neighbour_differences()) {
          const Interval interval = gap.interval();
          outcome.inside = outcome.inside && interval.low >= settings_.gap_low &&
                           interval.high <= settings_.gap_high;
        }
      } else {
        no_ratings_ = fit.error();
      }
      last_data_ = data;
    }
    result_.rounds.push_back(std::move(outcome));
  }

  [[nodiscard]] RatingOptions rating_options() const {
    RatingOptions options;
    options.draws = settings_.draws;
    options.side_term = true;
    return options;
  }

  // Levels, checks, profiles and the levels file; false when it was interrupted.
  bool finish() {
    const RoundResult* last = last_of_levels();
    if (!last->fit) {
      throw user_error("ladder: the last round gives no ratings (" + no_ratings_ +
                       "): bring the ends of the path nearer together, or play more games");
    }
    const Ratings ratings = last->ratings().anchored(0);
    const std::vector<Estimate> gaps = ratings.neighbour_differences();
    for (std::size_t i = 0; i < ratings.size(); ++i) {
      Level level;
      level.name = std::to_string(i + 1);
      level.skill = last->skills[i];
      const Estimate elo = ratings.player(i);
      level.elo = elo.value;
      level.elo_low = elo.interval().low;
      level.elo_high = elo.interval().high;
      if (i > 0) {
        level.gap = gaps[i - 1].value;
        level.gap_low = gaps[i - 1].interval().low;
        level.gap_high = gaps[i - 1].interval().high;
      }
      result_.levels.push_back(level);
    }
    result_.level_games = last->round.games();
    result_.end_to_end = ratings.difference(ratings.size() - 1, 0);
    result_.first_move = last->fit->side_sandwich;
    result_.confirmed = last->round.kind == RoundKind::kConfirm && last->inside;
    std::vector<std::pair<int, int>> skips;
    for (const RoundPairing& pairing : last->round.pairings) {
      if (pairing.b == pairing.a + 2) skips.emplace_back(pairing.a, pairing.b);
    }
    if (!skips.empty()) {
      Expected<FitTest> test = test_fit(last_data_, rating_options(), skips);
      if (test) result_.fit_test = std::move(*test);
      Expected<CycleCheck> cycles = check_cycles(last_data_, rating_options());
      if (cycles) result_.cycles = std::move(*cycles);
    }
    if (!profile(last->round)) return false;
    result_.levels_file = settings_.levels_file.empty()
                              ? std::filesystem::path(store_.path().string() + ".levels.toml")
                              : settings_.levels_file;
    write_file_atomically(result_.levels_file, to_toml(make_levels(plan_, result_, store_.id())));
    return true;
  }

  bool profile(const LadderRound& round) {
    const std::string fact = profiles_fact(round.number, settings_);
    if (const auto text = store_.fact(fact)) {
      for (const auto& each : nlohmann::json::parse(*text, nullptr, false)) {
        result_.profiles.push_back(parse_profile(each));
      }
      if (result_.profiles.size() == round.strengths.size()) return true;
    }
    auto profiles = profile_round(store_, plan_, round, control_);
    if (!profiles) return false;
    result_.profiles = std::move(*profiles);
    nlohmann::ordered_json json = nlohmann::ordered_json::array();
    for (const LevelProfile& each : result_.profiles) json.push_back(to_json(each));
    store_.set_fact(fact, json.dump());
    return true;
  }

  const LadderPlan& plan_;
  const LadderSettings& settings_;
  const RunControl& control_;
  Openings openings_;
  Store store_;
  Clock::time_point start_ = Clock::now();
  LadderResult result_;
  std::vector<GapObservation> seen_;  // of all rounds
  RatingData last_data_;
  std::string no_ratings_;
};

}  // namespace

LadderResult run_ladder(const LadderPlan& plan, const std::filesystem::path& out,
                        const RunControl& control) {
  if (control.shard.count > 1) {
    throw user_error("ladder: no shards: each round is planned from the games of those before it");
  }
  return LadderRun(plan, out, control).run();
}

}  // namespace cannonade
