// FEN and the ways to write a turn.
#include <string>

#include "core/board/movegen.h"
#include "core/board/perft.h"
#include "core/notation/columns.h"
#include "core/notation/fen.h"
#include "core/notation/uci_list.h"
#include "core/notation/uci_move.h"
#include "tests/fuzz/demand.h"
#include "tests/fuzz/targets.h"

namespace cannonade::fuzz {
namespace {

void read_fen(const Ruleset& rules, std::string_view text) {
  const auto parsed = parse_fen(rules, text);
  if (!parsed) return demand_message(parsed.error());
  Position position = *parsed;
  demand(position.consistent(), "a position from a FEN is not consistent");
  const std::string written = to_fen(position);
  const auto again = parse_fen(rules, written);
  demand(again.has_value(), "a written FEN is refused: " + written);
  demand(to_fen(*again) == written && again->key() == position.key(), "a FEN changes: " + written);
  // Crowded boards have the most turns; their number fits the list, however they are counted.
  const std::uint64_t turns = perft(position, 1);
  demand(perft(position, 1, PerftLeaves::kMade) == turns, "turns are made that are not listed");
  demand(perft(position, 1, PerftLeaves::kCounted) == turns, "turns are counted, not listed");
}

const Position& start(std::size_t number) {
  static const std::vector<Position> kStarts = [] {
    std::vector<Position> starts;
    for (const Ruleset& rules : rulesets()) {
      starts.push_back(parse_fen(rules, start_fen(rules.game)).value_or_throw());
    }
    // Positions in which a word may mean several turns: pieces behind each other, all the kinds.
    starts.push_back(
        parse_fen(rulesets()[0], "3aka3/R8/4R4/p1p1p4/4C4/N1N6/4P4/3C5/4K4/2B1A1B2 b - - 0 1")
            .value_or_throw());
    starts.push_back(
        parse_fen(rulesets()[2], "3aka3/9/P1P1P4/9/2P1P1P2/N1N6/9/4C4/4C4/R1BAKAB1R w - - 0 1")
            .value_or_throw());
    return starts;
  }();
  return kStarts[number % kStarts.size()];
}

}  // namespace

void fen(std::string_view bytes) {
  for (const Ruleset& rules : rulesets()) read_fen(rules, bytes);
}

void move(std::string_view bytes) {
  const Position& position = start(bytes.empty() ? 0 : static_cast<unsigned char>(bytes[0]));
  const std::string_view text = bytes.substr(bytes.empty() ? 0 : 1);
  if (const auto uci = parse_uci_move(text)) {
    demand(to_uci(*uci) == text, "a move's word changes: " + std::string(text));
  } else {
    demand_message(uci.error());
  }
  if (const auto zero = parse_zero_based(text)) {
    demand(zero->from() < kSquares && zero->to() < kSquares, "a move leaves the board");
  }
  const auto any = parse_any_turn(position, text);
  if (!any) return demand_message(any.error());
  demand(any->from() < kSquares && any->to() < kSquares, "a turn leaves the board");
  if (!is_legal(position, danger(position), *any)) return;
  for (const MoveStyle style : {MoveStyle::kUci, MoveStyle::kColumns, MoveStyle::kWxf}) {
    const std::string written = to_text(position, *any, style);
    const auto again = parse_any_turn(position, written);
    demand(again && *again == *any, "a turn's text reads as another turn: " + written);
  }
}

}  // namespace cannonade::fuzz
