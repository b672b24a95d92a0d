#include "tuner/tune_results_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "selfplay/intervals.h"
#include "selfplay/page_text.h"

namespace cannonade {
namespace {

// How often a call would have been wrong, by the games that were played on in spite of one.
void add_adjudication(Section& section, const RulesOutcome& r) {
  bool any = false;
  for (const GenerationOutcome& g : r.generations) {
    if (!g.games) continue;
    const Summary& s = g.games->summary;
    const std::uint64_t called = s.ending(Reason::kAdjudication);
    if (called == 0 && s.calls() == 0) continue;
    any = true;
    std::string text = fmt::format("Adjudication in generation {}: {} games stopped", g.number,
                                   format_count(called));
    if (s.calls() > 0) {
      const Interval error = wilson_interval(s.wrong_calls(), s.calls());
      text += fmt::format(
          "; of {} played out although a call had been made, {} ended otherwise: {} ({} %, 95 %).",
          format_count(s.calls()), format_count(s.wrong_calls()),
          format_percent(static_cast<double>(s.wrong_calls()) / static_cast<double>(s.calls()), 1),
          format_interval(100 * error.low, 100 * error.high, 1));
    } else {
      text += ", none played out: how often that was wrong is not known.";
    }
    section.add(Paragraph{std::move(text)});
  }
  if (!any) {
    section.add(Paragraph{
        "No game for a fit was adjudicated: each was played to the end that the rules give it."});
  }
}

}  // namespace

std::string test_words(const SprtResult& test) {
  const char* const verdict = test.verdict == Verdict::kH1   ? "stronger"
                              : test.verdict == Verdict::kH0 ? "not stronger"
                                                             : "open";
  return fmt::format("{} ({})", verdict, format_signed(test.llr, 2));
}

std::vector<Measured> measures_of(const RulesOutcome& r) {
  std::vector<Measured> list;
  if (r.against_start) list.push_back({"generation 0", &*r.against_start});
  if (r.against_first) {
    list.push_back({fmt::format("generation {}", r.first_generation), &*r.against_first});
  }
  if (r.against_shipped) list.push_back({"the shipped weights", &*r.against_shipped});
  if (r.against_anchor) {
    list.push_back(
        {fmt::format("the anchor ({})", r.against_anchor->names[1]), &*r.against_anchor});
  }
  return list;
}

void add_measures(Section& section, const RulesOutcome& r) {
  const std::vector<Measured> measures = measures_of(r);
  if (measures.empty()) return;
  Table table;
  table.title = "The best weights against";
  table.columns = {{"Opponent", "", false}, {"Games", "", true}, {"Won", "", true},
                   {"Drawn", "", true},     {"Lost", "", true},  {"Elo", "± 95 %", true},
                   {"Test", "LLR", false}};
  for (const Measured& m : measures) {
    const Trinomial& counts = m.result->counts;
    const MatchStatistics& s = m.result->statistics;
    std::vector<Cell> row{Cell(m.opponent)};
    for (const std::uint64_t count : {counts.games(), counts.wins, counts.draws, counts.losses}) {
      row.emplace_back(format_count(count), static_cast<double>(count));
    }
    row.emplace_back(fmt::format("{} {}", format_signed(s.elo, 1), format_error(s.elo_error, 1)),
                     s.elo);
    row.emplace_back(test_words(m.result->sprt));
    table.rows.push_back(std::move(row));
  }
  table.note =
      "Matches of a fixed length: unlike one that a sequential test has stopped, they do not "
      "flatter the winner. The test is the one that decides on promotion, asked of the same games "
      "in "
      "their order.";
  section.add(std::move(table));
}

void add_results(Section& section, const RulesOutcome& r) {
  Table who;
  who.title = "Who won, and how";
  const std::string first = side_words(r.rules.game, Side::kFirst);
  const std::string second = side_words(r.rules.game, Side::kSecond);
  who.columns = {{"Games of", "", false},     {"Games", "", true},
                 {first + " won", "", true},  {"Drawn", "", true},
                 {second + " won", "", true}, {first + "'s score", "95 %", true},
                 {"Plies", "a game", true},   {"Openings", "different", true},
                 {"Duplicates", "", true}};
  Table endings;
  endings.title = "Endings";
  endings.columns = {{"Ending", "", false}};
  std::vector<const Summary*> summaries;
  const auto add = [&](const std::string& name, const Summary& s) {
    if (s.games() == 0) return;
    const Trinomial& c = s.first();
    const double n = static_cast<double>(c.games());
    const double score = (static_cast<double>(c.wins) + static_cast<double>(c.draws) / 2) / n;
    const double variance =
        (static_cast<double>(c.wins) + static_cast<double>(c.draws) / 4) / n - score * score;
    const double error = 1.96 * std::sqrt(std::max(variance, 0.0) / n);
    const auto share = [&](std::uint64_t count) {
      return Cell(fmt::format("{} ({})", format_count(count),
                              format_percent(static_cast<double>(count) / n, 1)),
                  static_cast<double>(count));
    };
    who.rows.push_back(
        {Cell(name), Cell(format_count(s.games()), n), share(c.wins), share(c.draws),
         share(c.losses),
         Cell(fmt::format("{} {}", format_percent(score, 1), format_error(100 * error, 1)), score),
         Cell(format_number(static_cast<double>(s.plies()) / n, 1),
              static_cast<double>(s.plies()) / n),
         Cell(format_count(s.openings()), static_cast<double>(s.openings())),
         Cell(format_count(s.duplicates()), static_cast<double>(s.duplicates()))});
    endings.columns.push_back({name, "", true});
    summaries.push_back(&s);
  };
  for (const GenerationOutcome& g : r.generations) {
    if (g.games) add(fmt::format("generation {}", g.number), g.games->summary);
    if (g.verify) add(fmt::format("verify {}", g.number), g.verify->summary);
  }
  for (const Measured& m : measures_of(r)) add("best against " + m.opponent, m.result->summary);
  for (int i = 0; i < kReasons; ++i) {
    const auto reason = static_cast<Reason>(i);
    std::vector<Cell> row{Cell(in_words(reason_name(reason)))};
    bool any = false;
    for (const Summary* s : summaries) {
      const std::uint64_t count = s->ending(reason);
      any = any || count > 0;
      row.emplace_back(format_count(count), static_cast<double>(count));
    }
    if (any) endings.rows.push_back(std::move(row));
  }
  if (r.rules.count_points) {
    std::vector<Cell> row{Cell("of these decided by points")};
    for (const Summary* s : summaries) {
      row.emplace_back(format_count(s->by_points()), static_cast<double>(s->by_points()));
    }
    endings.rows.push_back(std::move(row));
  }
  if (who.rows.empty()) return;
  section.add(std::move(who));
  section.add(std::move(endings));
  add_adjudication(section, r);
}

}  // namespace cannonade
