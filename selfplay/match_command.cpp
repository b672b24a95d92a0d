// selfplay match: which of two engines is stronger, and by how much.
#include "selfplay/match.h"

#include <fmt/format.h>

#include "selfplay/command_line.h"
#include "selfplay/commands.h"
#include "selfplay/match_rounds.h"
#include "selfplay/run_options.h"

namespace cannonade {
namespace {

constexpr int kAnotherRound = 1;

void print_result(const MatchResult& result, const nlohmann::ordered_json& json, bool as_json) {
  if (as_json) {
    fmt::print("{}\n", json.dump());
  } else {
    for (const std::string& text : to_lines(result)) fmt::print("{}\n", text);
    fmt::print("{}{}\n",
               completeness_text(result.complete, result.stored, result.planned, result.played,
                                 result.seconds),
               result.sprt.verdict != Verdict::kContinue ? "; decided by the test" : "");
  }
}

// What the merged shards have proved; the exit code says whether another round is due.
int judge(const MatchSettings& settings, const std::filesystem::path& store, bool as_json) {
  const auto [result, prefix] = judge_match(make_match_plan(settings), store);
  const std::uint64_t next = round_after(prefix, settings.round_games);
  nlohmann::ordered_json json = to_json(result);
  json["prefix"] = prefix;
  json["next_round"] = result.complete ? nlohmann::ordered_json() : nlohmann::ordered_json(next);
  print_result(result, json, as_json);
  if (result.complete) return 0;
  fmt::print(stderr, "not decided by the first {} of {} games: round {} is due\n", prefix,
             result.planned, next);
  return kAnotherRound;
}

}  // namespace

int match_command(int argc, char** argv) {
  MatchSettings settings;
  SettingsTable table;
  declare(table, settings);
  RunOptions options;
  std::filesystem::path book;
  std::optional<std::uint64_t> round;
  bool judging = false;
  CommandLine line("selfplay match",
                   "Plays A against B from openings played twice with seats swapped. A match over\n"
                   "shards goes in rounds: play one with --shard I/N --round R, merge the shards,\n"
                   "ask with --judge, which exits with 1 while another round is due.",
                   "selfplay match --rules janggi-kja --a configs/engines/best.toml --b "
                   "configs/engines/material.toml --games 400 --nodes 1000 --sprt 0,10");
  declare_run_options(line.options(), options);
  declare_shard_option(line.options(), options);
  line.options().add_path("openings", book, "EPD, FEN or PGN file to take openings from");
  line.options().add("round", round, 1, 1'000'000'000,
                     "play the rounds up to this one only, round_games each");
  line.options().add("judge", judging, "play nothing: tell what the games of --out have proved");
  line.add(table);
  if (!line.parse(argc, argv)) return 0;
  if (!book.empty()) settings.openings.book = book;
  if ((judging || round) && options.out.empty()) {
    throw user_error(fmt::format("match: missing option --out: {} goes by the games of a store",
                                 judging ? "--judge" : "--round"));
  }
  if (judging) return judge(settings, options.out, options.json);
  if (round) settings.games = games_through_round(settings.games, settings.round_games, *round);

  RunSession session(options, settings.power_loss_games);
  const MatchResult result = run_match(make_match_plan(settings), options.out, session.control());
  session.finish(result.warnings, result.skipped_openings);

  print_result(result, to_json(result), options.json);
  if (result.complete) return 0;
  return session.interrupted(fmt::format("{} of {} games", result.stored, result.planned), argc,
                             argv);
}

}  // namespace cannonade
