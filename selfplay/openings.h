// Where games start. Opening `index` is a function of (settings, seed, index) alone, whoever asks
// and in whatever order.
//
// Random openings: a set-up (janggi; J6, J7), then some random turns, kept when the game is not
// over, the generals do not face and, where a bound is set, a shallow search holds the position
// within it. Set-ups that are drawn come evenly: each run of 16 (or 4) openings has every one once.
// Book openings: a line of an EPD or FEN file each, or the first turns of a PGN file's games, in
// the file's order or by one permutation of the whole file, wrapping at the end.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/board/ruleset.h"
#include "core/game/game_state.h"
#include "core/notation/fen.h"
#include "selfplay/opening_book.h"
#include "selfplay/settings.h"

namespace cannonade {

// Cho's set-up by Han's, for Cho's policy.
struct SetUpAnswers {
  std::array<SetUp, kSetUps> by_han{SetUp::kInside, SetUp::kOutside, SetUp::kLeft, SetUp::kRight};
};
void declare(SettingsTable& table, SetUpAnswers& answers);

struct OpeningSettings {
  // Han's set-up; none: any, drawn evenly.
  std::optional<SetUp> han;
  // Cho's: drawn, fixed, or its answer to Han's.
  enum class Cho : std::uint8_t { kAny, kFixed, kAnswer };
  Cho cho = Cho::kAny;
  SetUp cho_fixed = SetUp::kInside;
  SetUpAnswers answers;

  int plies = 8;      // random turns
  int max_score = 0;  // centipawns; 0: no search
  std::uint64_t check_nodes = 2000;

  std::filesystem::path book;  // not empty: a book instead of random openings
  enum class Order : std::uint8_t { kSequential, kRandom };
  Order order = Order::kSequential;
  int book_plies = 0;       // turns of a PGN game to take; 0: all
  std::uint64_t start = 0;  // openings passed over at the beginning
  enum class BadLine : std::uint8_t { kRefuse, kSkip };
  BadLine bad_line = BadLine::kRefuse;
};
void declare(SettingsTable& table, OpeningSettings& settings);

// The score of a position for the side to move, by a search that depends on nothing else.
using BalanceCheck = std::function<Score(const GameState&)>;

class Openings {
 public:
  // Reads and checks the whole book. User error: lines that cannot be played (each named with its
  // number and why) unless they are to be skipped, or no line left.
  Openings(const OpeningSettings& settings, const Ruleset& rules, std::uint64_t seed);

  // `check` is needed when max_score is set. User error when no random opening can be found.
  [[nodiscard]] Opening draw(std::uint64_t index, const BalanceCheck& check = {}) const;

  // What was passed over in the book, a line of text each.
  [[nodiscard]] const std::vector<std::string>& skipped() const { return skipped_; }
  [[nodiscard]] std::size_t book_size() const { return book_.size(); }
  // A fingerprint of the book's playable lines; empty without a book.
  [[nodiscard]] const std::string& book_hash() const { return book_hash_; }

 private:
  void read_book();
  // A start without moves.
  [[nodiscard]] std::string random_start(std::uint64_t index) const;

  OpeningSettings settings_;
  Ruleset rules_;
  std::uint64_t seed_ = 0;
  std::vector<Opening> book_;
  std::vector<std::string> skipped_;
  std::string book_hash_;
};

// The set-ups of a start position, {cho, han}; none when it is not one of the 16.
[[nodiscard]] std::optional<std::array<SetUp, 2>> set_ups_of(const std::string& start_fen);

}  // namespace cannonade
