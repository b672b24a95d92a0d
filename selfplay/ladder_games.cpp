#include "selfplay/ladder_games.h"

#include <fmt/format.h>

#include <utility>

#include "core/base/rng.h"
#include "selfplay/play_game.h"
#include "selfplay/tournament.h"

namespace cannonade {
namespace {

class LadderWorker : public GameWorker {
 public:
  LadderWorker(const LadderPlan& plan, const LadderRound& round, const Openings& openings)
      : plan_(plan), round_(round), openings_(openings) {}

  std::optional<GameRecord> play(std::uint64_t id, const std::atomic<bool>& stop) override {
    const LadderSettings& settings = plan_.settings;
    const RoundSlot slot = slot_of(round_, id);
    const bool swapped = id % 2 != 0;
    GameTask task;
    task.id = id;
    task.pair = id / 2;
    task.seed = splitmix64(splitmix64(settings.seed) ^ task.pair);
    task.rules = &settings.rules;
    task.opening = openings_.draw(task.pair, check());
    task.adjudication = settings.adjudication;
    task.seats = {seat(swapped ? slot.pairing.b : slot.pairing.a),
                  seat(swapped ? slot.pairing.a : slot.pairing.b)};
    return play_game(task, stop);
  }

 private:
  Seat seat(int player) {
    const EngineConfig config = round_player(plan_, round_, player);
    std::unique_ptr<Player>& made = players_[player];
    if (!made) made = make_player(config, plan_.settings.rules);
    return {made.get(), config.limits, config.on_failure};
  }

  BalanceCheck check() {
    const LadderSettings& settings = plan_.settings;
    if (settings.openings.max_score == 0) return {};
    if (!checker_) checker_ = make_opening_checker(settings.rules);
    return balance_check(*checker_, settings.rules, settings.openings.check_nodes);
  }

  const LadderPlan& plan_;
  const LadderRound& round_;
  const Openings& openings_;
  std::map<int, std::unique_ptr<Player>> players_;
  std::unique_ptr<Player> checker_;
};

}  // namespace

std::vector<Skill> round_skills(const LadderPlan& plan, const LadderRound& round) {
  std::vector<Skill> skills;
  for (const double strength : round.strengths) {
    skills.push_back(skill_between(plan.settings.weakest, plan.settings.strongest, strength,
                                   plan.settings.careless_below));
  }
  return skills;
}

EngineConfig round_player(const LadderPlan& plan, const LadderRound& round, int player) {
  EngineConfig config = plan.engine;
  config.limits = {};
  const auto index = static_cast<std::size_t>(player);
  if (index >= round.strengths.size()) {
    config.kind = player == 1 ? EngineKind::kRandom : EngineKind::kTaker;
    config.name = player == 1 ? "random mover" : "one-ply taker";
    return config;
  }
  config.skill = round_skills(plan, round)[index];
  config.limits.nodes = config.skill.nodes;
  config.limits.depth = config.skill.depth;
  config.name = round.kind == RoundKind::kSurvey
                    ? fmt::format("probe {:.3f}", round.strengths[index])
                    : fmt::format("level {} (round {})", index + 1, round.number);
  return config;
}

RoundSlot slot_of(const LadderRound& round, std::uint64_t id) {
  std::uint64_t first = round.first_game;
  for (const RoundPairing& pairing : round.pairings) {
    if (id >= first && id < first + pairing.games) return {pairing, first};
    first += pairing.games;
  }
  throw internal_error(fmt::format("game {} is not of round {}", id, round.number));
}

MakeWorker round_workers(const LadderPlan& plan, const LadderRound& round,
                         const Openings& openings) {
  return
      [&plan, &round, &openings] { return std::make_unique<LadderWorker>(plan, round, openings); };
}

RatingData round_data(const Store& store, const LadderRound& round) {
  RatingData data;
  data.players =
      static_cast<int>(round.strengths.size()) + (round.kind == RoundKind::kYardstick ? 2 : 0);
  std::uint64_t first = round.first_game;
  for (const RoundPairing& pairing : round.pairings) {
    RatedPairs pairs;
    pairs.a = pairing.a;
    pairs.b = pairing.b;
    GameReader reader = store.read(first, first + pairing.games);
    GameRecord one;
    GameRecord other;
    while (reader.next(one) && reader.next(other)) {
      if (!one.outcome.known() || !other.outcome.known()) continue;
      ++pairs.counts[static_cast<std::size_t>(one.outcome.first_score_halves())]
                    [static_cast<std::size_t>(2 - other.outcome.first_score_halves())];
    }
    data.pairs.push_back(pairs);
    first += pairing.games;
  }
  return data;
}

std::vector<GapObservation> observations(const LadderRound& round, const RatingData& data) {
  std::vector<GapObservation> seen;
  for (const RatedPairs& pairs : data.pairs) {
    double points = 0;  // of b, the stronger one
    double games = 0;
    for (std::size_t x = 0; x < 3; ++x) {
      for (std::size_t y = 0; y < 3; ++y) {
        const auto count = static_cast<double>(pairs.counts[x][y]);
        games += 2 * count;
        points += count * (2 - static_cast<double>(x + y) / 2);
      }
    }
    if (games > 0) {
      seen.push_back(observe_gap(round.strengths[static_cast<std::size_t>(pairs.a)],
                                 round.strengths[static_cast<std::size_t>(pairs.b)], points,
                                 games));
    }
  }
  return seen;
}

}  // namespace cannonade
