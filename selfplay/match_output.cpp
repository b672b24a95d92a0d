// A match's result, for programs and for a terminal.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "selfplay/match.h"
#include "selfplay/session_json.h"

namespace cannonade {

nlohmann::ordered_json to_json(const MatchResult& result) {
  using OrderedJson = nlohmann::ordered_json;
  const MatchStatistics& statistics = result.statistics;
  const bool judged = result.test.has_value();
  OrderedJson json{{"a", result.names[0]},
                   {"b", result.names[1]},
                   {"rules", result.rules},
                   {"games", result.counts.games()},
                   {"pairs", result.pentanomial.pairs()},
                   {"wins", result.counts.wins},
                   {"draws", result.counts.draws},
                   {"losses", result.counts.losses},
                   {"score", statistics.score},
                   {"elo", statistics.elo},
                   {"elo_error", statistics.elo_error},
                   {"elo_low", statistics.elo_low},
                   {"elo_high", statistics.elo_high},
                   {"los", statistics.los},
                   {"nelo", statistics.nelo},
                   {"nelo_error", statistics.nelo_error},
                   {"llr", judged ? OrderedJson(result.sprt.llr) : OrderedJson()},
                   {"lower", judged ? OrderedJson(result.sprt.lower) : OrderedJson()},
                   {"upper", judged ? OrderedJson(result.sprt.upper) : OrderedJson()},
                   {"verdict", judged ? OrderedJson(name_of(result.sprt.verdict)) : OrderedJson()},
                   {"pentanomial", result.pentanomial.counts}};
  OrderedJson a_by_side = OrderedJson::object();
  for (const Side side : {Side::kFirst, Side::kSecond}) {
    const Trinomial& counts = result.counts_by_side[static_cast<std::size_t>(index_of(side))];
    a_by_side[std::string(side_name(result.game, side))] = {{"wins", counts.wins},
                                                            {"draws", counts.draws},
                                                            {"losses", counts.losses},
                                                            {"score", counts.score()}};
  }
  json["a_by_side"] = a_by_side;
  // by_side, endings, duplicates and what else is known of the games.
  const OrderedJson games = to_json(result.summary, result.game);
  for (const auto& [key, value] : games.items()) {
    if (key != "games") json[key] = value;
  }
  if (result.void_pairs > 0) json["void_pairs"] = result.void_pairs;
  if (result.without_failures) {
    json["without_failures"] = {{"games", result.without_failures->games},
                                {"elo", result.without_failures->elo},
                                {"elo_error", result.without_failures->elo_error}};
  }
  add_session(json, result);
  return json;
}

std::vector<std::string> to_lines(const MatchResult& result) {
  const MatchStatistics& statistics = result.statistics;
  std::vector<std::string> lines;
  lines.push_back(fmt::format("{} against {}, {}", result.names[0], result.names[1], result.rules));
  lines.push_back(fmt::format("games {} (pairs {}): +{} ={} -{}, score {:.2f} %",
                              result.counts.games(), result.pentanomial.pairs(), result.counts.wins,
                              result.counts.draws, result.counts.losses, 100 * statistics.score));
  lines.push_back(fmt::format("pentanomial [{}]", fmt::join(result.pentanomial.counts, ", ")));
  lines.push_back(fmt::format("Elo {:+.2f} +- {:.2f} (95 %: {:+.2f} to {:+.2f}), LOS {:.2f} %",
                              statistics.elo, statistics.elo_error, statistics.elo_low,
                              statistics.elo_high, 100 * statistics.los));
  lines.push_back(
      fmt::format("normalised Elo {:+.2f} +- {:.2f}", statistics.nelo, statistics.nelo_error));
  if (result.test) {
    lines.push_back(
        fmt::format("SPRT of {:g} against {:g} ({}): LLR {:.3f} in ({:.3f}, {:.3f}), {}",
                    result.test->elo0, result.test->elo1, name_of(result.test->model),
                    result.sprt.llr, result.sprt.lower, result.sprt.upper,
                    result.sprt.verdict == Verdict::kContinue
                        ? std::string("not decided")
                        : fmt::format("{} accepted", name_of(result.sprt.verdict))));
  }
  for (const Side side : {Side::kFirst, Side::kSecond}) {
    const Trinomial& counts = result.counts_by_side[static_cast<std::size_t>(index_of(side))];
    lines.push_back(fmt::format("{} as {}: +{} ={} -{}", result.names[0],
                                side_name(result.game, side), counts.wins, counts.draws,
                                counts.losses));
  }
  if (result.void_pairs > 0) {
    lines.push_back(fmt::format("{} pairs have no result and are not counted", result.void_pairs));
  }
  if (result.without_failures) {
    lines.push_back(
        fmt::format("without pairs in which an engine broke down: Elo {:+.2f} +- {:.2f}",
                    result.without_failures->elo, result.without_failures->elo_error));
  }
  for (std::string& line : to_lines(result.summary, result.game)) lines.push_back(std::move(line));
  return lines;
}

}  // namespace cannonade
