// tuner explain: why a position is worth what it is.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/notation/fen.h"
#include "eval/explain.h"
#include "selfplay/command_line.h"
#include "tuner/commands.h"
#include "tuner/fit.h"

namespace cannonade {

int explain_command(int argc, char** argv) {
  std::string weights_name = "default";
  Ruleset rules;
  std::string fen;
  int features = 15;
  bool json = false;
  CommandLine line("tuner explain", "Prints a position's evaluation as a table of features.",
                   "tuner explain --weights default --rules xiangqi-casual");
  SettingsTable& options = line.options();
  options.add("weights", weights_name, "material, default or a weights file");
  options.add("rules", rules, "rule set").required();
  options.add("fen", fen, "position (the usual start when not given)");
  options.add("features", features, 0, kFeatureCount, "single features to list");
  options.add("json", json, "print one JSON object");
  if (!line.parse(argc, argv)) return 0;

  if (fen.empty()) fen = start_fen(rules.game);
  const Position position = parse_fen(rules, fen).value_or_throw("--fen");
  const Explanation told = explain(position, weights_by_name(weights_name, rules));
  const auto first = side_name(rules.game, Side::kFirst);
  const auto second = side_name(rules.game, Side::kSecond);

  if (json) {
    nlohmann::ordered_json object{{"rules", rules.id},
                                  {"fen", to_fen(position)},
                                  {"score", told.score},
                                  {"phase", told.phase},
                                  {"scale", told.scale}};
    for (const GroupScore& g : told.groups) {
      object["groups"][std::string(info_of(g.group).name)] = {
          {first, g.first}, {second, g.second}, {"net", g.net()}};
    }
    for (const FeatureScore& f : told.features) {
      object["features"][feature_name(f.feature)] = {
          {first, f.first}, {second, f.second}, {"net", f.value}};
    }
    fmt::print("{}\n", object.dump());
    return 0;
  }
  fmt::print("{}\n{}\n", to_fen(position), explanation_text(told, rules.game, features));
  return 0;
}

}  // namespace cannonade
