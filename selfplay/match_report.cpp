#include "selfplay/match_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "selfplay/page_text.h"
#include "selfplay/report_cells.h"

namespace cannonade {
namespace {

constexpr std::size_t kStages = 24;

Tone tone_of(const MatchStatistics& statistics) {
  if (statistics.elo_low > 0) return Tone::kGood;
  if (statistics.elo_high < 0) return Tone::kBad;
  return Tone::kPlain;
}

// "+35.2 ± 12.1 Elo (95 %: +23.1 to +47.4)".
std::string elo_words(const MatchStatistics& statistics) {
  return fmt::format("{} {} Elo (95\u00a0%: {} to {})", format_signed(statistics.elo, 1),
                     format_error(statistics.elo_error, 1), format_signed(statistics.elo_low, 1),
                     format_signed(statistics.elo_high, 1));
}

// 1, 2 or 5 times a power of ten that cuts `reach` into some six parts.
double tick_step(double reach) {
  const double power = std::pow(10, std::floor(std::log10(reach / 6)));
  for (const double lead : {1.0, 2.0, 5.0}) {
    if (lead * power >= reach / 6) return lead * power;
  }
  return 10 * power;
}

}  // namespace

void MatchCourse::add(const GameRecord& game) {
  Pair& pair = pairs_[game.id / 2];
  ++pair.games;
  if (!game.outcome.known()) {
    pair.known = false;
    return;
  }
  const int first = game.outcome.first_score_halves();
  pair.half_points += game.id % 2 == 0 ? first : 2 - first;
}

std::vector<MatchCourse::Stage> MatchCourse::stages(std::uint64_t pairs, std::size_t stages) const {
  std::vector<Stage> result;
  if (pairs == 0 || stages == 0) return result;
  Pentanomial counts;
  for (const auto& [place, pair] : pairs_) {
    if (pair.games != 2) break;
    if (!pair.known) continue;
    ++counts.counts[static_cast<std::size_t>(pair.half_points)];
    const std::uint64_t done = counts.pairs();
    // The last pair of each of `stages` equal parts.
    if (done * stages / pairs != (done - 1) * stages / pairs) {
      result.push_back({counts.games(), match_statistics(counts)});
    }
    if (done == pairs) break;
  }
  return result;
}

std::vector<std::string> match_sentences(const MatchResult& match, const std::string& ended) {
  const MatchStatistics& statistics = match.statistics;
  const std::string& a = match.names[0];
  const std::string& b = match.names[1];
  std::vector<std::string> sentences;
  if (statistics.games == 0) {
    sentences.push_back("No pair of games is finished yet.");
    return sentences;
  }
  if (statistics.elo_low > 0 || statistics.elo_high < 0) {
    sentences.push_back(fmt::format("{} is {} than {}: {}, from {} games.", a,
                                    statistics.elo_low > 0 ? "stronger" : "weaker", b,
                                    elo_words(statistics), format_count(statistics.games)));
  } else {
    std::string sentence =
        fmt::format("{} and {} are not distinguishable at this number of games ({}): {}.", a, b,
                    format_count(statistics.games), elo_words(statistics));
    // An interval shrinks with the square root of the games.
    const double factor = statistics.elo_error / std::abs(statistics.elo);
    const double needed = std::ceil(static_cast<double>(statistics.games) * factor * factor);
    if (std::isfinite(needed) && needed < 1e9) {
      sentence += fmt::format(" Were the difference what it seems, about {} games would show it.",
                              format_count(static_cast<std::uint64_t>(needed)));
    }
    sentences.push_back(std::move(sentence));
  }
  if (match.test) {
    const std::string bounds =
        fmt::format("{} against {}{} Elo", format_signed(match.test->elo0, 1),
                    format_signed(match.test->elo1, 1),
                    match.test->model == EloModel::kNormalized ? " normalised" : "");
    const std::string verdict =
        match.sprt.verdict == Verdict::kContinue
            ? "has not decided yet"
            : fmt::format(
                  "accepted {} ({} Elo)", name_of(match.sprt.verdict),
                  format_signed(
                      match.sprt.verdict == Verdict::kH1 ? match.test->elo1 : match.test->elo0, 1));
    sentences.push_back(fmt::format("The sequential test of {} {}.", bounds, verdict));
  } else if (!ended.empty()) {
    constexpr std::string_view kBySprt = "sprt: ";
    sentences.push_back(ended.starts_with(kBySprt)
                            ? "The sequential test accepted " + ended.substr(kBySprt.size()) + "."
                            : "The match ended: " + ended + ".");
  }
  return sentences;
}

std::vector<KeyFigure> match_figures(const MatchResult& match) {
  const MatchStatistics& statistics = match.statistics;
  if (statistics.games == 0) return {};
  std::vector<KeyFigure> figures{
      {"Elo, " + match.names[0], format_signed(statistics.elo, 1),
       format_error(statistics.elo_error, 1), "against " + match.names[1], tone_of(statistics)},
      {"Likelihood of superiority",
       statistics.los > 0.9999 ? "> 99.99\u00a0%" : format_percent(statistics.los, 2), "", "",
       Tone::kPlain},
      {"Normalised Elo", format_signed(statistics.nelo, 1), format_error(statistics.nelo_error, 1),
       "", Tone::kPlain},
      {"Score", format_percent(statistics.score, 1), "",
       fmt::format("+{} ={} \u2212{}", format_count(match.counts.wins),
                   format_count(match.counts.draws), format_count(match.counts.losses)),
       Tone::kPlain}};
  if (match.test) {
    const Verdict verdict = match.sprt.verdict;
    figures.push_back(
        {"Sequential test", verdict == Verdict::kContinue ? "open" : std::string(name_of(verdict)),
         "",
         fmt::format("LLR {} in ({}, {})", format_number(match.sprt.llr, 2),
                     format_number(match.sprt.lower, 2), format_number(match.sprt.upper, 2)),
         verdict == Verdict::kH1   ? Tone::kGood
         : verdict == Verdict::kH0 ? Tone::kBad
                                   : Tone::kPlain});
  }
  return figures;
}

void add_match(Section& section, const MatchResult& match, const MatchCourse& course) {
  const std::vector<MatchCourse::Stage> stages = course.stages(match.pentanomial.pairs(), kStages);
  if (stages.size() > 1) {
    Chart chart;
    chart.title = "Elo as the match went on";
    chart.note =
        "Bars are 95 % intervals. Each point holds all games up to there, so neighbours "
        "go together; stopping where it looks best would flatter it.";
    chart.x_label = "games";
    chart.y_label = "Elo of " + match.names[0];
    chart.decimals = 1;
    ChartSeries series{match.names[0], {}};
    for (const MatchCourse::Stage& stage : stages) {
      series.points.push_back({static_cast<double>(stage.games),
                               stage.statistics.elo,
                               stage.statistics.elo_low,
                               stage.statistics.elo_high,
                               {}});
    }
    // The first intervals are so wide that they would flatten all the rest.
    const MatchStatistics& last = stages.back().statistics;
    const double width = std::max(last.elo_high - last.elo_low, 1.0);
    const double low = std::min(last.elo_low - 2 * width, -width / 2);
    const double high = std::max(last.elo_high + 2 * width, width / 2);
    const double step = tick_step(high - low);
    chart.y_min = step * std::floor(low / step);
    chart.y_max = step * std::ceil(high / step);
    chart.series.push_back(std::move(series));
    chart.references.push_back({ReferenceLine::Axis::kY, 0, "even"});
    section.add(std::move(chart));
  }
  Chart pairs;
  pairs.kind = ChartKind::kBar;
  pairs.title = "Pairs of games";
  pairs.note = "Each opening is played twice with seats swapped; points of " + match.names[0] +
               " from both.";
  pairs.x_label = "points from two games";
  pairs.y_label = "pairs";
  pairs.categories = {"0", "\u00bd", "1", "1\u00bd", "2"};
  pairs.decimals = 0;
  ChartSeries series{"pairs", {}};
  for (const std::uint64_t count : match.pentanomial.counts) {
    ChartPoint point;
    point.y = static_cast<double>(count);
    series.points.push_back(point);
  }
  pairs.series.push_back(std::move(series));
  section.add(std::move(pairs));

  Table table;
  table.title = "Results of " + match.names[0];
  table.columns = {{"As", "", false},   {"Games", "", true}, {"Won", "", true},
                   {"Drawn", "", true}, {"Lost", "", true},  {"Score", "95 % interval", true}};
  const auto row = [&](const std::string& name, const Trinomial& counts) {
    table.rows.push_back({Cell(name), count_cell(counts.games()), count_cell(counts.wins),
                          count_cell(counts.draws), count_cell(counts.losses), score_cell(counts)});
  };
  row(side_words(match.game, Side::kFirst), match.counts_by_side[0]);
  row(side_words(match.game, Side::kSecond), match.counts_by_side[1]);
  row("both", match.counts);
  table.note = "These intervals take games as independent; Elo above goes by pairs.";
  section.add(std::move(table));

  if (match.void_pairs > 0) {
    section.add(Paragraph{
        format_count(match.void_pairs) + " pairs have a game without a result and are not counted.",
        Tone::kNote});
  }
  if (match.without_failures) {
    section.add(Paragraph{
        "Without pairs in which an engine broke down: " + elo_words(*match.without_failures) + ".",
        Tone::kBad});
  }
}

}  // namespace cannonade
