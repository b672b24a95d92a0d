#include "tuner/night_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "selfplay/compare_report.h"
#include "selfplay/ladder_report.h"
#include "selfplay/match_report.h"
#include "selfplay/page_text.h"
#include "selfplay/revision.h"
#include "selfplay/store.h"
#include "tuner/tune_report.h"

namespace cannonade {
namespace {

constexpr std::size_t kMatchGames = 24;  // of each match

// A job that is not a tune job, as the page tells it.
struct JobReport {
  std::vector<std::string> sentences;
  std::vector<KeyFigure> figures;
};

std::string failure_sentence(const std::string& name, const JobStatus& status) {
  return fmt::format("{}: given up; {}.", name, status.failure);
}

JobReport match_job_report(const MatchOutcome& m) {
  const std::string name = fmt::format("{}, night's best against {}", m.rules.id, m.opponent);
  if (!m.failure.empty()) return {{failure_sentence(name, m)}, {}};
  if (!m.result) return {{fmt::format("{}: not played yet.", name)}, {}};
  JobReport report;
  const MatchStatistics& s = m.result->statistics;
  report.sentences.push_back(fmt::format("{}: {} {} Elo in {} games.", name,
                                         format_signed(s.elo, 1), format_error(s.elo_error, 1),
                                         format_count(m.result->counts.games())));
  KeyFigure figure;
  figure.label = m.rules.id;
  figure.value = format_signed(s.elo, 0);
  figure.error = format_error(s.elo_error, 0);
  figure.note = "Elo against " + m.opponent;
  report.figures.push_back(std::move(figure));
  return report;
}

JobReport compare_job_report(const CompareOutcome& c) {
  const std::string name = "KJA against point count";
  if (!c.failure.empty()) return {{failure_sentence(name, c)}, {}};
  if (!c.result) return {{fmt::format("{}: not played yet.", name)}, {}};
  return {compare_sentences(*c.result), compare_figures(*c.result)};
}

// `games` of a store, and those that a table names.
void add_viewer(Section& section, const std::filesystem::path& file, GameViewer viewer,
                const std::vector<std::uint64_t>& named) {
  const Store store = Store::open_read_only(file);
  const std::set<std::uint64_t> wanted(named.begin(), named.end());
  std::size_t first = 0;
  store.for_each([&](const GameRecord& game) {
    if (first++ < kMatchGames || wanted.count(game.id) != 0) viewer.games.push_back(game);
  });
  viewer.population = first;
  viewer.sampling = fmt::format("the first {} in schedule order{}", std::min(first, kMatchGames),
                                named.empty() ? "" : " and those that are named above");
  if (!viewer.games.empty()) section.add(std::move(viewer));
}

void add_compare_job(Page& page, const CompareOutcome& c) {
  if (!c.result) return;
  NamedGames named;
  named.viewer = "compare";
  add_comparison(page, *c.result, named);
  GameViewer viewer;
  viewer.name = named.viewer;
  viewer.title = "Games of the comparison";
  add_viewer(page.add_section("Games of the comparison"), c.store, std::move(viewer), named.ids);
}

// A ladder's page within the night's, each of its parts under the rule set's name.
void add_ladder_job(Page& page, const LadderOutcome& l) {
  Page ladder;
  add_ladder(ladder, to_json(*l.result).dump());
  for (std::string& sentence : ladder.summary) {
    page.summary.push_back(fmt::format("{}: {}", l.rules.id, sentence));
  }
  for (KeyFigure& figure : ladder.figures) {
    figure.label = fmt::format("{}: {}", l.rules.id, figure.label);
    page.figures.push_back(std::move(figure));
  }
  for (Section& section : ladder.sections) {
    section.title = fmt::format("{}: {}", l.rules.id, section.title);
    page.sections.push_back(std::move(section));
  }
}

void add_match_job(Page& page, const MatchOutcome& m) {
  if (!m.result) return;
  Section& section = page.add_section(fmt::format("{} against {}", m.rules.id, m.opponent));
  MatchCourse course;
  Store::open_read_only(m.store).for_each([&](const GameRecord& game) { course.add(game); });
  add_match(section, *m.result, course);
  GameViewer viewer;
  viewer.name = fmt::format("{}-{}", m.rules.id, m.opponent);
  viewer.title = "Games of the match";
  add_viewer(section, m.store, std::move(viewer), {});
}

}  // namespace

Page night_page(const NightOutcome& outcome) {
  Page page;
  page.title = outcome.title;
  std::vector<std::string> rule_names;
  for (const JobStatus* status : outcome.statuses()) {
    if (std::find(rule_names.begin(), rule_names.end(), status->rules.id) == rule_names.end()) {
      rule_names.push_back(status->rules.id);
    }
  }
  page.subtitle = fmt::format("Self-play of {}{}", fmt::join(rule_names, ", "),
                              outcome.complete ? "" : " (not finished)");
  BulletList next;
  for (const RulesOutcome& r : outcome.rule_sets) {
    TuneReport report = tune_report(r);
    page.summary.push_back(std::move(report.sentence));
    page.figures.push_back(std::move(report.figure));
    next.items.push_back(std::move(report.next_step));
  }
  const auto add = [&page](JobReport report) {
    for (std::string& sentence : report.sentences) page.summary.push_back(std::move(sentence));
    for (KeyFigure& figure : report.figures) page.figures.push_back(std::move(figure));
  };
  for (const MatchOutcome& m : outcome.matches) add(match_job_report(m));
  for (const CompareOutcome& c : outcome.comparisons) add(compare_job_report(c));
  if (!next.items.empty()) page.add_section("What to do next").add(std::move(next));
  for (const RulesOutcome& r : outcome.rule_sets) add_tune(page.add_section(r.rules.id), r);
  for (const MatchOutcome& m : outcome.matches) add_match_job(page, m);
  for (const CompareOutcome& c : outcome.comparisons) add_compare_job(page, c);
  for (const LadderOutcome& l : outcome.ladders) {
    const std::string name = l.rules.id + ", ladder";
    if (!l.failure.empty()) {
      page.summary.push_back(failure_sentence(name, l));
    } else if (l.result && l.result->complete) {
      add_ladder_job(page, l);
    } else {
      page.summary.push_back(name + ": not finished yet.");
    }
  }

  Provenance made;
  made.facts = {{"Seed", std::to_string(outcome.seed)},
                {"Program revision", std::string(revision())},
                {"Time in the last session", format_duration(outcome.seconds)}};
  for (const RulesOutcome& r : outcome.rule_sets) {
    made.facts.emplace_back(
        r.rules.id + ": best weights",
        fmt::format("{} (fingerprint {})", r.best.filename().string(), r.best_hash));
  }
  made.texts.emplace_back("Settings of the night", outcome.config);
  page.add_section("How it was made").add(std::move(made));
  page.footer = "Written by cannonade, tuner overnight.";
  return page;
}

std::vector<std::string> night_lines(const NightOutcome& outcome) {
  std::vector<std::string> lines;
  for (const RulesOutcome& r : outcome.rule_sets) {
    TuneReport report = tune_report(r);
    lines.push_back(std::move(report.sentence));
    lines.insert(lines.end(), report.lines.begin(), report.lines.end());
  }
  const auto add = [&lines](std::vector<std::string> texts) {
    for (std::string& text : texts) lines.push_back(std::move(text));
  };
  for (const MatchOutcome& m : outcome.matches) add(match_job_report(m).sentences);
  for (const CompareOutcome& c : outcome.comparisons) {
    add(c.result ? to_lines(*c.result) : compare_job_report(c).sentences);
  }
  for (const LadderOutcome& l : outcome.ladders) {
    if (!l.failure.empty()) add({failure_sentence(l.rules.id + ", ladder", l)});
    if (l.result) add(to_lines(*l.result));
  }
  return lines;
}

}  // namespace cannonade
