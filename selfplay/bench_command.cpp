// selfplay bench: a fixed search. Its node count is the signature of search and evaluation: it
// changes with their behaviour and with nothing else.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "selfplay/command_line.h"
#include "selfplay/commands.h"
#include "selfplay/engine.h"

namespace cannonade {

int bench_command(int argc, char** argv) {
  constexpr int kDepth = 9;
  bool json = false;
  CommandLine line("selfplay bench", "Searches fixed positions to a fixed depth.",
                   "selfplay bench --json");
  line.options().add("json", json, "print one JSON object");
  if (!line.parse(argc, argv)) return 0;

  const auto nps = [](std::uint64_t nodes, double seconds) {
    return seconds > 0 ? static_cast<double>(nodes) / seconds : 0;
  };
  nlohmann::ordered_json object;
  std::uint64_t total = 0;
  double seconds = 0;
  for (const BenchResult& result : run_bench(kDepth)) {
    total += result.nodes;
    seconds += result.seconds;
    object["rules"][result.rules] = {{"nodes", result.nodes},
                                     {"seconds", result.seconds},
                                     {"nps", nps(result.nodes, result.seconds)}};
    if (!json) {
      fmt::print("{:<20} {:>10} nodes {:>8.3f} s {:>10.0f} nodes/s\n", result.rules, result.nodes,
                 result.seconds, nps(result.nodes, result.seconds));
    }
  }
  object["nodes"] = total;
  object["seconds"] = seconds;
  object["nps"] = nps(total, seconds);
  if (json) {
    fmt::print("{}\n", object.dump());
  } else {
    fmt::print("Bench: {}\n", total);
  }
  return 0;
}

}  // namespace cannonade
