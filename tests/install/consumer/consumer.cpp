// Plays the game's first turn and explains where that leads, through installed headers alone.
#include <cstdio>

#include "core/board/movegen.h"
#include "core/board/perft.h"
#include "core/notation/fen.h"
#include "eval/weights.h"

int main() {
  using namespace cannonade;
  const Ruleset rules = find_ruleset("xiangqi-casual").value_or_throw();
  Position position = parse_fen(rules, start_fen(rules.game)).value_or_throw();
  std::printf("turns %llu\n", static_cast<unsigned long long>(perft(position, 3)));
  std::printf("weights %s\n", default_weights(rules).hash().c_str());
}
