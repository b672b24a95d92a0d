#include "tuner/tune_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "eval/weights.h"
#include "selfplay/intervals.h"
#include "selfplay/page_text.h"
#include "selfplay/store.h"
#include "tuner/tune_fit_report.h"
#include "tuner/tune_results_report.h"

namespace cannonade {
namespace {

constexpr int kRuleSetGames = 24;  // of each rule set

std::string elo_words(const MatchStatistics& s) {
  return fmt::format("{} {} Elo", format_signed(s.elo, 1), format_error(s.elo_error, 1));
}

// What a fit did on the pairs of games that it held out.
struct HeldOut {
  double before, after, change, error;  // error: half of a 95 % interval of the change
  explicit HeldOut(const nlohmann::ordered_json& fit)
      : before(fit_number(fit, "validation_loss_before")),
        after(fit_number(fit, "validation_loss_after")),
        change(after - before),
        error(kNormal95 * fit_number(fit, "validation_loss_error")) {}
};

std::string verdict_words(const GenerationOutcome& g) {
  if (!g.verify) return "not verified yet";
  switch (g.verify->sprt.verdict) {
    case Verdict::kH1:
      return "promoted (H1 accepted)";
    case Verdict::kH0:
      return "rejected (H0 accepted)";
    case Verdict::kContinue:
      break;
  }
  return "rejected (no verdict within the games)";
}

const GenerationOutcome* last_promoted(const RulesOutcome& r) {
  const GenerationOutcome* found = nullptr;
  for (const GenerationOutcome& g : r.generations) {
    if (g.promoted) found = &g;
  }
  return found;
}

// What the night says of a rule set, in a sentence.
std::string sentence(const RulesOutcome& r) {
  if (!r.failure.empty()) return fmt::format("{}: given up; {}.", r.rules.id, r.failure);
  const GenerationOutcome* best = last_promoted(r);
  if (best == nullptr) {
    return fmt::format("{}: {}.", r.rules.id,
                       r.complete ? "no candidate proved stronger than the start"
                                  : "no candidate has been promoted so far");
  }
  if (r.against_start) {
    return fmt::format("{}: the weights of generation {} are {} above generation 0 ({} games).",
                       r.rules.id, best->number, elo_words(r.against_start->statistics),
                       format_count(r.against_start->counts.games()));
  }
  return fmt::format(
      "{}: the weights of generation {} are promoted; {} against those before, in {} "
      "games.",
      r.rules.id, best->number, elo_words(best->verify->statistics),
      format_count(best->verify->counts.games()));
}

KeyFigure key_figure(const RulesOutcome& r) {
  KeyFigure figure;
  figure.label = r.rules.id;
  const GenerationOutcome* best = last_promoted(r);
  if (best == nullptr) {
    figure.value = r.failure.empty() ? "none" : "failed";
    figure.note = r.failure.empty() ? "promoted" : r.failure;
    figure.tone = r.failure.empty() ? Tone::kNote : Tone::kBad;
    return figure;
  }
  const MatchStatistics& s =
      r.against_start ? r.against_start->statistics : best->verify->statistics;
  figure.value = format_signed(s.elo, 0);
  figure.error = format_error(s.elo_error, 0);
  figure.note = r.against_start ? "Elo against generation 0" : "Elo against the weights before";
  figure.tone = Tone::kGood;
  return figure;
}

void add_generations(Section& section, const RulesOutcome& r) {
  Table table;
  table.title = "Generations";
  table.columns = {{"Generation", "", true},
                   {"Games", "generated", true},
                   {"Positions", "fitted", true},
                   {"Loss before", "held out", true},
                   {"Loss after", "held out", true},
                   {"Change of loss", "± 95 %", true},
                   {"Verify games", "", true},
                   {"Elo", "± 95 %", true},
                   {"LLR", "", true},
                   {"Verdict", "", false}};
  for (const GenerationOutcome& g : r.generations) {
    std::vector<Cell> row;
    row.emplace_back(std::to_string(g.number), g.number);
    const auto count_cell = [](double value) {
      return std::isfinite(value) ? Cell(format_count(static_cast<std::uint64_t>(value)), value)
                                  : Cell("–");
    };
    row.push_back(g.games ? count_cell(static_cast<double>(g.games->summary.games())) : Cell("–"));
    row.push_back(count_cell(fit_number(g.fit, "positions")));
    for (const char* key : {"validation_loss_before", "validation_loss_after"}) {
      const double loss = fit_number(g.fit, key);
      row.push_back(std::isfinite(loss) ? Cell(format_number(loss, 5), loss) : Cell("–"));
    }
    const HeldOut held_out(g.fit);
    row.push_back(std::isfinite(held_out.error)
                      ? Cell(fmt::format("{} {}", format_signed(held_out.change, 5),
                                         format_error(held_out.error, 5)),
                             held_out.change)
                      : Cell("–"));
    if (g.verify) {
      const MatchStatistics& s = g.verify->statistics;
      row.push_back(count_cell(static_cast<double>(g.verify->counts.games())));
      row.emplace_back(fmt::format("{} {}", format_signed(s.elo, 1), format_error(s.elo_error, 1)),
                       s.elo);
      row.emplace_back(format_number(g.verify->sprt.llr, 2), g.verify->sprt.llr);
    } else {
      row.insert(row.end(), 3, Cell("–"));
    }
    Cell verdict(verdict_words(g));
    verdict.tone = g.promoted ? Tone::kGood : g.verify ? Tone::kBad : Tone::kPlain;
    row.push_back(std::move(verdict));
    table.rows.push_back(std::move(row));
  }
  table.note =
      "Loss is what the fit minimises, a mean over positions, on pairs of games that it did not "
      "see; its change is uncertain by the number of those games, so that a rise within the error "
      "says nothing. Elo is of the candidate against the best weights before it.";
  section.add(std::move(table));
}

void add_elo_chart(Section& section, const RulesOutcome& r) {
  if (r.generations.size() < 2) return;
  Chart chart;
  chart.kind = ChartKind::kLine;
  chart.title = "Elo by generation";
  chart.x_label = "generation";
  chart.y_label = "Elo against the best before";
  ChartSeries series;
  series.name = "candidate";
  for (const GenerationOutcome& g : r.generations) {
    if (!g.verify) continue;
    const MatchStatistics& s = g.verify->statistics;
    chart.categories.push_back(std::to_string(g.number));
    series.points.push_back({0, s.elo, s.elo - s.elo_error, s.elo + s.elo_error, ""});
  }
  if (series.points.empty()) return;
  chart.series.push_back(std::move(series));
  chart.references.push_back({ReferenceLine::Axis::kY, 0, "no change"});
  chart.decimals = 1;
  section.add(std::move(chart));
}

// Of the last generation that was promoted, or of the last one when none was.
void add_fit_shown(Section& section, const RulesOutcome& r) {
  const GenerationOutcome* shown = last_promoted(r);
  if (shown == nullptr && !r.generations.empty()) shown = &r.generations.back();
  if (shown != nullptr) add_fit(section, *shown);
}

// Middle game values by square, the piece's material included.
void add_square_maps(Section& section, const RulesOutcome& r) {
  const Expected<Weights> weights = Weights::load(r.best, r.rules);
  if (!weights || r.best_generation == 0) return;
  constexpr std::pair<PieceKind, const char*> kKinds[] = {{PieceKind::kChariot, "Chariot"},
                                                          {PieceKind::kCannon, "Cannon"},
                                                          {PieceKind::kHorse, "Horse"},
                                                          {PieceKind::kElephant, "Elephant"},
                                                          {PieceKind::kSoldier, "Soldier"}};
  for (const auto& [kind, name] : kKinds) {
    BoardHeatMap map;
    map.game = r.rules.game;
    map.caption = fmt::format("{}: worth of its point in the middle game, centipawns ({}'s view)",
                              name, side_words(r.rules.game, Side::kFirst));
    bool any = false;
    for (int i = 0; i < kSquares; ++i) {
      const auto s = static_cast<Square>(i);
      const int file = std::min(file_of(s), 8 - file_of(s));
      const int feature = offset_of(FeatureGroup::kSquare) +
                          (index_of(kind) - 1) * kMirroredSquares + rank_of(s) * 5 + file;
      const int value = (*weights)[feature].middle;
      any = any || value != 0;
      map.values[s] = value != 0 ? value : kNoValue;
    }
    if (any) section.add(std::move(map));
  }
}

void add_games(Section& section, const RulesOutcome& r) {
  const GenerationOutcome* shown = nullptr;
  for (const GenerationOutcome& g : r.generations) {
    if (g.verify) shown = &g;
  }
  if (shown == nullptr) return;
  const std::filesystem::path store =
      r.best.parent_path() / fmt::format("generation-{:02}", shown->number) / "verify.db";
  if (!std::filesystem::exists(store)) return;
  GameViewer viewer;
  viewer.name = r.rules.id;
  viewer.title = fmt::format("Games of the match that verified generation {}", shown->number);
  const Store games = Store::open_read_only(store);
  GameReader reader = games.read(0, kRuleSetGames);
  for (GameRecord game; reader.next(game);) viewer.games.push_back(game);
  viewer.population = shown->verify->stored;
  viewer.sampling = fmt::format("the first {} in schedule order", viewer.games.size());
  if (!viewer.games.empty()) section.add(std::move(viewer));
}

std::string next_step(const RulesOutcome& r) {
  if (!r.failure.empty())
    return fmt::format("{}: mend what failed ({}) and run again.", r.rules.id, r.failure);
  if (!r.complete) return fmt::format("{}: run the same command again to finish.", r.rules.id);
  if (r.best_generation == 0) {
    return fmt::format(
        "{}: nothing proved stronger; more games, or more nodes a turn, are what is "
        "left to try.",
        r.rules.id);
  }
  std::string text = r.rules.id + ": ";
  if (r.against_shipped) {
    const MatchStatistics& s = r.against_shipped->statistics;
    const std::string gain = elo_words(s);
    if (s.elo_low > 0) {
      text += fmt::format(
          "the new weights are {} above the shipped ones: copy {} to configs/weights/{}.toml. ",
          gain, r.best.string(), r.rules.id);
    } else if (s.elo_high < 0) {
      text += fmt::format("the shipped weights are stronger ({} for the new): keep those. ", gain);
    } else {
      text += fmt::format(
          "the new weights are not distinguishable from the shipped ones ({}): keep those, or let "
          "a longer match decide. ",
          gain);
    }
  }
  return text + (r.generations.back().promoted
                     ? "The last generation still gained; another night should gain more."
                     : "The last generation gained nothing; raise games or nodes before the next "
                       "night.");
}

}  // namespace

TuneReport tune_report(const RulesOutcome& outcome) {
  TuneReport report{sentence(outcome), key_figure(outcome), next_step(outcome), {}};
  for (const GenerationOutcome& g : outcome.generations) {
    if (!g.verify) continue;
    const HeldOut held_out(g.fit);
    const std::string error =
        std::isfinite(held_out.error) ? fmt::format(" +- {:.5f}", held_out.error) : "";
    report.lines.push_back(fmt::format(
        "  generation {}: {} games, {} positions, held-out loss {:.5f} -> {:.5f} ({:+.5f}{}); {} "
        "after {} games ({:+.1f} +- {:.1f}, LLR {:.2f})",
        g.number, g.games ? g.games->summary.games() : 0, fit_number(g.fit, "positions"),
        held_out.before, held_out.after, held_out.change, error, verdict_words(g),
        g.verify->counts.games(), g.verify->statistics.elo, g.verify->statistics.elo_error,
        g.verify->sprt.llr));
  }
  for (const Measured& m : measures_of(outcome)) {
    const MatchStatistics& s = m.result->statistics;
    report.lines.push_back(fmt::format("  best against {}: {:+.1f} +- {:.1f} in {} games; {}",
                                       m.opponent, s.elo, s.elo_error, m.result->counts.games(),
                                       test_words(m.result->sprt)));
  }
  if (outcome.complete) report.lines.push_back("  next: " + report.next_step);
  return report;
}

void add_tune(Section& section, const RulesOutcome& outcome) {
  if (!outcome.failure.empty()) section.add(Paragraph{outcome.failure, Tone::kBad});
  add_generations(section, outcome);
  add_measures(section, outcome);
  add_elo_chart(section, outcome);
  add_results(section, outcome);
  add_fit_shown(section, outcome);
  add_square_maps(section, outcome);
  add_games(section, outcome);
}

}  // namespace cannonade
