#include "selfplay/levels.h"

#include <gtest/gtest.h>

#include <fstream>

#include "core/game/game_state.h"
#include "core/notation/fen.h"
#include "selfplay/engine_config.h"
#include "selfplay/tournament.h"
#include "selfplay/uci_strength.h"
#include "tests/selfplay/stored_games.h"
#include "tests/support/rulesets.h"

namespace cannonade {
namespace {

Levels three_levels() {
  Levels levels;
  levels.rules = "xiangqi-casual";
  levels.engine_hash = engine_signature(kCasual);
  levels.weights_hash = default_weights(kCasual).hash();
  levels.rules_hash = rules_signature(kCasual);
  levels.run = "0123456789abcdef";
  levels.seed = 4;
  levels.games = 600;
  levels.confirmed = true;
  levels.revision = "test";
  levels.command = "selfplay ladder --config \"a b.toml\"";
  Level level;
  level.name = "1";
  level.skill = {10, 0, 300, 0.9, true};
  levels.levels.push_back(level);
  level = {};
  level.name = "2";
  level.skill = {40, 0, 150, 0.4, false};
  level.elo = level.gap = 100;
  level.elo_low = level.gap_low = 80;
  level.elo_high = level.gap_high = 120;
  levels.levels.push_back(level);
  level = {};
  level.name = "3";
  level.skill = {160, 0, 0, 0, false};
  level.elo = 200;
  levels.levels.push_back(level);
  return levels;
}

std::string fault_of(const std::string& text) {
  try {
    (void)parse_levels(text, "x.toml", kCasual);
    return "";
  } catch (const Error& fault) {
    EXPECT_EQ(fault.kind(), ErrorKind::kUser);
    return fault.what();
  }
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  if (at != std::string::npos) text.replace(at, what.size(), by);
  return text;
}

std::filesystem::path write(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file) << text;
  return file;
}

TEST(Levels, AFileHoldsAllOfALadder) {
  const Levels levels = three_levels();
  const Levels again = parse_levels(to_toml(levels), "x.toml", kCasual);
  EXPECT_EQ(again.command, levels.command);
  EXPECT_EQ(again.games, 600U);
  EXPECT_TRUE(again.confirmed);
  ASSERT_EQ(again.levels.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(again.levels[i].skill, levels.levels[i].skill) << i;
    EXPECT_EQ(again.levels[i].elo, levels.levels[i].elo);
  }
  EXPECT_EQ(again.levels[1].gap_low, 80);
  EXPECT_EQ(to_toml(again), to_toml(levels));
}

TEST(Levels, RefusesFilesThatCannotBe) {
  const std::string good = to_toml(three_levels());
  EXPECT_EQ(fault_of(good), "");
  EXPECT_NE(fault_of(replaced(good, "xiangqi-casual", "janggi-kja")).find("are for janggi-kja"),
            std::string::npos);
  EXPECT_NE(fault_of(replaced(good, "name = \"2\"", "name = \"1\"")).find("given twice"),
            std::string::npos);
  EXPECT_NE(
      fault_of(replaced(good, "elo = 200.0", "elo = 99.0")).find("more than the level before"),
      std::string::npos);
  EXPECT_NE(fault_of(replaced(good, "overlook = 0.9", "overlook = 1.9")).find("0 to 1"),
            std::string::npos);
  EXPECT_NE(fault_of(replaced(good, "nodes = 10", "knots = 10")).find("unknown key"),
            std::string::npos);
  EXPECT_NE(fault_of(replaced(good, "format = 1", "format = 2")).find("x.toml"), std::string::npos);
  EXPECT_NE(fault_of(good.substr(0, good.find("[[levels]]"))).find("no [[levels]]"),
            std::string::npos);
}

TEST(Levels, ALadderMeasuredWithOtherThingsSaysSo) {
  Levels levels = three_levels();
  const Weights weights = default_weights(kCasual);
  EXPECT_FALSE(stale_reason(levels, weights, kCasual).has_value());
  EXPECT_NE(stale_reason(levels, material_weights(kCasual), kCasual)->find("other weights"),
            std::string::npos);
  Ruleset shorter = kCasual;
  shorter.no_capture_limit = 60;
  EXPECT_NE(stale_reason(levels, weights, shorter)->find("rules"), std::string::npos);
  levels.engine_hash = "0";
  EXPECT_NE(stale_reason(levels, weights, kCasual)->find("other engine"), std::string::npos);
}

TEST(Levels, BetweenLevelsTheKnobsAreInBetween) {
  const Levels levels = three_levels();
  EXPECT_EQ(skill_at_elo(levels, -50), levels.levels[0].skill);
  EXPECT_EQ(skill_at_elo(levels, 0), levels.levels[0].skill);
  EXPECT_EQ(skill_at_elo(levels, 100), levels.levels[1].skill);
  EXPECT_EQ(skill_at_elo(levels, 900), levels.levels[2].skill);
  const Skill middle = skill_at_elo(levels, 150);
  EXPECT_EQ(middle.nodes, 80U);
  EXPECT_DOUBLE_EQ(middle.noise, 75);
  EXPECT_TRUE(skill_at_elo(levels, 40).careless);
  EXPECT_FALSE(skill_at_elo(levels, 60).careless);
  EXPECT_EQ(skill_at_place(levels, 0.75), middle);
  EXPECT_NE(find_level(levels, "4").error().find("allowed: 1, 2, 3"), std::string::npos);
}

TEST(Levels, AnEngineFileNamesALevelAndPlaysByItsBounds) {
  const TempFolder folder;
  write(folder / "levels.toml", to_toml(three_levels()));
  const auto file =
      write(folder / "weak.toml", "level = '2'\nlevels = 'levels.toml'\nhash_mb = 1\n");
  std::vector<std::string> warnings;
  const EngineConfig config = with_level(read_engine_config(file), kCasual, &warnings);
  EXPECT_EQ(config.skill.nodes, 40U);
  EXPECT_EQ(config.limits.nodes, 40U);
  EXPECT_TRUE(warnings.empty());

  // Whatever the run's limits are.
  Tournament tournament;
  tournament.rules = kCasual;
  tournament.limits.nodes = 5;
  tournament.engines = {read_engine_config(file)};
  tournament.pairings = {{0, 0}};
  const PreparedTournament prepared(tournament);
  EXPECT_EQ(prepared.limits_of(0).nodes, 40U);

  const GameState game(parse_fen(kCasual, start_fen(Game::kXiangqi)).value_or_throw());
  const auto player = make_player(read_engine_config(file), kCasual);
  player->new_game(kCasual, 1);
  SearchLimits many;
  many.nodes = 100'000;
  EXPECT_LE(player->choose(game, many).nodes, 10'000U) << "a first iteration at most";
}

TEST(Levels, AStaleLadderIsPlayedWithAWarning) {
  const TempFolder folder;
  write(folder / "levels.toml", to_toml(three_levels()));
  Tournament tournament;
  tournament.rules = kCasual;
  tournament.engines = {read_engine_config(
      write(folder / "weak.toml", "level = '1'\nlevels = 'levels.toml'\nweights = 'material'\n"))};
  tournament.pairings = {{0, 0}};
  const PreparedTournament prepared(tournament);
  ASSERT_EQ(prepared.warnings().size(), 1U);
  EXPECT_NE(prepared.warnings()[0].find("engine weak: the levels of xiangqi-casual were measured "
                                        "with other weights"),
            std::string::npos);
}

TEST(Levels, BadEngineFilesAreRefused) {
  const TempFolder folder;
  write(folder / "levels.toml", to_toml(three_levels()));
  const auto refused = [&](const std::string& text, const std::string& why) {
    try {
      const EngineConfig config = read_engine_config(write(folder / "x.toml", text));
      (void)make_player(config, kCasual);
      ADD_FAILURE() << text << " was taken";
    } catch (const Error& fault) {
      EXPECT_EQ(fault.kind(), ErrorKind::kUser);
      EXPECT_NE(std::string(fault.what()).find(why), std::string::npos) << fault.what();
    }
  };
  refused("level = '9'\nlevels = 'levels.toml'", "allowed: 1, 2, 3");
  refused("level = '1'\nlevels = 'none.toml'", "none.toml");
  refused("level = '1'\n[skill]\nnodes = 5", "one of level and [skill]");
  refused("command = 'x'\nlevel = '1'", "an outside engine has no");
  refused("kind = 'taker'\n[skill]\nnodes = 5", "only search");
  refused("kind = 'other'", "one of search, random, taker");
  refused("[skill]\nnoise = -1", "0 to 3000");
}

TEST(Levels, YardsticksNeedNoLimit) {
  const TempFolder folder;
  Tournament tournament;
  tournament.rules = kKja;
  tournament.engines = {read_engine_config(write(folder / "r.toml", "kind = 'random'")),
                        read_engine_config(write(folder / "t.toml", "kind = 'taker'"))};
  tournament.pairings = {{0, 1}};
  EXPECT_NO_THROW(PreparedTournament{tournament});
  tournament.engines.push_back(read_engine_config(write(folder / "e.toml", "")));
  EXPECT_THROW(PreparedTournament{tournament}, Error);
}

TEST(UciStrength, ReadsAFileAndSpreadsSkillLevelsByElo) {
  const TempFolder folder;
  write(folder / "xiangqi-casual.toml", to_toml(three_levels()));
  UciStrength strength;
  UciOptions options;
  int changes = 0;
  strength.declare_options(options, [&] { ++changes; });
  const auto set = [&](const char* name, const std::string& value) {
    EXPECT_EQ(options.set(Protocol::kUci, name, value).value_or(""), "");
  };
  EXPECT_FALSE(strength.limited());
  set("Levels", (folder / "{rules}.toml").string());
  set("Skill Level", "15");
  EXPECT_TRUE(strength.limited());
  std::vector<std::string> remarks;
  const Weights weights = default_weights(kCasual);
  EXPECT_EQ(strength.skill(kCasual, weights, &remarks).nodes, 80U);
  set("UCI_LimitStrength", "true");
  set("UCI_Elo", "100");
  EXPECT_EQ(strength.skill(kCasual, weights, &remarks).nodes, 40U);
  EXPECT_TRUE(remarks.empty());
  set("UCI_Elo", "300");
  EXPECT_EQ(strength.skill(kCasual, weights, &remarks).nodes, 160U);
  ASSERT_EQ(remarks.size(), 1U);
  EXPECT_NE(remarks[0].find("the strongest level of xiangqi-casual has 200"), std::string::npos);
  EXPECT_EQ(changes, 5);
  set("Skill Seed", "7");
  EXPECT_EQ(strength.next_seed(), 7U);
  strength.lift();
  EXPECT_EQ(strength.skill(kCasual, weights, &remarks), Skill{});
}

TEST(UciStrength, ALimitWithoutAnEloIsTheStrongestLevelAndNoRemark) {
  const TempFolder folder;
  write(folder / "xiangqi-casual.toml", to_toml(three_levels()));
  UciStrength strength;
  UciOptions options;
  strength.declare_options(options, [] {});
  EXPECT_EQ(options.set(Protocol::kUci, "Levels", (folder / "{rules}.toml").string()),
            std::nullopt);
  EXPECT_EQ(options.set(Protocol::kUci, "UCI_LimitStrength", "true"), std::nullopt);
  std::vector<std::string> remarks;
  EXPECT_EQ(strength.skill(kCasual, default_weights(kCasual), &remarks).nodes, 160U);
  EXPECT_EQ(remarks, std::vector<std::string>{});
}

}  // namespace
}  // namespace cannonade
