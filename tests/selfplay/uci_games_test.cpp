// Whole games over UCI: whatever the engine answers is a legal turn. Several children play at a
// time, so that the way to and fro costs little.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/rng.h"
#include "core/game/game_state.h"
#include "core/notation/fen.h"
#include "core/notation/uci_move.h"
#include "tests/selfplay/uci_child.h"

namespace cannonade {
namespace {

constexpr std::uint64_t kGames = 200;
constexpr std::size_t kTables = 8;
// At most, before the engine takes over: no two games are the same, and many are lopsided.
constexpr std::uint64_t kRandomPlies = 40;

// A child and its game of the moment, a function of the game's number.
class Table {
 public:
  explicit Table(const Ruleset& rules) : rules_(rules) {
    child_.send("setoption name UCI_Variant value " + rules.id);
    child_.send("setoption name Hash value 1");
    child_.ask("isready", "readyok");
  }

  void begin(std::uint64_t number) {
    rng_ = Rng(7, number);
    std::string start(start_fen(rules_.game));
    if (rules_.game == Game::kJanggi) {
      start = set_up_fen(static_cast<cannonade::SetUp>(number % 4),
                         static_cast<cannonade::SetUp>(number / 4 % 4));
    }
    game_.emplace(parse_fen(rules_, start).value_or_throw());
    position_ = "position fen " + start + " moves";
    for (std::uint64_t n = rng_.below(kRandomPlies + 1); n > 0 && !game_->outcome(); --n) {
      MoveList legal;
      generate(game_->position(), legal);
      play(legal[rng_.below(legal.size())]);
    }
    child_.send("ucinewgame");
  }
  [[nodiscard]] const std::optional<Outcome>& outcome() const { return game_->outcome(); }

  void ask() {
    child_.send(position_);
    child_.send("go nodes " + std::to_string(50 + rng_.below(51)));
  }
  // The answer, played; fails where it, or a line that was shown, is not legal.
  void take() {
    const std::vector<std::string> lines = child_.read_to("bestmove");
    for (const std::string& line : lines_with(lines, " pv ")) {
      ASSERT_NO_FATAL_FAILURE(expect_legal(line.substr(line.find(" pv ") + 4)));
    }
    const std::string ponder = word_after(lines.back(), "ponder");
    const std::string word = word_after(lines.back(), "bestmove");
    ASSERT_NO_FATAL_FAILURE(expect_legal(ponder.empty() ? word : word + " " + ponder));
    ASSERT_TRUE(lines_with(lines, "error").empty()) << lines_with(lines, "error").at(0);
    play(parse_uci_move(word).value_or_throw());
  }

 private:
  // Turns one after another, at least one.
  void expect_legal(std::string_view turns) const {
    GameState game = *game_;
    do {
      const std::size_t end = std::min(turns.find(' '), turns.size());
      const Expected<Move> move = parse_uci_move(turns.substr(0, end));
      ASSERT_TRUE(move && game.legal(*move))
          << "'" << turns << "' in " << to_fen(game.position()) << " after " << position_;
      game.play(*move);
      turns.remove_prefix(std::min(end + 1, turns.size()));
    } while (!turns.empty());
  }
  void play(Move move) {
    position_ += ' ';
    position_ += to_uci(move);
    game_->play(move);
  }

  const Ruleset& rules_;
  UciChild child_;
  Rng rng_{0};
  std::optional<GameState> game_;
  std::string position_;
};

class UciGames : public testing::TestWithParam<std::string> {};

TEST_P(UciGames, AreMadeOfLegalTurns) {
  const Ruleset rules = find_ruleset(GetParam()).value_or_throw();
  std::uint64_t next = 0;
  std::size_t turns = 0;
  std::array<std::uint64_t, kReasons> endings{};
  // A new game, past those that random turns have ended; false when all were played.
  const auto seat = [&](Table& table) {
    while (next < kGames) {
      table.begin(next++);
      if (!table.outcome()) return true;
    }
    return false;
  };
  std::vector<std::unique_ptr<Table>> busy;
  while (busy.size() < kTables) {
    busy.push_back(std::make_unique<Table>(rules));
    ASSERT_TRUE(seat(*busy.back()));
  }
  while (!busy.empty()) {
    for (auto& table : busy) table->ask();
    for (auto& table : busy) ASSERT_NO_FATAL_FAILURE(table->take());
    turns += busy.size();
    std::erase_if(busy, [&](const std::unique_ptr<Table>& table) {
      if (!table->outcome()) return false;
      ++endings[static_cast<std::size_t>(table->outcome()->reason)];
      return !seat(*table);
    });
  }
  // What was played were games.
  EXPECT_GT(turns, 10 * kGames);
  EXPECT_GT(endings[static_cast<std::size_t>(Reason::kCheckmate)], 0U);
  EXPECT_GT(endings[static_cast<std::size_t>(Reason::kRepetition)], 0U);
}

INSTANTIATE_TEST_SUITE_P(RuleSets, UciGames,
                         testing::Values("janggi-kja", "janggi-point-count", "xiangqi-casual"),
                         [](const auto& rules) {
                           std::string name = rules.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace cannonade
