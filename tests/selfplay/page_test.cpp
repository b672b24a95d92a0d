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
