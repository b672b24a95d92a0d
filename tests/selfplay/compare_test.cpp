// Comparisons as they are set up, scheduled, played, stopped and gone on with.
#include "selfplay/compare.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <map>
#include <set>
#include <thread>

#include "core/board/bonus.h"
#include "core/notation/fen.h"
#include "selfplay/engine.h"
#include "selfplay/merge.h"
#include "selfplay/run_report.h"
#include "selfplay/store.h"
#include "tests/selfplay/child_program.h"
#include "tests/selfplay/stored_games.h"

namespace cannonade {
namespace {

using Json = nlohmann::ordered_json;

EngineConfig engine(const std::string& name) {
  EngineConfig config;
  config.name = name;
  config.hash_mb = 1;
  return config;
}

ComparePlan small_plan(std::uint64_t games) {
  ComparePlan plan;
  plan.engines = {engine("one")};
  plan.games = games;
  plan.seed = 5;
  plan.design.nodes = {8, 20};
  plan.design.han_bonus = {0, 10};
  plan.design.setups.games = 1;
  plan.openings.plies = 6;
  return plan;
}

RunControl threads(int count) {
  RunControl control;
  control.threads = count;
  return control;
}

std::vector<GameRecord> games_of(const std::filesystem::path& path) {
  std::vector<GameRecord> games;
  Store::open_read_only(path).for_each([&](const GameRecord& game) {
    games.push_back(game);
    games.back().milliseconds = 0;  // the one thing that a rerun does not reproduce
  });
  return games;
}

void expect_same(const std::vector<GameRecord>& one, const std::vector<GameRecord>& two) {
  ASSERT_EQ(one.size(), two.size());
  for (std::size_t i = 0; i < one.size(); ++i) expect_same_game(one[i], two[i]);
}

CompareSettings settings_of(const std::string& text) {
  CompareSettings settings;
  SettingsTable table;
  declare(table, settings);
  read_toml_text(text, "compare.toml", table);
  return settings;
}

TEST(CompareSettings, ReadsAFile) {
  const CompareSettings settings = settings_of(
      "engines = 'best.toml'\ngames = 50\nseed = 3\nnodes = [100, 400]\nweights = 'both'\n"
      "han_bonus = [0.5, 2]\n[setups]\ngames = 4\nrules = 'janggi-point-count'\n"
      "[openings]\nplies = 4\n");
  EXPECT_EQ(settings.engines, (std::vector<std::filesystem::path>{"best.toml"}));
  EXPECT_EQ(settings.games, 50U);
  EXPECT_EQ(settings.design.nodes, (std::vector<std::uint64_t>{100, 400}));
  EXPECT_EQ(settings.design.weights, CompareDesign::Weights::kBoth);
  EXPECT_EQ(settings.design.han_bonus, (std::vector<double>{0.5, 2}));
  EXPECT_EQ(settings.design.setups.games, 4);
  EXPECT_EQ(settings.design.setups.rules, Preset::kPointCount);
  EXPECT_EQ(settings.openings.plies, 4);
}

TEST(CompareSettings, RefusesAllThatIsWrongAtOnce) {
  const std::string faults = error_of([] {
    (void)settings_of(
        "nodes = [0]\nweights = 'mine'\nhan_bonus = [0.25]\nrules = 'janggi'\n"
        "[setups]\ngames = -1\nrules = 'xiangqi-casual'\n");
  });
  for (const char* key : {"engines: missing", "nodes: [0] given", "weights: \"mine\" given",
                          "han_bonus: [0.25] given", "rules: unknown key", "setups.games: -1 given",
                          "setups.rules: \"xiangqi-casual\" given"}) {
    EXPECT_NE(faults.find(key), std::string::npos) << key << " in\n" << faults;
  }
  EXPECT_NE(error_of([] {
              (void)settings_of("engines = 'e'\nnodes = [400, 100]\n");
            }).find("strengths must rise"),
            std::string::npos);
  EXPECT_NE(error_of([] { (void)settings_of("engines = 'e'\nnodes = []\n"); }).find("none given"),
            std::string::npos);
}

TEST(CompareSchedule, PlaysEveryArmFromTheSameOpeningsAndAllAlike) {
  CompareDesign design = small_plan(1).design;
  design.weights = CompareDesign::Weights::kBoth;
  design.han_bonus = {2.5, 1.5, 0};  // 1.5 is the rule set's own: no column of its own
  design.setups.games = 3;
  for (const std::size_t engines : {1U, 2U}) {
    const CompareSchedule schedule(
        design,
        make_pairings(engines == 1 ? PairingKind::kSelf : PairingKind::kRoundRobin, engines));
    const std::vector<Arm>& arms = schedule.arms();
    ASSERT_EQ(arms.size(), 2U * (2 + 2 + 2) + 3);
    std::set<std::uint64_t> set_up_games;
    std::map<std::size_t, std::uint64_t> by_column;
    const std::uint64_t games = schedule.whole_rounds(200);
    EXPECT_EQ(games % (2 * arms.size()), 0U);
    for (std::uint64_t id = 0; id < games; ++id) {
      const CompareSchedule::Place place = schedule.place_of(id);
      EXPECT_EQ(schedule.id_of(place.row, place.column), id);
      ++by_column[place.column];
      const CompareSchedule::Place first = schedule.place_of(schedule.id_of(place.row, 0));
      if (arms[place.column].kind == Arm::Kind::kSetUpGame) {
        EXPECT_NE(place.slot.pair, first.slot.pair);
        EXPECT_EQ(place.slot.pair % 2, 1U);
        set_up_games.insert(2 * place.slot.opening + (place.slot.first == 0 ? 0 : 1));
      } else {
        EXPECT_EQ(place.slot, first.slot);
        EXPECT_EQ(place.slot.pair % 2, 0U);
      }
    }
    for (const auto& [column, count] : by_column) EXPECT_EQ(count, games / arms.size()) << column;
    // No set-up game is another's, and none is left out.
    const std::uint64_t rows = games / arms.size();
    EXPECT_EQ(set_up_games.size(), 3 * rows);
    EXPECT_LT(*set_up_games.rbegin(), 2 * 3 * rows);
  }
}

TEST(CompareSchedule, ArmsCarryRulesAndWeights) {
  CompareDesign design;
  design.nodes = {100};
  design.han_bonus = {0, 2};
  design.setups = {1, Preset::kPointCount};
  const auto arms_with = [&](CompareDesign::Weights weights) {
    design.weights = weights;
    return CompareSchedule(design, {{0, 0}}).arms();
  };
  const auto own = arms_with(CompareDesign::Weights::kOwn);
  ASSERT_EQ(own.size(), 5U);
  EXPECT_EQ(own[0].rules.id, "janggi-kja");
  EXPECT_EQ(own[1].rules.id, "janggi-point-count");
  EXPECT_EQ(own[2].rules.second_bonus_halves, 0);
  EXPECT_EQ(own[3].rules.id, "janggi-point-count:han_bonus=2");
  EXPECT_EQ(own[4].kind, Arm::Kind::kSetUpGame);
  for (const Arm& arm : own) EXPECT_EQ(arm.weights, arm.preset);
  for (const Arm& arm : arms_with(CompareDesign::Weights::kOther)) {
    EXPECT_NE(arm.weights, arm.preset);
  }
  const auto both = arms_with(CompareDesign::Weights::kBoth);
  ASSERT_EQ(both.size(), 7U);
  EXPECT_EQ(both[2].kind, Arm::Kind::kCrossed);
  EXPECT_EQ(both[2].rules.id, "janggi-kja");
  EXPECT_EQ(both[2].weights, Preset::kPointCount);
  EXPECT_EQ(both[3].weights, Preset::kKja);
}

TEST(CompareSchedule, ReadsBackFromARunsSettings) {
  CompareDesign design;
  design.nodes = {7, 70};
  design.weights = CompareDesign::Weights::kOther;
  design.han_bonus = {0.5, 2};
  design.setups = {5, Preset::kPointCount};
  const std::vector<Pairing> pairings = make_pairings(PairingKind::kRoundRobin, 3);
  const CompareSchedulePlan plan =
      parse_schedule("before = 1\n" + schedule_text(design, pairings) + "openings.plies = 8\n");
  EXPECT_EQ(plan.pairings, pairings);
  EXPECT_EQ(CompareSchedule(plan.design, plan.pairings).arms(),
            CompareSchedule(design, pairings).arms());
  EXPECT_THROW((void)parse_schedule("openings.plies = 8\n"), Error);
  EXPECT_THROW((void)parse_schedule("compare.nodes = [0]\npairings = 0-0\n"), Error);
  EXPECT_THROW((void)parse_schedule("compare.nodes = [5]\npairings = a-b\n"), Error);
}

TEST(Compare, TheGamesAreTheSameForAnyNumberOfThreadsAndInShards) {
  const TempFolder folder;
  const CompareResult one = run_compare(small_plan(36), folder / "one.db", threads(1));
  EXPECT_TRUE(one.complete);
  EXPECT_EQ(one.stored, 36U);  // 9 columns, 4 rows
  EXPECT_EQ(one.comparison.rows, 4U);
  const CompareResult three = run_compare(small_plan(36), folder / "three.db", threads(3));
  expect_same(games_of(folder / "one.db"), games_of(folder / "three.db"));
  Json a = to_json(one);
  Json b = to_json(three);
  for (const char* key : {"seconds", "games_per_second"}) {
    a.erase(key);
    b.erase(key);
  }
  EXPECT_EQ(a, b);

  std::vector<std::filesystem::path> shards;
  for (int index = 1; index <= 2; ++index) {
    shards.push_back(folder / ("shard" + std::to_string(index) + ".db"));
    RunControl control = threads(1);
    control.shard = {index, 2};
    (void)run_compare(small_plan(36), shards.back(), control);
  }
  (void)merge_stores(folder / "merged.db", shards);
  expect_same(games_of(folder / "one.db"), games_of(folder / "merged.db"));
  EXPECT_EQ(count_compare(Store::open_read_only(folder / "merged.db")).comparison.rows, 4U);
}

TEST(Compare, GoesOnWhereItWasStoppedAndCountsWholeRoundsOnly) {
  const TempFolder folder;
  std::atomic<bool> stop{false};
  RunControl control = threads(2);
  control.stop = &stop;
  control.on_progress = [&](const ProgressState& state) {
    if (state.done >= 20) stop = true;
  };
  const CompareResult first = run_compare(small_plan(144), folder / "run.db", control);
  EXPECT_FALSE(first.complete);
  EXPECT_LT(first.stored, 144U);
  EXPECT_EQ(first.comparison.rows % 2, 0U);
  EXPECT_LE(first.comparison.rows * 9, first.stored);

  const CompareResult second = run_compare(small_plan(144), folder / "run.db", threads(2));
  EXPECT_TRUE(second.complete);
  EXPECT_EQ(second.played + first.stored, 144U);
  EXPECT_EQ(second.comparison.rows, 16U);
  (void)run_compare(small_plan(144), folder / "whole.db", threads(1));
  expect_same(games_of(folder / "run.db"), games_of(folder / "whole.db"));
}

TEST(Compare, JudgeAndPlayersGoByTheBonusAndTheStrength) {
  const TempFolder folder;
  ComparePlan plan = small_plan(180);
  plan.design.nodes = {8, 150};
  (void)run_compare(plan, folder / "run.db", threads(2));
  const CompareSchedule schedule(plan.design, {{0, 0}});
  std::array<std::uint64_t, 2> nodes{};
  std::array<std::uint64_t, 2> turns{};
  std::map<int, int> counted;
  int differing = 0;
  const auto games = games_of(folder / "run.db");
  for (const GameRecord& game : games) {
    const CompareSchedule::Place place = schedule.place_of(game.id);
    const Arm& arm = schedule.arms()[place.column];
    EXPECT_EQ(game.rules, arm.rules.id);
    EXPECT_EQ(find_ruleset(game.rules).value_or_throw(), arm.rules);
    nodes[arm.strength] += game.nodes;
    turns[arm.strength] += game.moves.size() - static_cast<std::size_t>(game.opening_plies);
    if (!arm.rules.count_points) continue;
    const int lead = game.points_halves[0] - game.points_halves[1];
    if (counted_ending(game.outcome.reason)) {
      ++counted[arm.rules.second_bonus_halves];
      EXPECT_EQ(game.outcome.winner, lead == 0  ? std::optional<Side>()
                                     : lead > 0 ? std::optional(Side::kFirst)
                                                : std::optional(Side::kSecond));
    }
    if (arm.kind == Arm::Kind::kReplay) {
      const GameRecord& main =
          games[schedule.id_of(place.row, schedule.main_column(arm.strength, Preset::kPointCount))];
      EXPECT_EQ(game.start_fen, main.start_fen);
      EXPECT_EQ(game.pair, main.pair);
      EXPECT_EQ(game.player_hashes, main.player_hashes);
      differing += game.moves != main.moves ? 1 : 0;
    }
  }
  EXPECT_GT(counted[0], 0);
  EXPECT_GT(counted[3], 0);
  EXPECT_GT(counted[20], 0);
  EXPECT_GT(differing, 20);
  EXPECT_LE(nodes[1], 150 * turns[1]);
  EXPECT_GT(nodes[1] * turns[0], 2 * nodes[0] * turns[1]);  // a turn

  // The players' evaluation itself: the lead is worth less to Cho the larger the bonus.
  Engine player("player", default_weights(rules_of(Preset::kPointCount)), 1);
  const Ruleset small = with_bonus(rules_of(Preset::kPointCount), 0);
  const Ruleset large = with_bonus(rules_of(Preset::kPointCount), 20);
  const std::string level = "r2k5/9/9/p8/9/9/P8/9/9/R4K3 w - - 100 80";
  EXPECT_GT(player.static_score(parse_fen(small, level).value_or_throw()),
            player.static_score(parse_fen(large, level).value_or_throw()));
}

TEST(Compare, CrossedWeightsPlayUnderTheOtherRules) {
  const TempFolder folder;
  ComparePlan plan = small_plan(1);
  plan.design.nodes = {8};
  plan.design.han_bonus = {};
  plan.design.setups.games = 0;
  plan.design.weights = CompareDesign::Weights::kBoth;
  const CompareResult result = run_compare(plan, folder / "both.db", threads(1));
  const auto games = games_of(folder / "both.db");
  ASSERT_EQ(games.size(), 8U);
  const std::string kja = Engine("", default_weights(rules_of(Preset::kKja)), 1).hash();
  const std::string count = Engine("", default_weights(rules_of(Preset::kPointCount)), 1).hash();
  ASSERT_NE(kja, count);
  EXPECT_EQ(games[0].player_hashes[0], kja);
  EXPECT_EQ(games[1].player_hashes[0], count);
  EXPECT_EQ(games[2].rules, "janggi-kja");
  EXPECT_EQ(games[2].player_hashes[0], count);
  EXPECT_EQ(games[3].rules, "janggi-point-count");
  EXPECT_EQ(games[3].player_hashes[1], kja);
  EXPECT_TRUE(result.comparison.last().crossed.has_value());
  EXPECT_TRUE(to_json(result).at("strengths").at(0).contains("crossed"));
}

TEST(Compare, JsonHasTheContractsKeys) {
  const TempFolder folder;
  const CompareResult result = run_compare(small_plan(180), folder / "run.db", threads(2));
  const Json json = to_json(result);
  for (const char* arm : {"kja", "point_count"}) {
    EXPECT_EQ(json.at(arm).at("games"), 20);
    EXPECT_TRUE(json.at(arm).at("first_score").is_number());
    EXPECT_TRUE(json.at(arm).at("draw_rate").is_number());
    std::uint64_t endings = 0;
    for (const auto& [reason, count] : json.at(arm).at("endings").items()) {
      EXPECT_TRUE(parse_reason(reason)) << reason;
      endings += count.get<std::uint64_t>();
    }
    EXPECT_EQ(endings, 20U);
  }
  const Json& score = json.at("difference").at("first_score");
  EXPECT_NEAR(score.at("difference").get<double>(),
              json.at("point_count").at("first_score").get<double>() -
                  json.at("kja").at("first_score").get<double>(),
              1e-12);
  EXPECT_LE(score.at("low").get<double>(), score.at("difference").get<double>());
  EXPECT_GE(score.at("high").get<double>(), score.at("difference").get<double>());
  EXPECT_TRUE(json.at("rescored").contains("winner_changes"));
  for (const char* key : {"value", "low", "high", "by", "replay", "rescoring"}) {
    EXPECT_TRUE(json.at("fair_bonus").contains(key)) << key;
  }
  EXPECT_EQ(json.at("fair_bonus").at("rescoring").at("curve").size(), 21U);
  EXPECT_EQ(json.at("fair_bonus").at("replay").at("curve").size(), 3U);  // 0, 1.5, 10
  EXPECT_EQ(json.at("setups").size(), 2U);
  EXPECT_EQ(json.at("setups").at(0).at("table").size(), 16U);
  EXPECT_EQ(json.at("strengths").size(), 2U);
  EXPECT_TRUE(json.at("complete").get<bool>());
  // The table of set-ups has the pairs and the set-up games of the last strength.
  std::uint64_t cells = 0;
  for (const Json& cell : json.at("setups").at(0).at("table")) {
    cells += cell.at("games").get<std::uint64_t>();
  }
  EXPECT_EQ(cells, 40U);
  EXPECT_FALSE(to_lines(result).empty());
}

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

TEST(Compare, RefusesWhatCannotBeCompared) {
  const TempFolder folder;
  ComparePlan plan = small_plan(18);
  EngineConfig outside = engine("outside");
  outside.command = {"fairy-stockfish"};
  EngineConfig limited = engine("limited");
  limited.limits.nodes = 5;
  EngineConfig levelled = engine("levelled");
  levelled.level = "1";
  plan.engines = {outside, limited, levelled, engine("same"), engine("same")};
  const std::string faults =
      error_of([&] { (void)run_compare(plan, folder / "run.db", threads(1)); });
  for (const char* word :
       {"outside program", "limits of its own", "at a level", "are called same"}) {
    EXPECT_NE(faults.find(word), std::string::npos) << faults;
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "run.db"));

  (void)run_compare(small_plan(18), folder / "run.db", threads(1));
  ComparePlan other = small_plan(18);
  other.design.han_bonus = {0};
  EXPECT_NE(
      error_of([&] { (void)run_compare(other, folder / "run.db", threads(1)); }).find("han_bonus"),
      std::string::npos);
  EXPECT_EQ(games_of(folder / "run.db").size(), 18U);
}

// Killed at some moment, twice, then gone on with: the same games as in one go.
TEST(CompareCommand, SurvivesItsDeath) {
  const TempFolder folder;
  std::ofstream(folder / "engine.toml") << "name = 'one'\nhash_mb = 1\n";
  std::ofstream(folder / "compare.toml")
      << "engines = 'engine.toml'\ngames = 144\nseed = 5\nnodes = [8, 20]\nhan_bonus = [0, 10]\n"
         "[openings]\nplies = 6\nmax_score = 0\n";
  const auto words = [&](const char* out) {
    return std::vector<std::string>{"compare",
                                    "--config",
                                    (folder / "compare.toml").string(),
                                    "--out",
                                    (folder / out).string(),
                                    "--threads",
                                    "2",
                                    "--json"};
  };
  for (int time = 0; time < 2; ++time) {
    ChildProgram child("selfplay", words("killed.db"), folder.path());
    for (int wait = 0; wait < 100 && !std::filesystem::exists(folder / "killed.db"); ++wait) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
    child.send(SIGKILL);
    (void)child.wait();
  }
  const ProgramResult ended = run_program("selfplay", words("killed.db"), folder.path());
  EXPECT_EQ(ended.code, 0) << ended.err;
  const ProgramResult whole = run_program("selfplay", words("whole.db"), folder.path());
  EXPECT_EQ(whole.code, 0) << whole.err;
  expect_same(games_of(folder / "killed.db"), games_of(folder / "whole.db"));
  const Json one = Json::parse(ended.out);
  const Json two = Json::parse(whole.out);
  EXPECT_EQ(one.at("difference"), two.at("difference"));
  EXPECT_EQ(one.at("setups"), two.at("setups"));
  EXPECT_EQ(one.at("run_id"), two.at("run_id"));
}

}  // namespace
}  // namespace cannonade
