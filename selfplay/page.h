// A report page: what it holds, and its rendering to one self-contained HTML file (no network;
// wide, narrow, dark and printed). Everything that reports builds a Page; nothing else writes HTML.
//
//   Page page;
//   page.title = "Night of 3 May";
//   page.summary = {"Weights of generation 3 are +112 +- 21 Elo above the first."};
//   Section& section = page.add_section("Elo by generation");
//   section.add(Paragraph{"Each against generation 0."});
//   section.add(std::move(table));
//   write_file_atomically("report.html", render(page));
//
// All text is plain text: it is escaped, and bytes that are not UTF-8 are replaced, wherever it
// ends up. Numbers in text are the caller's to write; page_text.h has the forms used on every page.
// Blocks of one kind that follow each other and are figures (charts, boards, heat maps) stand side
// by side where there is room.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/board/types.h"
#include "core/game/game_record.h"

namespace cannonade {

// "No value": a hole in a line, an empty cell of a heat map, no error bar.
inline constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

// How something is meant. Good and bad are shown by a mark and by colour, never by colour alone.
enum class Tone : std::uint8_t { kPlain, kGood, kBad, kNote };

struct Paragraph {
  std::string text;
  Tone tone = Tone::kPlain;  // any other is set off in a box
};

struct BulletList {
  std::vector<std::string> items;
};

// A heading inside a section, one step below its title.
struct Heading {
  std::string text;
};

// A number to be seen from afar: label "Elo", value "+112", error "± 21", note "against generation
// 0".
struct KeyFigure {
  std::string label;
  std::string value;
  std::string error;
  std::string note;
  Tone tone = Tone::kPlain;
};
struct KeyFigures {
  std::vector<KeyFigure> figures;
};

// A game of a viewer on the same page, by the viewer's name and GameRecord::id.
struct GameLink {
  std::string viewer;
  std::uint64_t game = 0;
};

struct Cell {
  std::string text;
  std::optional<double> number;  // what it sorts by; without one, by its text
  Tone tone = Tone::kPlain;
  std::optional<GameLink> game;  // opens this game where the viewer holds it

  Cell() = default;
  Cell(std::string shown) : text(std::move(shown)) {}                               // NOLINT
  Cell(const char* shown) : text(shown) {}                                          // NOLINT
  Cell(std::string shown, double value) : text(std::move(shown)), number(value) {}  // NOLINT
};
struct Column {
  std::string title;
  std::string note;      // a line under the title: the unit, what it counts
  bool numeric = false;  // set right, figures under figures
};
// Sorted by the reader, by a click (or the keyboard) on a column's title; given in its first order.
struct Table {
  std::string title;
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;  // as many cells as columns in each
  std::string note;                     // below: what the numbers mean
  std::size_t shown_rows = 0;           // more than these are folded away; 0: all are shown
};

enum class ChartKind : std::uint8_t { kLine, kBar, kScatter };
struct ChartPoint {
  double x = 0;  // ignored where the chart has categories: the point's place in the series counts
  double y = 0;  // kNoValue: no point
  double low = kNoValue;  // the error bar, in y's unit
  double high = kNoValue;
  std::string label;  // scatter: named in the point's tip
};
struct ChartSeries {
  std::string name;
  std::vector<ChartPoint> points;
  bool dashed = false;
  bool markers = true;  // line charts: a dot at each point
  int colour = 0;       // one of the page's six, 1 to 6 (6 is grey); 0: by its place
};
struct ReferenceLine {
  enum class Axis : std::uint8_t { kX, kY };
  Axis axis = Axis::kY;
  double value = 0;
  std::string label;
};
// Units belong into the axis labels. The numbers are also given as a table that unfolds.
struct Chart {
  ChartKind kind = ChartKind::kLine;
  std::string title;
  std::string note;  // below
  std::string x_label;
  std::string y_label;
  std::vector<std::string> categories;  // of the x axis; empty: a numeric axis
  std::vector<ChartSeries> series;
  std::vector<ReferenceLine> references;
  std::optional<double> y_min;  // otherwise chosen to fit
  std::optional<double> y_max;
  bool log_x = false;    // positive x only
  bool stacked = false;  // bars
  int decimals = 2;      // of y in tips and in the table
};

// A rows x columns table of numbers, coloured. `values` row after row; kNoValue is an empty cell.
struct HeatMap {
  std::string title;
  std::string note;
  std::string row_title;     // what the rows are, e.g. "Han declares"
  std::string column_title;  // what the columns are, e.g. "Cho answers"
  std::vector<std::string> rows;
  std::vector<std::string> columns;
  std::vector<double> values;
  std::vector<std::string> errors;  // a second line in each cell, e.g. "± 2.1"; empty or one a cell
  double middle = 0;                // the colourless value: above is one hue, below the other
  int decimals = 1;
  std::string unit;  // after each value, e.g. " %"
};

// A position on a drawn board. `rules` names a rule set; a FEN that it refuses throws Error(kUser).
struct BoardFigure {
  std::string rules;
  std::string fen;
  std::string caption;
  Move last_move;  // marked, when there is one
};

// A number for every point of a drawn board, a1 first as squares are numbered: piece-square tables,
// where games were decided. kNoValue leaves a point bare.
struct BoardHeatMap {
  Game game = Game::kJanggi;
  std::string caption;
  std::array<double, kSquares> values{};
  double middle = 0;  // the colourless value
  int decimals = 0;
};

// Games to step through, with their scores. What is embedded is bounded: at most kMaxViewerGames a
// page; `sampling` says in words which were chosen when `population` is larger.
struct GameViewer {
  std::string name;  // for GameLink: letters, digits, - and _ only; unique on the page
  std::string title;
  std::vector<GameRecord> games;
  std::uint64_t population = 0;  // games of the run that these stand for
  std::string sampling;
};
inline constexpr std::size_t kMaxViewerGames = 600;

// "How it was made", folded away on the screen: facts (revision, machine, seed, population, games)
// and whole texts (configuration, the commands that repeat it).
struct Provenance {
  std::string title = "How it was made";
  std::vector<std::pair<std::string, std::string>> facts;
  std::vector<std::pair<std::string, std::string>> texts;  // name, content
};

using Block = std::variant<Paragraph, BulletList, Heading, KeyFigures, Table, Chart, HeatMap,
                           BoardFigure, BoardHeatMap, GameViewer, Provenance>;

struct Section {
  std::string title;
  std::vector<Block> blocks;

  Section& add(Block block) {
    blocks.push_back(std::move(block));
    return *this;
  }
};

struct Page {
  std::string title;
  std::string subtitle;              // what this is a report of: run, rule sets, date
  std::vector<std::string> summary;  // the answer in words, first on the page
  std::vector<KeyFigure> figures;    // and in numbers
  std::deque<Section> sections;      // references that add_section gave stay good
  std::string footer;                // who made it and when

  Section& add_section(std::string section_title) {
    sections.push_back({std::move(section_title), {}});
    return sections.back();
  }
};

// The whole HTML file; the same bytes for the same page. Throws Error(kUser) for a position or game
// that cannot be shown (bad FEN, unknown rule set, a move from an empty point), Error(kInternal)
// for a page that contradicts itself (a row with a cell too many, values that do not fill the heat
// map, two viewers of one name, too many games).
[[nodiscard]] std::string render(const Page& page);

}  // namespace cannonade
