// What the engine and the driver cost: nodes a second of the search, static evaluations a second,
// and short self-play runs into a store, with the share of the processor's time that goes to
// anything but choosing turns (`outside_search`: drawing openings, refereeing, TBB, the writer,
// SQLite).
//
// Runs are timed by the clock on the wall, `outside_search` by processor time: of the whole process
// against that of the threads inside Engine::choose.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <memory>
#include <string>

#include "core/board/movegen.h"
#include "core/game/history.h"
#include "core/notation/fen.h"
#include "eval/weights.h"
#include "selfplay/driver.h"
#include "selfplay/engine.h"
#include "selfplay/openings.h"
#include "selfplay/play_game.h"
#include "selfplay/tournament.h"

namespace cannonade {
namespace {

constexpr std::uint64_t kSearchNodes = 100'000;
constexpr std::size_t kHashMegabytes = 16;
constexpr std::uint64_t kRunGames = 24;
constexpr std::uint64_t kRunNodes = 1000;

Weights weights_for(const Ruleset& rules) {
  EngineConfig config;
  config.name = "engine";
  return load_weights(config, rules);
}

double cpu_seconds(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

void run_search(benchmark::State& state, const Ruleset& rules) {
  Engine engine("engine", weights_for(rules), kHashMegabytes);
  const Position start = parse_fen(rules, start_fen(rules.game)).value_or_throw("start");
  SearchLimits limits;
  limits.nodes = kSearchNodes;
  std::uint64_t nodes = 0;
  for (auto _ : state) {
    engine.new_game(rules, 0);
    nodes += engine.search(start, History(start), limits).nodes;
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(nodes));
}

void run_evaluation(benchmark::State& state, const Ruleset& rules) {
  Engine engine("engine", weights_for(rules), 1);
  engine.new_game(rules, 0);
  OpeningSettings settings;
  settings.plies = 40;
  const Openings openings(settings, rules, 1);
  std::vector<Position> positions;
  for (std::uint64_t i = 0; i < 64; ++i) {
    const Opening opening = openings.draw(i);
    Position position = parse_fen(rules, opening.start_fen).value_or_throw("opening");
    for (const Move move : opening.moves) {
      Undo undo;
      position.make(move, undo);
    }
    positions.push_back(position);
  }
  std::size_t next = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(engine.static_score(positions[next]));
    next = (next + 1) % positions.size();
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
}

// An engine that adds up the processor time of its turns.
class TimedEngine : public Engine {
 public:
  TimedEngine(const Weights& weights, std::atomic<double>* seconds)
      : Engine("engine", weights, kHashMegabytes), seconds_(seconds) {}
  MoveChoice choose(const GameState& game, const SearchLimits& limits) override {
    const double start = cpu_seconds(CLOCK_THREAD_CPUTIME_ID);
    const MoveChoice choice = Engine::choose(game, limits);
    seconds_->fetch_add(cpu_seconds(CLOCK_THREAD_CPUTIME_ID) - start, std::memory_order_relaxed);
    return choice;
  }

 private:
  std::atomic<double>* seconds_;
};

class TimedWorker : public GameWorker {
 public:
  TimedWorker(const Ruleset& rules, const Openings& openings, const Weights& weights,
              std::atomic<double>* seconds)
      : rules_(rules), openings_(openings), engine_(weights, seconds) {}
  std::optional<GameRecord> play(std::uint64_t id, const std::atomic<bool>& stop) override {
    GameTask task;
    task.id = task.pair = id;
    task.rules = &rules_;
    task.opening = openings_.draw(id);
    MoveLimits limits;
    limits.nodes = kRunNodes;
    task.seats.fill(Seat{&engine_, limits, FailurePolicy::kLoss});
    return play_game(task, stop);
  }

 private:
  const Ruleset& rules_;
  const Openings& openings_;
  TimedEngine engine_;
};

void run_games(benchmark::State& state, const Ruleset& rules, int threads) {
  const Weights weights = weights_for(rules);
  const Openings openings(OpeningSettings{}, rules, 1);
  const auto folder = std::filesystem::temp_directory_path() /
                      fmt::format("cannonade-benchmark-{}", static_cast<long>(getpid()));
  std::filesystem::create_directories(folder);
  std::atomic<double> inside{0};
  double all = 0;
  std::uint64_t games = 0;
  std::uint64_t run = 0;
  for (auto _ : state) {
    RunInfo info;
    info.command = "benchmark";
    info.rules = rules.id;
    info.seed = 1;
    info.engines = {{"engine", "benchmark"}};
    info.games = kRunGames;
    Store store = Store::create_or_resume(folder / fmt::format("{}.db", run++), info, {});
    DriveOptions options;
    options.threads = threads;
    const double before = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID);
    games +=
        drive(
            store, [&] { return std::make_unique<TimedWorker>(rules, openings, weights, &inside); },
            options)
            .played;
    all += cpu_seconds(CLOCK_PROCESS_CPUTIME_ID) - before;
  }
  std::filesystem::remove_all(folder);
  state.SetItemsProcessed(static_cast<std::int64_t>(games));
  state.counters["outside_search"] = all > 0 ? (all - inside.load()) / all : 0.0;
}

}  // namespace
}  // namespace cannonade

int main(int argc, char** argv) {
  using namespace cannonade;
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  for (const Ruleset& rules : rulesets()) {
    const auto add = [&](const std::string& name, auto run) {
      return benchmark::RegisterBenchmark(fmt::format("{}/{}", name, rules.id).c_str(), run);
    };
    add("search", [&rules](benchmark::State& s) { run_search(s, rules); });
    add("evaluation", [&rules](benchmark::State& s) { run_evaluation(s, rules); });
    for (const int threads : {1, 2}) {
      add(fmt::format("games_{}_threads", threads),
          [&rules, threads](benchmark::State& s) { run_games(s, rules, threads); })
          ->UseRealTime()
          ->Unit(benchmark::kMillisecond);
    }
  }
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
