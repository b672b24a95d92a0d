#include "selfplay/openings.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>

#include "tests/selfplay/stored_games.h"

namespace cannonade {
namespace {

const Ruleset kJanggiRules = find_ruleset("janggi-kja").value_or_throw();
const Ruleset kXiangqiRules = find_ruleset("xiangqi-casual").value_or_throw();

GameState played(const Ruleset& rules, const Opening& opening) {
  GameState game(parse_fen(rules, opening.start_fen).value_or_throw());
  for (const Move move : opening.moves) {
    EXPECT_FALSE(game.outcome().has_value());
    EXPECT_TRUE(game.legal(move));
    game.play(move);
  }
  return game;
}

std::string key_of(const Opening& opening) {
  std::string key = opening.start_fen;
  for (const Move move : opening.moves) key += fmt::format(" {}", move.raw());
  return key;
}

std::filesystem::path write_book(const TempFolder& folder, const std::string& text) {
  const auto path = folder / "book.epd";
  std::ofstream(path) << text;
  return path;
}

TEST(Openings, DrawsTheSameForTheSameIndexWhateverTheOrder) {
  OpeningSettings settings;
  const Openings one(settings, kJanggiRules, 7);
  const Openings two(settings, kJanggiRules, 7);
  std::map<std::uint64_t, std::string> drawn;
  for (std::uint64_t i = 0; i < 50; ++i) drawn[i] = key_of(one.draw(i));
  for (std::uint64_t i = 50; i-- > 0;) EXPECT_EQ(key_of(two.draw(i)), drawn[i]) << i;
  std::set<std::string> distinct;
  for (const auto& [i, key] : drawn) distinct.insert(key);
  EXPECT_GE(distinct.size(), 49U);
  EXPECT_NE(key_of(Openings(settings, kJanggiRules, 8).draw(0)), drawn[0]);
}

TEST(Openings, RandomTurnsLeaveAGameThatCanBePlayed) {
  for (const Ruleset& rules : rulesets()) {
    OpeningSettings settings;
    settings.plies = 12;
    const Openings openings(settings, rules, 3);
    for (std::uint64_t i = 0; i < 60; ++i) {
      const Opening opening = openings.draw(i);
      ASSERT_EQ(opening.moves.size(), 12U);
      const GameState game = played(rules, opening);
      EXPECT_FALSE(game.outcome().has_value());
      EXPECT_FALSE(game.position().generals_face() && rules.bikjang);
      for (const Move move : opening.moves) EXPECT_FALSE(move.is_pass());
    }
  }
}

TEST(Openings, EverySixteenHaveEverySetUpOnce) {
  OpeningSettings settings;
  settings.plies = 0;
  const Openings openings(settings, kJanggiRules, 11);
  std::set<std::string> orders;
  for (std::uint64_t block = 0; block < 5; ++block) {
    std::set<std::string> starts;
    std::string order;
    for (std::uint64_t i = 0; i < 16; ++i) {
      const std::string fen = openings.draw(16 * block + i).start_fen;
      EXPECT_TRUE(set_ups_of(fen).has_value());
      starts.insert(fen);
      order += fen;
    }
    EXPECT_EQ(starts.size(), 16U);
    orders.insert(order);
  }
  EXPECT_EQ(orders.size(), 5U);  // each block in an order of its own
}

TEST(Openings, HanDeclaresAndChoAnswersByPolicy) {  // J7
  OpeningSettings settings;
  settings.plies = 0;
  settings.cho = OpeningSettings::Cho::kAnswer;
  settings.answers.by_han = {SetUp::kRight, SetUp::kLeft, SetUp::kOutside, SetUp::kInside};
  const Openings openings(settings, kJanggiRules, 1);
  std::map<std::string_view, int> han;
  for (std::uint64_t i = 0; i < 40; ++i) {
    const auto set_ups = set_ups_of(openings.draw(i).start_fen);
    ASSERT_TRUE(set_ups.has_value());
    ++han[set_up_name((*set_ups)[1])];
    EXPECT_EQ((*set_ups)[0], settings.answers.by_han[static_cast<std::size_t>((*set_ups)[1])]);
  }
  for (const auto& [set_up, count] : han) EXPECT_EQ(count, 10) << set_up;
}

TEST(Openings, FixedSetUpsAreFixed) {
  OpeningSettings settings;
  settings.plies = 0;
  settings.han = SetUp::kLeft;
  settings.cho = OpeningSettings::Cho::kFixed;
  settings.cho_fixed = SetUp::kOutside;
  const Openings openings(settings, kJanggiRules, 1);
  for (std::uint64_t i = 0; i < 5; ++i) {
    EXPECT_EQ(openings.draw(i).start_fen, set_up_fen(SetUp::kOutside, SetUp::kLeft));
  }
}

TEST(Openings, KeepsOnlyWhatTheSearchFindsBalanced) {
  OpeningSettings settings;
  settings.max_score = 50;
  const Openings openings(settings, kXiangqiRules, 5);
  // A judge that likes one position in four.
  int asked = 0;
  const BalanceCheck check = [&](const GameState& game) {
    ++asked;
    return game.position().key() % 4 == 0 ? -50 : 51;
  };
  for (std::uint64_t i = 0; i < 20; ++i) {
    EXPECT_EQ(played(kXiangqiRules, openings.draw(i, check)).position().key() % 4, 0U);
  }
  EXPECT_GT(asked, 40);
  const BalanceCheck never = [](const GameState&) { return 51; };
  EXPECT_THROW((void)openings.draw(0, never), Error);
}

constexpr const char* kA = "4k4/9/9/9/r8/9/9/R8/9/3K5 w - - 3 9";
constexpr const char* kB = "4k4/9/9/9/1r7/9/9/R8/9/3K5 b - - 0 1";
constexpr const char* kC = "4k4/9/9/9/2r6/9/9/R1R6/9/3K5 w - - 0 1";

TEST(Openings, ReadsFenAndEpdLinesInOrderAndWraps) {
  const TempFolder folder;
  OpeningSettings settings;
  settings.plies = 8;  // a book has no random turns
  settings.book =
      write_book(folder, std::string("# a comment\n\n") + kA +
                             "\r\n4k4/9/9/9/1r7/9/9/R8/9/3K5 b - - id \"x\"; c0 \"y\";\n"
                             "4k4/9/9/9/2r6/9/9/R1R6/9/3K5 w - - hmvc 4; fmvn 7;\n");
  settings.book = folder / "book.epd";
  const Openings openings(settings, kXiangqiRules, 1);
  EXPECT_EQ(openings.book_size(), 3U);
  EXPECT_EQ(openings.draw(0).start_fen, kA);
  EXPECT_TRUE(openings.draw(0).moves.empty());
  EXPECT_EQ(openings.draw(1).start_fen, kB);
  EXPECT_EQ(openings.draw(2).start_fen, "4k4/9/9/9/2r6/9/9/R1R6/9/3K5 w - - 4 7");
  EXPECT_EQ(openings.draw(3).start_fen, kA);
  EXPECT_EQ(openings.draw(3'000'000'000).start_fen, kA);
}

TEST(Openings, HonoursTheOffset) {
  const TempFolder folder;
  OpeningSettings settings;
  settings.book = write_book(folder, std::string(kA) + "\n" + kB + "\n" + kC + "\n");
  settings.start = 4;
  EXPECT_EQ(Openings(settings, kXiangqiRules, 1).draw(0).start_fen, kB);
  OpeningSettings random;
  random.start = 5;
  OpeningSettings plain;
  EXPECT_EQ(key_of(Openings(random, kJanggiRules, 1).draw(2)),
            key_of(Openings(plain, kJanggiRules, 1).draw(7)));
}

TEST(Openings, RandomOrderIsOnePermutationOfTheWholeBook) {
  const TempFolder folder;
  std::string text;
  for (int file = 0; file < 9; ++file) {
    const std::string before = file > 0 ? std::to_string(file) : "";
    const std::string after = file < 8 ? std::to_string(8 - file) : "";
    for (const char* other : {"R8", "1R7", "2R6"}) {
      text += fmt::format("4k4/9/9/9/{}r{}/9/9/{}/9/3K5 w - - 0 1\n", before, after, other);
    }
  }
  OpeningSettings settings;
  settings.book = write_book(folder, text);
  settings.order = OpeningSettings::Order::kRandom;
  const Openings openings(settings, kXiangqiRules, 5);
  std::set<std::string> first_pass;
  bool moved = false;
  for (std::uint64_t i = 0; i < 27; ++i) {
    const std::string fen = openings.draw(i).start_fen;
    first_pass.insert(fen);
    moved = moved || text.find(fen) / text.find('\n') != i;
    EXPECT_EQ(openings.draw(i + 27).start_fen, fen);
  }
  EXPECT_EQ(first_pass.size(), 27U);
  EXPECT_TRUE(moved);
  EXPECT_NE(Openings(settings, kXiangqiRules, 6).draw(0).start_fen + openings.draw(1).start_fen,
            openings.draw(0).start_fen + openings.draw(1).start_fen);
}

TEST(Openings, RefusesUnplayableLinesByNumberAllAtOnce) {
  const TempFolder folder;
  OpeningSettings settings;
  settings.book = write_book(folder,
                             "9/4k4/9/8p/9/9/R7P/9/3K5/R8 w - - 0 1\n"    // good
                             "nonsense\n"                                 // illegal
                             "9/4k4/9/8p/9/9/R7P/9/4K4/R8 w - - 0 1\n"    // facing
                             "R3k4/9/3R1R3/8p/9/9/9/9/9/4K4 b - - 0 1\n"  // mated
                             "9/4k4/9/9/9/9/9/9/3K5/R8 w - - 0 1\n"       // J26
                             "9/4k4/9/8p/9/9/R7P/9/3K5/R8 w - - 120 90\n");
  const std::string fault = error_of([&] { Openings(settings, kJanggiRules, 1); });
  const std::string name = settings.book.string();
  EXPECT_NE(fault.find(name + ":2: "), std::string::npos) << fault;
  EXPECT_NE(fault.find(name + ":3: generals already facing"), std::string::npos) << fault;
  EXPECT_NE(fault.find(name + ":4: already finished (checkmate)"), std::string::npos) << fault;
  EXPECT_NE(fault.find(name + ":5: already finished (insufficient_material)"), std::string::npos);
  EXPECT_NE(fault.find(name + ":6: already finished (no_progress)"), std::string::npos) << fault;
  EXPECT_EQ(fault.find(name + ":1:"), std::string::npos) << fault;

  settings.bad_line = OpeningSettings::BadLine::kSkip;
  const Openings openings(settings, kJanggiRules, 1);
  EXPECT_EQ(openings.book_size(), 1U);
  EXPECT_EQ(openings.skipped().size(), 5U);
}

TEST(Openings, RefusesABookWithoutAnOpeningOrThatIsNotThere) {
  const TempFolder folder;
  OpeningSettings settings;
  settings.book = write_book(folder, "# nothing\n");
  EXPECT_NE(error_of([&] { Openings(settings, kJanggiRules, 1); }), "");
  settings.book = folder / "missing.epd";
  EXPECT_NE(error_of([&] { Openings(settings, kJanggiRules, 1); }), "");
}

TEST(Openings, TakesTheFirstTurnsOfAPgnBooksGames) {
  const TempFolder folder;
  const auto path = folder / "book.PGN";
  std::ofstream(path) << "[Variant \"Xiangqi\"]\n[Result \"*\"]\n\n1. h3e3 h10g8 2. h1g3 *\n\n"
                         "[Variant \"Xiangqi\"]\n[Result \"1-0\"]\n\n1. b3e3 1-0\n\n"
                         "[Variant \"Xiangqi\"]\n[Result \"*\"]\n\n1. h3e3 a1a9 *\n";
  OpeningSettings settings;
  settings.book = path;
  const std::string fault = error_of([&] { Openings(settings, kXiangqiRules, 1); });
  EXPECT_NE(fault.find("book.PGN:"), std::string::npos) << fault;
  EXPECT_NE(fault.find("a1a9"), std::string::npos) << fault;

  settings.bad_line = OpeningSettings::BadLine::kSkip;
  const Openings whole(settings, kXiangqiRules, 1);
  ASSERT_EQ(whole.book_size(), 2U);
  EXPECT_EQ(whole.draw(0).start_fen, start_fen(Game::kXiangqi));
  EXPECT_EQ(whole.draw(0).moves.size(), 3U);
  EXPECT_EQ(whole.draw(1).moves.size(), 1U);

  settings.book_plies = 1;  // the turn that breaks the rules is not reached
  const Openings first(settings, kXiangqiRules, 1);
  ASSERT_EQ(first.book_size(), 3U);
  EXPECT_EQ(first.draw(2).moves.size(), 1U);
  EXPECT_NE(first.book_hash(), whole.book_hash());
}

TEST(Openings, SettingsReadFromToml) {
  OpeningSettings settings;
  SettingsTable table;
  declare(table, settings);
  read_toml_text(
      "han = 'left'\ncho = 'answer'\nplies = 4\nbook = 'x.epd'\norder = 'random'\n"
      "bad_line = 'skip'\n[answers]\ninside = 'outside'\n",
      "a/b.toml", table);
  EXPECT_EQ(settings.han, SetUp::kLeft);
  EXPECT_EQ(settings.cho, OpeningSettings::Cho::kAnswer);
  EXPECT_EQ(settings.answers.by_han[0], SetUp::kOutside);
  EXPECT_EQ(settings.book, "a/x.epd");
  OpeningSettings fixed;
  SettingsTable other;
  declare(other, fixed);
  read_toml_text("cho = 'right'\n", "b.toml", other);
  EXPECT_EQ(fixed.cho, OpeningSettings::Cho::kFixed);
  EXPECT_EQ(fixed.cho_fixed, SetUp::kRight);
  EXPECT_NE(canonical_text(other).find("cho = \"right\""), std::string::npos);
}

}  // namespace
}  // namespace cannonade
