#include "selfplay/engine_config.h"

#include <gtest/gtest.h>

#include <fstream>

#include "eval/weights.h"
#include "tests/selfplay/stored_games.h"
#include "tests/support/rulesets.h"

namespace cannonade {
namespace {

std::filesystem::path write(const TempFolder& folder, const std::string& name,
                            const std::string& text) {
  std::ofstream(folder / name) << text;
  return folder / name;
}

TEST(EngineConfig, OursHasDefaultsForEverything) {
  const TempFolder folder;
  const EngineConfig config = read_engine_config(write(folder, "plain.toml", ""));
  EXPECT_EQ(config.name, "plain");
  EXPECT_EQ(config.weights, "default");
  EXPECT_FALSE(config.outside());
  EXPECT_TRUE(config.limits.empty());
  EXPECT_EQ(make_player(config, kKja)->name(), "plain");
}

TEST(EngineConfig, ReadsAnOutsideEngine) {
  const TempFolder folder;
  const EngineConfig config = read_engine_config(
      write(folder, "fsf.toml",
            "name = 'peer'\ncommand = 'fairy-stockfish'\nprotocol = 'uci'\non_failure = 'void'\n"
            "hang_seconds = 3\n[options]\nHash = 64\n[variants]\njanggi-kja = 'janggi'\n"
            "[limits]\nmovetime_ms = 100\n"));
  EXPECT_EQ(config.name, "peer");
  EXPECT_EQ(config.command, std::vector<std::string>{"fairy-stockfish"});
  EXPECT_EQ(config.on_failure, FailurePolicy::kVoid);
  EXPECT_EQ(config.options.at("Hash"), "64");
  EXPECT_EQ(config.variants.at("janggi-kja"), "janggi");
  EXPECT_EQ(config.limits.movetime_ms, 100);
  EXPECT_EQ(config.hang_seconds, 3);
}

TEST(EngineConfig, WeightsAreFoundBesideItsFileByRuleSet) {
  const TempFolder folder;
  const EngineConfig config =
      read_engine_config(write(folder, "x.toml", "weights = 'w/{rules}.toml'"));
  EXPECT_EQ(weights_file(config, kKja), folder / "w/janggi-kja.toml");
  const std::string fault = error_of([&] { (void)make_player(config, kKja); });
  EXPECT_NE(fault.find("w/janggi-kja.toml"), std::string::npos) << fault;
}

TEST(EngineConfig, WeightsOfAnotherRuleSetAreRefused) {
  const TempFolder folder;
  EngineConfig config = read_engine_config(write(folder, "x.toml", "weights = 'w.toml'"));
  write(folder, "w.toml", material_weights(rulesets()[2]).to_toml());
  EXPECT_NE(error_of([&] { (void)make_player(config, kKja); }), "");
  EXPECT_NE(make_player(config, rulesets()[2]), nullptr);
}

TEST(EngineConfig, TheHashIsOfWhatPlaysNotOfItsName) {
  const TempFolder folder;
  const auto hash = [&](const std::string& text) {
    return make_player(read_engine_config(write(folder, "x.toml", text)), kKja)->hash();
  };
  const std::string base = hash("weights = 'material'\nname = 'a'");
  EXPECT_EQ(hash("weights = 'material'\nname = 'b'"), base);
  EXPECT_NE(hash("weights = 'material'\nhash_mb = 2"), base);
}

TEST(EngineConfig, TermsOfTheSearchAreLeftOutByName) {
  const TempFolder folder;
  const auto read = [&](const std::string& text) {
    return read_engine_config(write(folder, "x.toml", text));
  };
  const std::string whole = make_player(read("weights = 'material'"), kKja)->hash();
  const std::string part =
      make_player(read("weights = 'material'\nwithout = ['null_move', 'reductions']"), kKja)
          ->hash();
  EXPECT_NE(part, whole);
  EXPECT_EQ(make_player(read("weights = 'material'\nwithout = ['reductions', 'null_move']"), kKja)
                ->hash(),
            part);
  const std::string unknown = error_of([&] { (void)read("without = ['nullmove']"); });
  EXPECT_NE(unknown.find("no term 'nullmove'; it has aspiration, "), std::string::npos) << unknown;
  EXPECT_NE(error_of([&] { (void)read("without = ['reductions']\nkind = 'random'"); }), "");
  EXPECT_NE(error_of([&] { (void)read("without = ['reductions']\ncommand = 'x'"); }), "");
  EXPECT_NE(error_of([&] { (void)read("without = ['reductions']\nlevel = '3'"); }), "");
}

TEST(EngineConfig, FaultsOfSeveralFilesComeTogether) {
  const TempFolder folder;
  const auto one = write(folder, "one.toml", "hash_mb = 0");
  const auto two = write(folder, "two.toml", "protocoll = 'uci'\n[variants]\nchess = 'x'\n");
  const auto three = write(folder, "three.toml", "[variants]\njanggi = 'x'\n");
  const auto four = write(folder, "four.toml", "name = \"a\\u001bb\"");
  const std::string fault = error_of([&] {
    (void)read_engine_configs({one, two, three, four, folder / "none.toml"});
  });
  EXPECT_NE(fault.find("one.toml:1: hash_mb: 0 given; allowed: whole number, 1 to 65536"),
            std::string::npos)
      << fault;
  EXPECT_NE(fault.find("two.toml:1: protocoll: unknown key"), std::string::npos) << fault;
  EXPECT_NE(fault.find("variants.janggi: write janggi-kja"), std::string::npos) << fault;
  EXPECT_NE(fault.find("four.toml: name"), std::string::npos) << fault;
  EXPECT_NE(fault.find("none.toml"), std::string::npos) << fault;
}

TEST(EngineConfig, AProgramThatIsNotThereIsAUserError) {
  const TempFolder folder;
  for (const char* command : {"no-such-engine-anywhere", "./engine", "/nowhere/engine"}) {
    const EngineConfig config =
        read_engine_config(write(folder, "x.toml", std::string("command = '") + command + "'"));
    EXPECT_NE(error_of([&] { (void)make_player(config, kKja); }), "") << command;
  }
  // Found, but not a program.
  write(folder, "engine", "text");
  const EngineConfig config = read_engine_config(write(folder, "x.toml", "command = './engine'"));
  EXPECT_NE(error_of([&] { (void)make_player(config, kKja); }), "");
}

TEST(EngineConfig, TheShippedFilesWorkUnderEveryRuleSet) {
  for (const char* name : {"material.toml", "best.toml"}) {
    const EngineConfig config = read_engine_config(std::filesystem::path(CANNONADE_SOURCE_DIR) /
                                                   "configs" / "engines" / name);
    for (const Ruleset& rules : rulesets()) {
      EXPECT_NE(make_player(config, rules), nullptr) << name << " " << rules.id;
    }
  }
}

TEST(MoveLimits, TimeControlsReadAndPrint) {
  using std::chrono::milliseconds;
  EXPECT_EQ(*parse_time_control("10+0.1"), (TimeControl{milliseconds(10'000), milliseconds(100)}));
  EXPECT_EQ(*parse_time_control("60"), (TimeControl{milliseconds(60'000), milliseconds(0)}));
  EXPECT_EQ(*parse_time_control(""), TimeControl{});
  for (const char* text : {"10+0.1", "60", "0.5+0.05", ""}) {
    EXPECT_EQ(time_control_text(*parse_time_control(text)), text);
  }
  for (const char* text :
       {"x", "10+", "+1", "-1", "0", "10+0.1s", "1e3", "nan", "99999999", "5+-1"}) {
    EXPECT_FALSE(parse_time_control(text)) << text;
  }
}

TEST(MoveLimits, OnlyNodesAndDepthAreDeterministic) {
  MoveLimits limits;
  EXPECT_TRUE(limits.empty());
  limits.nodes = 5;
  limits.depth = 3;
  EXPECT_FALSE(limits.empty());
  EXPECT_TRUE(limits.deterministic());
  EXPECT_EQ(limits.for_turn().nodes, 5U);
  EXPECT_EQ(limits.for_turn().depth, 3);
  limits.movetime_ms = 10;
  EXPECT_FALSE(limits.deterministic());
}

}  // namespace
}  // namespace cannonade
