// selfplay inspect: what the rules say about a position, after some turns if wanted.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "core/game/game_state.h"
#include "core/game/points.h"
#include "core/notation/fen.h"
#include "core/notation/uci_move.h"
#include "selfplay/command_line.h"
#include "selfplay/commands.h"

namespace cannonade {
namespace {

void play_moves(GameState& game, const std::string& moves) {
  std::istringstream words(moves);
  std::string word;
  for (int number = 1; words >> word; ++number) {
    const Move move = parse_uci_move(word).value_or_throw(fmt::format("--moves: turn {}", number));
    if (game.outcome()) {
      throw user_error(fmt::format("--moves: turn {} ({}): the game is already over by {}", number,
                                   word, reason_name(game.outcome()->reason)));
    }
    if (!game.legal(move)) {
      throw user_error(fmt::format("--moves: turn {} ({}) is not legal in {}", number, word,
                                   to_fen(game.position())));
    }
    game.play(move);
  }
}

// A whole number where it is one: 72, 73.5.
nlohmann::ordered_json halves_json(int halves) {
  if (halves % 2 == 0) return halves / 2;
  return halves / 2.0;
}

nlohmann::ordered_json outcome_json(const std::optional<Outcome>& outcome, Game game) {
  if (!outcome) return nullptr;
  nlohmann::ordered_json object{
      {"winner", outcome->winner ? side_name(game, *outcome->winner) : "none"},
      {"reason", reason_name(outcome->reason)}};
  if (outcome->by_points) object["decided_by"] = "points";
  return object;
}

}  // namespace

int inspect_command(int argc, char** argv) {
  Ruleset rules;
  std::string fen;
  std::string moves;
  bool json = false;
  CommandLine line("selfplay inspect",
                   "Shows a position's legal turns, verdict, points and counters.",
                   "selfplay inspect --rules janggi-kja --moves \"a4a5 e9e9\"");
  SettingsTable& options = line.options();
  options.add("rules", rules, "rule set").required();
  options.add("fen", fen, "position (the usual start when not given)");
  options.add("moves", moves, "turns to play from there, in UCI words");
  options.add("json", json, "print one JSON object");
  if (!line.parse(argc, argv)) return 0;

  if (fen.empty()) fen = start_fen(rules.game);
  GameState game(parse_fen(rules, fen).value_or_throw("--fen"));
  play_moves(game, moves);

  const Position& position = game.position();
  MoveList list;
  generate(position, list);
  std::vector<std::string> legal;
  for (const Move move : list) legal.push_back(to_uci(move));
  const std::string_view first = side_name(rules.game, Side::kFirst);
  const std::string_view second = side_name(rules.game, Side::kSecond);
  const std::string_view side = side_name(rules.game, position.side_to_move());
  const Points points = count_points(position);

  if (json) {
    const nlohmann::ordered_json object{
        {"rules", rules.id},
        {"fen", to_fen(position)},
        {"side", side},
        {"in_check", game.dangers().in_check},
        {"legal", legal},
        {"outcome", outcome_json(game.outcome(), rules.game)},
        {"points",
         {{first, halves_json(points.first_halves)}, {second, halves_json(points.second_halves)}}},
        {"repetition", game.history().repetitions()},
        {"no_capture_plies", position.no_capture()},
        {"generals_facing", position.generals_face()}};
    fmt::print("{}\n", object.dump());
    return 0;
  }
  fmt::print("{} to move{}\n{}\n", side, game.dangers().in_check ? ", in check" : "",
             to_fen(position));
  if (const auto& outcome = game.outcome()) {
    fmt::print(
        "game over: {} by {}{}\n",
        outcome->winner ? fmt::format("{} wins", side_name(rules.game, *outcome->winner)) : "drawn",
        reason_name(outcome->reason), outcome->by_points ? ", decided by points" : "");
  }
  fmt::print("points: {} {}, {} {}\n", first, format_halves(points.first_halves), second,
             format_halves(points.second_halves));
  fmt::print("seen {} time{}, {} turns without a capture{}\n", game.history().repetitions(),
             game.history().repetitions() == 1 ? "" : "s", position.no_capture(),
             position.generals_face() ? ", generals facing" : "");
  fmt::print("{} legal turns: {}\n", legal.size(), fmt::join(legal, " "));
  return 0;
}

}  // namespace cannonade
