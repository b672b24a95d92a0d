#include "selfplay/run_report.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/base/files.h"
#include "selfplay/match_report.h"
#include "selfplay/report_command.h"
#include "selfplay/report_sections.h"
#include "tests/browser/demo_page.h"
#include "tests/selfplay/short_games.h"
#include "tests/selfplay/stored_games.h"

namespace cannonade {
namespace {

const Section* section_named(const Page& page, std::string_view title) {
  for (const Section& section : page.sections) {
    if (section.title == title) return &section;
  }
  return nullptr;
}

template <class T>
const T* block_in(const Section& section) {
  for (const Block& block : section.blocks) {
    if (const T* found = std::get_if<T>(&block)) return found;
  }
  return nullptr;
}

TEST(ReportSections, SayWhenAScoreIsNotDistinguishableFromEven) {
  std::vector<GameRecord> games;
  for (std::uint64_t id = 0; id < 100; ++id) {
    games.push_back(played(id, {"a4a5"}, id % 2 == 0 ? kChoWins : kHanWins));
  }
  // Wilson's interval for 50 of 100: 40.4 to 59.6.
  EXPECT_EQ(first_mover_sentence(digest_of(games)),
            "Cho scored 50.0\u00a0% (40.4 to 59.6), not distinguishable from an even game: won 50, "
            "drawn 0, lost 50.");
  for (GameRecord& game : games) game.outcome = kChoWins;
  EXPECT_EQ(first_mover_sentence(digest_of(games)),
            "Cho scored 100.0\u00a0% (96.3 to 100.0): won 100, drawn 0, lost 0.");
}

TEST(ReportSections, LengthsFillTheirBinsAndNameTheExtremes) {
  std::vector<GameRecord> games;
  for (std::uint64_t id = 0; id < 30; ++id) games.push_back(demo_game("janggi-kja", id, 60));
  Section section;
  NamedGames named{"v", {}};
  add_lengths(section, digest_of(games), named);
  const auto* chart = block_in<Chart>(section);
  ASSERT_NE(chart, nullptr);
  double sum = 0;
  for (const ChartPoint& point : chart->series[0].points) sum += point.y;
  EXPECT_EQ(sum, 30);
  ASSERT_EQ(named.ids.size(), 6U);
  const auto shorter = [](const GameRecord& a, const GameRecord& b) {
    return a.moves.size() < b.moves.size();
  };
  const auto [low, high] = std::minmax_element(games.begin(), games.end(), shorter);
  EXPECT_EQ(games[named.ids.front()].moves.size(), low->moves.size());
  EXPECT_EQ(games[named.ids.back()].moves.size(), high->moves.size());
}

TEST(ReportSections, SetUpsStandByHansDeclarationAndChosAnswer) {
  std::vector<GameRecord> games;
  for (std::uint64_t id = 0; id < 4; ++id) games.push_back(played(id, {}, kChoWins));
  games[0].start_fen = games[1].start_fen = set_up_fen(SetUp::kLeft, SetUp::kOutside);
  games[1].outcome = kDrawn;
  Section section;
  add_starts(section, digest_of(games));
  const auto* heat = block_in<HeatMap>(section);
  ASSERT_NE(heat, nullptr);
  EXPECT_EQ(heat->rows, (std::vector<std::string>{"inside", "outside", "left", "right"}));
  EXPECT_EQ(heat->values[0], 100);                   // Han inside, Cho inside
  EXPECT_EQ(heat->values[1 * 4 + 2], 75);            // Han outside, Cho left
  EXPECT_TRUE(std::isnan(heat->values[2 * 4 + 1]));  // and not the other way round
  EXPECT_EQ(block_in<Table>(section), nullptr);      // the starts are told already
}

TEST(MatchCourse, StagesEndAtTheWholeMatch) {
  MatchCourse course;
  Pentanomial counts;
  for (std::uint64_t pair = 0; pair < 50; ++pair) {
    const bool good = pair % 3 == 0;
    // A moves first in the even game.
    course.add(played(2 * pair + 1, {}, good ? kHanWins : kDrawn));
    course.add(played(2 * pair, {}, good ? kChoWins : kDrawn));
    ++counts.counts[good ? 4 : 2];
  }
  course.add(played(100, {}, kHanWins));  // half a pair
  const auto stages = course.stages(50, 10);
  ASSERT_EQ(stages.size(), 10U);
  for (std::size_t i = 0; i < stages.size(); ++i) EXPECT_EQ(stages[i].games, 10 * (i + 1));
  EXPECT_DOUBLE_EQ(stages.back().statistics.elo, match_statistics(counts).elo);
  EXPECT_TRUE(MatchCourse().stages(0, 10).empty());
  EXPECT_EQ(course.stages(3, 10).size(), 3U);
}

MatchResult match_of(const Pentanomial& counts) {
  MatchResult match;
  match.names = {"A", "B"};
  match.rules = "janggi-kja";
  match.pentanomial = counts;
  match.statistics = match_statistics(counts);
  return match;
}

TEST(MatchReport, SaysWhoIsStrongerOrThatItIsNotKnown) {
  const auto first = [](const Pentanomial& counts) {
    return match_sentences(match_of(counts), "").front();
  };
  EXPECT_EQ(first({{0, 10, 50, 60, 20}}).find("A is stronger than B: +"), 0U);
  EXPECT_EQ(first({{20, 60, 50, 10, 0}}).find("A is weaker than B: \u2212"), 0U);
  const std::string level = first({{10, 50, 100, 55, 11}});
  EXPECT_EQ(level.find("A and B are not distinguishable at this number of games (452): +"), 0U);
  // The interval is e wide for n games; to be as wide as the difference d it takes n (e / d)^2.
  const MatchStatistics statistics = match_statistics(Pentanomial{{10, 50, 100, 55, 11}});
  const double needed = 452 * std::pow(statistics.elo_error / statistics.elo, 2);
  EXPECT_GT(needed, 3000);
  const std::size_t about = level.find("about ");
  ASSERT_NE(about, std::string::npos);
  std::string digits = level.substr(about + 6, level.find(" games would") - about - 6);
  digits.erase(std::remove(digits.begin(), digits.end(), ','), digits.end());
  EXPECT_NEAR(std::stod(digits), needed, 1);
  // Dead even: no number of games is named.
  EXPECT_EQ(first({{10, 50, 100, 50, 10}}).find("about"), std::string::npos);
  EXPECT_EQ(first({}), "No pair of games is finished yet.");
}

TEST(MatchReport, TellsTheSequentialTestsVerdict) {
  MatchResult match = match_of({{0, 10, 50, 60, 20}});
  EXPECT_EQ(match_sentences(match, "sprt: H1").back(), "The sequential test accepted H1.");
  match.test = SprtTest{};
  match.test->elo1 = 40;
  match.sprt = judge(*match.test, match.pentanomial);
  EXPECT_EQ(match_sentences(match, "").back(),
            "The sequential test of 0.0 against +40.0 Elo accepted H1 (+40.0 Elo).");
}

class RunReport : public testing::Test {
 protected:
  std::filesystem::path write(const RunInfo& run, const std::vector<GameRecord>& games) {
    const std::filesystem::path path = folder_ / "run.db";
    Store store = Store::create_or_resume(path, run);
    store.add_batch(games);
    return path;
  }
  static std::vector<GameRecord> games(std::uint64_t count, const char* rules = "janggi-kja") {
    std::vector<GameRecord> result;
    for (std::uint64_t id = 0; id < count; ++id) result.push_back(demo_game(rules, id, 30));
    for (GameRecord& game : result) game.player_hashes = {"aa", "bb"};
    return result;
  }
  const TempFolder folder_;
};

TEST_F(RunReport, TellsOfAnUnfinishedRunAndHoldsItsGames) {
  const Store store = Store::open_read_only(write(sample_run(50), games(40)));
  const Page page = run_report(store, {.viewer_games = 10, .sprt = {}});
  EXPECT_EQ(page.title, "Games for training");
  EXPECT_NE(page.subtitle.find(store.id()), std::string::npos);
  EXPECT_EQ(page.summary.back(), "The run is not complete: 40 of 50 games are played.");
  const Section* section = section_named(page, "The games");
  ASSERT_NE(section, nullptr);
  const auto* viewer = block_in<GameViewer>(*section);
  EXPECT_EQ(viewer->population, 40U);
  EXPECT_GE(viewer->games.size(), 10U);
  EXPECT_LT(viewer->games.size(), 40U);
  EXPECT_FALSE(viewer->sampling.empty());
  EXPECT_EQ(viewer->games.front().id, 0U);
  EXPECT_EQ(viewer->games.back().id, 39U);
  // Every game that a table names can be opened.
  const Section* length = section_named(page, "Length");
  ASSERT_NE(length, nullptr);
  for (const auto& row : block_in<Table>(*length)->rows) {
    EXPECT_TRUE(std::any_of(viewer->games.begin(), viewer->games.end(),
                            [&](const GameRecord& game) { return game.id == row[0].game->game; }));
  }
  EXPECT_EQ(section_named(page, "Strength"), nullptr);
  EXPECT_EQ(render(page), render(run_report(store, {.viewer_games = 10, .sprt = {}})));
}

TEST_F(RunReport, TellsHowItWasMade) {
  const RunInfo run = sample_run(50);
  write(run, games(4));
  { const Store again = Store::create_or_resume(folder_ / "run.db", run); }
  const Store store = Store::open_read_only(folder_ / "run.db");
  ASSERT_EQ(store.sessions().size(), 2U);
  EXPECT_EQ(store.sessions()[0].revision, "test");
  EXPECT_FALSE(store.sessions()[1].host.empty());
  const std::string html = render(run_report(store));
  for (const char* part : {"18364758544493064720", "alpha (00000000000000aa)", "4 of 50 planned",
                           "openings.random_plies = 2", "nodes = 1000"}) {
    EXPECT_NE(html.find(part), std::string::npos) << part;
  }
  EXPECT_NE(html.find(store.sessions()[0].host), std::string::npos);
}

TEST_F(RunReport, OfAMatchBeginsWithItsStrength) {
  RunInfo run = sample_run(40);
  run.command = "match";
  std::vector<GameRecord> all = games(40);
  for (GameRecord& game : all) game.outcome = game.id % 2 == 0 ? kChoWins : kDrawn;
  {
    Store store = Store::create_or_resume(folder_ / "run.db", run);
    store.add_batch(all);
    store.set_fact("sprt", to_json(SprtTest{}, SprtResult{}).dump());
  }
  const Store store = Store::open_read_only(folder_ / "run.db");
  const Page page = run_report(store);
  EXPECT_EQ(page.title, "alpha against beta");
  EXPECT_EQ(page.summary[0].find("alpha is stronger than beta: +"), 0U);
  EXPECT_NE(page.summary[1].find("0.0 against +5.0 Elo"), std::string::npos);
  EXPECT_EQ(page.sections.front().title, "Strength");
  EXPECT_NE(block_in<Chart>(page.sections.front()), nullptr);
  (void)render(page);

  // A test given by hand goes before the noted one.
  SprtTest other;
  other.elo1 = 200;
  const Page judged = run_report(store, {.viewer_games = 5, .sprt = other});
  EXPECT_NE(judged.summary[1].find("0.0 against +200.0 Elo"), std::string::npos);
}

TEST_F(RunReport, KeepsRuleSetsApart) {
  RunInfo run = sample_run(50);
  run.command = "import";
  run.rules = "janggi-kja,janggi-point-count";
  std::vector<GameRecord> all = games(20);
  for (std::size_t i = 0; i < all.size(); i += 2) all[i].rules = "janggi-point-count";
  const Store store = Store::open_read_only(write(run, all));
  const Page page = run_report(store);
  const Section* who = section_named(page, "Who won");
  ASSERT_NE(who, nullptr);
  EXPECT_EQ(
      std::count_if(who->blocks.begin(), who->blocks.end(),
                    [](const Block& block) { return std::holds_alternative<Heading>(block); }),
      2);
  EXPECT_NE(render(page).find("Under janggi-point-count: Cho scored"), std::string::npos);
}

TEST_F(RunReport, WarnsOfManyDuplicates) {
  std::vector<GameRecord> all = games(20);
  for (std::size_t i = 1; i < 5; ++i) {
    all[i] = all[0];
    all[i].id = i;
  }
  const Store store = Store::open_read_only(write(sample_run(20), all));
  const Page page = run_report(store);
  EXPECT_NE(page.summary[0].find("4 of 20 games (20.0\u00a0%) are the same as an earlier one."),
            std::string::npos);
  EXPECT_TRUE(std::any_of(page.summary.begin(), page.summary.end(), [](const std::string& line) {
    return line.find("too narrow") != std::string::npos;
  }));
}

TEST_F(RunReport, RefusesAnEmptyStore) {
  const Store store = Store::open_read_only(write(sample_run(20), {}));
  EXPECT_NE(error_of([&] { (void)run_report(store); }).find("no games"), std::string::npos);
}

TEST_F(RunReport, RefusesAGameThatCannotBePlayedThrough) {
  std::vector<GameRecord> all = games(3);
  all[2].moves[0] = parse_uci_move("e5e6").value_or_throw();
  const Store store = Store::open_read_only(write(sample_run(20), all));
  const std::string message = error_of([&] { (void)render(run_report(store)); });
  EXPECT_NE(message.find("game 2, ply 1"), std::string::npos) << message;
}

int report(std::vector<std::string> words) {
  words.insert(words.begin(), "report");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  // What the command prints is for its caller; an error must not leave it captured.
  struct Quiet {
    Quiet() { testing::internal::CaptureStdout(); }
    ~Quiet() { (void)testing::internal::GetCapturedStdout(); }
  } const quiet;
  return report_command(static_cast<int>(argv.size()), argv.data());
}

TEST_F(RunReport, CommandWritesThePage) {
  const std::string store = write(sample_run(20), games(6)).string();
  const std::string out = (folder_ / "page.html").string();
  EXPECT_EQ(report({store, "--out", out, "--games", "3"}), 0);
  const std::string html = read_file(out).value_or_throw();
  EXPECT_EQ(html.find("<!DOCTYPE html>"), 0U);
}

TEST_F(RunReport, CommandRefusesWhatItCannotDo) {
  const std::string store = write(sample_run(20), games(2)).string();
  const std::string out = (folder_ / "page.html").string();
  const auto refused = [](std::vector<std::string> words) {
    return error_of([&] { (void)report(std::move(words)); });
  };
  EXPECT_NE(refused({(folder_ / "none.db").string(), "--out", out}).find("none.db"),
            std::string::npos);
  EXPECT_NE(refused({store}), "");                       // no --out
  EXPECT_NE(refused({"--out", out}), "");                // no store
  EXPECT_NE(refused({store, store, "--out", out}), "");  // two
  EXPECT_NE(refused({store, "--out", store}).find("itself"), std::string::npos);
  EXPECT_NE(refused({store, "--out", out, "--games", "501"}), "");
  EXPECT_NE(refused({store, "--out", out, "--sprt", "5"}), "");
  EXPECT_FALSE(std::filesystem::exists(out));
  EXPECT_EQ(Store::open_read_only(store).finished().size(), 2U);
}

}  // namespace
}  // namespace cannonade
