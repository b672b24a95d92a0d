#include "tuner/tune_fit_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "selfplay/page_text.h"

namespace cannonade {
namespace {

using Json = nlohmann::ordered_json;

void add_figures(Section& section, const Json& fit) {
  section.add(Paragraph{fmt::format(
      "{} positions of {} games; {} gradient passes; largest remaining step {} centipawns; {} "
      "weights undetermined and left where they were, {} others mostly the anchor's; a weight was "
      "expected to move about {} centipawns ({}).",
      format_count(static_cast<std::uint64_t>(fit_number(fit, "positions"))),
      format_count(static_cast<std::uint64_t>(fit_number(fit, "games"))),
      format_number(fit_number(fit, "passes"), 0),
      format_number(fit_number(fit, "largest_step"), 3),
      fit.contains("undetermined") ? fit["undetermined"].size() : 0,
      fit.contains("weak") ? fit["weak"].size() : 0,
      format_number(fit_number(fit, "anchor_deviation"), 1),
      fit.contains("anchor_curve") ? "chosen by cross-validation over pairs of games"
                                   : "as the settings say")});
}

void add_anchor_curve(Section& section, const Json& fit) {
  if (!fit.contains("anchor_curve") || fit["anchor_curve"].size() < 2) return;
  Chart chart;
  chart.title = "Held-out loss by strength of the anchor";
  chart.x_label = "centipawns a weight may move";
  chart.y_label = "loss";
  chart.log_x = true;
  chart.decimals = 6;
  ChartSeries series;
  series.name = "cross-validation";
  for (const auto& c : fit["anchor_curve"]) {
    const double loss = fit_number(c, "loss");
    const double error = fit_number(c, "error");
    series.points.push_back({fit_number(c, "deviation"), loss, loss - error, loss + error, ""});
  }
  chart.series.push_back(std::move(series));
  chart.references.push_back(
      {ReferenceLine::Axis::kX, fit_number(fit, "anchor_deviation"), "chosen"});
  section.add(std::move(chart));
}

void add_calibration(Section& section, const Json& fit) {
  if (!fit.contains("calibration") || fit["calibration"].empty()) return;
  Chart chart;
  chart.title = "Calibration on held-out games";
  chart.x_label = "predicted score of the first mover";
  chart.y_label = "real score";
  chart.y_min = 0;
  chart.y_max = 1;
  ChartSeries real;
  real.name = "real";
  ChartSeries ideal;
  ideal.name = "perfect";
  ideal.dashed = true;
  ideal.markers = false;
  for (const auto& c : fit["calibration"]) {
    if (!(fit_number(c, "weight") > 0)) continue;
    const double actual = fit_number(c, "actual");
    const double error = 1.96 * fit_number(c, "error");
    const double predicted = fit_number(c, "predicted");
    real.points.push_back({predicted, actual, actual - error, actual + error, ""});
    ideal.points.push_back({predicted, predicted, kNoValue, kNoValue, ""});
  }
  chart.series.push_back(std::move(real));
  chart.series.push_back(std::move(ideal));
  chart.decimals = 3;
  section.add(std::move(chart));
}

struct Moved {
  std::string name;
  double start, value, change, error, z, positions, data_share;
};

// The largest change first.
std::vector<Moved> moved_weights(const Json& fit) {
  std::vector<Moved> moved;
  for (const auto& w : fit["weights"]) {
    if (!w.value("determined", false)) continue;
    moved.push_back({w.value("name", ""), fit_number(w, "start"), fit_number(w, "value"),
                     fit_number(w, "change"), fit_number(w, "error"), fit_number(w, "z"),
                     fit_number(w, "positions"), fit_number(w, "data_share")});
  }
  std::stable_sort(moved.begin(), moved.end(), [](const Moved& a, const Moved& b) {
    return std::abs(a.change) > std::abs(b.change);
  });
  return moved;
}

void add_weights_chart(Section& section, const std::vector<Moved>& moved) {
  constexpr std::size_t kDrawn = 16;
  Chart chart;
  chart.kind = ChartKind::kScatter;
  chart.title = "Weights before and after";
  chart.note = "The largest changes; bars are 95 % of the fit's clustered error.";
  chart.y_label = "centipawns";
  chart.decimals = 1;
  ChartSeries before;
  before.name = "before";
  ChartSeries after;
  after.name = "after";
  for (std::size_t i = 0; i < moved.size() && i < kDrawn; ++i) {
    const Moved& w = moved[i];
    const double error = 1.96 * w.error;
    const double x = static_cast<double>(i);
    chart.categories.push_back(w.name);
    before.points.push_back({x, w.start, kNoValue, kNoValue, w.name});
    after.points.push_back({x, w.value, w.value - error, w.value + error, w.name});
  }
  chart.series.push_back(std::move(before));
  chart.series.push_back(std::move(after));
  section.add(std::move(chart));
}

void add_weights_table(Section& section, const std::vector<Moved>& moved) {
  constexpr std::size_t kMost = 60;
  Table table;
  table.title = "Weights that moved most";
  table.columns = {{"Weight", "", false},          {"Before", "cp", true},    {"After", "cp", true},
                   {"Change", "cp", true},         {"Error", "cp", true},     {"z", "", true},
                   {"Positions", "touched", true}, {"Data", "share, %", true}};
  for (std::size_t i = 0; i < moved.size() && i < kMost; ++i) {
    const Moved& w = moved[i];
    table.rows.push_back(
        {Cell(w.name), Cell(format_number(w.start, 0), w.start),
         Cell(format_number(w.value, 1), w.value), Cell(format_signed(w.change, 1), w.change),
         Cell(format_number(w.error, 1), w.error), Cell(format_number(w.z, 1), w.z),
         Cell(format_count(static_cast<std::uint64_t>(w.positions)), w.positions),
         Cell(format_number(100 * w.data_share, 0), w.data_share)});
  }
  table.note =
      "Errors are one standard error, clustered by pair of games; what the data do not determine "
      "of a "
      "weight, the anchor does. Names end in .mg for the middle "
      "game and .eg for the end game.";
  table.shown_rows = 12;
  section.add(std::move(table));
}

}  // namespace

double fit_number(const Json& fit, const char* key) {
  const auto at = fit.find(key);
  return at != fit.end() && at->is_number() ? at->get<double>() : kNoValue;
}

void add_fit(Section& section, const GenerationOutcome& generation) {
  const Json& fit = generation.fit;
  if (fit.is_null()) return;
  section.add(Heading{fmt::format("The fit of generation {}", generation.number)});
  add_figures(section, fit);
  add_anchor_curve(section, fit);
  add_calibration(section, fit);
  if (!fit.contains("weights")) return;
  const std::vector<Moved> moved = moved_weights(fit);
  add_weights_chart(section, moved);
  add_weights_table(section, moved);
}

}  // namespace cannonade
