// What the rules core costs, by rule set and phase of the game: perft with its three ways of
// counting the last ply, and the paths that a search walks at every node.
//
// Positions are those of tests/data/perft.tsv, in turn: opening (26 pieces and more), middle game
// (14 and more), end game. Times are for one call; perft's rate counts nodes.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "core/base/rng.h"
#include "core/board/movegen.h"
#include "core/board/perft.h"
#include "core/board/see.h"
#include "core/game/ending.h"
#include "core/game/history.h"
#include "core/notation/fen.h"

namespace cannonade {
namespace {

constexpr int kPhases = 3;
constexpr const char* kPhaseNames[kPhases] = {"opening", "middle", "end"};

int phase_of(const Position& position) {
  const int pieces = position.occupied().count();
  return pieces >= 26 ? 0 : pieces >= 14 ? 1 : 2;
}

// The different positions of perft.tsv for the game and phase.
std::vector<Position> positions_of(const Ruleset& rules, int phase) {
  std::ifstream file(CANNONADE_TEST_DATA "/perft.tsv");
  if (!file) throw user_error("cannot read " CANNONADE_TEST_DATA "/perft.tsv");
  std::vector<Position> positions;
  std::vector<std::string> seen;
  for (std::string line; std::getline(file, line);) {
    std::istringstream row(line);
    std::string id;
    std::string fen;
    if (!std::getline(row, id, '\t') || !std::getline(row, fen, '\t')) continue;
    const auto found = find_ruleset(id);
    if (!found || found->game != rules.game) continue;
    if (std::find(seen.begin(), seen.end(), fen) != seen.end()) continue;
    seen.push_back(fen);
    Position position = parse_fen(rules, fen).value_or_throw(fen);
    if (phase_of(position) == phase) positions.push_back(position);
  }
  if (positions.empty()) throw user_error("no positions for " + rules.id);
  return positions;
}

// Calls `work(position)` on the positions in turn.
template <class Work>
void in_turn(benchmark::State& state, std::vector<Position>& positions, Work&& work) {
  std::size_t next = 0;
  for (auto _ : state) {
    work(positions[next]);
    if (++next == positions.size()) next = 0;
  }
}

void run_perft(benchmark::State& state, std::vector<Position> positions, int depth,
               PerftLeaves leaves) {
  std::uint64_t nodes = 0;
  in_turn(state, positions, [&](Position& p) { nodes += perft(p, depth, leaves); });
  state.SetItemsProcessed(static_cast<std::int64_t>(nodes));
}

void run_generate(benchmark::State& state, std::vector<Position> positions, MoveKind kind) {
  in_turn(state, positions, [&](const Position& p) {
    MoveList list;
    generate(p, danger(p), kind, list);
    benchmark::DoNotOptimize(list.size());
  });
}

void run_danger(benchmark::State& state, std::vector<Position> positions) {
  in_turn(state, positions, [](const Position& p) { benchmark::DoNotOptimize(danger(p)); });
}

void run_in_check(benchmark::State& state, std::vector<Position> positions) {
  in_turn(state, positions,
          [](const Position& p) { benchmark::DoNotOptimize(in_check(p, p.side_to_move())); });
}

// A position with one of its legal turns.
using Turns = std::vector<std::pair<Position*, Move>>;

Turns turns_of(std::vector<Position>& positions, MoveKind kind) {
  Turns turns;
  for (Position& p : positions) {
    MoveList list;
    generate(p, danger(p), kind, list);
    for (const Move move : list) turns.emplace_back(&p, move);
  }
  return turns;
}

template <class Work>
void each_turn(benchmark::State& state, const Turns& turns, Work&& work) {
  if (turns.empty()) return state.SkipWithError("no turns");
  std::size_t next = 0;
  for (auto _ : state) {
    work(*turns[next].first, turns[next].second);
    if (++next == turns.size()) next = 0;
  }
}

void run_make_unmake(benchmark::State& state, std::vector<Position> positions) {
  each_turn(state, turns_of(positions, MoveKind::kAll), [](Position& p, Move move) {
    Undo undo;
    p.make(move, undo);
    benchmark::DoNotOptimize(p.key());
    p.unmake(move, undo);
  });
}

void run_is_legal(benchmark::State& state, std::vector<Position> positions) {
  each_turn(state, turns_of(positions, MoveKind::kAll), [](const Position& p, Move move) {
    benchmark::DoNotOptimize(is_legal(p, danger(p), move));
  });
}

void run_see(benchmark::State& state, std::vector<Position> positions) {
  each_turn(state, turns_of(positions, MoveKind::kCaptures), [](const Position& p, Move move) {
    benchmark::DoNotOptimize(see_at_least(p, move, 0));
  });
}

// After 60 quiet turns, which is the most that a look back usually has to pass.
void run_repetition(benchmark::State& state, std::vector<Position> positions) {
  Position position = positions.front();
  History history(position);
  Rng rng(1);
  for (int turn = 0; turn < 60; ++turn) {
    MoveList list;
    generate(position, danger(position), MoveKind::kQuiets, list);
    if (list.empty()) break;
    const Move move = list[rng.below(list.size())];
    Undo undo;
    position.make(move, undo);
    history.push(position, danger(position).in_check, move.is_pass());
  }
  for (auto _ : state) benchmark::DoNotOptimize(history.repetitions());
}

void run_judge(benchmark::State& state, std::vector<Position> positions) {
  std::vector<std::pair<History, Danger>> games;
  for (Position& p : positions) games.emplace_back(History(p), danger(p));
  std::size_t next = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(judge(positions[next], games[next].second, games[next].first));
    if (++next == positions.size()) next = 0;
  }
}

void add_benchmarks(const Ruleset& rules, int phase) {
  const std::vector<Position> positions = positions_of(rules, phase);
  const auto add = [&](const char* what, auto run, auto... arguments) {
    benchmark::RegisterBenchmark(
        fmt::format("{}/{}/{}", what, rules.id, kPhaseNames[phase]).c_str(),
        [=](benchmark::State& state) { run(state, positions, arguments...); });
  };
  const int depth = phase == 2 ? 4 : 3;
  add("perft_listed", run_perft, depth, PerftLeaves::kListed);
  add("perft_counted", run_perft, depth, PerftLeaves::kCounted);
  add("perft_made", run_perft, depth, PerftLeaves::kMade);
  add("generate_all", run_generate, MoveKind::kAll);
  add("generate_captures", run_generate, MoveKind::kCaptures);
  add("generate_quiets", run_generate, MoveKind::kQuiets);
  add("danger", run_danger);
  add("in_check", run_in_check);
  add("make_unmake", run_make_unmake);
  add("is_legal", run_is_legal);
  add("see_captures", run_see);
  add("repetition", run_repetition);
  add("judge", run_judge);
}

}  // namespace
}  // namespace cannonade

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  for (const auto& rules : cannonade::rulesets()) {
    for (int phase = 0; phase < cannonade::kPhases; ++phase) {
      cannonade::add_benchmarks(rules, phase);
    }
  }
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
