#include "selfplay/report_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "selfplay/page_text.h"
#include "selfplay/report_cells.h"

namespace cannonade {
namespace {

constexpr std::size_t kMostPlayersSquared = 12;  // a table of who met whom has at most so many rows
constexpr std::uint64_t kFewestPerBin = 5;

double as_double(std::uint64_t count) {
  return static_cast<double>(count);
}

std::string capitalised(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') {
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  }
  return text;
}

// Reasons that occurred, most frequent first.
std::vector<Reason> reasons_of(const RulesDigest& digest) {
  std::vector<Reason> reasons;
  for (int i = 0; i < kReasons; ++i) {
    const auto reason = static_cast<Reason>(i);
    if (digest.summary().ending(reason) > 0) reasons.push_back(reason);
  }
  std::stable_sort(reasons.begin(), reasons.end(), [&](Reason a, Reason b) {
    return digest.summary().ending(a) > digest.summary().ending(b);
  });
  return reasons;
}

// A step of 1, 2 or 5 times a power of ten that cuts `reach` into at most `most` parts.
std::uint32_t nice_step(std::uint32_t reach, std::uint32_t most) {
  for (std::uint32_t power = 1;; power *= 10) {
    for (const std::uint32_t lead : {1U, 2U, 5U}) {
      if (reach / (lead * power) < most) return lead * power;
    }
  }
}

}  // namespace

std::string first_name(const RulesDigest& digest) {
  return side_words(digest.rules().game, Side::kFirst);
}

std::string second_name(const RulesDigest& digest) {
  return side_words(digest.rules().game, Side::kSecond);
}

Cell game_cell(std::uint64_t id, NamedGames& named) {
  Cell cell(std::to_string(id), static_cast<double>(id));
  cell.game = GameLink{named.viewer, id};
  named.ids.push_back(id);
  return cell;
}

std::string first_mover_sentence(const RulesDigest& digest) {
  const Trinomial& counts = digest.summary().first();
  const std::string name = first_name(digest);
  if (counts.games() == 0) return "No game has a result.";
  const Interval interval = score_interval(counts);
  const std::string judged =
      interval.covers(0.5) ? ", not distinguishable from an even game" : std::string();
  return fmt::format("{} scored {}{}: won {}, drawn {}, lost {}.", name,
                     percent_with(counts.score(), interval), judged, format_count(counts.wins),
                     format_count(counts.draws), format_count(counts.losses));
}

void add_results(Section& section, const RulesDigest& digest) {
  const Trinomial& counts = digest.summary().first();
  if (counts.games() == 0) return;
  section.add(Paragraph{first_mover_sentence(digest)});
  Table table;
  table.title = "Results by side";
  table.columns = {{"Side", "", false},
                   {"Won", "", true},
                   {"Drawn", "", true},
                   {"Lost", "", true},
                   {"Won", "%", true},
                   {"Drawn", "%", true},
                   {"Score", "95 % interval", true}};
  const auto row = [&](const std::string& name, const Trinomial& side) {
    table.rows.push_back({Cell(name), count_cell(side.wins), count_cell(side.draws),
                          count_cell(side.losses), percent_cell(share(side.wins, side.games())),
                          percent_cell(share(side.draws, side.games())), score_cell(side)});
  };
  row(first_name(digest) + " (moves first)", counts);
  row(second_name(digest), Trinomial{counts.losses, counts.draws, counts.wins});
  const std::uint64_t counted = digest.summary().by_points();
  if (counted > 0) {
    table.note =
        fmt::format("{} of the wins were decided by the count of points.", format_count(counted));
  }
  section.add(std::move(table));
}

void add_endings(Section& section, const RulesDigest& digest) {
  const std::uint64_t games = digest.summary().games();
  if (games == 0) return;
  Chart chart;
  chart.kind = ChartKind::kBar;
  chart.title = "How games ended, and for whom";
  chart.y_label = "share of games, %";
  chart.stacked = true;
  chart.decimals = 1;
  chart.series = {
      {first_name(digest) + " won", {}}, {second_name(digest) + " won", {}}, {"Drawn", {}}};
  chart.series[2].colour = 6;
  Table table;
  table.title = "Endings";
  table.columns = {{"Ending", "", false},
                   {"Games", "", true},
                   {"Share", "95 % interval", true},
                   {first_name(digest) + " won", "", true},
                   {second_name(digest) + " won", "", true},
                   {"Drawn", "", true}};
  for (const Reason reason : reasons_of(digest)) {
    const std::uint64_t count = digest.summary().ending(reason);
    const std::array<std::uint64_t, 3>& split = digest.endings(reason);
    const std::string name = capitalised(in_words(reason_name(reason)));
    chart.categories.push_back(name);
    for (std::size_t i = 0; i < 3; ++i) {
      ChartPoint point;
      point.y = 100 * share(split[i], games);
      chart.series[i].points.push_back(point);
    }
    table.rows.push_back({Cell(name), count_cell(count),
                          Cell(percent_with(share(count, games), wilson_interval(count, games)),
                               share(count, games)),
                          count_cell(split[0]), count_cell(split[1]), count_cell(split[2])});
  }
  section.add(std::move(chart));
  section.add(std::move(table));
}

void add_lengths(Section& section, const RulesDigest& digest, NamedGames& named) {
  std::vector<GameLength> lengths = digest.lengths();
  if (lengths.empty()) return;
  std::sort(lengths.begin(), lengths.end(), [](const GameLength& a, const GameLength& b) {
    return a.plies != b.plies ? a.plies < b.plies : a.id < b.id;
  });
  const auto quantile = [&](double q) {
    return lengths[static_cast<std::size_t>(std::llround(q * as_double(lengths.size() - 1)))].plies;
  };
  const double mean = as_double(digest.summary().plies()) / as_double(lengths.size());
  section.add(KeyFigures{
      {{"Mean length", format_number(mean, 1), "", "turns of both sides", Tone::kPlain},
       {"Median", format_count(quantile(0.5)), "", "turns", Tone::kPlain},
       {"Middle half", format_count(quantile(0.25)) + "\u2013" + format_count(quantile(0.75)), "",
        "turns", Tone::kPlain}}});

  Chart chart;
  chart.kind = ChartKind::kBar;
  chart.title = "Length of games";
  chart.x_label = "turns";
  chart.y_label = "games";
  chart.decimals = 0;
  const std::uint32_t step = nice_step(lengths.back().plies, 24);
  ChartSeries series{"games", {}};
  for (std::uint32_t from = 0; from <= lengths.back().plies; from += step) {
    chart.categories.push_back(step == 1 ? std::to_string(from)
                                         : fmt::format("{}\u2013{}", from, from + step - 1));
    series.points.emplace_back();
  }
  for (const GameLength& length : lengths) series.points[length.plies / step].y += 1;
  chart.series.push_back(std::move(series));
  section.add(std::move(chart));

  Table table;
  table.title = "The shortest and the longest";
  table.columns = {{"Game", "", false}, {"Turns", "", true}};
  constexpr std::size_t kEach = 3;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    if (i >= kEach && i + kEach < lengths.size()) continue;
    table.rows.push_back({game_cell(lengths[i].id, named), count_cell(lengths[i].plies)});
  }
  section.add(std::move(table));
}

void add_scores(Section& section, const RulesDigest& digest) {
  Chart chart;
  chart.kind = ChartKind::kScatter;
  chart.title = "What the players' scores came to";
  chart.note =
      "One position from each game, so that the 95 % intervals hold. A point is a "
      "range of scores with at least five games.";
  chart.x_label = "score for " + first_name(digest) + ", centipawns";
  chart.y_label = first_name(digest) + "'s result, %";
  chart.y_min = 0;
  chart.y_max = 100;
  chart.decimals = 1;
  ChartSeries series{"", {}};
  for (const ScoreBin& bin : digest.scores()) {
    if (bin.first.games() < kFewestPerBin) continue;
    const Interval interval = score_interval(bin.first);
    series.points.push_back({bin.score_sum / as_double(bin.first.games()), 100 * bin.first.score(),
                             100 * interval.low, 100 * interval.high,
                             format_count(bin.first.games()) + " games"});
  }
  if (series.points.size() < 3) return;
  chart.series.push_back(std::move(series));
  chart.references = {{ReferenceLine::Axis::kX, 0, ""}, {ReferenceLine::Axis::kY, 50, "even"}};
  section.add(std::move(chart));
}

void add_players(Section& section, const RulesDigest& digest) {
  std::map<PlayerKey, std::array<Trinomial, 2>> players;  // as first mover, as second
  std::map<std::pair<PlayerKey, PlayerKey>, Trinomial> against;
  for (const auto& [pair, counts] : digest.meetings()) {
    const Trinomial reversed{counts.losses, counts.draws, counts.wins};
    players[pair.first][0] += counts;
    players[pair.second][1] += reversed;
    against[pair] += counts;
    against[{pair.second, pair.first}] += reversed;
  }
  if (players.size() < 2) return;
  const auto name_of_player = [&](const PlayerKey& key) {
    const auto same = std::count_if(players.begin(), players.end(), [&](const auto& entry) {
      return entry.first.name == key.name;
    });
    return same > 1 ? key.name + " (" + key.hash.substr(0, 6) + ")" : key.name;
  };

  Table table;
  table.title = "Players";
  table.columns = {{"Player", "", false},
                   {"Games", "", true},
                   {"Won", "", true},
                   {"Drawn", "", true},
                   {"Lost", "", true},
                   {"Score", "95 % interval", true},
                   {"as " + first_name(digest), "score", true},
                   {"as " + second_name(digest), "score", true}};
  for (const auto& [key, sides] : players) {
    Trinomial all = sides[0];
    all += sides[1];
    table.rows.push_back({Cell(name_of_player(key)), count_cell(all.games()), count_cell(all.wins),
                          count_cell(all.draws), count_cell(all.losses), score_cell(all),
                          sides[0].games() > 0 ? percent_cell(sides[0].score()) : Cell("\u2013"),
                          sides[1].games() > 0 ? percent_cell(sides[1].score()) : Cell("\u2013")});
  }
  table.note = "Intervals take games as independent; the two games of a pair are not quite.";
  section.add(std::move(table));

  if (players.size() < 3 || players.size() > kMostPlayersSquared) return;
  HeatMap heat;
  heat.title = "Who met whom";
  heat.note = "The row's score against the column, with the number of games.";
  heat.middle = 50;
  heat.unit = "\u00a0%";
  for (const auto& [key, unused] : players) {
    heat.rows.push_back(name_of_player(key));
    heat.columns.push_back(name_of_player(key));
    for (const auto& [other, unused_too] : players) {
      const auto met = against.find({key, other});
      const bool shown = met != against.end() && key != other;
      heat.values.push_back(shown ? 100 * met->second.score() : kNoValue);
      heat.errors.push_back(shown ? format_count(met->second.games()) : "");
    }
  }
  section.add(std::move(heat));
}

void add_incidents(Section& section, const RulesDigest& digest) {
  const Summary& summary = digest.summary();
  if (!summary.breakdowns().empty()) {
    section.add(
        Paragraph{"Players broke down or broke the rules; their games were lost so.", Tone::kBad});
    Table table;
    table.title = "Breakdowns";
    table.columns = {{"Player", "", false},
                     {"Broke down", "crash, hang, garbage", true},
                     {"Illegal turns", "", true},
                     {"Overstepped time", "", true}};
    for (const auto& [name, count] : summary.breakdowns()) {
      table.rows.push_back({Cell(name), count_cell(count.failed), count_cell(count.illegal),
                            count_cell(count.time)});
    }
    section.add(std::move(table));
  }
  const std::uint64_t called = summary.ending(Reason::kAdjudication);
  if (called == 0 && summary.calls() == 0) return;
  const Interval error = wilson_interval(summary.wrong_calls(), summary.calls());
  std::string text = fmt::format("{} games were adjudicated. ", format_count(called));
  if (summary.calls() == 0) {
    text += "None was played out in spite of a call, so how often a call is wrong is not known.";
  } else {
    text += fmt::format(
        "{} more were played out in spite of a call, to measure it: {} of these calls were wrong, "
        "{}.",
        format_count(summary.calls()), format_count(summary.wrong_calls()),
        percent_with(share(summary.wrong_calls(), summary.calls()), error));
  }
  section.add(Paragraph{text, Tone::kNote});
}

}  // namespace cannonade
