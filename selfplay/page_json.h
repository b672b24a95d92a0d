// What a report page's scripts draw, as JSON: charts, boards, games. Each function checks what it
// is given and throws as render() says (page.h).
#pragma once

#include <nlohmann/json.hpp>

#include "selfplay/page.h"

namespace cannonade {

// Kind, labels, series; a point is [x, y, low, high, label], null where there is no value.
[[nodiscard]] nlohmann::json chart_json(const Chart& chart);
// The chart's numbers as a table: one row an x where all series share theirs, one row a point
// otherwise.
[[nodiscard]] Table chart_table(const Chart& chart);

// {game, fen, from, to}: the FEN as our own writer has it, points as UCI names.
[[nodiscard]] nlohmann::json board_json(const BoardFigure& board);
// {game, values, middle, decimals}.
[[nodiscard]] nlohmann::json board_heat_json(const BoardHeatMap& heat);

// {name, rulesets, starts, players, results, games}: a game is its start, its moves as UCI words,
// its scores in centipawns from the first mover's view ("." for none), and how it ended. The
// scripts move pieces, and need no rules for it.
[[nodiscard]] nlohmann::json viewer_json(const GameViewer& viewer);

}  // namespace cannonade
