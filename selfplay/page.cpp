#include "selfplay/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <kainjow/mustache.hpp>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "core/base/error.h"
#include "selfplay/page_assets.h"
#include "selfplay/page_json.h"
#include "selfplay/page_text.h"

namespace cannonade {
namespace {

namespace mustache = kainjow::mustache;
using Data = mustache::data;

// A chart with more points than these keeps its numbers to itself.
constexpr std::size_t kMaxTabledPoints = 400;
// From so many sections on the page opens with a list of them.
constexpr std::size_t kSectionsForContents = 3;

Data text(std::string_view value) {
  return Data(clean_text(value));
}

// A section of the template tests for false, not for emptiness. Every name that the template tests
// is set in every block: a name that is not set would be looked up in the blocks around it.
Data text_or_false(std::string_view value) {
  return value.empty() ? Data(false) : text(value);
}

std::string tone_class(Tone tone) {
  switch (tone) {
    case Tone::kGood:
      return "good";
    case Tone::kBad:
      return "bad";
    case Tone::kNote:
      return "note";
    case Tone::kPlain:
      break;
  }
  return "plain";
}

std::string_view asset(std::string_view name) {
  for (const PageAsset& candidate : page_assets()) {
    if (candidate.name == name) return candidate.bytes;
  }
  throw internal_error("the report page's file " + std::string(name) + " is not compiled in");
}

Data list_of(const std::vector<std::string>& lines) {
  Data list{Data::type::list};
  for (const std::string& line : lines) list.push_back(Data("text", text(line)));
  return list;
}

// Which viewer holds which games, for links.
using HeldGames = std::set<std::pair<std::string, std::uint64_t>>;

// Turns a page into what the template and the scripts take. One object renders one page.
class Renderer {
 public:
  explicit Renderer(const Page& page) : page_(page) { check_viewers(); }

  std::string run() {
    Data sections{Data::type::list};
    Data contents{Data::type::list};
    std::size_t number = 0;
    for (const Section& section : page_.sections) {
      const std::string id = fmt::format("s{}", ++number);
      Data entry;
      entry.set("id", Data(id));
      entry.set("title", text(section.title));
      entry.set("groups", groups(section));
      sections.push_back(entry);
      Data link;
      link.set("id", Data(id));
      link.set("title", text(section.title));
      contents.push_back(link);
    }
    Data data;
    data.set("page_title", text(page_.title));
    data.set("page_subtitle", text_or_false(page_.subtitle));
    data.set("page_footer", text_or_false(page_.footer));
    data.set("page_summary", list_of(page_.summary));
    data.set("page_figures", key_figures(page_.figures));
    data.set("sections", sections);
    data.set("has_contents", Data(page_.sections.size() >= kSectionsForContents));
    data.set("contents", contents);
    data.set("has_boards", Data(has_boards_));
    data.set("css", Data(std::string(asset("page.css"))));
    data.set("table", Data(std::string(asset("table.mustache"))));
    data.set("tile", Data(std::string(asset("tile.mustache"))));
    Data scripts{Data::type::list};
    std::string hashes;
    for (const PageAsset& file : page_assets()) {
      if (!file.name.ends_with(".js")) continue;
      scripts.push_back(Data("bytes", Data(std::string(file.bytes))));
      hashes += fmt::format(" 'sha256-{}'", file.sha256);
    }
    data.set("scripts", scripts);
    data.set("script_hashes", Data(hashes));
    data.set("json", Data(json_for_script({{"charts", std::move(charts_)},
                                           {"boards", std::move(boards_)},
                                           {"heats", std::move(heats_)},
                                           {"viewers", std::move(viewers_)}})));

    mustache::mustache page(std::string(asset("page.mustache")));
    std::string html = page.render(data);
    if (!page.is_valid()) throw internal_error("report template: " + page.error_message());
    return html;
  }

 private:
  void check_viewers() {
    std::size_t games = 0;
    std::set<std::string> names;
    for (const Section& section : page_.sections) {
      for (const Block& block : section.blocks) {
        const auto* viewer = std::get_if<GameViewer>(&block);
        if (viewer == nullptr) continue;
        const bool plain = std::all_of(viewer->name.begin(), viewer->name.end(), [](char c) {
          return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                 c == '-' || c == '_';
        });
        if (viewer->name.empty() || !plain || !names.insert(viewer->name).second) {
          throw internal_error("game viewer \"" + viewer->name +
                               "\": the name is empty, used twice, or not letters and digits");
        }
        games += viewer->games.size();
        for (const GameRecord& game : viewer->games) held_.emplace(viewer->name, game.id);
      }
    }
    if (games > kMaxViewerGames) {
      throw internal_error(
          fmt::format("{} games to show on one page; the most is {}", games, kMaxViewerGames));
    }
  }

  // Blocks, with figures of one kind that follow each other as one group.
  Data groups(const Section& section) {
    Data result{Data::type::list};
    std::size_t i = 0;
    while (i < section.blocks.size()) {
      const std::string kind = group_kind(section.blocks[i]);
      Data blocks{Data::type::list};
      do {
        blocks.push_back(block(section.blocks[i]));
        ++i;
      } while (i < section.blocks.size() && !kind.empty() && group_kind(section.blocks[i]) == kind);
      Data group;
      group.set("kind", kind.empty() ? Data(false) : Data(kind));
      group.set("blocks", blocks);
      result.push_back(group);
    }
    return result;
  }

  static std::string group_kind(const Block& block) {
    if (std::holds_alternative<Chart>(block)) return "charts";
    if (std::holds_alternative<HeatMap>(block)) return "heats";
    if (std::holds_alternative<BoardFigure>(block)) return "boards";
    if (std::holds_alternative<BoardHeatMap>(block)) return "boards";
    return "";
  }

  Data block(const Block& block) {
    Data data;
    for (const char* name : {"paragraph", "bullets", "heading", "figures", "a_table", "chart",
                             "heat_map", "board", "board_heat", "viewer", "provenance"}) {
      data.set(name, Data(false));
    }
    std::visit([&](const auto& content) { fill(data, content); }, block);
    return data;
  }

  static void fill(Data& data, const Paragraph& paragraph) {
    Data entry;
    entry.set("text", text(paragraph.text));
    entry.set("boxed", Data(paragraph.tone != Tone::kPlain));
    entry.set("tone", Data(tone_class(paragraph.tone)));
    data.set("paragraph", entry);
  }

  static void fill(Data& data, const BulletList& bullets) {
    data.set("bullets", Data("items", list_of(bullets.items)));
  }

  static void fill(Data& data, const Heading& heading) {
    data.set("heading", Data("text", text(heading.text)));
  }

  static void fill(Data& data, const KeyFigures& figures) {
    data.set("figures", Data("tiles", key_figures(figures.figures)));
  }

  void fill(Data& data, const Table& table) { data.set("a_table", table_data(table)); }

  void fill(Data& data, const Chart& chart) {
    Data entry;
    entry.set("index", Data(std::to_string(charts_.size())));
    entry.set("title", text_or_false(chart.title));
    entry.set("label", text(chart.title.empty() ? chart.y_label : chart.title));
    entry.set("note", text_or_false(chart.note));
    std::size_t points = 0;
    for (const ChartSeries& series : chart.series) points += series.points.size();
    const bool tabled = points > 0 && points <= kMaxTabledPoints;
    entry.set("numbers", tabled ? table_data(chart_table(chart)) : Data(false));
    charts_.push_back(chart_json(chart));
    data.set("chart", entry);
  }

  static void fill(Data& data, const HeatMap& heat) {
    const std::size_t cells = heat.rows.size() * heat.columns.size();
    if (cells == 0 || heat.values.size() != cells ||
        (!heat.errors.empty() && heat.errors.size() != cells)) {
      throw internal_error(fmt::format("heat map \"{}\": {} values and {} errors for {} x {} cells",
                                       heat.title, heat.values.size(), heat.errors.size(),
                                       heat.rows.size(), heat.columns.size()));
    }
    double widest = 0;
    for (const double value : heat.values) {
      if (std::isfinite(value)) widest = std::max(widest, std::abs(value - heat.middle));
    }
    Data rows{Data::type::list};
    for (std::size_t row = 0; row < heat.rows.size(); ++row) {
      Data row_cells{Data::type::list};
      for (std::size_t column = 0; column < heat.columns.size(); ++column) {
        const std::size_t place = row * heat.columns.size() + column;
        const double value = heat.values[place];
        const bool there = std::isfinite(value);
        const double depth = there && widest > 0 ? std::abs(value - heat.middle) / widest : 0;
        Data cell;
        cell.set("hue", Data(!there ? "empty" : value < heat.middle ? "below" : "above"));
        cell.set("depth", Data(fmt::format("{:.3f}", depth)));
        cell.set("value", text(format_number(value, heat.decimals) + (there ? heat.unit : "")));
        cell.set("error", text_or_false(heat.errors.empty() ? "" : heat.errors[place]));
        row_cells.push_back(cell);
      }
      Data entry;
      entry.set("row", text(heat.rows[row]));
      entry.set("cells", row_cells);
      rows.push_back(entry);
    }
    Data entry;
    entry.set("title", text_or_false(heat.title));
    entry.set("note", text_or_false(heat.note));
    entry.set("row_title", text(heat.row_title));
    entry.set("column_title", text_or_false(heat.column_title));
    entry.set("column_count", Data(std::to_string(heat.columns.size())));
    entry.set("columns", list_of(heat.columns));
    entry.set("rows", rows);
    data.set("heat_map", entry);
  }

  void fill(Data& data, const BoardFigure& board) {
    has_boards_ = true;
    Data entry;
    entry.set("index", Data(std::to_string(boards_.size())));
    entry.set("caption", text_or_false(board.caption));
    entry.set("fen", text(board.fen));
    boards_.push_back(board_json(board));
    data.set("board", entry);
  }

  void fill(Data& data, const BoardHeatMap& heat) {
    Data entry;
    entry.set("index", Data(std::to_string(heats_.size())));
    entry.set("caption", text_or_false(heat.caption));
    heats_.push_back(board_heat_json(heat));
    data.set("board_heat", entry);
  }

  void fill(Data& data, const GameViewer& viewer) {
    has_boards_ = true;
    Data entry;
    entry.set("index", Data(std::to_string(viewers_.size())));
    entry.set("title", text_or_false(viewer.title));
    std::string shown = format_count(viewer.games.size());
    shown += viewer.games.size() == 1 ? " game" : " games";
    if (viewer.population > viewer.games.size()) {
      shown += " of " + format_count(viewer.population);
    }
    if (!viewer.sampling.empty()) shown += ": " + viewer.sampling;
    entry.set("shown", text(shown));
    viewers_.push_back(viewer_json(viewer));
    data.set("viewer", entry);
  }

  static void fill(Data& data, const Provenance& provenance) {
    Data facts{Data::type::list};
    for (const auto& [name, value] : provenance.facts) {
      Data fact;
      fact.set("name", text(name));
      fact.set("value", text(value));
      facts.push_back(fact);
    }
    Data texts{Data::type::list};
    for (const auto& [name, value] : provenance.texts) {
      Data entry;
      entry.set("name", text(name));
      entry.set("value", text(value));
      texts.push_back(entry);
    }
    Data entry;
    entry.set("title", text(provenance.title));
    entry.set("has_facts", Data(!provenance.facts.empty()));
    entry.set("facts", facts);
    entry.set("texts", texts);
    data.set("provenance", entry);
  }

  static Data key_figures(const std::vector<KeyFigure>& figures) {
    Data tiles{Data::type::list};
    for (const KeyFigure& figure : figures) {
      Data tile;
      tile.set("label", text(figure.label));
      tile.set("value", text(figure.value));
      tile.set("error", text_or_false(figure.error));
      tile.set("note", text_or_false(figure.note));
      tile.set("tone", Data(tone_class(figure.tone)));
      tiles.push_back(tile);
    }
    return tiles;
  }

  Data table_data(const Table& table) const {
    Data columns{Data::type::list};
    for (const Column& column : table.columns) {
      Data entry;
      entry.set("title", text(column.title));
      entry.set("note", text_or_false(column.note));
      entry.set("numeric", Data(column.numeric));
      columns.push_back(entry);
    }
    Data rows{Data::type::list};
    for (const std::vector<Cell>& row : table.rows) {
      if (row.size() != table.columns.size()) {
        throw internal_error(fmt::format("table \"{}\": a row of {} cells for {} columns",
                                         table.title, row.size(), table.columns.size()));
      }
      Data cells{Data::type::list};
      for (std::size_t i = 0; i < row.size(); ++i) {
        const Cell& cell = row[i];
        const bool linked = cell.game && held_.contains({cell.game->viewer, cell.game->game});
        Data entry;
        entry.set("text", text(cell.text));
        entry.set("numeric", Data(table.columns[i].numeric));
        entry.set("tone", cell.tone == Tone::kPlain ? Data(false) : Data(tone_class(cell.tone)));
        entry.set("sort", cell.number ? Data(fmt::format("{}", *cell.number)) : Data(false));
        entry.set("link", linked
                              ? Data(fmt::format("game-{}-{}", cell.game->viewer, cell.game->game))
                              : Data(false));
        cells.push_back(entry);
      }
      rows.push_back(Data("cells", cells));
    }
    Data entry;
    entry.set("title", text_or_false(table.title));
    entry.set("label", text(table.title.empty() ? "Table" : table.title));
    entry.set("note", text_or_false(table.note));
    entry.set("shown", Data(std::to_string(table.shown_rows)));
    entry.set("columns", columns);
    entry.set("rows", rows);
    return entry;
  }

  const Page& page_;
  HeldGames held_;
  bool has_boards_ = false;
  nlohmann::json charts_ = nlohmann::json::array();
  nlohmann::json boards_ = nlohmann::json::array();
  nlohmann::json heats_ = nlohmann::json::array();
  nlohmann::json viewers_ = nlohmann::json::array();
};

}  // namespace

std::string render(const Page& page) {
  return Renderer(page).run();
}

}  // namespace cannonade
