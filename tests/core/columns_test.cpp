#include "core/notation/columns.h"

#include <gtest/gtest.h>

#include <set>

#include "core/board/movegen.h"
#include "core/notation/korean_columns.h"
#include "core/notation/uci_move.h"
#include "core/notation/xiangqi_columns.h"
#include "tests/support/random_record.h"
#include "tests/support/rulesets.h"

namespace cannonade {
namespace {

Position position_of(const Ruleset& rules, std::string_view fen) {
  return parse_fen(rules, fen).value_or_throw();
}

std::string chinese(const Position& p, std::string_view uci) {
  return to_xiangqi_columns(p, *parse_uci_move(uci), XiangqiColumns::kChinese);
}
std::string wxf(const Position& p, std::string_view uci) {
  return to_xiangqi_columns(p, *parse_uci_move(uci), XiangqiColumns::kWxf);
}

// FORMATS: `79楚卒78` is i4 to h4 and `02` is b1.
TEST(KoreanColumns, PointsAreRowAndFileFromHansBackRank) {
  const Position start = position_of(kKja, start_fen(Game::kJanggi));
  EXPECT_EQ(to_uci(*parse_korean_turn(start, "79楚卒78")), "i4h4");
  EXPECT_EQ(to_uci(*parse_korean_turn(start, "02楚馬83")), "b1c3");
  EXPECT_EQ(to_korean(start, *parse_uci_move("i4h4")), "79졸78");
  EXPECT_EQ(to_korean(start, *parse_uci_move("b1c3")), "02마83");
  EXPECT_EQ(to_korean(start, *parse_uci_move("e2e2")), "한수쉼");
  EXPECT_EQ(to_uci(*parse_korean_turn(start, "한수쉼")), "e2e2");
  const Position han = position_of(
      kKja, "rnba1abnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBA1ABNR b - - 0 1");
  EXPECT_EQ(to_uci(*parse_korean_turn(han, "41漢兵42")), "a7b7");
  EXPECT_EQ(to_uci(*parse_korean_turn(han, "25漢將24장군")), "e9d9");
  EXPECT_EQ(to_uci(*parse_korean_turn(han, "25漢24")), "e9d9") << "the side's own character";
  EXPECT_EQ(to_korean(han, *parse_uci_move("a7b7")), "41병42");
}

TEST(KoreanColumns, WhatTheBoardDoesNotBearOutIsRefused) {
  const Position start = position_of(kKja, start_fen(Game::kJanggi));
  for (const char* bad :
       {"", "7", "79", "79졸", "79졸7", "79졸70", "70졸71", "79마78", "78졸77", "41漢兵42",
        "41병42", "79漢卒78", "79x78", "a4a5", "79졸79", "\xff\xfe", "79\xec", "졸79"}) {
    EXPECT_FALSE(parse_korean_turn(start, bad)) << bad;
  }
}

TEST(KoreanColumns, EveryTurnOfRandomGamesReadsBack) {
  for (std::uint64_t id = 0; id < 10; ++id) {
    const GameRecord game = random_game("janggi-kja", id);
    GameState state(position_of(kKja, game.start_fen));
    for (const Move move : game.moves) {
      const std::string text = to_text(state.position(), move, MoveStyle::kColumns);
      ASSERT_EQ(*parse_any_turn(state.position(), text), move) << text;
      state.play(move);
    }
  }
}

// The best known opening moves, as every primer writes them.
TEST(XiangqiColumns, WritesTheUsualOpenings) {
  const Position start = position_of(kCasual, start_fen(Game::kXiangqi));
  EXPECT_EQ(chinese(start, "h3e3"), "炮二平五");
  EXPECT_EQ(wxf(start, "h3e3"), "C2=5");
  EXPECT_EQ(chinese(start, "h1g3"), "马二进三");
  EXPECT_EQ(wxf(start, "h1g3"), "H2+3");
  EXPECT_EQ(chinese(start, "g1e3"), "相三进五");
  EXPECT_EQ(chinese(start, "c4c5"), "兵七进一");
  EXPECT_EQ(chinese(start, "i1i2"), "车一进一");
  const Position black =
      position_of(kCasual, "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b - - 0 1");
  EXPECT_EQ(chinese(black, "h10g8"), "马8进7");
  EXPECT_EQ(wxf(black, "h10g8"), "H8+7");
  EXPECT_EQ(chinese(black, "b8e8"), "炮2平5");
  EXPECT_EQ(chinese(black, "d10e9"), "士4进5");
}

TEST(XiangqiColumns, TwoOnAFileAreFrontAndRear) {
  const Position p = position_of(kCasual, "4k4/4a4/4R4/9/4R4/4p4/3P1P3/3P1P3/4A4/3K1A3 w - - 0 1");
  EXPECT_EQ(chinese(p, "e8d8"), "前车平六");
  EXPECT_EQ(wxf(p, "e6d6"), "R-=6");
  EXPECT_EQ(chinese(p, "e6d6"), "后车平六");
}

TEST(XiangqiColumns, SoldiersOnOneFileAndOnSeveral) {
  const Position three = position_of(kCasual, "4k4/4a4/3P5/3P5/3P5/9/9/9/9/4K4 w - - 0 1");
  EXPECT_EQ(chinese(three, "d8c8"), "前兵平七");
  EXPECT_EQ(chinese(three, "d7c7"), "中兵平七");
  EXPECT_EQ(chinese(three, "d6c6"), "后兵平七");
  EXPECT_EQ(wxf(three, "d7c7"), "Pb=7");
  const Position several = position_of(kCasual, "4k4/4a4/3P1P3/3P1P3/9/9/9/9/9/4K4 w - - 0 1");
  EXPECT_EQ(chinese(several, "f8g8"), "一兵平三");
  EXPECT_EQ(chinese(several, "f7g7"), "二兵平三");
  EXPECT_EQ(chinese(several, "d8c8"), "三兵平七");
  EXPECT_EQ(chinese(several, "d7c7"), "四兵平七");
}

TEST(XiangqiColumns, TraditionalCharactersAndOtherSpellingsAreRead) {
  const Position start = position_of(kCasual, start_fen(Game::kXiangqi));
  for (const char* text : {"炮二平五", "砲二平五", "C2=5", "C2.5", "c2=5"}) {
    EXPECT_EQ(to_uci(*parse_any_turn(start, text)), "h3e3") << text;
  }
  EXPECT_EQ(to_uci(*parse_any_turn(start, "馬二進三")), "h1g3");
  EXPECT_EQ(to_uci(*parse_any_turn(start, "N2+3")), "h1g3");
  const Position black =
      position_of(kCasual, "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b - - 0 1");
  EXPECT_EQ(to_uci(*parse_any_turn(black, "馬８進７")), "h10g8");
  for (const char* bad : {"炮二平二", "炮九平五", "", "C2", "炮", "\xe7\x82", "C2=55"}) {
    EXPECT_FALSE(parse_any_turn(start, bad)) << bad;
  }
}

// Also with more pieces than a set has: whatever is written reads back to the same turn.
TEST(XiangqiColumns, EveryLegalTurnHasATextOfItsOwnThatReadsBack) {
  const auto check = [](const Position& p) {
    MoveList legal;
    generate(p, legal);
    for (const MoveStyle style : {MoveStyle::kColumns, MoveStyle::kWxf}) {
      std::set<std::string> texts;
      for (const Move move : legal) {
        const std::string text = to_text(p, move, style);
        ASSERT_TRUE(texts.insert(text).second) << text;
        ASSERT_EQ(*parse_any_turn(p, text), move) << text << " in " << to_fen(p);
      }
    }
  };
  for (std::uint64_t id = 0; id < 3; ++id) {
    const GameRecord game = random_game("xiangqi-casual", id);
    GameState state(position_of(kCasual, game.start_fen));
    for (const Move move : game.moves) {
      check(state.position());
      state.play(move);
    }
  }
  for (const char* fen : {
           "3k5/9/9/PPPPPPPPP/PPPPPPPPP/9/9/9/9/4K4 w - - 0 1",
           "3k5/9/9/N3N4/N3N4/9/N8/N8/2N6/4K4 w - - 0 1",
           "3k5/9/9/R8/R8/R8/C8/C8/C8/4K4 w - - 0 1",
           "3k5/9/9/9/9/2B3B2/9/B3B3B/9/2B1K1B2 w - - 0 1",
           "4k4/9/9/9/9/9/9/3A1A3/4A4/3AKA3 w - - 0 1",
       }) {
    check(position_of(kCasual, fen));
  }
}

TEST(AnyTurn, AlgebraicAndIccsWords) {
  const Position start = position_of(kCasual, start_fen(Game::kXiangqi));
  EXPECT_EQ(to_uci(*parse_any_turn(start, "H2-E2")), "h3e3");
  EXPECT_EQ(to_uci(*parse_any_turn(start, "Ng3")), "h1g3");
  EXPECT_EQ(to_uci(*parse_any_turn(start, "Hhg3+")), "h1g3");
  EXPECT_EQ(to_uci(*parse_any_turn(start, "e5")), "e4e5");
  EXPECT_EQ(to_uci(*parse_any_turn(start, "Cbe3")), "b3e3");
  EXPECT_EQ(to_uci(*parse_any_turn(start, "Cbxb10")), "b3b10");
  EXPECT_NE(parse_any_turn(start, "Ce3").error().find("more than one"), std::string::npos);
  EXPECT_FALSE(parse_any_turn(start, "Zg3"));
  EXPECT_FALSE(parse_any_turn(start, "Ng11"));
  const Position janggi = position_of(kKja, start_fen(Game::kJanggi));
  EXPECT_EQ(to_uci(*parse_any_turn(janggi, "Nc3")), "b1c3");
  EXPECT_EQ(to_uci(*parse_any_turn(janggi, "--")), "e2e2");
}

}  // namespace
}  // namespace cannonade
