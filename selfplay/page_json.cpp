#include "selfplay/page_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/notation/fen.h"
#include "core/notation/uci_move.h"
#include "selfplay/page_text.h"

namespace cannonade {
namespace {

using Json = nlohmann::json;

// JSON has no way to write what is not finite.
Json number_json(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

std::string chart_name(const Chart& chart) {
  return "chart \"" + chart.title + "\"";
}

void check(const Chart& chart) {
  const bool by_category = !chart.categories.empty();
  if (chart.kind == ChartKind::kBar && !by_category) {
    throw internal_error(chart_name(chart) + ": bars need categories");
  }
  for (const ChartSeries& series : chart.series) {
    if (series.colour < 0 || series.colour > 6) {
      throw internal_error(
          fmt::format("{}: colour {} given; allowed: 0 to 6", chart_name(chart), series.colour));
    }
    if (by_category && series.points.size() > chart.categories.size()) {
      throw internal_error(fmt::format("{}: series \"{}\" has {} points for {} categories",
                                       chart_name(chart), series.name, series.points.size(),
                                       chart.categories.size()));
    }
    for (const ChartPoint& point : series.points) {
      if (by_category) continue;
      if (!std::isfinite(point.x) || (chart.log_x && point.x <= 0)) {
        throw internal_error(fmt::format("{}: series \"{}\" has a point at x = {}",
                                         chart_name(chart), series.name, point.x));
      }
    }
  }
}

std::string value_text(const ChartPoint& point, int decimals) {
  std::string text = format_number(point.y, decimals);
  if (std::isfinite(point.low) && std::isfinite(point.high)) {
    text += " (" + format_interval(point.low, point.high, decimals) + ")";
  }
  return text;
}

Cell value_cell(const ChartPoint& point, int decimals) {
  Cell cell(value_text(point, decimals));
  if (std::isfinite(point.y)) cell.number = point.y;
  return cell;
}

// Whole numbers as such, others to six digits.
std::string x_text(double x) {
  return x == std::round(x) && std::abs(x) < 1e15 ? format_number(x, 0) : fmt::format("{:.6g}", x);
}

bool share_x(const Chart& chart) {
  const std::vector<ChartPoint>& first = chart.series.front().points;
  return std::all_of(chart.series.begin(), chart.series.end(), [&](const ChartSeries& series) {
    return std::equal(series.points.begin(), series.points.end(), first.begin(), first.end(),
                      [](const ChartPoint& a, const ChartPoint& b) { return a.x == b.x; });
  });
}

std::string_view game_name(Game game) {
  return game == Game::kJanggi ? "janggi" : "xiangqi";
}

// Strings that many games have in common, written once: a value's place among those seen so far.
class Shared {
 public:
  std::size_t place(const std::string& value) {
    const auto [entry, fresh] = places_.try_emplace(value, values_.size());
    if (fresh) values_.push_back(value);
    return entry->second;
  }
  [[nodiscard]] const std::vector<std::string>& values() const { return values_; }

 private:
  std::map<std::string, std::size_t> places_;
  std::vector<std::string> values_;
};

// The moves as words, after playing them on a bare board: what the page's script will do.
std::string move_words(const GameRecord& game, const Position& start) {
  PieceMap board;
  for (int square = 0; square < kSquares; ++square) {
    board[static_cast<std::size_t>(square)] = start.at(static_cast<Square>(square));
  }
  Side mover = start.side_to_move();
  std::string words;
  for (std::size_t ply = 0; ply < game.moves.size(); ++ply, mover = ~mover) {
    const Move move = game.moves[ply];
    const Piece piece = move ? board.at(move.from()) : Piece();
    if (piece.empty() || piece.side() != mover) {
      throw user_error(fmt::format("game {}, ply {}: {} moves no piece of the side to move",
                                   game.id, ply + 1, to_uci(move)));
    }
    board[move.from()] = Piece();
    board[move.to()] = piece;
    if (ply > 0) words += ' ';
    words += to_uci(move);
  }
  return words;
}

std::string score_words(const GameRecord& game, Side mover) {
  if (!game.scores.empty() && game.scores.size() != game.moves.size()) {
    throw internal_error(fmt::format("game {}: {} scores for {} moves", game.id, game.scores.size(),
                                     game.moves.size()));
  }
  std::string words;
  for (const std::int16_t score : game.scores) {
    if (!words.empty()) words += ' ';
    if (score == kNoScore) {
      words += '.';
    } else {
      words += std::to_string(mover == Side::kFirst ? score : -score);
    }
    mover = ~mover;
  }
  return words;
}

}  // namespace

Json chart_json(const Chart& chart) {
  check(chart);
  constexpr std::array<std::string_view, 3> kKinds{"line", "bar", "scatter"};
  Json series = Json::array();
  for (const ChartSeries& line : chart.series) {
    Json points = Json::array();
    for (const ChartPoint& point : line.points) {
      Json row{number_json(point.x), number_json(point.y), number_json(point.low),
               number_json(point.high)};
      if (!point.label.empty()) row.push_back(point.label);
      points.push_back(std::move(row));
    }
    series.push_back({{"name", line.name},
                      {"dashed", line.dashed},
                      {"markers", line.markers},
                      {"colour", line.colour},
                      {"points", std::move(points)}});
  }
  Json references = Json::array();
  for (const ReferenceLine& line : chart.references) {
    references.push_back({{"axis", line.axis == ReferenceLine::Axis::kX ? "x" : "y"},
                          {"value", number_json(line.value)},
                          {"label", line.label}});
  }
  return {{"kind", kKinds.at(static_cast<std::size_t>(chart.kind))},
          {"xLabel", chart.x_label},
          {"yLabel", chart.y_label},
          {"categories", chart.categories},
          {"series", std::move(series)},
          {"references", std::move(references)},
          {"yMin", chart.y_min ? Json(*chart.y_min) : Json(nullptr)},
          {"yMax", chart.y_max ? Json(*chart.y_max) : Json(nullptr)},
          {"logX", chart.log_x},
          {"stacked", chart.stacked},
          {"decimals", chart.decimals}};
}

Table chart_table(const Chart& chart) {
  check(chart);
  Table table;
  if (chart.series.empty()) return table;
  const std::string x_title = chart.x_label.empty() ? "x" : chart.x_label;
  if (!chart.categories.empty() || share_x(chart)) {
    table.columns.push_back({x_title, "", chart.categories.empty()});
    std::size_t rows = 0;
    for (const ChartSeries& series : chart.series) {
      table.columns.push_back({series.name, "", true});
      rows = std::max(rows, series.points.size());
    }
    for (std::size_t i = 0; i < rows; ++i) {
      std::vector<Cell> row;
      if (chart.categories.empty()) {
        const double x = chart.series.front().points[i].x;
        row.emplace_back(x_text(x), x);
      } else {
        row.emplace_back(chart.categories[i]);
      }
      for (const ChartSeries& series : chart.series) {
        const ChartPoint none{0, kNoValue, kNoValue, kNoValue, {}};
        row.push_back(
            value_cell(i < series.points.size() ? series.points[i] : none, chart.decimals));
      }
      table.rows.push_back(std::move(row));
    }
    return table;
  }
  table.columns = {{"Series", "", false},
                   {x_title, "", true},
                   {chart.y_label.empty() ? "y" : chart.y_label, "", true},
                   {"Name", "", false}};
  for (const ChartSeries& series : chart.series) {
    for (const ChartPoint& point : series.points) {
      table.rows.push_back({Cell(series.name), Cell(x_text(point.x), point.x),
                            value_cell(point, chart.decimals), Cell(point.label)});
    }
  }
  return table;
}

Json board_json(const BoardFigure& board) {
  const Ruleset rules = find_ruleset(board.rules).value_or_throw("board");
  const Position position =
      parse_fen(rules, board.fen).value_or_throw("board \"" + board.fen + "\"");
  return {{"game", game_name(rules.game)},
          {"fen", to_fen(position)},
          {"from", board.last_move ? to_uci(board.last_move.from()) : ""},
          {"to", board.last_move ? to_uci(board.last_move.to()) : ""}};
}

Json board_heat_json(const BoardHeatMap& heat) {
  Json values = Json::array();
  for (const double value : heat.values) values.push_back(number_json(value));
  return {{"game", game_name(heat.game)},
          {"values", std::move(values)},
          {"middle", heat.middle},
          {"decimals", heat.decimals}};
}

Json viewer_json(const GameViewer& viewer) {
  Shared rulesets;
  Shared starts;
  Shared players;
  Shared results;
  std::map<std::string, Ruleset> known;
  Json games = Json::array();
  for (const GameRecord& game : viewer.games) {
    const std::string where = fmt::format("game {}", game.id);
    if (!known.contains(game.rules)) {
      known.emplace(game.rules, find_ruleset(game.rules).value_or_throw(where));
    }
    const Position start =
        parse_fen(known.at(game.rules), game.start_fen).value_or_throw(where + ", start");
    const std::optional<Side> winner = game.outcome.winner;
    Json entry{{"id", std::to_string(game.id)},  // text: 64 bits do not fit a script's number
               {"rules", rulesets.place(game.rules)},
               {"start", starts.place(to_fen(start))},
               {"players", {players.place(game.players[0]), players.place(game.players[1])}},
               {"opening", game.opening_plies},
               {"result", results.place(outcome_words(start.game(), game.outcome))},
               {"reason", in_words(reason_name(game.outcome.reason))},
               {"moves", move_words(game, start)},
               {"scores", score_words(game, start.side_to_move())}};
    // -1 is a draw; null a game without a result.
    if (!game.outcome.known()) {
      entry["winner"] = nullptr;
    } else {
      entry["winner"] = !winner ? -1 : index_of(*winner);
    }
    if (game.points_halves != std::array<int, 2>{}) {
      entry["points"] = {game.points_halves[0] / 2.0, game.points_halves[1] / 2.0};
    }
    if (!game.note.empty()) entry["note"] = game.note;
    games.push_back(std::move(entry));
  }
  Json ruleset_list = Json::array();
  for (const std::string& id : rulesets.values()) {
    const Game game = known.at(id).game;
    ruleset_list.push_back(
        {{"id", id},
         {"game", game_name(game)},
         {"sides", {side_words(game, Side::kFirst), side_words(game, Side::kSecond)}}});
  }
  return {{"name", viewer.name},         {"rulesets", std::move(ruleset_list)},
          {"starts", starts.values()},   {"players", players.values()},
          {"results", results.values()}, {"games", std::move(games)},
          {"mateScore", kMateScore},     {"mateBound", kMateBound}};
}

}  // namespace cannonade
