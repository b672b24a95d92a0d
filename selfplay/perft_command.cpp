// selfplay perft: how many ways there are to play on from a position.
#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "core/board/perft.h"
#include "core/notation/fen.h"
#include "core/notation/uci_move.h"
#include "selfplay/command_line.h"
#include "selfplay/commands.h"

namespace cannonade {
namespace {

// From the start position 12 plies are more than 10^18 turns: a greater depth would not return.
constexpr int kMaxDepth = 12;

}  // namespace

int perft_command(int argc, char** argv) {
  Ruleset rules;
  std::string fen;
  int depth = 0;
  bool divide = false;
  PerftLeaves leaves = PerftLeaves::kListed;
  bool json = false;
  CommandLine line("selfplay perft", "Counts the legal turns N plies deep, passes included.",
                   "selfplay perft --rules janggi-kja --depth 5");
  SettingsTable& options = line.options();
  options.add("rules", rules, "rule set").required();
  options.add("depth", depth, 0, kMaxDepth, "plies").required();
  options.add("fen", fen, "position (the usual start when not given)");
  options.add("divide", divide, "split the count by first turn");
  options.add(
      "leaves", leaves,
      {{"listed", PerftLeaves::kListed},
       {"counted", PerftLeaves::kCounted},
       {"made", PerftLeaves::kMade}},
      "how the last ply is counted: every turn listed, popcounts of masks, or every turn made");
  options.add("json", json, "print one JSON object");
  if (!line.parse(argc, argv)) return 0;

  if (fen.empty()) fen = start_fen(rules.game);
  Position position = parse_fen(rules, fen).value_or_throw("--fen");
  fen = to_fen(position);

  const auto start = std::chrono::steady_clock::now();
  std::vector<std::pair<Move, std::uint64_t>> split;
  std::uint64_t nodes = 0;
  if (divide && depth > 0) {
    split = perft_divide(position, depth, leaves);
    for (const auto& [move, count] : split) nodes += count;
  } else {
    nodes = perft(position, depth, leaves);
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  const double nps = seconds.count() > 0 ? static_cast<double>(nodes) / seconds.count() : 0;

  if (json) {
    nlohmann::ordered_json object{
        {"rules", rules.id},          {"fen", fen}, {"depth", depth}, {"nodes", nodes},
        {"seconds", seconds.count()}, {"nps", nps}};
    if (divide) {
      auto& moves = object["divide"] = nlohmann::ordered_json::object();
      for (const auto& [move, count] : split) moves[to_uci(move)] = count;
    }
    fmt::print("{}\n", object.dump());
    return 0;
  }
  for (const auto& [move, count] : split) fmt::print("{}: {}\n", to_uci(move), count);
  fmt::print("nodes {}\nseconds {:.3f}\nnodes a second {:.0f}\n", nodes, seconds.count(), nps);
  return 0;
}

}  // namespace cannonade
