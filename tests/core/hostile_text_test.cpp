// Texts that are no games, or damaged ones, given to every reader of games.
#include <gtest/gtest.h>

#include "core/base/files.h"
#include "core/base/rng.h"
#include "tests/support/random_record.h"
#include "tests/support/read_games.h"
#include "tests/support/rulesets.h"

namespace cannonade {
namespace {

// Whatever the bytes, every reader ends, and what it hands on is legal.
TEST(HostileText, NoReaderCrashesOnDamagedFiles) {
  std::string pgn;
  std::string epd;
  std::string csv = csv_header();
  std::string list;
  for (std::uint64_t id = 0; id < 3; ++id) {
    const GameRecord game = random_game("janggi-kja", id);
    PgnOptions options;
    options.style = id == 1 ? MoveStyle::kColumns : MoveStyle::kUci;
    pgn += to_pgn(game, kKja, options).value_or_throw();
    epd += to_epd(game, kKja).value_or_throw();
    csv += to_csv(game);
    list += "position fen " + game.start_fen + " moves " + words(game) + "\n";
  }
  const std::string gib_text =
      decode_text(*read_file(std::string(CANNONADE_TEST_DATA) + "/sample.gib")).text;
  Rng rng(3);
  const auto damage = [&](std::string text) {
    const std::uint64_t hits = 1 + rng.below(30);
    for (std::uint64_t i = 0; i < hits && !text.empty(); ++i) {
      const std::size_t at = rng.below(text.size());
      switch (rng.below(4)) {
        case 0:
          text[at] = static_cast<char>(rng.below(256));
          break;
        case 1:
          text.erase(at, rng.below(20));
          break;
        case 2:
          text.insert(at, std::string(rng.below(8), "[]{}\"();,\n"[rng.below(10)]));
          break;
        default:
          text.insert(at, text.substr(rng.below(text.size()), rng.below(60)));
          break;
      }
    }
    return decode_text(text).text;
  };
  for (int round = 0; round < 60; ++round) {
    std::vector<Found> all;
    all.push_back(from_pgn(damage(pgn), kKja));
    all.push_back(from_epd(damage(epd), kKja));
    all.push_back(from_list(damage(list), kKja));
    all.push_back(from_gib(damage(gib_text), kKja));
    try {
      all.push_back(from_csv(damage(csv), kKja));
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUser);
    }
    for (const Found& found : all) {
      for (const GameRecord& game : found.games) {
        EXPECT_EQ(game.scores.size(), game.moves.size());
        EXPECT_TRUE(to_pgn(game, kKja)) << "a game that is not legal was handed on";
      }
    }
  }
}

// Long words of many bytes a character, where every message and every kept text has to be cut.
TEST(HostileText, LongForeignWordsAreCutBetweenCharacters) {
  for (std::size_t shift = 0; shift < 4; ++shift) {
    std::string word(shift, 'x');
    for (int i = 0; i < 9000; ++i) word += "한";
    const auto check = [](const Found& found) {
      for (const GameRecord& game : found.games) {
        for (const std::string* text :
             {&game.players[0], &game.players[1], &game.player_hashes[0], &game.note}) {
          EXPECT_TRUE(is_utf8(*text));
          EXPECT_LT(text->size(), 17'000U);
        }
      }
    };
    check(from_list(word + "\nposition fen " + word + " moves a1a2\n", kKja));
    check(from_pgn("[White \"" + word + "\"]\n[WhiteHash \"" + word + "\"]\n\n1. i4h4 " + word +
                       " 1-0\n" + "[FEN \"" + word + "\"]\n\n1. i4h4 *\n",
                   kKja));
    check(from_epd(word + "\n" + std::string(start_fen(Game::kJanggi)) + " c9 \"1-0\"; c1 \"" +
                       word.substr(0, 9000 + shift) + "\";\n",
                   kKja));
    check(from_csv(
        "moves,first,first_hash,note\ni4h4," + word + "," + word + "," + word + "\n" + word + "\n",
        kKja));
    check(from_gib(gib(word, "1. 79卒78 2. " + word), kKja));
    EXPECT_TRUE(is_utf8(parse_uci_move(word).error()));
  }
}

TEST(HostileText, MadeUpExtremesEnd) {
  const std::string deep(200'000, '(');
  (void)from_pgn("[Result \"1-0\"]\n\n1. " + deep, kKja);
  (void)from_pgn(std::string(100'000, '{'), kKja);
  (void)from_pgn(std::string(100'000, '['), kKja);
  (void)from_epd(std::string(100'000, 'x') + "\n" + std::string(100'000, '/') + " w", kKja);
  (void)from_list(std::string(100'000, ' ') + std::string(100'000, 'a'), kKja);
  (void)from_gib(std::string(100'000, '{') + std::string(100'000, '<') + "\n[", kKja);
  (void)from_gib(std::string("[").append(100'000, '"'), kKja);
  (void)from_csv("moves\n\"" + std::string(100'000, '"'), kKja);
  std::string words_text;
  for (int i = 0; i < 50'000; ++i) words_text += "e2e2 ";
  (void)from_list(words_text, kKja);
}

}  // namespace
}  // namespace cannonade
