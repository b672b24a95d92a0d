#include "selfplay/tournament.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>

#include "selfplay/generate.h"
#include "selfplay/match.h"
#include "tests/selfplay/stored_games.h"

namespace cannonade {
namespace {

EngineConfig engine_named(const std::string& name) {
  EngineConfig config;
  config.name = name;
  config.weights = "material";
  config.hash_mb = 1;
  return config;
}

Tournament small(const std::string& command = "generate") {
  Tournament tournament;
  tournament.command = command;
  tournament.games = 10;
  tournament.engines = {engine_named("one")};
  tournament.pairings = make_pairings(PairingKind::kAll, 1);
  tournament.limits.nodes = 20;
  return tournament;
}

TEST(Schedule, OneEngineWithItselfPlaysEachOpeningOnce) {
  const auto pairings = make_pairings(PairingKind::kAll, 1);
  for (std::uint64_t id = 0; id < 20; ++id) {
    EXPECT_EQ(slot_of(pairings, id), (Slot{id, id, 0, 0})) << id;
  }
}

TEST(Schedule, AMatchPlaysEachOpeningTwiceWithSeatsSwapped) {
  const std::vector<Pairing> pairings{{0, 1}};
  for (std::uint64_t pair = 0; pair < 20; ++pair) {
    EXPECT_EQ(slot_of(pairings, 2 * pair), (Slot{pair, pair, 0, 1}));
    EXPECT_EQ(slot_of(pairings, 2 * pair + 1), (Slot{pair, pair, 1, 0}));
  }
}

TEST(Schedule, EveryKindOfPairingIsWhatItsNameSays) {
  EXPECT_EQ(make_pairings(PairingKind::kSelf, 2), (std::vector<Pairing>{{0, 0}, {1, 1}}));
  EXPECT_EQ(make_pairings(PairingKind::kRoundRobin, 3),
            (std::vector<Pairing>{{0, 1}, {0, 2}, {1, 2}}));
  EXPECT_EQ(make_pairings(PairingKind::kGauntlet, 3), (std::vector<Pairing>{{0, 1}, {0, 2}}));
  EXPECT_EQ(make_pairings(PairingKind::kAll, 2), (std::vector<Pairing>{{0, 0}, {1, 1}, {0, 1}}));
}

// What holds for any schedule: pair numbers are dense and used by one game (with itself) or two
// (swapped, same opening); no game is planned twice.
TEST(Schedule, PairsAreWholeAndNoGameIsPlannedTwice) {
  for (const PairingKind kind :
       {PairingKind::kSelf, PairingKind::kRoundRobin, PairingKind::kAll, PairingKind::kGauntlet}) {
    const auto pairings = make_pairings(kind, 4);
    std::map<std::uint64_t, std::vector<Slot>> pairs;
    std::set<std::tuple<std::uint64_t, std::size_t, std::size_t>> games;
    const std::uint64_t rounds = 5;
    for (std::uint64_t id = 0; id < rounds * 2 * pairings.size(); ++id) {
      const Slot slot = slot_of(pairings, id);
      pairs[slot.pair].push_back(slot);
      EXPECT_TRUE(games.emplace(slot.opening, slot.first, slot.second).second);
    }
    EXPECT_EQ(pairs.rbegin()->first, pairs.size() - 1);
    for (const auto& [pair, slots] : pairs) {
      const bool alone = slots[0].first == slots[0].second;
      ASSERT_EQ(slots.size(), alone ? 1U : 2U);
      if (alone) continue;
      EXPECT_EQ(slots[0].first, slots[1].second);
      EXPECT_EQ(slots[0].opening, slots[1].opening);
    }
  }
}

TEST(Tournament, NamesAllFaultsAtOnce) {
  Tournament bad = small();
  bad.limits = {};
  bad.engines.push_back(engine_named("one"));
  bad.engines.push_back(engine_named("lost"));
  bad.engines[2].weights = "nowhere.toml";
  bad.openings.book = "no-book.epd";
  const std::string fault = error_of([&] { PreparedTournament{bad}; });
  EXPECT_NE(fault.find("two engines are called one"), std::string::npos) << fault;
  EXPECT_NE(fault.find("no limit for engine one"), std::string::npos) << fault;
  EXPECT_NE(fault.find("nowhere.toml"), std::string::npos) << fault;
  EXPECT_NE(fault.find("no-book.epd"), std::string::npos) << fault;
}

// Whatever file a fault is in: nobody mends one to be told of the next.
TEST(Tournament, FaultsOfEngineFilesAreToldWithThoseOfTheRest) {
  const TempFolder folder;
  std::ofstream(folder / "lost.toml") << "weights = \"nowhere.toml\"\n";
  std::ofstream(folder / "wrong.toml") << "wieghts = \"material\"\n";
  const auto expect_all = [&](const std::string& fault) {
    for (const char* part : {"none.toml", "wieghts", "nowhere.toml", "no-book.epd"}) {
      EXPECT_NE(fault.find(part), std::string::npos) << part << " in " << fault;
    }
    EXPECT_EQ(fault.find("two engines at least"), std::string::npos) << fault;
  };
  GenerateSettings generate;
  generate.rules = rulesets().front();
  generate.limits.nodes = 10;
  generate.engines = {folder / "none.toml", folder / "wrong.toml", folder / "lost.toml"};
  generate.pairing = PairingKind::kRoundRobin;
  generate.openings.book = "no-book.epd";
  expect_all(error_of([&] { PreparedTournament{make_tournament(generate)}; }));
  for (const char* other : {"none.toml", "wrong.toml"}) {
    MatchSettings match;
    match.rules = rulesets().front();
    match.limits.nodes = 10;
    match.a = folder / "lost.toml";
    match.b = folder / other;
    match.openings.book = "no-book.epd";
    const std::string fault =
        error_of([&] { PreparedTournament{make_match_plan(match).tournament}; });
    for (const char* part : {other == std::string("none.toml") ? "none.toml" : "wieghts",
                             "nowhere.toml", "no-book.epd"}) {
      EXPECT_NE(fault.find(part), std::string::npos) << part << " in " << fault;
    }
  }
}

TEST(Tournament, NeedsEnginesAndPairings) {
  Tournament bad = small();
  bad.pairings = make_pairings(PairingKind::kGauntlet, 1);
  EXPECT_NE(error_of([&] { PreparedTournament{bad}; }), "");
  bad.engines.clear();
  EXPECT_NE(error_of([&] { PreparedTournament{bad}; }), "");
}

TEST(Tournament, TheIdentityChangesWithWhatChangesGamesOnly) {
  const auto id = [](const Tournament& tournament) {
    return run_id(PreparedTournament(tournament).run_info());
  };
  const std::string base = id(small());
  const auto changed = [&](const std::function<void(Tournament&)>& change) {
    Tournament other = small();
    change(other);
    return id(other) != base;
  };
  EXPECT_FALSE(changed([](Tournament&) {}));
  EXPECT_FALSE(changed([](Tournament& t) { t.games = 999; }));
  EXPECT_TRUE(changed([](Tournament& t) { t.seed = 2; }));
  EXPECT_TRUE(changed([](Tournament& t) { t.limits.nodes = 21; }));
  EXPECT_TRUE(changed([](Tournament& t) { t.engines[0].limits.depth = 3; }));
  EXPECT_TRUE(changed([](Tournament& t) { t.openings.plies = 3; }));
  EXPECT_TRUE(changed([](Tournament& t) { t.openings.cho = OpeningSettings::Cho::kAnswer; }));
  EXPECT_TRUE(changed([](Tournament& t) { t.adjudication.max_plies = 100; }));
  EXPECT_TRUE(changed([](Tournament& t) { t.rules.second_bonus_halves = 4; }));
  EXPECT_TRUE(changed([](Tournament& t) { t.command = "match"; }));
  EXPECT_TRUE(changed([](Tournament& t) { t.rules = rulesets()[1]; }));
}

TEST(Tournament, ABookCountsByWhatIsInIt) {
  const TempFolder folder;
  const auto id = [&](const std::string& name, const std::string& text) {
    std::ofstream(folder / name) << text;
    Tournament tournament = small();
    tournament.openings.book = folder / name;
    return run_id(PreparedTournament(tournament).run_info());
  };
  const std::string line = "9/4k4/9/8p/9/9/R7P/9/3K5/R8 w - - 0 1\n";
  const std::string base = id("a.epd", line);
  EXPECT_EQ(id("b.epd", "# the same line\n" + line), base);
  EXPECT_NE(id("c.epd", line + line), base);
}

TEST(Tournament, WorkersPlayAGameTheSameWayWhateverTheyPlayedBefore) {
  Tournament tournament = small();
  tournament.engines.push_back(engine_named("two"));
  tournament.engines[1].limits.nodes = 35;
  tournament.pairings = make_pairings(PairingKind::kAll, 2);
  tournament.openings.max_score = 400;
  tournament.openings.check_nodes = 50;
  tournament.adjudication.max_plies = 60;
  const PreparedTournament prepared(tournament);
  const std::atomic<bool> stop{false};
  const auto fresh = prepared.workers()();
  const auto used = prepared.workers()();
  for (const std::uint64_t id : {5, 0, 3, 2}) (void)used->play(id, stop);
  for (const std::uint64_t id : {0, 1, 4, 5}) {
    const auto one = prepared.workers()()->play(id, stop);
    const auto two = used->play(id, stop);
    const auto three = fresh->play(id, stop);
    ASSERT_TRUE(one && two && three);
    EXPECT_EQ(one->moves, two->moves);
    EXPECT_EQ(one->scores, two->scores);
    EXPECT_EQ(one->nodes, two->nodes);
    EXPECT_EQ(one->start_fen, two->start_fen);
    EXPECT_EQ(one->moves, three->moves);
  }
}

}  // namespace
}  // namespace cannonade
