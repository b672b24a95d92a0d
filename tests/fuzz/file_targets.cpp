// Files of our own that a person may have edited or a disk may have spoilt: TOML of weights and
// settings, the store's moves.
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "eval/weights.h"
#include "selfplay/engine_config.h"
#include "selfplay/game_codec.h"
#include "selfplay/settings.h"
#include "tests/fuzz/demand.h"
#include "tests/fuzz/targets.h"

namespace cannonade::fuzz {

void weights(std::string_view bytes) {
  for (const Ruleset& rules : rulesets()) {
    const auto read = Weights::from_toml(std::string(bytes), "fuzz.toml", rules);
    if (!read) {
      demand_message(read.error());
      continue;
    }
    const auto again = Weights::from_toml(read->to_toml(), "again.toml", rules);
    demand(again.has_value(), "written weights are refused");
    demand(*again == *read && again->hash() == read->hash(), "weights change");
    demand(again->provenance() == read->provenance(), "a provenance changes");
  }
}

void settings(std::string_view bytes) {
  EngineConfig config;
  SettingsTable table;
  declare(table, config);
  try {
    read_toml_text(bytes, "fuzz.toml", table);
    demand(!reference_text(table).empty() && !canonical_text(table).empty(), "settings are silent");
  } catch (const Error& error) {
    demand(error.kind() == ErrorKind::kUser, error.what());
    demand(*error.what() != '\0', "an error says nothing");
  }
}

void codec(std::string_view bytes) {
  const std::vector<std::uint8_t> blob(bytes.begin(), bytes.end());
  std::vector<Move> moves;
  if (decode_moves(blob, moves).empty()) {
    const std::string again = encode_moves(moves);
    demand(again == bytes, "moves change in the store");
    for (const Move move : moves) {
      demand(move == Move(move.from(), move.to()), "a move has more than two points");
    }
  }
  std::vector<std::int16_t> scores;
  (void)decode_scores(blob, blob.size() / 2, scores);
  if (decode_scores(blob, moves.size(), scores).empty()) {
    demand(scores.size() == moves.size(), "scores are lost");
  }
}

}  // namespace cannonade::fuzz
