// Games of a few turns with the outcome that a test wants, and what a digest makes of them.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "core/game/game_record.h"
#include "core/notation/fen.h"
#include "core/notation/uci_move.h"
#include "selfplay/run_digest.h"

namespace cannonade {

inline GameRecord played(std::uint64_t id, std::initializer_list<const char*> words,
                         const Outcome& outcome) {
  GameRecord game;
  game.id = id;
  game.rules = "janggi-kja";
  game.start_fen = std::string(start_fen(Game::kJanggi));
  game.players = {"A", "B"};
  game.player_hashes = {"aa", "bb"};
  for (const char* word : words) game.moves.push_back(parse_uci_move(word).value_or_throw());
  game.scores.assign(game.moves.size(), kNoScore);
  game.outcome = outcome;
  return game;
}

inline const Outcome kChoWins{Side::kFirst, Reason::kCheckmate, false};
inline const Outcome kHanWins{Side::kSecond, Reason::kResignation, false};
inline const Outcome kDrawn{std::nullopt, Reason::kRepetition, false};

inline RulesDigest digest_of(const std::vector<GameRecord>& games) {
  RunDigest digest;
  for (const GameRecord& game : games) digest.add(game);
  return digest.by_rules().at(games.front().rules);
}

}  // namespace cannonade
