#include "tests/support/random_games.h"

#include <algorithm>
#include <string_view>

#include "core/base/error.h"
#include "tests/support/naive_fen.h"
#include "tests/support/naive_rules.h"

namespace cannonade::support {
namespace {

using naive::Board;
using naive::Side;

constexpr int kMaxTurns = 160;
constexpr const char* kXiangqiStart =
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

// Positions in which both sides can check with every turn, which random ones hardly offer.
const std::vector<std::string> kJanggiMutualChecks = {"4ck3/9/9/9/9/4R4/9/8r/1C2K4/9 w - - 0 1"};
const std::vector<std::string> kXiangqiMutualChecks = {"9/4c4/3k5/3r5/9/9/4C4/9/4K4/3R5 w - - 0 1",
                                                       "4ck3/9/9/9/9/2r1R4/9/9/4A4/3AK4 w - - 0 1"};

template <class T>
const T& pick(const std::vector<T>& items, Rng& rng) {
  return items[rng.below(items.size())];
}

bool happens(double probability, Rng& rng) {
  return rng.unit() < probability;
}

int between(int low, int high, Rng& rng) {
  return low + static_cast<int>(rng.below(static_cast<std::uint64_t>(high - low + 1)));
}

// Pieces drawn from `letters` (upper case), as many as a number between `low` and `high`.
std::string draw_pieces(std::string_view letters, int low, int high, Rng& rng) {
  std::string pieces;
  for (int i = between(low, high, rng); i > 0; --i) pieces += letters[rng.below(letters.size())];
  return pieces;
}

// Puts the letter on an empty point that its kind may stand on under every rule set.
void place(Board& board, char letter, Side side, Rng& rng) {
  const bool palace = letter == 'K' || letter == 'A';
  const bool bank = letter == 'B';
  const bool first = side == Side::kFirst;
  while (true) {
    int rank = between(0, palace ? 2 : bank ? 4 : 9, rng);
    if (!first) rank = naive::kRanks - 1 - rank;
    const int file = palace ? between(3, 5, rng) : between(0, 8, rng);
    char& point = board.points[rank][file];
    if (point != naive::kEmpty) continue;
    point = first ? letter : static_cast<char>(letter - 'A' + 'a');
    return;
  }
}

// A position with the generals and these pieces on random points, either side to move.
std::string draw_position(naive::Rules rules, std::string_view first, std::string_view second,
                          int no_capture, Rng& rng) {
  while (true) {
    Board board;
    for (auto& rank : board.points) rank.fill(naive::kEmpty);
    place(board, 'K', Side::kFirst, rng);
    place(board, 'K', Side::kSecond, rng);
    for (const char letter : first) place(board, letter, Side::kFirst, rng);
    for (const char letter : second) place(board, letter, Side::kSecond, rng);
    board.to_move = happens(0.5, rng) ? Side::kFirst : Side::kSecond;
    board.no_capture = no_capture;
    const std::string fen = naive::to_fen(board);
    if (naive::parse_fen(rules, fen)) return fen;
  }
}

// A start position, with all pieces.
std::string draw_opening(naive::Rules rules, int no_capture, Rng& rng) {
  static const std::vector<std::string> kWings = {"inside", "outside", "left", "right"};
  std::string fen = kXiangqiStart;
  if (naive::is_janggi(rules)) {
    const auto& cho = pick(kWings, rng);
    fen = naive::start_fen(cho, pick(kWings, rng)).value_or_throw();
  }
  Board board = naive::parse_fen(rules, fen).value_or_throw();
  board.no_capture = no_capture;
  return naive::to_fen(board);
}

std::string draw_mutual_checks(naive::Rules rules, int no_capture, Rng& rng) {
  const auto& starts = naive::is_janggi(rules) ? kJanggiMutualChecks : kXiangqiMutualChecks;
  Board board = naive::parse_fen(rules, pick(starts, rng)).value_or_throw();
  if (happens(0.5, rng)) board = naive::mirrored(board);
  if (happens(0.5, rng)) board = naive::colour_flipped(board);
  board.no_capture = no_capture;
  return naive::to_fen(board);
}

Style draw_any_style(Rng& rng) {
  // Each wish is absent half the time, so that its opposite also gets long games.
  const auto draw = [&](double most) { return happens(0.5, rng) ? most * rng.unit() : 0; };
  Style style;
  style.finish = draw(0.3);
  style.pass = draw(0.1);
  style.capture = draw(0.5);
  style.recheck = draw(0.5);
  style.check = draw(0.5);
  style.undo = draw(0.5);
  style.face = draw(0.2);
  style.apart = draw(1.0);
  style.quiet = draw(1.0);
  return style;
}

// Fills start and styles for the aim. No call draws twice among its arguments: their order is the
// compiler's, and the games must not be.
void aim_at(const std::string& aim, naive::Rules rules, GamePlan& plan, Rng& rng) {
  const std::string heavy = "RRNCP";
  const std::string all = "RNCPBA";
  // Sometimes close to the limit, so that its order against the other endings is met (J21-J26).
  int no_capture = happens(0.25, rng) ? between(100, 119, rng) : between(0, 20, rng);
  const auto both = [&](std::string_view letters, int low, int high) {
    const std::string first = draw_pieces(letters, low, high, rng);
    return draw_position(rules, first, draw_pieces(letters, low, high, rng), no_capture, rng);
  };
  // The side that is better armed; it is also the one that checks.
  const bool second_strong = happens(0.5, rng);
  const auto uneven = [&](const std::string& strong, const std::string& weak) {
    return second_strong ? draw_position(rules, weak, strong, no_capture, rng)
                         : draw_position(rules, strong, weak, no_capture, rng);
  };

  if (aim == "checkmate") {
    const std::string attackers = draw_pieces(heavy, 2, 4, rng);
    plan.fen = uneven(attackers, draw_pieces("AAP", 0, 2, rng));
    plan.styles.fill({.finish = 1, .check = 0.3, .apart = 0.9, .quiet = 0.3});
  } else if (aim == "stalemate") {
    const std::string attackers = draw_pieces(heavy, 1, 3, rng);
    plan.fen = uneven(attackers, draw_pieces("P", 0, 1, rng));
    plan.styles.fill({.finish = 1, .quiet = 0.5});
  } else if (aim == "perpetual_check") {
    // A chariot or cannon that follows a general which steps to and fro.
    std::string checkers = draw_pieces("RRRC", 1, 2, rng);
    checkers += draw_pieces("PPNBA", 1, 3, rng);
    const Style checks = {.recheck = 0.95, .check = 0.9, .apart = 0.95, .quiet = 0.9};
    const Style evades = {.undo = 0.95, .apart = 0.95, .quiet = 0.9};
    plan.fen = uneven(checkers, draw_pieces("PPNAB", 1, 3, rng));
    plan.styles = {checks, evades};
    if (second_strong) std::swap(plan.styles[0], plan.styles[1]);
    if (happens(0.2, rng)) {  // both check
      plan.fen =
          happens(0.5, rng) ? both("RRCN", 2, 3) : draw_mutual_checks(rules, no_capture, rng);
      plan.styles.fill(checks);
    }
  } else if (aim == "bikjang") {
    plan.fen = happens(0.5, rng) ? both(all, 2, 5) : draw_opening(rules, no_capture, rng);
    plan.styles.fill({.capture = 0.1, .check = 0.1, .face = 0.6});
  } else if (aim == "double_pass") {
    plan.fen = happens(0.5, rng) ? both(all, 2, 6) : draw_opening(rules, no_capture, rng);
    plan.styles.fill({.pass = 0.2, .capture = 0.3, .undo = 0.2, .apart = 0.9});
  } else if (aim == "repetition") {
    plan.fen = happens(0.7, rng) ? both(all, 2, 6) : draw_opening(rules, no_capture, rng);
    plan.styles.fill({.capture = 0.05, .check = 0.2, .undo = 0.8, .apart = 0.9, .quiet = 0.8});
    plan.styles[rng.below(2)].pass = 0.2;
  } else if (aim == "no_progress") {
    // In part so close that another ending falls on the same turn: passes, or material that has run
    // out before (J24-J26 in their order).
    const bool passing = happens(0.2, rng);
    const bool out_of_material = !passing && happens(0.1, rng);
    no_capture = passing ? 118 : out_of_material ? 119 : between(95, 119, rng);
    plan.styles.fill({.check = 0.1, .undo = 0.1, .apart = 0.9, .quiet = 1});
    if (passing) plan.styles.fill({.pass = 0.8});
    if (out_of_material) {
      plan.fen = both(all, 0, 1);
    } else {
      plan.fen = happens(0.5, rng) ? both(all, 2, 5) : draw_opening(rules, no_capture, rng);
    }
  } else if (aim == "insufficient_material") {
    plan.fen = both("RNCPBP", 1, 3);
    plan.styles.fill({.capture = 1, .apart = 0.95, .quiet = 0.9});
  } else {
    plan.fen = happens(0.5, rng) ? both(all, 2, 8) : draw_opening(rules, no_capture, rng);
    for (Style& style : plan.styles) style = draw_any_style(rng);
  }
}

// Leaves in `words` those that satisfy `grants`, unless that leaves none.
template <class Grants>
void narrow(std::vector<std::string>& words, Grants grants) {
  std::vector<std::string> granted;
  std::copy_if(words.begin(), words.end(), std::back_inserter(granted), grants);
  if (!granted.empty()) words = granted;
}

// The word that takes `word` back.
std::string reversed(std::string_view word) {
  std::size_t second = 2;  // where the second point begins
  while (word[second] < 'a') ++second;
  return std::string(word.substr(second)) + std::string(word.substr(0, second));
}

std::string choose(std::vector<std::string> words, naive::Rules rules, const Board& board,
                   const std::vector<std::string>& turns, const Style& style, Rng& rng) {
  const auto next = [&](const std::string& word) { return naive::apply(board, word); };
  const auto wish = [&](double probability, const auto& grants) {
    if (happens(probability, rng)) narrow(words, grants);
  };
  const std::string undoing = turns.size() < 2 ? "" : reversed(turns[turns.size() - 2]);
  wish(style.finish, [&](const auto& word) { return !naive::has_legal_move(rules, next(word)); });
  wish(style.pass, [&](const auto& word) { return naive::is_pass(word); });
  wish(style.capture, [&](const auto& word) { return naive::is_capture(board, word); });
  wish(style.recheck,
       [&](const auto& word) { return word == undoing && naive::in_check(rules, next(word)); });
  wish(style.check, [&](const auto& word) { return naive::in_check(rules, next(word)); });
  wish(style.undo, [&](const auto& word) { return word == undoing; });
  wish(style.face, [&](const auto& word) { return naive::facing(next(word)); });
  wish(style.apart, [&](const auto& word) { return !naive::facing(next(word)); });
  wish(style.quiet,
       [&](const auto& word) { return !naive::is_capture(board, word) && !naive::is_pass(word); });
  return pick(words, rng);
}

}  // namespace

std::vector<std::string> reasons_of(const std::string& rules) {
  if (naive::is_janggi(naive::parse_rules(rules).value_or_throw())) {
    return {"checkmate",   "bikjang",     "perpetual_check",      "repetition",
            "double_pass", "no_progress", "insufficient_material"};
  }
  return {"checkmate", "stalemate", "perpetual_check", "repetition", "no_progress"};
}

GamePlan draw_plan(const std::string& rules, Rng& rng) {
  auto aims = reasons_of(rules);
  aims.emplace_back("any");
  aims.emplace_back("perpetual_check");  // the hardest to reach, so drawn twice as often
  GamePlan plan;
  plan.rules = rules;
  plan.aim = pick(aims, rng);
  plan.max_turns = kMaxTurns;
  aim_at(plan.aim, naive::parse_rules(rules).value_or_throw(), plan, rng);
  return plan;
}

RandomGame play_random_game(RulesUnderTest& rules, const GamePlan& plan, Rng& rng,
                            const std::function<void()>& observe) {
  const auto started = rules.start(plan.rules, plan.fen);
  if (!started) throw internal_error(plan.fen + ": refused: " + started.error());
  const auto rules_set = naive::parse_rules(plan.rules).value_or_throw();
  Board board = naive::parse_fen(rules_set, plan.fen).value_or_throw();
  RandomGame game{plan, {}, rules.result()};
  if (observe) observe();
  while (game.result == "ongoing" && static_cast<int>(game.turns.size()) < plan.max_turns) {
    const Style& style = plan.styles[board.to_move == Side::kFirst ? 0 : 1];
    const auto word = choose(rules.legal_moves(), rules_set, board, game.turns, style, rng);
    if (!rules.play(word)) {
      throw internal_error(rules.fen() + ": " + word + " is listed as legal but not played");
    }
    board = naive::apply(board, word);
    game.turns.push_back(word);
    game.result = rules.result();
    if (observe) observe();
  }
  return game;
}

std::map<std::string, int> count_endings(RulesUnderTest& rules, const std::string& rules_id,
                                         int games, std::uint64_t seed) {
  std::map<std::string, int> counts;
  for (int index = 0; index < games; ++index) {
    Rng rng(seed, static_cast<std::uint64_t>(index));
    const auto plan = draw_plan(rules_id, rng);
    const auto result = play_random_game(rules, plan, rng).result;
    const auto space = result.find(' ');
    ++counts[space == std::string::npos ? result : result.substr(space + 1)];
  }
  return counts;
}

}  // namespace cannonade::support
