#include "selfplay/page_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/browser/demo_page.h"

namespace cannonade {
namespace {

TEST(PageText, NumbersHaveThousandsAndTrueMinusSigns) {
  EXPECT_EQ(format_count(0), "0");
  EXPECT_EQ(format_count(999), "999");
  EXPECT_EQ(format_count(1234567), "1,234,567");
  EXPECT_EQ(format_number(-1234.56, 1), "\u22121,234.6");
  EXPECT_EQ(format_number(-0.04, 1), "0.0");
  EXPECT_EQ(format_number(std::nan(""), 1), "\u2013");
  EXPECT_EQ(format_signed(12.34, 1), "+12.3");
  EXPECT_EQ(format_signed(-12.34, 1), "\u221212.3");
  EXPECT_EQ(format_signed(0.01, 1), "0.0");
  EXPECT_EQ(format_percent(0.5236, 1), "52.4\u00a0%");
  EXPECT_EQ(format_error(7.25, 1), "\u00b1\u00a07.2");
  EXPECT_EQ(format_interval(-3, 12.44, 1), "\u22123.0 to 12.4");
}

TEST(PageText, DurationsUseTheUnitThatFits) {
  EXPECT_EQ(format_duration(0.84), "0.8\u00a0s");
  EXPECT_EQ(format_duration(42.4), "42\u00a0s");
  EXPECT_EQ(format_duration(59.7), "1\u00a0min 0\u00a0s");
  EXPECT_EQ(format_duration(200), "3\u00a0min 20\u00a0s");
  EXPECT_EQ(format_duration(8000), "2\u00a0h 13\u00a0min");
}

TEST(PageText, OutcomesReadAsSentences) {
  const auto words = [](Game game, std::optional<Side> winner, Reason reason, bool points = false) {
    return outcome_words(game, Outcome{winner, reason, points});
  };
  EXPECT_EQ(words(Game::kJanggi, Side::kFirst, Reason::kCheckmate), "Cho won by checkmate");
  EXPECT_EQ(words(Game::kJanggi, Side::kSecond, Reason::kNoProgress, true),
            "Han won on points after no progress");
  EXPECT_EQ(words(Game::kXiangqi, Side::kSecond, Reason::kPerpetualCheck),
            "Black won: perpetual check by Red");
  EXPECT_EQ(words(Game::kXiangqi, Side::kFirst, Reason::kTime), "Red won on time");
  EXPECT_EQ(words(Game::kJanggi, std::nullopt, Reason::kInsufficientMaterial),
            "Drawn by insufficient material");
  EXPECT_EQ(words(Game::kJanggi, std::nullopt, Reason::kUnfinished), "No result");
}

TEST(PageText, CleanTextIsUtf8WithoutControlCharacters) {
  EXPECT_EQ(clean_text("楚 漢\n\tx"), "楚 漢\n\tx");
  EXPECT_EQ(clean_text(std::string_view("a\0b\r\x1b\x7f", 6)), "a b   ");
  EXPECT_EQ(clean_text("a\xff z"), "a\ufffd z");
  EXPECT_EQ(clean_text("\xe6\xa5"), "\ufffd");  // the first two bytes of three
}

TEST(PageText, JsonForAScriptCannotEndTheScript) {
  const std::string text = json_for_script({{"</script>", kHostileName}});
  EXPECT_EQ(text.find_first_of("<>&"), std::string::npos);
  EXPECT_TRUE(std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c < 127; }));
  EXPECT_EQ(nlohmann::json::parse(text).at("</script>"), clean_text(kHostileName));
}

}  // namespace
}  // namespace cannonade
