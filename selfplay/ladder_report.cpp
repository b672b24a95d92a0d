#include "selfplay/ladder_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "selfplay/level_profile.h"
#include "selfplay/page_text.h"
#include "selfplay/report_cells.h"
#include "selfplay/statistics.h"

namespace cannonade {
namespace {

using Json = nlohmann::json;

double number_at(const Json& json, const char* key) {
  return json.at(key).get<double>();
}

std::string text_at(const Json& json, const char* key) {
  return json.at(key).get<std::string>();
}

// "+98 (84 to 112)" of a value and its limits.
Cell interval_cell(double value, double low, double high) {
  return {fmt::format("{} ({})", format_signed(value, 0), format_interval(low, high, 0)), value};
}

Cell number_cell(double value, int decimals) {
  return {format_number(value, decimals), value};
}

// A share with its 95 % interval, a dash of nothing.
Cell part_cell(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return {"\u2013"};
  return {fmt::format("{} of {} ({})", format_count(part), format_count(whole),
                      format_percent(share(part, whole), 1)),
          share(part, whole)};
}

void add_words(Page& page, const Json& json) {
  const Json& levels = json.at("levels");
  const Json& whole = json.at("end_to_end");
  const Json& gap = json.at("gap");
  page.summary.push_back(
      fmt::format("{} levels span {} Elo (95\u00a0%: {}), from {} games.", levels.size(),
                  format_number(number_at(whole, "value"), 0),
                  format_interval(number_at(whole, "low"), number_at(whole, "high"), 0),
                  format_count(json.at("level_games").get<std::uint64_t>())));
  std::vector<std::string> outside;
  for (std::size_t i = 1; i < levels.size(); ++i) {
    if (number_at(levels[i], "gap_low") < number_at(gap, "low") ||
        number_at(levels[i], "gap_high") > number_at(gap, "high")) {
      outside.push_back(text_at(levels[i - 1], "name") + " to " + text_at(levels[i], "name"));
    }
  }
  const std::string bounds = format_interval(number_at(gap, "low"), number_at(gap, "high"), 0);
  if (json.at("confirmed").get<bool>()) {
    page.summary.push_back(fmt::format(
        "Confirmed on fresh games: every two neighbours are {} Elo apart, with the whole 95\u00a0% "
        "interval inside {}.",
        format_number(number_at(gap, "wanted"), 0), bounds));
  } else {
    page.summary.push_back(
        fmt::format("Not confirmed: the 95\u00a0% interval of {} of {} gaps is not inside {} Elo.",
                    outside.size(), levels.size() - 1, bounds));
  }
  page.figures.push_back({"Levels", format_count(levels.size()), "", "", Tone::kPlain});
  page.figures.push_back({"End to end", format_number(number_at(whole, "value"), 0),
                          format_error(kNormal95 * number_at(whole, "error"), 0), "Elo",
                          Tone::kPlain});
  page.figures.push_back(
      {"Gaps inside",
       fmt::format("{} of {}", levels.size() - 1 - outside.size(), levels.size() - 1), "",
       bounds + " Elo", outside.empty() ? Tone::kGood : Tone::kBad});
}

void add_levels(Section& section, const Json& json) {
  const Json& levels = json.at("levels");
  Chart chart;
  chart.title = "Elo by level";
  chart.note =
      "Above the first level; bars are 95 % intervals. The whole covariance is behind them: "
      "differences of two levels have smaller errors than the bars suggest.";
  chart.x_label = "level";
  chart.y_label = "Elo";
  chart.decimals = 0;
  ChartSeries series{"Elo", {}};
  Table table;
  table.columns = {{"Level", "", true},
                   {"Gap", "Elo above the level before, 95 %", true},
                   {"Elo", "above the first, 95 %", true},
                   {"Nodes", "a turn", true},
                   {"Depth", "plies, 0: no bound", true},
                   {"Noise", "centipawns", true},
                   {"Overlooks", "knob, 0 to 1", true},
                   {"Careless", "", false}};
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const Json& level = levels[i];
    chart.categories.push_back(text_at(level, "name"));
    series.points.push_back(
        {0, number_at(level, "elo"), number_at(level, "low"), number_at(level, "high"), {}});
    table.rows.push_back(
        {Cell(text_at(level, "name"), static_cast<double>(i)),
         i == 0 ? Cell("\u2013")
                : interval_cell(number_at(level, "gap"), number_at(level, "gap_low"),
                                number_at(level, "gap_high")),
         interval_cell(number_at(level, "elo"), number_at(level, "low"), number_at(level, "high")),
         count_cell(level.at("nodes").get<std::uint64_t>()),
         count_cell(level.at("depth").get<std::uint64_t>()),
         number_cell(number_at(level, "noise"), 1), number_cell(number_at(level, "overlook"), 3),
         Cell(level.at("careless").get<bool>() ? "yes" : "no")});
  }
  table.note =
      "Ratings by maximum likelihood without a prior, a term for moving first, and errors "
      "that take each pair of games as one observation.";
  chart.series.push_back(std::move(series));
  section.add(std::move(chart));
  section.add(std::move(table));
}

void add_checks(Section& section, const Json& json) {
  BulletList list;
  if (const Json& move = json.at("first_move"); !move.is_null()) {
    list.items.push_back(fmt::format("Moving first is worth {} {} Elo.",
                                     format_signed(number_at(move, "value"), 1),
                                     format_error(kNormal95 * number_at(move, "error"), 1)));
  }
  if (const Json& test = json.at("fit_test"); !test.is_null()) {
    list.items.push_back(fmt::format(
        "Do the ratings foretell the games of next neighbours? Chi-squared {} with {} degrees of "
        "freedom, p = {}.",
        format_number(number_at(test, "chi_squared"), 1), test.at("degrees").get<int>(),
        format_number(number_at(test, "p"), 3)));
  }
  if (const Json& check = json.at("cycle_check"); !check.is_null() && check.contains("worst")) {
    const Json& worst = check.at("worst");
    list.items.push_back(fmt::format(
        "Is strength one number? Of {} triangles the worst is levels {}, {} and {}: {} {} Elo "
        "around; p = {} for all together.",
        check.at("cycles").get<int>(), worst.at("levels").at(0).get<int>(),
        worst.at("levels").at(1).get<int>(), worst.at("levels").at(2).get<int>(),
        format_signed(number_at(worst.at("sum"), "value"), 0),
        format_error(kNormal95 * number_at(worst.at("sum"), "error"), 0),
        format_number(number_at(check, "p"), 3)));
  }
  for (const Json& each : json.at("yardsticks")) {
    list.items.push_back(
        fmt::format("The first level scores {} ({}) against the {}: won {}, drawn {}, lost {}.",
                    format_percent(number_at(each, "score"), 1),
                    format_interval(100 * number_at(each, "low"), 100 * number_at(each, "high"), 1),
                    text_at(each, "name"), each.at("wins").get<int>(), each.at("draws").get<int>(),
                    each.at("losses").get<int>()));
  }
  if (!list.items.empty()) section.add(std::move(list));

  Table table;
  table.title = "How the levels were found";
  table.columns = {{"Round", "", true},  {"Kind", "", false},        {"Players", "", true},
                   {"Games", "", true},  {"Smallest gap", "", true}, {"Largest gap", "", true},
                   {"Inside", "", false}};
  for (const Json& round : json.at("rounds")) {
    std::vector<double> gaps;
    for (const Json& gap : round.at("gaps")) gaps.push_back(number_at(gap, "value"));
    const auto gap_cell = [&](bool largest) {
      if (gaps.empty()) return Cell("\u2013");
      const auto [low, high] = std::minmax_element(gaps.begin(), gaps.end());
      return number_cell(largest ? *high : *low, 0);
    };
    table.rows.push_back(
        {count_cell(round.at("number").get<std::uint64_t>()), Cell(text_at(round, "kind")),
         count_cell(round.at("players").get<std::uint64_t>()),
         count_cell(round.at("games").get<std::uint64_t>()), gap_cell(false), gap_cell(true),
         Cell(gaps.empty()                     ? "\u2013"
              : round.at("inside").get<bool>() ? "all"
                                               : "not all")});
  }
  section.add(std::move(table));
}

void add_profiles(Section& section, const Json& json) {
  std::vector<LevelProfile> profiles;
  for (const Json& each : json.at("profiles")) profiles.push_back(parse_profile(each));
  if (profiles.empty() || profiles.front().moves == 0) return;
  section.add(
      Paragraph{"A referee at full strength looked at some games of each level turn by turn. "
                "Losses are its opinion; a mate in one is a fact."});
  constexpr std::array<const char*, kGamePhases> kPhases{"opening", "middle game", "ending"};
  Chart chart;
  chart.title = "Loss per turn";
  chart.note = "Against the referee's choice; the phase goes by the pieces on the board.";
  chart.x_label = "level";
  chart.y_label = "centipawns";
  chart.decimals = 0;
  for (const LevelProfile& profile : profiles) chart.categories.push_back(profile.name);
  for (std::size_t phase = 0; phase < kPhases.size(); ++phase) {
    ChartSeries series{kPhases[phase], {}};
    for (const LevelProfile& profile : profiles) {
      ChartPoint point;
      point.y = profile.loss[phase].moves > 0 ? profile.loss[phase].mean() : kNoValue;
      series.points.push_back(point);
    }
    chart.series.push_back(std::move(series));
  }
  section.add(std::move(chart));

  Table table;
  table.title = "What goes wrong";
  table.columns = {{"Level", "", true},
                   {"Turns", "looked at", true},
                   {"Opening", "loss per turn", true},
                   {"Middle game", "loss per turn", true},
                   {"Ending", "loss per turn", true},
                   {"Blunders", "of the turns", true},
                   {"Recaptures missed", "of those due", true},
                   {"Mates in one missed", "of those there", true},
                   {"Won endings won", "of those reached", true},
                   {"Repeated games", "of the round's", true}};
  Table kinds;
  kinds.title = "Blunders by what punishes them";
  kinds.note = fmt::format(
      "Turns that lose {} centipawns or more, by the piece of the referee's "
      "answer.",
      kBlunder);
  kinds.columns = {{"Level", "", true},    {"Mate", "", true},
                   {"Elephant", "", true}, {"Horse", "", true},
                   {"Chariot", "", true},  {"Cannon", "", true},
                   {"Soldier", "", true},  {"General or guard", "", true}};
  double order = 0;
  for (const LevelProfile& profile : profiles) {
    const Cell name(profile.name, order++);
    std::vector<Cell> row{name, count_cell(profile.moves)};
    for (const LevelProfile::Loss& loss : profile.loss) {
      row.push_back(loss.moves == 0 ? Cell("\u2013") : number_cell(loss.mean(), 0));
    }
    row.push_back(part_cell(profile.blunders, profile.moves));
    row.push_back(part_cell(profile.recaptures_missed, profile.recaptures));
    row.push_back(part_cell(profile.mates_missed, profile.mates));
    row.push_back(part_cell(profile.won_endings_won, profile.won_endings));
    row.push_back(part_cell(profile.repeated, profile.played));
    table.rows.push_back(std::move(row));
    const auto by = [&](PieceKind kind) {
      return profile.blunders_by_answer[static_cast<std::size_t>(index_of(kind))];
    };
    kinds.rows.push_back({name, count_cell(profile.blunders_to_mate),
                          count_cell(by(PieceKind::kElephant)), count_cell(by(PieceKind::kHorse)),
                          count_cell(by(PieceKind::kChariot)), count_cell(by(PieceKind::kCannon)),
                          count_cell(by(PieceKind::kSoldier)),
                          count_cell(by(PieceKind::kGeneral) + by(PieceKind::kGuard))});
  }
  section.add(std::move(table));
  section.add(std::move(kinds));
}

}  // namespace

void add_ladder(Page& page, std::string_view result) {
  try {
    const Json json = Json::parse(result);
    add_words(page, json);
    add_levels(page.add_section("Levels"), json);
    add_checks(page.add_section("Checks"), json);
    Section profiles{"How levels err", {}};
    add_profiles(profiles, json);
    if (!profiles.blocks.empty()) page.sections.push_back(std::move(profiles));
  } catch (const Json::exception& fault) {
    throw user_error(std::string("the ladder's result cannot be read: ") + fault.what());
  }
}

}  // namespace cannonade
