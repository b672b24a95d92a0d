// How the levels of a ladder's round erred, game by game on as many threads as the run has.
#include <fmt/format.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <set>
#include <utility>

#include "core/base/files.h"
#include "selfplay/ladder_games.h"
#include "selfplay/parallel_loop.h"
#include "selfplay/store.h"

namespace cannonade {
namespace {

constexpr std::size_t kRefereeHash = 4;  // megabytes

struct JudgedGame {
  GameRecord game;
  std::array<std::size_t, 2> levels{};  // the first mover's, the second's
  std::array<LevelProfile, 2> profiles;
};

// Counts every game of the round, and gives those that a referee is to look at.
std::vector<JudgedGame> count_and_sample(const Store& store, const LadderPlan& plan,
                                         const LadderRound& round,
                                         std::vector<LevelProfile>& profiles) {
  std::vector<JudgedGame> sample;
  std::vector<std::set<std::uint64_t>> seen(profiles.size());
  GameReader reader = store.read(round.first_game, round.end());
  GameRecord game;
  while (reader.next(game)) {
    const RoundSlot slot = slot_of(round, game.id);
    std::array<std::size_t, 2> levels{static_cast<std::size_t>(slot.pairing.a),
                                      static_cast<std::size_t>(slot.pairing.b)};
    if (game.id % 2 != 0) std::swap(levels[0], levels[1]);
    std::string turns = game.start_fen;
    for (const Move move : game.moves) turns += fmt::format(" {}", move.raw());
    for (const std::size_t level : levels) {
      ++profiles[level].played;
      if (!seen[level].insert(fingerprint(turns)).second) ++profiles[level].repeated;
    }
    const bool neighbours = slot.pairing.b == slot.pairing.a + 1;
    if (neighbours && game.id - slot.first_game < plan.settings.profile_games) {
      sample.push_back({game, levels, {}});
    }
  }
  return sample;
}

}  // namespace

std::optional<std::vector<LevelProfile>> profile_round(const Store& store, const LadderPlan& plan,
                                                       const LadderRound& round,
                                                       const RunControl& control) {
  const LadderSettings& settings = plan.settings;
  std::vector<LevelProfile> profiles(round.strengths.size());
  for (std::size_t i = 0; i < profiles.size(); ++i) profiles[i].name = std::to_string(i + 1);
  std::vector<JudgedGame> sample = count_and_sample(store, plan, round, profiles);

  const auto stopped = [&] { return control.stop != nullptr && control.stop->load(); };
  const Weights weights = load_weights(plan.engine, settings.rules);
  tbb::enumerable_thread_specific<std::unique_ptr<Engine>> referees(
      [&] { return std::make_unique<Engine>("referee", weights, kRefereeHash); });
  const int threads = std::max(control.threads, 1);
  const tbb::global_control allowed(tbb::global_control::max_allowed_parallelism,
                                    static_cast<std::size_t>(threads) + 1);
  tbb::task_arena arena(threads);
  arena.execute([&] {
    parallel_loop(std::size_t{0}, sample.size(), [&](std::size_t i) {
      if (stopped()) return;
      sample[i].profiles =
          profile_game(sample[i].game, settings.rules, *referees.local(), settings.profile_nodes);
    });
  });
  if (stopped()) return std::nullopt;
  for (const JudgedGame& each : sample) {
    for (std::size_t side = 0; side < 2; ++side) {
      profiles[each.levels[side]].add(each.profiles[side]);
    }
  }
  return profiles;
}

}  // namespace cannonade
