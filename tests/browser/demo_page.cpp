#include "tests/browser/demo_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/rng.h"
#include "core/board/movegen.h"
#include "core/game/game_state.h"
#include "core/notation/fen.h"
#include "core/notation/uci_move.h"
#include "selfplay/page_text.h"

namespace cannonade {
namespace {

// What the first mover's pieces are worth more, in centipawns: a score that moves as the game does.
int material(const Position& position) {
  int sum = 0;
  for (int square = 0; square < kSquares; ++square) {
    const Piece piece = position.at(static_cast<Square>(square));
    const int worth = 50 * point_value(piece.kind());
    sum += piece.empty() ? 0 : piece.side() == Side::kFirst ? worth : -worth;
  }
  return sum;
}

Chart line_chart() {
  Chart chart;
  chart.title = "Strength by generation";
  chart.note = "Each against generation 0; bars are 95 % intervals.";
  chart.x_label = "generation";
  chart.y_label = "Elo";
  chart.decimals = 1;
  chart.series.push_back({"janggi-kja",
                          {{0, 0, kNoValue, kNoValue, {}},
                           {1, 81, 60, 102, {}},
                           {2, 142, 121, 164, {}},
                           {3, 171, 150, 193, {}},
                           {4, 168, 147, 190, {}}}});
  chart.series.push_back({"xiangqi-casual",
                          {{0, 0, kNoValue, kNoValue, {}},
                           {1, 64, 41, 87, {}},
                           {2, 99, 77, 121, {}},
                           {3, 140, 117, 163, {}},
                           {4, 158, 136, 180, {}}},
                          true});
  chart.references.push_back({ReferenceLine::Axis::kY, 50, "the goal: +50"});
  return chart;
}

Chart bar_chart() {
  Chart chart;
  chart.kind = ChartKind::kBar;
  chart.title = "How games end";
  chart.x_label = "";
  chart.y_label = "share of games, %";
  chart.categories = {"checkmate", "repetition", "no progress", "double pass", "bikjang"};
  chart.decimals = 1;
  chart.series.push_back({"janggi-kja",
                          {{0, 71.2, 68.3, 74.0, {}},
                           {0, 14.1, 12.0, 16.4, {}},
                           {0, 8.8, 7.1, 10.8, {}},
                           {0, 2.0, 1.2, 3.1, {}},
                           {0, 3.9, 2.8, 5.3, {}}}});
  chart.series.push_back({"janggi-point-count",
                          {{0, 62.5, 59.4, 65.5, {}},
                           {0, 16.0, 13.8, 18.4, {}},
                           {0, 9.9, 8.1, 12.0, {}},
                           {0, 10.1, 8.3, 12.2, {}},
                           {0, 1.5, 0.8, 2.5, {}}}});
  return chart;
}

Chart scatter_chart() {
  Chart chart;
  chart.kind = ChartKind::kScatter;
  chart.title = "Calibration";
  chart.x_label = "expected score";
  chart.y_label = "observed score";
  chart.y_min = 0;
  chart.y_max = 1;
  ChartSeries series{"positions by decile", {}};
  for (int decile = 0; decile < 10; ++decile) {
    const double x = 0.05 + 0.1 * decile;
    const double y = x + 0.02 * std::sin(7.0 * decile);
    series.points.push_back({x, y, y - 0.03, y + 0.03, fmt::format("decile {}", decile + 1)});
  }
  chart.series.push_back(std::move(series));
  chart.references.push_back({ReferenceLine::Axis::kX, 0.5, "even"});
  return chart;
}

Chart log_chart() {
  Chart chart;
  chart.title = "Validation loss by anchor strength";
  chart.x_label = "anchor strength";
  chart.y_label = "cross-entropy, bits";
  chart.log_x = true;
  chart.decimals = 4;
  ChartSeries series{"5-fold mean", {}};
  for (int step = -4; step <= 4; ++step) {
    const double y = 0.6123 + 0.0007 * (step - 0.6) * (step - 0.6);
    series.points.push_back({std::pow(10.0, step), y, y - 0.001, y + 0.001, {}});
  }
  chart.series.push_back(std::move(series));
  return chart;
}

Table set_up_table() {
  Table table;
  table.title = "Engines";
  table.columns = {
      {"Name", "", false}, {"Games", "", true}, {"Elo", "95 %", true}, {"Verdict", "", false}};
  const auto row = [&](const char* name, std::uint64_t games, double elo, double error, Tone tone,
                       const char* verdict) {
    Cell number(format_signed(elo, 1) + " " + format_error(error, 1), elo);
    Cell judged(verdict);
    judged.tone = tone;
    table.rows.push_back(
        {Cell(name), Cell(format_count(games), static_cast<double>(games)), number, judged});
  };
  row("generation 10", 4000, 171.3, 21.0, Tone::kGood, "promoted");
  row("generation 9", 12000, -3.2, 8.9, Tone::kBad, "rejected");
  row("generation 2", 960, 99.0, 30.1, Tone::kGood, "promoted");
  row(kHostileName, 1, 0, 400, Tone::kNote, "not finished");
  table.note = "Click a title to sort.";
  return table;
}

Table game_table(const GameViewer& viewer) {
  Table table;
  table.title = "Games";
  table.columns = {{"Game", "", true}, {"Start", "", false}, {"Turns", "", true}};
  table.shown_rows = 5;
  for (const GameRecord& game : viewer.games) {
    Cell id(std::to_string(game.id), static_cast<double>(game.id));
    id.game = GameLink{viewer.name, game.id};
    table.rows.push_back(
        {id, Cell(game.start_fen),
         Cell(std::to_string(game.moves.size()), static_cast<double>(game.moves.size()))});
  }
  return table;
}

HeatMap set_up_heat() {
  HeatMap heat;
  heat.title = "Cho's score by set-up";
  heat.note = "Blue: better for Cho; orange: better for Han. Half-widths of 95 % intervals below.";
  heat.row_title = "Han declares";
  heat.column_title = "Cho answers";
  heat.rows = {"inside", "outside", "left", "right"};
  heat.columns = heat.rows;
  heat.values = {52.1, 54.0, 51.2, 50.7, 49.0, 50.6,     47.7, 48.1,
                 53.5, 55.2, 50.0, 51.9, 52.8, kNoValue, 49.2, 50.4};
  heat.errors.assign(16, format_error(1.8, 1));
  heat.errors[13].clear();
  heat.middle = 50;
  heat.unit = " %";
  return heat;
}

BoardHeatMap piece_square(Game game, const char* caption) {
  BoardHeatMap heat;
  heat.game = game;
  heat.caption = caption;
  for (int square = 0; square < kSquares; ++square) {
    const int rank = rank_of(static_cast<Square>(square));
    const int file = file_of(static_cast<Square>(square));
    heat.values[static_cast<std::size_t>(square)] =
        rank < 3 ? kNoValue : 6.0 * rank - 4.0 * std::abs(file - 4) - 20;
  }
  return heat;
}

GameViewer viewer(const char* name, std::initializer_list<const char*> rules, std::uint64_t games) {
  GameViewer result;
  result.name = name;
  result.population = 40 * games;
  result.sampling = "every 40th by number";
  std::uint64_t id = 1;
  while (id <= games) {
    for (const char* one : rules) {
      result.games.push_back(demo_game(one, id++, 160));
    }
  }
  result.games[1].players[0] = kHostileName;
  result.games[1].note = kHostileName;
  return result;
}

}  // namespace

GameRecord demo_game(const std::string& rules_name, std::uint64_t id, int max_plies) {
  const Ruleset rules = find_ruleset(rules_name).value_or_throw();
  Rng rng(20250503, id);
  GameRecord game;
  game.id = id;
  game.rules = rules.id;
  game.opening_plies = 4;
  game.players = {"generation 10", "generation 9"};
  if (id % 2 == 0) std::swap(game.players[0], game.players[1]);
  game.start_fen = rules.game == Game::kXiangqi
                       ? std::string(start_fen(rules.game))
                       : set_up_fen(static_cast<SetUp>(rng.below(kSetUps)),
                                    static_cast<SetUp>(rng.below(kSetUps)));
  GameState state(parse_fen(rules, game.start_fen).value_or_throw());
  while (!state.outcome() && static_cast<int>(game.moves.size()) < max_plies) {
    MoveList list;
    generate(state.position(), state.dangers(), MoveKind::kAll, list);
    // Captures first, so that the pieces do not all stay on the board.
    std::vector<Move> captures;
    for (const Move move : list) {
      if (!move.is_pass() && !state.position().at(move.to()).empty()) captures.push_back(move);
    }
    const Move move = !captures.empty() && rng.below(3) == 0 ? captures[rng.below(captures.size())]
                                                             : list[rng.below(list.size())];
    const bool first = state.position().side_to_move() == Side::kFirst;
    state.play(move);
    game.moves.push_back(move);
    const int score = material(state.position()) + static_cast<int>(rng.below(60)) - 30;
    game.scores.push_back(static_cast<int>(game.moves.size()) <= game.opening_plies
                              ? kNoScore
                              : static_cast<std::int16_t>(first ? score : -score));
  }
  game.opening_plies = std::min(game.opening_plies, static_cast<int>(game.moves.size()));
  game.outcome = state.outcome().value_or(Outcome{std::nullopt, Reason::kAgreement, false});
  if (game.outcome.reason == Reason::kCheckmate && !game.moves.empty()) {
    game.scores.back() = kMateScore - 1;
  }
  if (rules.count_points) game.points_halves = {93, 88};
  return game;
}

Page demo_page() {
  Page page;
  page.title = "Demonstration: a night of tuning";
  page.subtitle = "Every element of a report, with made-up numbers";
  page.summary = {
      "Generation 4 of janggi-kja is +171 ± 21 Elo above the weights it started from, and was "
      "promoted.",
      "In xiangqi-casual the last candidate gained nothing: it was rejected, and generation 3 "
      "stays."};
  page.figures = {{"Elo, janggi-kja", "+171", "± 21", "against generation 0", Tone::kGood},
                  {"Elo, xiangqi-casual", "−3", "± 9", "last candidate, rejected", Tone::kBad},
                  {"Games", "48,230", "", "12 runs, no duplicates", Tone::kPlain},
                  {"Draws", "18.3 %", "± 0.4", "", Tone::kNote},
                  {"Time", "7 h 42 min", "", "2 cores", Tone::kPlain}};

  Section& strength = page.add_section("Strength");
  strength.add(Paragraph{"Candidates were verified against the best so far by a sequential test."});
  strength.add(line_chart());
  strength.add(bar_chart());
  strength.add(Heading{"The verdicts"});
  strength.add(set_up_table());
  strength.add(Paragraph{"janggi-kja: promoted after 1,240 games.", Tone::kGood});
  strength.add(Paragraph{"xiangqi-casual: rejected after 3,100 games.", Tone::kBad});
  strength.add(Paragraph{"Next: more nodes a move; the draws are too many.", Tone::kNote});

  Section& fit = page.add_section("The fit");
  fit.add(KeyFigures{{{"Loss before", "0.6312", "", "bits", Tone::kPlain},
                      {"Loss after", "0.6127", "", "bits", Tone::kGood}}});
  fit.add(scatter_chart());
  fit.add(log_chart());
  fit.add(Heading{"Piece-square values"});
  fit.add(piece_square(Game::kJanggi, "Cho's soldier, middle game, in centipawns"));
  fit.add(piece_square(Game::kXiangqi, "Red's soldier, end game, in centipawns"));

  Section& set_ups = page.add_section("Set-ups");
  set_ups.add(set_up_heat());
  set_ups.add(BulletList{{"Cho's best answer to each declaration is outside.",
                          "Han's best declaration is outside.", kHostileName}});
  set_ups.add(BoardFigure{"janggi-kja", set_up_fen(SetUp::kLeft, SetUp::kOutside),
                          "Cho left, Han outside", kNoMove});
  set_ups.add(BoardFigure{"xiangqi-casual",
                          "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1",
                          "The central cannon", parse_uci_move("h3e3").value_or_throw()});

  GameViewer kja = viewer("kja", {"janggi-kja", "janggi-point-count"}, 30);
  GameViewer xiangqi = viewer("xiangqi", {"xiangqi-casual"}, 12);
  kja.title = "Janggi";
  xiangqi.title = "Xiangqi";
  Section& games = page.add_section("Games");
  games.add(game_table(kja));
  games.add(std::move(kja));
  games.add(std::move(xiangqi));

  Provenance made;
  made.facts = {{"Revision", "0123456789ab"},
                {"Machine", "demo, 2 cores"},
                {"Seed", "20250503"},
                {"Population", kHostileName},
                {"Games", "42 random games"}};
  made.texts = {
      {"Configuration", "[run]\nrules = \"janggi-kja\"  # </pre></script>\ngames = 1000\n"},
      {"Command", "tuner overnight --config configs/overnight.toml --out runs/night"}};
  page.add_section("Provenance").add(made);
  page.footer = "Made by the tests of Cannonade.";
  return page;
}

}  // namespace cannonade
