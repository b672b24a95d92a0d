// A comparison of janggi's rule sets: the same pairs (opening, seed, engines) under `janggi-kja`
// and `janggi-point-count`, at several strengths, into one store; what it tells is comparison.h's.
//
// Figures are of the longest whole prefix of rows (compare_design.h): which games happened to
// finish first changes nothing, and they are the same for any number of threads, in one go or
// resumed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "selfplay/compare_design.h"
#include "selfplay/comparison.h"
#include "selfplay/run_control.h"
#include "selfplay/settings.h"

namespace cannonade {

class Store;

// A file of `selfplay compare`.
struct CompareSettings {
  std::vector<std::filesystem::path> engines;
  std::uint64_t games = 20'000;
  std::uint64_t seed = 1;
  CompareDesign design;
  int power_loss_games = 100;
  OpeningSettings openings;

  CompareSettings();
};
void declare(SettingsTable& table, CompareSettings& settings);

struct ComparePlan {
  std::vector<EngineConfig> engines;  // one, which plays itself, or several, each against each
  std::uint64_t games = 0;            // at least; whole rounds of the schedule are played
  std::uint64_t seed = 1;
  CompareDesign design;
  OpeningSettings openings;
};
// Reads the engine files. Throws one user error that names every fault of theirs.
[[nodiscard]] ComparePlan make_compare_plan(const CompareSettings& settings);

struct CompareResult {
  std::string run_id;
  std::vector<std::string> engines;
  Comparison comparison;
  std::uint64_t stored = 0;   // games in the store, those beyond the prefix included
  std::uint64_t planned = 0;  // of this shard
  std::uint64_t played = 0;   // in this session
  double seconds = 0;         // of this session
  bool complete = false;
  std::vector<std::string> skipped_openings;
};

// Plays what `out` lacks. User errors as run_generate, and engines that are outside programs (they
// cannot be told of a bonus) or bring limits of their own (strengths are the comparison's). A
// raised stop is no error: the result is not complete.
[[nodiscard]] CompareResult run_compare(ComparePlan plan, const std::filesystem::path& out,
                                        const RunControl& control);

// The result of the games that a store of a comparison has. A shard's is empty: only the merged
// rows are whole.
[[nodiscard]] CompareResult count_compare(const Store& store);

// Keys kja, point_count (games, first_score, draw_rate, endings, ...), difference, rescored,
// fair_bonus {value, low, high, ...}, setups, for the last strength; strengths has all of them; and
// what is known of the run.
[[nodiscard]] nlohmann::ordered_json to_json(const CompareResult& result);
// The final table.
[[nodiscard]] std::vector<std::string> to_lines(const CompareResult& result);

// Words that table, JSON and report share.
inline constexpr std::string_view kNoDifference = "not distinguishable at this number of games";
[[nodiscard]] std::string set_up_word(std::size_t set_up);

}  // namespace cannonade
