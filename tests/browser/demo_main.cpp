// Writes the demonstration page, and the reports of a small match and of a small comparison:
// report_demo DEMO.html RUN.html COMPARE.html
// The stores stand beside the pages while they are read.
#include <cstdio>
#include <exception>
#include <filesystem>

#include "core/base/files.h"
#include "selfplay/compare.h"
#include "selfplay/run_report.h"
#include "selfplay/store.h"
#include "tests/browser/demo_page.h"

namespace cannonade {
namespace {

constexpr std::uint64_t kMatchGames = 120;

Page demo_match_page(const std::filesystem::path& path) {
  std::filesystem::remove(path);
  RunInfo run;
  run.command = "match";
  run.rules = "janggi-point-count";
  run.seed = 20250503;
  run.engines = {{kHostileName, "00000000000000aa"}, {"generation 9", "00000000000000bb"}};
  run.settings = "engine0.nodes = 1000\nengine1.nodes = 1000\n";
  run.games = kMatchGames;
  run.revision = "demo";
  {
    Store store = Store::create_or_resume(path, run);
    for (std::uint64_t id = 0; id < kMatchGames; ++id) {
      GameRecord game = demo_game(run.rules, id, 160);
      game.pair = id / 2;
      const std::size_t a = id % 2;
      game.players[a] = run.engines[0].name;
      game.players[1 - a] = run.engines[1].name;
      game.player_hashes[a] = run.engines[0].hash;
      game.player_hashes[1 - a] = run.engines[1].hash;
      game.milliseconds = 250;
      game.nodes = 100'000;
      store.add(game);
    }
  }
  Page page = run_report(Store::open_read_only(path), {.viewer_games = 40, .sprt = SprtTest{}});
  std::filesystem::remove(path);
  return page;
}

Page demo_compare_page(const std::filesystem::path& path) {
  std::filesystem::remove(path);
  EngineConfig engine;
  engine.name = kHostileName;
  engine.hash_mb = 1;
  ComparePlan plan;
  plan.engines = {engine};
  plan.games = 400;
  plan.design.nodes = {20, 100};
  plan.design.weights = CompareDesign::Weights::kBoth;
  plan.design.han_bonus = {0, 5};
  plan.openings.plies = 6;
  (void)run_compare(plan, path, {});
  Page page = run_report(Store::open_read_only(path), {.viewer_games = 20, .sprt = {}});
  std::filesystem::remove(path);
  return page;
}

}  // namespace
}  // namespace cannonade

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: report_demo DEMO.html RUN.html COMPARE.html\n");
    return 2;
  }
  try {
    using namespace cannonade;
    write_file_atomically(argv[1], render(demo_page()));
    write_file_atomically(argv[2], render(demo_match_page(std::string(argv[2]) + ".db")));
    write_file_atomically(argv[3], render(demo_compare_page(std::string(argv[3]) + ".db")));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "report_demo: %s\n", error.what());
    return 3;
  }
  return 0;
}
