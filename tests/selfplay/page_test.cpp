#include "selfplay/page.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/notation/fen.h"
#include "core/notation/uci_move.h"
#include "selfplay/page_assets.h"
#include "selfplay/page_json.h"
#include "selfplay/page_text.h"
#include "tests/browser/demo_page.h"

namespace cannonade {
namespace {

std::size_t count_of(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

// What is wrong with the nesting of the page's elements; empty when nothing is. Knows what our own
// template uses: quoted attributes, void elements, raw text in script and style.
std::string nesting_fault(std::string_view html) {
  const std::set<std::string, std::less<>> kVoid{"meta", "link", "br", "img", "input"};
  std::vector<std::string> open;
  std::size_t at = 0;
  while ((at = html.find('<', at)) != std::string_view::npos) {
    if (html.substr(at, 2) == "<!") {
      at = html.find('>', at);
      continue;
    }
    const bool closing = html.substr(at, 2) == "</";
    const std::size_t start = at + (closing ? 2 : 1);
    const std::size_t end = html.find_first_of(" >\n", start);
    const std::string name(html.substr(start, end - start));
    bool quoted = false;
    for (at = end; at < html.size() && (quoted || html[at] != '>'); ++at) {
      if (html[at] == '"') quoted = !quoted;
      if (!quoted && html[at] == '<') return "a < inside <" + name;
    }
    if (closing) {
      if (open.empty() || open.back() != name) {
        return "</" + name + "> closes <" + (open.empty() ? "" : open.back());
      }
      open.pop_back();
    } else if (!kVoid.contains(name)) {
      open.push_back(name);
      if (name == "script" || name == "style") at = html.find("</" + name, at);
    }
  }
  return open.empty() ? "" : "<" + open.back() + "> stays open";
}

nlohmann::json data_of(const std::string& html) {
  const std::string_view kStart = "<script type=\"application/json\" id=\"page-data\">";
  const std::size_t from = html.find(kStart) + kStart.size();
  return nlohmann::json::parse(html.substr(from, html.find("</script>", from) - from));
}

Page page_with(Block block) {
  Page page;
  page.title = std::string("t");
  page.add_section("s").add(std::move(block));
  return page;
}

// The message of the Error of that kind that rendering throws; empty when it throws none.
std::string refusal(Block block, ErrorKind kind) {
  try {
    (void)render(page_with(std::move(block)));
  } catch (const Error& error) {
    EXPECT_EQ(static_cast<int>(error.kind()), static_cast<int>(kind)) << error.what();
    return error.what();
  }
  return "";
}

TEST(PageText, NumbersHaveThousandsAndTrueMinusSigns) {
  EXPECT_EQ(format_count(0), "0");
  EXPECT_EQ(format_count(999), "999");
  EXPECT_EQ(format_count(1234567), "1,234,567");
  EXPECT_EQ(format_number(-1234.56, 1), "\u22121,234.6");
  EXPECT_EQ(format_number(-0.04, 1), "0.0");
  EXPECT_EQ(format_number(std::nan(""), 1), "\u2013");
  EXPECT_EQ(format_signed(12.34, 1), "+12.3");
  EXPECT_EQ(format_signed(-12.34, 1), "\u221212.3");
  EXPECT_EQ(format_signed(0.01, 1), "0.0");
  EXPECT_EQ(format_percent(0.5236, 1), "52.4\u00a0%");
  EXPECT_EQ(format_error(7.25, 1), "\u00b1\u00a07.2");
  EXPECT_EQ(format_interval(-3, 12.44, 1), "\u22123.0 to 12.4");
}

TEST(PageText, DurationsUseTheUnitThatFits) {
  EXPECT_EQ(format_duration(0.84), "0.8\u00a0s");
  EXPECT_EQ(format_duration(42.4), "42\u00a0s");
  EXPECT_EQ(format_duration(59.7), "1\u00a0min 0\u00a0s");
  EXPECT_EQ(format_duration(200), "3\u00a0min 20\u00a0s");
  EXPECT_EQ(format_duration(8000), "2\u00a0h 13\u00a0min");
}

TEST(PageText, OutcomesReadAsSentences) {
  const auto words = [](Game game, std::optional<Side> winner, Reason reason, bool points = false) {
    return outcome_words(game, Outcome{winner, reason, points});
  };
  EXPECT_EQ(words(Game::kJanggi, Side::kFirst, Reason::kCheckmate), "Cho won by checkmate");
  EXPECT_EQ(words(Game::kJanggi, Side::kSecond, Reason::kNoProgress, true),
            "Han won on points after no progress");
  EXPECT_EQ(words(Game::kXiangqi, Side::kSecond, Reason::kPerpetualCheck),
            "Black won: perpetual check by Red");
  EXPECT_EQ(words(Game::kXiangqi, Side::kFirst, Reason::kTime), "Red won on time");
  EXPECT_EQ(words(Game::kJanggi, std::nullopt, Reason::kInsufficientMaterial),
            "Drawn by insufficient material");
  EXPECT_EQ(words(Game::kJanggi, std::nullopt, Reason::kUnfinished), "No result");
}

TEST(PageText, CleanTextIsUtf8WithoutControlCharacters) {
  EXPECT_EQ(clean_text("楚 漢\n\tx"), "楚 漢\n\tx");
  EXPECT_EQ(clean_text(std::string_view("a\0b\r\x1b\x7f", 6)), "a b   ");
  EXPECT_EQ(clean_text("a\xff z"), "a\ufffd z");
  EXPECT_EQ(clean_text("\xe6\xa5"), "\ufffd");  // the first two bytes of three
}

TEST(PageText, JsonForAScriptCannotEndTheScript) {
  const std::string text = json_for_script({{"</script>", kHostileName}});
  EXPECT_EQ(text.find_first_of("<>&"), std::string::npos);
  EXPECT_TRUE(std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c < 127; }));
  EXPECT_EQ(nlohmann::json::parse(text).at("</script>"), clean_text(kHostileName));
}

TEST(Page, HasEveryElementOnceAndNestedRight) {
  const std::string html = render(demo_page());
  EXPECT_EQ(nesting_fault(html), "");
  EXPECT_EQ(count_of(html, "<h1>"), 1);
  EXPECT_EQ(count_of(html, "<h2 "), demo_page().sections.size());
  EXPECT_EQ(count_of(html, "data-chart="), 4);
  EXPECT_EQ(count_of(html, "data-board="), 2);
  EXPECT_EQ(count_of(html, "data-heat="), 2);
  EXPECT_EQ(count_of(html, "<details class=\"made\">"), 1);
  EXPECT_EQ(html.find("{{"), std::string::npos);
  const auto data = data_of(html);
  EXPECT_EQ(data.at("charts").size(), 4);
  EXPECT_EQ(data.at("viewers").at(0).at("games").size(), 30);
}

TEST(Page, IsTheSameBytesEveryTime) {
  EXPECT_EQ(render(demo_page()), render(demo_page()));
}

TEST(Page, AsksTheNetworkForNothing) {
  const std::string html = render(demo_page());
  EXPECT_NE(html.find("default-src 'none'"), std::string::npos);
  EXPECT_EQ(html.find("src=\"http"), std::string::npos);
  EXPECT_EQ(html.find("href=\"http"), std::string::npos);
  EXPECT_EQ(html.find("@import"), std::string::npos);
  EXPECT_EQ(html.find("url("), std::string::npos);
}

TEST(Page, HostileTextIsEscapedWhereverItStands) {
  Page page;
  const std::string evil = kHostileName;
  page.title = page.subtitle = page.footer = evil;
  page.summary = {evil};
  page.figures = {{evil, evil, evil, evil, Tone::kGood}};
  Section& section = page.add_section(evil);
  section.add(Paragraph{evil, Tone::kBad}).add(BulletList{{evil}}).add(Heading{evil});
  section.add(KeyFigures{{{evil, evil, evil, evil, Tone::kPlain}}});
  Table table{evil, {{evil, evil, true}}, {{Cell(evil)}}, evil, 0};
  section.add(table);
  Chart chart;
  chart.kind = ChartKind::kBar;
  chart.title = chart.note = chart.x_label = chart.y_label = evil;
  chart.categories = {evil};
  chart.series = {{evil, {{0, 1, 0, 2, evil}}}};
  chart.references = {{ReferenceLine::Axis::kY, 1, evil}};
  section.add(chart);
  section.add(HeatMap{evil, evil, evil, evil, {evil}, {evil}, {1.0}, {evil}, 0, 1, evil});
  section.add(BoardFigure{"janggi-kja", std::string(start_fen(Game::kJanggi)), evil, kNoMove});
  BoardHeatMap heat;
  heat.caption = evil;
  section.add(heat);
  GameViewer viewer;
  viewer.name = "games";
  viewer.title = viewer.sampling = evil;
  viewer.games = {demo_game("xiangqi-casual", 1, 10)};
  viewer.games[0].players = {evil, evil};
  viewer.games[0].note = evil;
  section.add(viewer);
  section.add(Provenance{evil, {{evil, evil}}, {{evil, evil}}});

  const std::string html = render(page);
  EXPECT_EQ(nesting_fault(html), "");
  EXPECT_EQ(html.find("<img"), std::string::npos);
  EXPECT_EQ(html.find("onerror=\""), std::string::npos);
  EXPECT_EQ(html.find("'q' \"q\" &"), std::string::npos);
  EXPECT_EQ(html.find('\xff'), std::string::npos);
  // One script element each for the data and the page's own scripts.
  std::size_t scripts = 1;
  for (const PageAsset& asset : page_assets()) scripts += asset.name.ends_with(".js") ? 1 : 0;
  EXPECT_EQ(count_of(html, "<script"), scripts);
  EXPECT_EQ(count_of(html, "</script"), scripts);
  const auto data = data_of(html);
  EXPECT_EQ(data.at("charts").at(0).at("categories").at(0), clean_text(evil));
  EXPECT_EQ(data.at("viewers").at(0).at("games").at(0).at("note"), clean_text(evil));
}

TEST(Page, OwnScriptsPutNoTextIntoThePageAsMarkup) {
  for (const PageAsset& asset : page_assets()) {
    if (!asset.name.ends_with(".js") || asset.name == "chart.min.js") continue;
    for (const char* way : {"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write"}) {
      EXPECT_EQ(asset.bytes.find(way), std::string_view::npos) << asset.name << " uses " << way;
    }
  }
}

TEST(Page, LinksOnlyToGamesThatItHolds) {
  Page page;
  Table table{"", {{"Game", "", true}}, {}, "", 0};
  for (const std::uint64_t id : {std::uint64_t{7}, std::uint64_t{8}}) {
    Cell cell(std::to_string(id), static_cast<double>(id));
    cell.game = GameLink{"kja", id};
    table.rows.push_back({cell});
  }
  GameViewer viewer;
  viewer.name = "kja";
  viewer.games = {demo_game("janggi-kja", 7, 5)};
  page.add_section("s").add(table).add(viewer);
  const std::string html = render(page);
  EXPECT_NE(html.find("<a href=\"#game-kja-7\">7</a>"), std::string::npos);
  EXPECT_EQ(html.find("#game-kja-8"), std::string::npos);
}

TEST(Page, SaysHowManyGamesItShowsOfHowMany) {
  GameViewer viewer;
  viewer.name = "v";
  viewer.games = {demo_game("janggi-kja", 1, 5)};
  EXPECT_NE(render(page_with(viewer)).find(">1 game</p>"), std::string::npos);
  viewer.population = 12345;
  viewer.sampling = "the first";
  EXPECT_NE(render(page_with(viewer)).find(">1 game of 12,345: the first</p>"), std::string::npos);
}

TEST(Page, SectionReferencesStayGoodAsSectionsAreAdded) {
  Page page;
  Section& first = page.add_section("first");
  for (int i = 0; i < 100; ++i) page.add_section("another");
  first.add(Paragraph{"late"});
  EXPECT_EQ(page.sections.front().blocks.size(), 1U);
}

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

TEST(PageRefuses, PositionsThatAreNone) {
  const auto board = [](const char* rules, const char* fen) {
    return refusal(BoardFigure{rules, fen, "", kNoMove}, ErrorKind::kUser);
  };
  EXPECT_NE(board("janggi-kja", "not a fen").find("not a fen"), std::string::npos);
  EXPECT_NE(board("xiangqi-casual", "9/9/9/9/9/9/9/9/9/9 w - -"), "");  // no generals
  EXPECT_NE(board("chess", "9/9/9/9/9/9/9/9/9/9 w - -").find("chess"), std::string::npos);
}

TEST(PageRefuses, GamesThatCannotBePlayedThrough) {
  GameViewer viewer;
  viewer.name = "v";
  viewer.games = {demo_game("janggi-kja", 3, 20)};
  viewer.games[0].moves[9] = Move(make_square(4, 4), make_square(4, 4));
  const std::string message = refusal(viewer, ErrorKind::kUser);
  EXPECT_NE(message.find("game 3, ply 10"), std::string::npos) << message;
  viewer.games = {demo_game("janggi-kja", 3, 20)};
  viewer.games[0].start_fen = "x";
  EXPECT_NE(refusal(viewer, ErrorKind::kUser).find("game 3, start"), std::string::npos);
  viewer.games = {demo_game("janggi-kja", 3, 20)};
  viewer.games[0].scores.pop_back();
  EXPECT_NE(refusal(viewer, ErrorKind::kInternal), "");
}

TEST(PageRefuses, PagesThatContradictThemselves) {
  const auto internal = [](Block block) { return refusal(std::move(block), ErrorKind::kInternal); };
  EXPECT_NE(internal(Table{"t", {{"a", "", false}}, {{Cell("x"), Cell("y")}}, "", 0}), "");
  EXPECT_NE(internal(HeatMap{"h", "", "", "", {"a"}, {"b"}, {1, 2}, {}, 0, 1, ""}), "");
  EXPECT_NE(internal(HeatMap{"h", "", "", "", {"a"}, {"b"}, {1}, {"x", "y"}, 0, 1, ""}), "");
  EXPECT_NE(internal(HeatMap{}), "");

  Chart bars;
  bars.kind = ChartKind::kBar;
  bars.series = {{"a", {{0, 1, kNoValue, kNoValue, {}}}}};
  EXPECT_NE(internal(bars), "");
  bars.categories = {"one"};
  EXPECT_EQ(internal(bars), "");
  bars.series[0].points.resize(2);
  EXPECT_NE(internal(bars), "");

  Chart logarithmic;
  logarithmic.log_x = true;
  logarithmic.series = {{"a", {{0, 1, kNoValue, kNoValue, {}}}}};
  EXPECT_NE(internal(logarithmic), "");

  GameViewer viewer;
  EXPECT_NE(internal(viewer), "");  // no name
  viewer.name = "a b";
  EXPECT_NE(internal(viewer), "");
  viewer.name = "a";
  EXPECT_EQ(internal(viewer), "");  // no games are no contradiction
  Page twice = page_with(viewer);
  twice.sections.front().add(viewer);
  EXPECT_THROW((void)render(twice), Error);
  viewer.games.assign(kMaxViewerGames + 1, demo_game("xiangqi-casual", 1, 1));
  EXPECT_NE(internal(viewer).find("601"), std::string::npos);
}

TEST(Page, AnEmptyPageIsAPage) {
  const std::string html = render(Page{});
  EXPECT_EQ(nesting_fault(html), "");
  EXPECT_EQ(count_of(html, "class=\"contents\""), 0);
  EXPECT_EQ(count_of(html, "data-script="), 0);
}

}  // namespace
}  // namespace cannonade
