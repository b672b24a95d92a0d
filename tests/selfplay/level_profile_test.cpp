#include "selfplay/level_profile.h"

#include <gtest/gtest.h>

#include "core/notation/uci_move.h"
#include "tests/support/rulesets.h"

namespace cannonade {
namespace {

GameRecord game_of(const std::string& fen, const std::vector<std::string>& moves,
                   std::optional<Side> winner) {
  GameRecord record;
  record.rules = kCasual.id;
  record.start_fen = fen;
  for (const std::string& move : moves) {
    record.moves.push_back(parse_uci_move(move).value_or_throw());
  }
  record.scores.assign(record.moves.size(), kNoScore);
  record.outcome = {winner, Reason::kCheckmate, false};
  return record;
}

std::array<LevelProfile, 2> profile_of(const GameRecord& record) {
  Engine referee("referee", material_weights(kCasual), 1);
  return profile_game(record, kCasual, referee, 3000);
}

TEST(LevelProfile, AMateInOneThatIsPassedOverIsMissed) {
  // b5b10 mates; then it is played.
  const std::string fen = "3k5/R8/9/9/9/1R7/9/9/9/4K4 w - - 0 1";
  const auto mated = profile_of(game_of(fen, {"b5b10"}, Side::kFirst));
  EXPECT_EQ(mated[0].mates, 1U);
  EXPECT_EQ(mated[0].mates_missed, 0U);
  EXPECT_EQ(mated[0].moves, 1U);
  EXPECT_EQ(mated[0].blunders, 0U);
  EXPECT_EQ(mated[0].won_endings, 1U);
  EXPECT_EQ(mated[0].won_endings_won, 1U);
  const auto missed = profile_of(game_of(fen, {"a9a8"}, std::nullopt));
  EXPECT_EQ(missed[0].mates, 1U);
  EXPECT_EQ(missed[0].mates_missed, 1U);
  EXPECT_EQ(missed[0].won_endings_won, 0U);
}

TEST(LevelProfile, ARecaptureThatIsNotMadeIsMissed) {
  // Black's chariot takes the horse on c3, which Red's chariot on c1 covers.
  const std::string fen = "3ak4/9/2r6/9/9/9/P7P/2N6/9/2R2K3 b - - 0 1";
  const auto made = profile_of(game_of(fen, {"c8c3", "c1c3"}, std::nullopt));
  EXPECT_EQ(made[0].recaptures, 1U);
  EXPECT_EQ(made[0].recaptures_missed, 0U);
  const auto missed = profile_of(game_of(fen, {"c8c3", "f1f2"}, std::nullopt));
  EXPECT_EQ(missed[0].recaptures, 1U);
  EXPECT_EQ(missed[0].recaptures_missed, 1U);
  EXPECT_EQ(missed[0].blunders, 1U) << "a chariot is lost by it";
  // The answer that punishes it is the chariot's.
  EXPECT_EQ(missed[0].blunders_by_answer[static_cast<std::size_t>(index_of(PieceKind::kChariot))] +
                missed[0].blunders_to_mate,
            1U);
  // Taking a covered horse with a chariot was Black's own blunder.
  EXPECT_EQ(made[1].blunders, 1U);
}

TEST(LevelProfile, TheOpeningsTurnsAreNobodys) {
  GameRecord record =
      game_of("3ak4/9/2r6/9/9/9/P7P/2N6/9/2R2K3 b - - 0 1", {"c8c3", "c1c3"}, std::nullopt);
  record.opening_plies = 1;
  const auto profiles = profile_of(record);
  EXPECT_EQ(profiles[1].moves, 0U);
  EXPECT_EQ(profiles[0].moves, 1U);
  EXPECT_EQ(profiles[0].recaptures, 1U) << "what the opening took can be taken back";
}

TEST(LevelProfile, SurvivesItsJson) {
  auto profile = profile_of(
      game_of("3ak4/9/2r6/9/9/9/P7P/2N6/9/2R2K3 b - - 0 1", {"c8c3", "f1f2"}, std::nullopt))[0];
  profile.name = "3";
  profile.played = 7;
  profile.repeated = 2;
  const LevelProfile again = parse_profile(to_json(profile));
  EXPECT_EQ(to_json(again).dump(), to_json(profile).dump());
  EXPECT_THROW((void)parse_profile(nlohmann::json::object()), Error);
}

}  // namespace
}  // namespace cannonade
