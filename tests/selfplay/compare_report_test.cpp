// The page that tells of a comparison.
#include <gtest/gtest.h>

#include <atomic>

#include "selfplay/run_report.h"
#include "tests/selfplay/small_comparison.h"

namespace cannonade {
namespace {

const Section* section_named(const Page& page, std::string_view title) {
  for (const Section& section : page.sections) {
    if (section.title == title) return &section;
  }
  return nullptr;
}
template <class T>
std::vector<const T*> blocks_in(const Section& section) {
  std::vector<const T*> found;
  for (const Block& block : section.blocks) {
    if (const T* one = std::get_if<T>(&block)) found.push_back(one);
  }
  return found;
}

TEST(CompareReport, TellsAllOfIt) {
  const TempFolder folder;
  (void)run_compare(small_plan(144), folder / "run.db", threads(2));
  const Page page = run_report(Store::open_read_only(folder / "run.db"));
  EXPECT_GE(page.summary.size(), 4U);
  for (const char* title :
       {"What the count changes", "How games end", "Games that change their winner",
        "Level endings", "The fair bonus", "Set-ups under janggi-kja",
        "Set-ups under janggi-point-count", "Diversity", "The games", "Provenance"}) {
    EXPECT_NE(section_named(page, title), nullptr) << title;
  }
  const auto tables = blocks_in<Table>(*section_named(page, "What the count changes"));
  ASSERT_EQ(tables.size(), 3U);  // two strengths, the trend
  EXPECT_EQ(tables[0]->title, "20 nodes a turn");
  EXPECT_EQ(tables[0]->rows.size(), kMeasures);
  const auto trend = blocks_in<Chart>(*section_named(page, "What the count changes"));
  ASSERT_EQ(trend.size(), 1U);
  for (const ChartPoint& point : trend[0]->series[0].points) {
    EXPECT_LE(point.low, point.y);
    EXPECT_GE(point.high, point.y);
  }
  const auto curves = blocks_in<Chart>(*section_named(page, "The fair bonus"));
  ASSERT_EQ(curves.size(), 2U);
  ASSERT_EQ(curves[0]->series.size(), 3U);
  EXPECT_EQ(curves[0]->series[0].points.size(), 3U);   // 0, 1.5, 10 played
  EXPECT_EQ(curves[0]->series[1].points.size(), 21U);  // scored again
  const auto maps = blocks_in<HeatMap>(*section_named(page, "Set-ups under janggi-kja"));
  ASSERT_EQ(maps.size(), 2U);
  EXPECT_EQ(maps[0]->values.size(), 16U);
  // Mirrored cells together: left against left is right against right.
  EXPECT_EQ(maps[1]->values[2 * 4 + 2], maps[1]->values[3 * 4 + 3]);
  // The cross table adds up to the pairs, and the pairs named are in the viewer.
  std::uint64_t crossed = 0;
  for (const auto& row : blocks_in<Table>(*section_named(page, "How games end"))[0]->rows) {
    crossed += static_cast<std::uint64_t>(row.back().number.value());
  }
  EXPECT_EQ(crossed, 16U);
  const std::string html = render(page);
  EXPECT_NE(html.find("Set-ups under janggi-point-count"), std::string::npos);
}

TEST(CompareReport, OfARunThatHasHardlyBegunSaysSo) {
  const TempFolder folder;
  std::atomic<bool> stop{false};
  RunControl control = threads(1);
  control.stop = &stop;
  control.on_progress = [&](const ProgressState& state) {
    if (state.done >= 1) stop = true;
  };
  ComparePlan plan = small_plan(3600);
  plan.design.setups.games = 1000;  // a row is long
  const CompareResult result = run_compare(plan, folder / "run.db", control);
  ASSERT_EQ(result.comparison.rows, 0U);
  const Page page = run_report(Store::open_read_only(folder / "run.db"));
  ASSERT_FALSE(page.summary.empty());
  EXPECT_NE(page.summary.front().find("No pair of games is whole yet"), std::string::npos);
  EXPECT_FALSE(render(page).empty());
  EXPECT_EQ(to_json(result).at("kja").at("games"), 0);
}

}  // namespace
}  // namespace cannonade
