#include "selfplay/page_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "core/notation/fen.h"
#include "core/notation/uci_move.h"
#include "tests/browser/demo_page.h"

namespace cannonade {
namespace {

TEST(PageJson, GamesCarryTheirMovesAndScoresFromTheFirstMoversView) {
  GameRecord game;
  game.id = 0x8000000000000001ULL;  // more than a script's number holds
  game.rules = "janggi-point-count";
  game.start_fen = std::string(start_fen(Game::kJanggi));
  game.players = {"A", "B"};
  for (const char* word : {"a4a5", "i7i6", "e2e2", "a7b7"}) {
    game.moves.push_back(parse_uci_move(word).value_or_throw());
  }
  game.scores = {kNoScore, 25, -40, static_cast<std::int16_t>(kMateScore - 3)};
  game.outcome = {Side::kSecond, Reason::kDoublePass, true};
  game.points_halves = {144, 147};
  GameViewer viewer;
  viewer.games = {game};
  const auto json = viewer_json(viewer);
  const auto& entry = json.at("games").at(0);
  EXPECT_EQ(entry.at("id"), "9223372036854775809");
  EXPECT_EQ(entry.at("moves"), "a4a5 i7i6 e2e2 a7b7");
  EXPECT_EQ(entry.at("scores"), ". -25 -40 -31997");
  EXPECT_EQ(entry.at("winner"), 1);
  EXPECT_EQ(entry.at("reason"), "double pass");
  EXPECT_EQ(entry.at("points"), nlohmann::json({72.0, 73.5}));
  EXPECT_EQ(json.at("results").at(0), "Han won on points after double pass");
  EXPECT_EQ(json.at("rulesets").at(0),
            nlohmann::json(
                {{"id", "janggi-point-count"}, {"game", "janggi"}, {"sides", {"Cho", "Han"}}}));
}

TEST(PageJson, ScoresFollowTheSideToMoveOfTheStart) {
  GameRecord game;
  game.rules = "xiangqi-casual";
  game.start_fen = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1";
  game.moves = {parse_uci_move("h10g8").value_or_throw()};
  game.scores = {30};
  game.outcome = {std::nullopt, Reason::kUnfinished, false};
  GameViewer viewer;
  viewer.games = {game};
  const auto json = viewer_json(viewer);
  EXPECT_EQ(json.at("games").at(0).at("scores"), "-30");
  EXPECT_TRUE(json.at("games").at(0).at("winner").is_null());
  EXPECT_EQ(json.at("results").at(0), "No result");
}

TEST(PageJson, WhatGamesHaveInCommonIsWrittenOnce) {
  GameViewer viewer;
  for (std::uint64_t id = 0; id < 50; ++id)
    viewer.games.push_back(demo_game("xiangqi-casual", id, 2));
  const auto json = viewer_json(viewer);
  EXPECT_EQ(json.at("starts").size(), 1);
  EXPECT_EQ(json.at("players").size(), 2);
  EXPECT_LT(json.dump().size(), 50U * 200U);
}

TEST(PageJson, BoardsAreWrittenInTheProgramsOwnLetters) {
  const auto json = board_json(
      {"janggi-kja", "rhea1aehr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RHEA1AEHR w - -", "",
       parse_uci_move("h3h10").value_or_throw()});
  EXPECT_EQ(json.at("fen"),
            "rnba1abnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBA1ABNR w - - 0 1");
  EXPECT_EQ(json.at("from"), "h3");
  EXPECT_EQ(json.at("to"), "h10");
}

TEST(PageJson, ChartsWriteHolesAsNull) {
  Chart chart;
  chart.series = {{"a", {{1, kNoValue, kNoValue, kNoValue, {}}, {2, 3.5, 3, 4, "x"}}}};
  const auto points = chart_json(chart).at("series").at(0).at("points");
  EXPECT_EQ(points.at(0), nlohmann::json({1.0, nullptr, nullptr, nullptr}));
  EXPECT_EQ(points.at(1), nlohmann::json({2.0, 3.5, 3.0, 4.0, "x"}));
}

TEST(PageJson, AChartsNumbersAreTabledByItsCommonX) {
  Chart chart;
  chart.x_label = "generation";
  chart.decimals = 1;
  chart.series = {{"a", {{1, 10, 8, 12, {}}, {2, 20, kNoValue, kNoValue, {}}}},
                  {"b", {{1, -5, kNoValue, kNoValue, {}}, {2, kNoValue, kNoValue, kNoValue, {}}}}};
  const Table table = chart_table(chart);
  ASSERT_EQ(table.columns.size(), 3U);
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.rows[0][0].text, "1");
  EXPECT_EQ(table.rows[0][1].text, "10.0 (8.0 to 12.0)");
  EXPECT_EQ(table.rows[0][2].text, "\u22125.0");
  EXPECT_EQ(table.rows[1][2].text, "\u2013");
  EXPECT_FALSE(table.rows[1][2].number.has_value());

  chart.series[1].points.pop_back();  // no longer the same x: one row a point
  EXPECT_EQ(chart_table(chart).rows.size(), 3U);
}

}  // namespace
}  // namespace cannonade
