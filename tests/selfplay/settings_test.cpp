#include "selfplay/settings.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "selfplay/command_line.h"

namespace cannonade {
namespace {

enum class Order { kSequential, kRandom };

struct Book {
  std::filesystem::path file;
  Order order = Order::kSequential;
};
struct Opponent {
  std::string name = "nobody";
  std::map<std::string, std::string> options;
};
struct Plan {
  std::uint64_t games = 100;
  double share = 0.25;
  bool adjudicate = false;
  std::vector<std::string> command;
  std::vector<std::uint64_t> nodes{10};
  std::vector<double> bonuses;
  std::optional<int> threads;
  Ruleset rules = rulesets().front();
  Book book;
  std::vector<Opponent> opponents;
};

void declare(SettingsTable& table, Book& book) {
  table.add_path("file", book.file, "book of openings");
  table.add("order", book.order, {{"sequential", Order::kSequential}, {"random", Order::kRandom}},
            "order of its lines");
}
void declare(SettingsTable& table, Opponent& opponent) {
  table.add("name", opponent.name, "its name").required();
  table.add_free_table("options", opponent.options, "its options");
}
void declare(SettingsTable& table, Plan& plan) {
  table.add("rules", plan.rules, "rule set");
  table.add("games", plan.games, 1, 1000, "games to play");
  table.add("share", plan.share, 0.0, 1.0, "share played out");
  table.add("adjudicate", plan.adjudicate, "stop decided games");
  table.add("command", plan.command, "program and words");
  table.add_numbers("nodes", plan.nodes, 1, 5000, 1, "limits");
  table.add_numbers("bonuses", plan.bonuses, 0, 10, 0.5, "bonuses");
  table.add("threads", plan.threads, 1, 64, "workers").not_fingerprinted();
  table.add_table("book", plan.book, "openings");
  table.add_tables("opponent", plan.opponents, "another engine");
  table.check([&plan]() -> std::optional<std::string> {
    if (plan.adjudicate && plan.share == 0) return "adjudicate needs a share above 0";
    return std::nullopt;
  });
}

// What the reader says about `text`; empty when it is taken.
std::string fault_of(std::string_view text) {
  Plan plan;
  SettingsTable table;
  declare(table, plan);
  try {
    read_toml_text(text, "dir/plan.toml", table);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUser);
    return error.what();
  }
  return "";
}

TEST(Settings, ReadsEveryKindOfRow) {
  Plan plan;
  SettingsTable table;
  declare(table, plan);
  read_toml_text(
      "rules = 'xiangqi'\ngames = 7\nshare = 1\nadjudicate = true\ncommand = ['a b', 'c']\n"
      "nodes = [300, 1000]\nbonuses = [0, 2.5]\nthreads = 3\n[book]\nfile = '../x.epd'\norder = "
      "'random'\n"
      "[[opponent]]\nname = 'first'\noptions = { Hash = 16, Ponder = false, Mode = 'x' }\n"
      "[[opponent]]\nname = 'second'\n",
      "dir/plan.toml", table);
  EXPECT_EQ(plan.rules.id, "xiangqi-casual");
  EXPECT_EQ(plan.games, 7U);
  EXPECT_EQ(plan.share, 1.0);
  EXPECT_TRUE(plan.adjudicate);
  EXPECT_EQ(plan.command, (std::vector<std::string>{"a b", "c"}));
  EXPECT_EQ(plan.nodes, (std::vector<std::uint64_t>{300, 1000}));
  EXPECT_EQ(plan.bonuses, (std::vector<double>{0, 2.5}));
  EXPECT_EQ(plan.threads, 3);
  EXPECT_EQ(plan.book.file, "x.epd");  // from the folder of the file that names it
  EXPECT_EQ(plan.book.order, Order::kRandom);
  ASSERT_EQ(plan.opponents.size(), 2U);
  EXPECT_EQ(plan.opponents[0].options.at("Hash"), "16");
  EXPECT_EQ(plan.opponents[0].options.at("Ponder"), "false");
  EXPECT_EQ(plan.opponents[0].options.at("Mode"), "x");
  EXPECT_EQ(plan.opponents[1].name, "second");
}

TEST(Settings, LeavesDefaultsWhereNothingIsGiven) {
  Plan plan;
  SettingsTable table;
  declare(table, plan);
  read_toml_text("", "plan.toml", table);
  EXPECT_EQ(plan.games, 100U);
  EXPECT_FALSE(plan.threads.has_value());
  EXPECT_FALSE(table.find("games")->given);
}

TEST(Settings, NamesFileLineKeyValueAndWhatIsAllowed) {
  EXPECT_EQ(fault_of("\ngames = 0"),
            "dir/plan.toml:2: games: 0 given; allowed: whole number, 1 to 1000");
  EXPECT_EQ(fault_of("games = 'ten'"),
            "dir/plan.toml:1: games: \"ten\" (a text) given; allowed: whole number, 1 to 1000");
  EXPECT_EQ(fault_of("games = 1.5"),
            "dir/plan.toml:1: games: 1.5 (a number) given; allowed: whole number, 1 to 1000");
  EXPECT_EQ(fault_of("share = nan"), "dir/plan.toml:1: share: nan given; allowed: number, 0 to 1");
  EXPECT_EQ(fault_of("adjudicate = 1"),
            "dir/plan.toml:1: adjudicate: 1 (a whole number) given; allowed: true or false");
  EXPECT_EQ(fault_of("[book]\norder = 'best'"),
            "dir/plan.toml:2: book.order: \"best\" given; allowed: one of sequential, random");
  EXPECT_EQ(fault_of("rules = 'chess'"),
            "dir/plan.toml:1: rules: \"chess\" given; allowed: one of janggi-kja, "
            "janggi-point-count, xiangqi-casual");
  EXPECT_EQ(fault_of("book = 3"),
            "dir/plan.toml:1: book: 3 (a whole number) given; allowed: a table");
  EXPECT_EQ(fault_of("[[opponent]]\nname = 'a'\n[[opponent]]\n[opponent.options]\nx = [1]"),
            "dir/plan.toml:3: opponent[1].name: missing; allowed: text\n"
            "dir/plan.toml:5: opponent[1].options.x: a list given; allowed: a text, a number, true "
            "or false");
}

TEST(Settings, ListsOfNumbersHaveARangeAStepAndNoRepeats) {
  const std::string allowed = "list of numbers, each 0 to 10 in steps of 0.5, none twice";
  for (const char* bad : {"[11]", "[-0.5]", "[0.25]", "[nan]", "[1, 2, 1]"}) {
    EXPECT_EQ(fault_of(std::string("bonuses = ") + bad),
              std::string("dir/plan.toml:1: bonuses: ") + bad + " given; allowed: " + allowed);
  }
  EXPECT_EQ(fault_of("bonuses = [1, 'x']"),
            "dir/plan.toml:1: bonuses: a list given; allowed: " + allowed);
  EXPECT_EQ(fault_of("bonuses = 1"),
            "dir/plan.toml:1: bonuses: 1 (a whole number) given; allowed: " + allowed);
  EXPECT_EQ(fault_of("bonuses = []"), "");
}

TEST(Settings, RefusesUnknownKeysAndListsTheKnownOnes) {
  EXPECT_EQ(fault_of("[book]\nfiel = 'x'"),
            "dir/plan.toml:2: book.fiel: unknown key; allowed here: file, order");
}

TEST(Settings, ReportsAllFaultsAtOnce) {
  const std::string faults = fault_of("games = 0\nshare = 2\nextra = 1\n[book]\norder = 3");
  EXPECT_EQ(std::count(faults.begin(), faults.end(), '\n'), 3);
  for (const char* key : {"games", "share", "extra", "book.order"}) {
    EXPECT_NE(faults.find(key), std::string::npos) << key;
  }
}

TEST(Settings, AsksConditionsOverSeveralRows) {
  EXPECT_EQ(fault_of("adjudicate = true\nshare = 0"),
            "dir/plan.toml:1: adjudicate needs a share above 0");
}

TEST(Settings, SaysWhereTheSyntaxBreaks) {
  EXPECT_EQ(fault_of("games = 1\ngames = 2").substr(0, 15), "dir/plan.toml:2");
  EXPECT_EQ(fault_of("x = [").substr(0, 14), "dir/plan.toml:");
}

TEST(Settings, RefusesAFileThatIsNotThere) {
  Plan plan;
  SettingsTable table;
  declare(table, plan);
  EXPECT_THROW(read_toml("/nowhere/plan.toml", table), Error);
}

TEST(Settings, CanonicalTextHasWhatDecidesTheGamesOnly) {
  Plan plan;
  plan.threads = 8;
  plan.book.file = "elsewhere.epd";
  plan.opponents.push_back({"quo\"te", {{"Hash", "16"}}});
  SettingsTable table;
  declare(table, plan);
  EXPECT_EQ(canonical_text(table),
            "rules = \"janggi-kja\"\ngames = 100\nshare = 0.25\nadjudicate = false\n"
            "command = []\nnodes = [10]\nbonuses = []\nbook.order = "
            "\"sequential\"\nopponent[0].name = \"quo\\\"te\"\n"
            "opponent[0].options.\"Hash\" = \"16\"\n");
}

TEST(Settings, TheReferenceIsAFileThatReadsBackAsTheDefaults) {
  Plan plan;
  SettingsTable table;
  declare(table, plan);
  const std::string reference = reference_text(table);
  EXPECT_NE(reference.find("# games to play (whole number, 1 to 1000)\ngames = 100\n"),
            std::string::npos);
  Plan again;
  again.games = 1;
  SettingsTable table_again;
  declare(table_again, again);
  read_toml_text(reference, "reference.toml", table_again);
  EXPECT_EQ(canonical_text(table_again), canonical_text(table));
}

std::string command_line_fault(std::vector<const char*> words) {
  Plan plan;
  SettingsTable table;
  declare(table, plan);
  CommandLine line("prog go", "Goes.", "prog go");
  line.add(table);
  words.insert(words.begin(), "go");
  try {
    EXPECT_TRUE(line.parse(static_cast<int>(words.size()), words.data()));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUser);
    return error.what();
  }
  return "";
}

TEST(CommandLine, TakesTheRowsOfASettingsTable) {
  Plan plan;
  SettingsTable table;
  declare(table, plan);
  CommandLine line("prog go", "Goes.", "prog go");
  line.add(table);
  std::vector<std::string> files;
  line.add_operands("FILE...", files, 1);
  const std::vector<const char*> words{
      "go",  "--games=12",   "a.db", "--rules", "janggi-points", "--share",
      "0.5", "--adjudicate", "b.db", "--nodes", "5,70",          "--bonuses="};
  ASSERT_TRUE(line.parse(static_cast<int>(words.size()), words.data()));
  EXPECT_EQ(plan.games, 12U);
  EXPECT_EQ(plan.rules.id, "janggi-point-count");
  EXPECT_EQ(plan.share, 0.5);
  EXPECT_TRUE(plan.adjudicate);
  EXPECT_EQ(plan.nodes, (std::vector<std::uint64_t>{5, 70}));
  EXPECT_TRUE(plan.bonuses.empty());
  EXPECT_EQ(files, (std::vector<std::string>{"a.db", "b.db"}));
}

TEST(CommandLine, RefusesInOneLineThatNamesTheOption) {
  EXPECT_EQ(command_line_fault({}), "");
  EXPECT_EQ(command_line_fault({"--games", "0"}),
            "go: --games: '0' given; allowed: whole number, 1 to 1000");
  EXPECT_EQ(command_line_fault({"--games", "99999999999999999999"}),
            "go: --games: '99999999999999999999' given; allowed: whole number, 1 to 1000");
  for (const char* bad : {"0", "5,", ",5", "5,x", "5,5", "5.5", "5 6"}) {
    EXPECT_EQ(command_line_fault({"--nodes", bad}),
              std::string("go: --nodes: '") + bad +
                  "' given; allowed: list of numbers, each 1 to 5000 in steps of 1, none twice");
  }
  EXPECT_EQ(command_line_fault({"--games", "1", "--games", "2"}),
            "go: --games is given 2 times (see prog go --help)");
  EXPECT_EQ(command_line_fault({"word"}), "go: unexpected word 'word' (see prog go --help)");
  EXPECT_EQ(command_line_fault({"--gmaes", "1"}).substr(0, 36),
            "go: Option 'gmaes' does not exist; a");
}

}  // namespace
}  // namespace cannonade
