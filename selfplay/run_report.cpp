#include "selfplay/run_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "selfplay/compare_report.h"
#include "selfplay/ladder_report.h"
#include "selfplay/match.h"
#include "selfplay/match_report.h"
#include "selfplay/page_text.h"
#include "selfplay/report_sections.h"
#include "selfplay/revision.h"
#include "selfplay/run_digest.h"

namespace cannonade {
namespace {

constexpr std::string_view kViewer = "games";
// A share of same games above this is worth a warning.
constexpr double kManyDuplicates = 0.02;

std::string title_of(const RunInfo& run) {
  if (run.command == "match" && run.engines.size() == 2) {
    return run.engines[0].name + " against " + run.engines[1].name;
  }
  if (run.command == "generate") return "Games for training";
  if (run.command == "compare") return "Rule sets compared";
  if (run.command == "ladder") return "Strength levels";
  if (run.command == "import") return "Imported games";
  return "Games of " + run.command;
}

// "2025-05-03 22:04 UTC" of "2025-05-03T22:04:05Z".
std::string moment(const std::string& time) {
  if (time.size() < 16) return time;
  return time.substr(0, 10) + " " + time.substr(11, 5) + " UTC";
}

std::string subtitle_of(const Store& store) {
  std::string text = store.run().rules + " \u00b7 run " + store.id();
  const std::vector<WriterSession> sessions = store.sessions();
  if (!sessions.empty()) {
    text += " \u00b7 begun " + moment(sessions.front().began) + " on " + sessions.front().host;
  }
  return text;
}

// The test of a match as its driver noted it; none when it did not, or noted something else.
std::optional<SprtTest> noted_test(const Store& store) {
  const std::optional<std::string> text = store.fact(kSprtFact);
  if (!text) return std::nullopt;
  const auto json = nlohmann::json::parse(*text, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  SprtTest test;
  try {
    test.elo0 = json.at("elo0").get<double>();
    test.elo1 = json.at("elo1").get<double>();
    test.alpha = json.at("alpha").get<double>();
    test.beta = json.at("beta").get<double>();
    const auto model = parse_elo_model(json.at("model").get<std::string>());
    if (!model) return std::nullopt;
    test.model = *model;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
  return test.fault() ? std::nullopt : std::optional(test);
}

std::uint64_t duplicates_in(const RunDigest& digest) {
  std::uint64_t duplicates = 0;
  for (const auto& [id, part] : digest.by_rules()) duplicates += part.summary().duplicates();
  return duplicates;
}

void add_summary(Page& page, const Store& store, const RunDigest& digest) {
  const double mean = static_cast<double>(digest.plies()) / static_cast<double>(digest.games());
  page.summary.push_back(fmt::format("{} {}, {} turns each on average. {}",
                                     format_count(digest.games()),
                                     digest.games() == 1 ? "game" : "games", format_number(mean, 0),
                                     duplicates_sentence(duplicates_in(digest), digest.games())));
  for (const auto& [id, part] : digest.by_rules()) {
    if (store.run().command == "compare") break;  // told already, by strength
    page.summary.push_back((digest.by_rules().size() > 1 ? "Under " + id + ": " : std::string()) +
                           first_mover_sentence(part));
  }
  const double repeated =
      static_cast<double>(duplicates_in(digest)) / static_cast<double>(digest.games());
  if (repeated > kManyDuplicates) {
    page.summary.push_back(
        "So many same games say less than as many different ones: the intervals here are too "
        "narrow.");
  }
  const std::uint64_t planned = store.run().shard.owned_below(store.run().games);
  if (!store.complete() && store.remaining() > 0) {
    page.summary.push_back(fmt::format("The run is not complete: {} of {} games are played.",
                                       format_count(digest.games()), format_count(planned)));
  }
}

// `by_rules`: each rule set's score and draws, too.
void add_figures(Page& page, const RunDigest& digest, bool by_rules) {
  page.figures.push_back({"Games", format_count(digest.games()), "", "", Tone::kPlain});
  const bool several = digest.by_rules().size() > 1;
  std::int64_t duration_ms = 0;
  std::uint64_t nodes = 0;
  for (const auto& [id, part] : digest.by_rules()) {
    const Trinomial& counts = part.summary().first();
    duration_ms += part.milliseconds();
    nodes += part.summary().nodes();
    if (!by_rules || counts.games() == 0) continue;
    const Interval interval = score_interval(counts);
    const std::string side = side_words(part.rules().game, Side::kFirst);
    page.figures.push_back(
        {side + "'s score", format_percent(counts.score(), 1), "",
         format_interval(100 * interval.low, 100 * interval.high, 1) + (several ? ", " + id : ""),
         Tone::kPlain});
    page.figures.push_back(
        {"Drawn",
         format_percent(static_cast<double>(counts.draws) / static_cast<double>(counts.games()), 1),
         "", several ? id : "", Tone::kPlain});
  }
  const std::uint64_t duplicates = duplicates_in(digest);
  page.figures.push_back(
      {"Same games", format_count(duplicates), "", "repeat an earlier one",
       duplicates == 0 ? Tone::kGood
       : static_cast<double>(duplicates) > kManyDuplicates * static_cast<double>(digest.games())
           ? Tone::kBad
           : Tone::kPlain});
  if (duration_ms > 0) {
    const double seconds = static_cast<double>(duration_ms) / 1000;
    page.figures.push_back({"Playing time", format_duration(seconds), "",
                            nodes > 0 ? format_count(static_cast<std::uint64_t>(
                                            static_cast<double>(nodes) / seconds)) +
                                            " nodes a second in one game"
                                      : "of all games together",
                            Tone::kPlain});
  }
}

// Adds `part` for every rule set, under a heading each where there are several; no section when
// nothing was added.
template <class AddPart>
void add_parts(Page& page, const std::string& title, const RunDigest& digest, AddPart add_part) {
  Section section{title, {}};
  for (const auto& [id, part] : digest.by_rules()) {
    Section own{"", {}};
    add_part(own, part);
    if (own.blocks.empty()) continue;
    if (digest.by_rules().size() > 1) section.add(Heading{id});
    for (Block& block : own.blocks) section.add(std::move(block));
  }
  if (!section.blocks.empty()) page.sections.push_back(std::move(section));
}

// `most` of `ids`, evenly spread from the first to the last.
std::vector<std::uint64_t> spread(const std::vector<std::uint64_t>& ids, std::size_t most) {
  if (ids.size() <= most) return ids;
  std::vector<std::uint64_t> chosen;
  for (std::size_t i = 0; i < most; ++i) {
    chosen.push_back(ids[most == 1 ? 0 : i * (ids.size() - 1) / (most - 1)]);
  }
  return chosen;
}

void add_viewer(Page& page, const Store& store, const std::vector<std::uint64_t>& ids,
                const NamedGames& named, std::size_t most) {
  const std::vector<std::uint64_t> sample = spread(ids, most);
  std::set<std::uint64_t> chosen(sample.begin(), sample.end());
  for (const std::uint64_t id : named.ids) {
    if (chosen.size() >= kMaxViewerGames) break;
    chosen.insert(id);
  }
  GameViewer viewer;
  viewer.name = kViewer;
  viewer.population = ids.size();
  if (chosen.size() < ids.size()) {
    viewer.sampling = "evenly spread over the run by number, and those that this page names";
  }
  for (const std::uint64_t id : chosen) {
    if (auto game = store.find(id)) viewer.games.push_back(std::move(*game));
  }
  page.add_section("The games").add(std::move(viewer));
}

void add_provenance(Page& page, const Store& store) {
  const RunInfo& run = store.run();
  Provenance made;
  made.facts.emplace_back("Command", "selfplay " + run.command);
  made.facts.emplace_back("Run", store.id());
  made.facts.emplace_back("Store", store.path().filename().string());
  made.facts.emplace_back("Rules", run.rules);
  made.facts.emplace_back("Seed", std::to_string(run.seed));
  for (std::size_t i = 0; i < run.engines.size(); ++i) {
    made.facts.emplace_back(fmt::format("Engine {}", i + 1),
                            run.engines[i].name + " (" + run.engines[i].hash + ")");
  }
  made.facts.emplace_back("Games",
                          fmt::format("{} of {} planned{}", format_count(store.finished().size()),
                                      format_count(run.shard.owned_below(run.games)),
                                      store.ended().empty() ? "" : "; ended: " + store.ended()));
  if (run.shard.count > 1) {
    made.facts.emplace_back("Shard", fmt::format("{} of {}", run.shard.index, run.shard.count));
  }
  made.facts.emplace_back("Population",
                          "Games between these engines, with these settings and openings; the "
                          "figures say nothing of other players or times.");
  std::vector<std::string> hosts;
  std::vector<std::string> revisions{run.revision};
  const std::vector<WriterSession> sessions = store.sessions();
  for (const WriterSession& session : sessions) {
    if (std::find(hosts.begin(), hosts.end(), session.host) == hosts.end()) {
      hosts.push_back(session.host);
    }
    if (std::find(revisions.begin(), revisions.end(), session.revision) == revisions.end()) {
      revisions.push_back(session.revision);
    }
  }
  made.facts.emplace_back("Revision", fmt::format("{}", fmt::join(revisions, ", ")));
  made.facts.emplace_back("Machine", fmt::format("{}", fmt::join(hosts, ", ")));
  if (!sessions.empty()) {
    made.facts.emplace_back("Sessions", fmt::format("{}, the last begun {}", sessions.size(),
                                                    moment(sessions.back().began)));
  }
  made.texts.emplace_back("Settings", run.settings);
  made.texts.emplace_back("This page", fmt::format("selfplay report {} --out report.html",
                                                   store.path().filename().string()));
  page.add_section("Provenance").add(std::move(made));
}

}  // namespace

Page run_report(const Store& store, const RunReportOptions& options) {
  if (store.finished().empty()) {
    throw user_error(store.path().string() + ": it has no games to report on");
  }
  RunDigest digest;
  std::vector<std::uint64_t> ids;
  MatchCourse course;
  store.for_each([&](const GameRecord& game) {
    digest.add(game);
    course.add(game);
    ids.push_back(game.id);
  });

  Page page;
  page.title = title_of(store.run());
  page.subtitle = subtitle_of(store);
  NamedGames named{std::string(kViewer), {}};
  if (store.run().command == "match" && store.run().engines.size() == 2) {
    const MatchResult match = count_match(store, options.sprt ? options.sprt : noted_test(store));
    page.summary = match_sentences(match, store.ended());
    page.figures = match_figures(match);
    add_match(page.add_section("Strength"), match, course);
  }
  if (const auto ladder = store.fact(kLadderFact)) add_ladder(page, *ladder);
  const bool compared = store.run().command == "compare";
  if (compared) {
    const CompareResult comparison = count_compare(store);
    page.summary = compare_sentences(comparison);
    page.figures = compare_figures(comparison);
    add_comparison(page, comparison, named);
  }
  add_summary(page, store, digest);
  add_figures(page, digest, !compared);
  if (!compared) {  // whose sections tell these by rule set and strength
    add_parts(page, "Who won", digest, add_results);
    add_parts(page, "How games ended", digest, add_endings);
    add_parts(page, "Length", digest, [&](Section& section, const RulesDigest& part) {
      add_lengths(section, part, named);
    });
    add_parts(page, "Starts", digest, add_starts);
  }
  add_parts(page, "Diversity", digest, [&](Section& section, const RulesDigest& part) {
    add_diversity(section, part, named);
  });
  if (!compared) add_parts(page, "Scores", digest, add_scores);
  if (store.run().command != "match" && !compared) add_parts(page, "Players", digest, add_players);
  add_parts(page, "Incidents", digest, add_incidents);
  add_viewer(page, store, ids, named, options.viewer_games);
  add_provenance(page, store);
  page.footer = "Made by selfplay report, Cannonade " + revision() + ".";
  return page;
}

}  // namespace cannonade
