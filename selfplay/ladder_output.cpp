// A ladder's result as JSON and as lines of text.
#include <fmt/format.h>

#include "selfplay/ladder.h"
#include "selfplay/statistics.h"

namespace cannonade {
namespace {

nlohmann::ordered_json to_json(const Estimate& estimate) {
  const Interval interval = estimate.interval();
  return {{"value", estimate.value},
          {"error", estimate.error},
          {"low", interval.low},
          {"high", interval.high}};
}

nlohmann::ordered_json to_json(const Level& level) {
  const Skill& skill = level.skill;
  return {{"name", level.name},         {"elo", level.elo},           {"low", level.elo_low},
          {"high", level.elo_high},     {"gap", level.gap},           {"gap_low", level.gap_low},
          {"gap_high", level.gap_high}, {"nodes", skill.nodes},       {"depth", skill.depth},
          {"noise", skill.noise},       {"overlook", skill.overlook}, {"careless", skill.careless}};
}

nlohmann::ordered_json to_json(const RoundResult& result) {
  nlohmann::ordered_json json;
  json["number"] = result.round.number;
  json["kind"] = name_of(result.round.kind);
  json["games"] = result.round.games();
  json["players"] = result.round.strengths.size();
  json["strengths"] = result.round.strengths;
  json["inside"] = result.inside;
  json["gaps"] = nlohmann::ordered_json::array();
  if (result.fit) {
    for (const Estimate& gap : result.ratings().neighbour_differences()) {
      json["gaps"].push_back(to_json(gap));
    }
  }
  return json;
}

nlohmann::ordered_json to_json(const FitTest& test) {
  nlohmann::ordered_json json{
      {"chi_squared", test.chi_squared}, {"degrees", test.degrees}, {"p", test.p}};
  for (const PairingFit& pairing : test.pairings) {
    json["pairings"].push_back({{"weaker", pairing.a + 1},
                                {"stronger", pairing.b + 1},
                                {"games", pairing.games},
                                {"score", pairing.score},
                                {"expected_score", pairing.expected_score},
                                {"excess", to_json(pairing.excess)}});
  }
  return json;
}

nlohmann::ordered_json to_json(const CycleCheck& check) {
  nlohmann::ordered_json json{{"cycles", check.cycles.size()}, {"p", check.p}};
  if (!check.cycles.empty()) {
    const Cycle& worst = check.cycles.front();
    json["worst"] = {{"levels", {worst.a + 1, worst.b + 1, worst.c + 1}},
                     {"sum", to_json(worst.sum)},
                     {"z", worst.z}};
  }
  return json;
}

nlohmann::ordered_json to_json(const Yardstick& yardstick) {
  const Interval interval = score_interval(yardstick.games);
  return {{"name", yardstick.name},
          {"games", yardstick.games.games()},
          {"wins", yardstick.games.wins},
          {"draws", yardstick.games.draws},
          {"losses", yardstick.games.losses},
          {"score", yardstick.games.score()},
          {"low", interval.low},
          {"high", interval.high}};
}

std::string verdict_text(const LadderResult& result) {
  std::string bad;
  for (std::size_t i = 1; i < result.levels.size(); ++i) {
    const Level& level = result.levels[i];
    if (level.gap_low >= result.gap_low && level.gap_high <= result.gap_high) continue;
    bad += fmt::format("{}{}-{}", bad.empty() ? "" : ", ", result.levels[i - 1].name, level.name);
  }
  const std::string bounds = fmt::format("{:g} to {:g}", result.gap_low, result.gap_high);
  if (result.confirmed) {
    return fmt::format("confirmed on fresh games: every gap's 95 % interval lies inside {} Elo",
                       bounds);
  }
  return fmt::format("not confirmed: the 95 % interval is not inside {} Elo between levels {}",
                     bounds, bad.empty() ? "of a confirming round" : bad);
}

}  // namespace

nlohmann::ordered_json to_json(const LadderResult& result) {
  nlohmann::ordered_json json;
  json["rules"] = result.rules;
  json["levels"] = nlohmann::ordered_json::array();
  for (const Level& level : result.levels) json["levels"].push_back(to_json(level));
  json["confirmed"] = result.confirmed;
  json["gap"] = {{"wanted", result.gap}, {"low", result.gap_low}, {"high", result.gap_high}};
  json["end_to_end"] = to_json(result.end_to_end);
  json["first_move"] = result.first_move ? to_json(*result.first_move) : nlohmann::ordered_json();
  json["fit_test"] = result.fit_test ? to_json(*result.fit_test) : nlohmann::ordered_json();
  json["cycle_check"] = result.cycles ? to_json(*result.cycles) : nlohmann::ordered_json();
  json["rounds"] = nlohmann::ordered_json::array();
  for (const RoundResult& round : result.rounds) json["rounds"].push_back(to_json(round));
  json["yardsticks"] = nlohmann::ordered_json::array();
  for (const Yardstick& each : result.yardsticks) json["yardsticks"].push_back(to_json(each));
  json["profiles"] = nlohmann::ordered_json::array();
  for (const LevelProfile& each : result.profiles) json["profiles"].push_back(to_json(each));
  json["levels_file"] = result.levels_file.string();
  json["games"] = result.stored;
  json["level_games"] = result.level_games;
  json["played"] = result.played;
  json["seconds"] = result.seconds;
  json["complete"] = result.complete;
  json["run_id"] = result.run_id;
  return json;
}

std::vector<std::string> to_lines(const LadderResult& result) {
  std::vector<std::string> lines;
  for (const RoundResult& round : result.rounds) {
    std::string line =
        fmt::format("round {}: {}, {} players, {} games", round.round.number,
                    name_of(round.round.kind), round.round.strengths.size(), round.round.games());
    if (round.fit) {
      double low = 1e9;
      double high = -1e9;
      for (const Estimate& gap : round.ratings().neighbour_differences()) {
        low = std::min(low, gap.value);
        high = std::max(high, gap.value);
      }
      line += fmt::format("; gaps {:.0f} to {:.0f} Elo, {}", low, high,
                          round.inside ? "all inside" : "not all inside");
    }
    lines.push_back(std::move(line));
  }
  if (result.levels.empty()) return lines;
  lines.push_back(fmt::format("{:>5}  {:>17}  {:>19}  {:>7} {:>5} {:>7} {:>9}", "level",
                              "gap, 95 %", "Elo, 95 %", "nodes", "depth", "noise", "overlook"));
  for (const Level& level : result.levels) {
    const bool first = &level == &result.levels.front();
    lines.push_back(fmt::format(
        "{:>5}  {:>17}  {:>19}  {:>7} {:>5} {:>7.1f} {:>9.3f}{}", level.name,
        first ? ""
              : fmt::format("{:+.0f} ({:.0f}, {:.0f})", level.gap, level.gap_low, level.gap_high),
        fmt::format("{:.0f} ({:.0f}, {:.0f})", level.elo, level.elo_low, level.elo_high),
        level.skill.nodes, level.skill.depth, level.skill.noise, level.skill.overlook,
        level.skill.careless ? "  careless" : ""));
  }
  lines.push_back(verdict_text(result));
  lines.push_back(fmt::format("end to end: {:.0f} Elo (95 %: {:.0f} to {:.0f}), from {} games",
                              result.end_to_end.value, result.end_to_end.interval().low,
                              result.end_to_end.interval().high, result.level_games));
  if (result.first_move) {
    lines.push_back(fmt::format("moving first: {:+.1f} +- {:.1f} Elo", result.first_move->value,
                                kNormal95 * result.first_move->error));
  }
  if (result.fit_test) {
    lines.push_back(fmt::format(
        "fit on next neighbours: chi-squared {:.1f} with {} degrees of freedom, p = {:.3f}",
        result.fit_test->chi_squared, result.fit_test->degrees, result.fit_test->p));
  }
  if (result.cycles && !result.cycles->cycles.empty()) {
    const Cycle& worst = result.cycles->cycles.front();
    lines.push_back(fmt::format(
        "cycles: the worst of {} is {}-{}-{}, {:+.0f} +- {:.0f} Elo; p = {:.3f} for all",
        result.cycles->cycles.size(), worst.a + 1, worst.b + 1, worst.c + 1, worst.sum.value,
        kNormal95 * worst.sum.error, result.cycles->p));
  }
  for (const Yardstick& each : result.yardsticks) {
    const Interval interval = score_interval(each.games);
    lines.push_back(fmt::format(
        "level {} against the {}: {:.1f} % ({:.1f} to {:.1f}), won {}, drawn {}, lost {}",
        result.levels.front().name, each.name, 100 * each.games.score(), 100 * interval.low,
        100 * interval.high, each.games.wins, each.games.draws, each.games.losses));
  }
  if (!result.levels_file.empty()) {
    lines.push_back("levels: " + result.levels_file.string());
  }
  return lines;
}

}  // namespace cannonade
