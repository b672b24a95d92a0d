#include "selfplay/stats_command.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/error.h"

namespace cannonade {
namespace {

std::string output_of(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "stats");
  std::vector<char*> argv;
  for (auto& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  testing::internal::CaptureStdout();
  try {
    EXPECT_EQ(stats_command(static_cast<int>(arguments.size()), argv.data()), 0);
  } catch (...) {
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
    throw;
  }
  return testing::internal::GetCapturedStdout();
}

nlohmann::json json_of(std::vector<std::string> arguments) {
  arguments.emplace_back("--json");
  return nlohmann::json::parse(output_of(std::move(arguments)));
}

TEST(StatsCommand, JsonCarriesTheWorkedExampleP1) {
  const auto json = json_of({"--pentanomial", "10,40,100,60,15", "--sprt", "0,5"});
  EXPECT_NEAR(json.at("elo"), 23.196779, 1e-6);
  EXPECT_NEAR(json.at("elo_error"), 21.307066, 1e-6);
  EXPECT_NEAR(json.at("los"), 0.983938, 1e-6);
  EXPECT_NEAR(json.at("nelo"), 35.096294, 1e-6);
  EXPECT_NEAR(json.at("nelo_error"), 32.100820, 1e-6);
  EXPECT_NEAR(json.at("llr"), 0.860539, 1e-6);
  EXPECT_NEAR(json.at("upper"), std::log(19.0), 1e-9);
  EXPECT_NEAR(json.at("lower"), -std::log(19.0), 1e-9);
  EXPECT_EQ(json.at("verdict"), "continue");
  EXPECT_EQ(json.at("games"), 450);
  EXPECT_EQ(json.at("pairs"), 225);
  EXPECT_NEAR(json.at("score"), 0.5 * (40 * 0.5 + 100 + 60 * 1.5 + 15 * 2) / 225, 1e-12);
  EXPECT_GT(json.at("expected_games").at("elo0"), 1000);
}

TEST(StatsCommand, WdlIsWinsDrawsLossesAndTheModelIsHonoured) {
  const auto json = json_of({"--wdl=120,180,100", "--sprt=0,10", "--model", "normalized"});
  EXPECT_NEAR(json.at("elo"), 17.386278, 1e-6);
  EXPECT_NEAR(json.at("llr"), 0.610648, 1e-6);
  EXPECT_EQ(json.at("model"), "normalized");
  EXPECT_EQ(json.at("wins"), 120);
  EXPECT_EQ(json.at("losses"), 100);
}

TEST(StatsCommand, NegativeBoundsAndErrorRatesAreTaken) {
  const auto json = json_of({"--pentanomial", "120,300,400,150,30", "--sprt", "-10,0", "--alpha",
                             "0.01", "--beta", "0.1"});
  EXPECT_NEAR(json.at("llr"), -16.615450, 1e-6);
  EXPECT_EQ(json.at("verdict"), "H0");
  EXPECT_NEAR(json.at("upper"), std::log(90.0), 1e-9);
}

TEST(StatsCommand, WithoutATestThereIsNoVerdict) {
  const auto json = json_of({"--wdl", "0,0,0"});
  for (const char* key : {"llr", "lower", "upper", "verdict"}) EXPECT_TRUE(json.at(key).is_null());
  EXPECT_EQ(json.at("games"), 0);
  EXPECT_EQ(json.at("elo"), 0);
}

TEST(StatsCommand, ThePersonsFormNamesEveryFigure) {
  const std::string text = output_of({"--pentanomial", "10,40,100,60,15", "--sprt", "0,5"});
  for (const char* part : {"225 pairs", "+23.20 +- 21.31", "+35.10 +- 32.10", "98.39", "0.861",
                           "(-2.944, 2.944)", "continue"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
  }
}

TEST(StatsCommand, HelpHasAnExample) {
  EXPECT_NE(output_of({"--help"}).find("selfplay stats --pentanomial"), std::string::npos);
}

TEST(StatsCommand, BadCommandLinesAreTheUsersInOneLine) {
  const std::vector<std::vector<std::string>> bad = {
      {},
      {"--pentanomial"},
      {"--pentanomial", "1,2,3,4"},
      {"--pentanomial", "1,2,3,4,5,6"},
      {"--pentanomial", "1,2,3,4,-5"},
      {"--pentanomial", "1,2,3,4,5x"},
      {"--pentanomial", "1,2,3,,5"},
      {"--pentanomial", ""},
      {"--pentanomial", "1,2,3,4,99999999999999999999"},
      {"--wdl", "1,2"},
      {"--wdl", "1.5,2,3"},
      {"--wdl", "1,2,3", "--pentanomial", "1,2,3,4,5"},
      {"--wdl", "1,2,3", "--wdl", "1,2,3"},
      {"--wdl", "1,2,3", "--sprt", "5,0"},
      {"--wdl", "1,2,3", "--sprt", "five,six"},
      {"--wdl", "1,2,3", "--sprt", "0,5", "--model", "bayes"},
      {"--wdl", "1,2,3", "--sprt", "0,5", "--alpha", "0.7"},
      {"--wdl", "1,2,3", "--sprt", "0,5", "--beta", "x"},
      {"--wdl", "1,2,3", "--model", "normalized"},
      {"--wdl", "1,2,3", "--frobnicate"},
      {"--wdl", "1,2,3", "extra"},
  };
  for (const auto& arguments : bad) {
    std::string line;
    for (const auto& argument : arguments) line += argument + " ";
    try {
      (void)output_of(arguments);
      ADD_FAILURE() << "accepted: " << line;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUser) << line;
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << line;
    }
  }
}

}  // namespace
}  // namespace cannonade
