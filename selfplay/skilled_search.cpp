#include "selfplay/skilled_search.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/board/movegen.h"
#include "core/board/see.h"
#include "core/search/search.h"
#include "selfplay/skilled_evaluator.h"

namespace cannonade {
namespace {

// From here on a player knows that it is losing.
constexpr Score kLosing = -300;
// What a turn may lose in an exchange without being given away.
constexpr int kGivenAway = -50;
// What a better turn must be worth for the player to be sure of it.
constexpr Score kSure = 100;

// The turns to choose from that come to the player's mind; all when none does.
std::vector<Move> seen_turns(const Skill& skill, std::uint64_t seed, const Position& root,
                             const Danger& dangers, Move last, const std::vector<Move>& allowed) {
  if (dangers.in_check || skill.overlook <= 0) return allowed;
  std::vector<Move> seen;
  for (const Move move : allowed) {
    if (!overlooks(skill, seed, root, last, move)) seen.push_back(move);
  }
  return seen.empty() ? allowed : seen;
}

void replace_best(SearchResult& result, Move move, Score score) {
  result.move = move;
  result.ponder = kNoMove;
  result.score = score;
  result.lines.assign(1, {score, {move}});
}

}  // namespace

struct SkilledSearch::Inside {
  Search<SkilledEvaluator> search;
};

SkilledSearch::SkilledSearch(const Weights& weights, std::size_t hash_megabytes, const Skill& skill)
    : skill_(skill),
      inside_(std::make_unique<Inside>(Inside{Search<SkilledEvaluator>(
          SkilledEvaluator{std::make_shared<PackedWeights>(weights), skill}, hash_megabytes)})) {}

SkilledSearch::~SkilledSearch() = default;
SkilledSearch::SkilledSearch(SkilledSearch&&) noexcept = default;
SkilledSearch& SkilledSearch::operator=(SkilledSearch&&) noexcept = default;

void SkilledSearch::new_game(std::uint64_t seed) {
  inside_->search.new_game();
  inside_->search.evaluator().seed = seed;
}

void SkilledSearch::resize_hash(std::size_t megabytes) {
  inside_->search.resize_hash(megabytes);
}

Score SkilledSearch::quiet_score(const Position& position, const History& history) {
  SkilledEvaluator& evaluator = inside_->search.evaluator();
  evaluator.clear_headed = true;
  const Score score = inside_->search.quiet_score(position, history);
  evaluator.clear_headed = false;
  return score;
}

Score SkilledSearch::static_score(const Position& position) const {
  SkilledEvaluator evaluator = inside_->search.evaluator();
  evaluator.clear_headed = true;
  return evaluator(position);
}

Score SkilledSearch::value_after(const Position& root, const History& history, Move move) {
  Position after = root;
  History past = history;
  Undo undo;
  after.make(move, undo);
  const Danger dangers = danger(after);
  past.push(after, dangers.in_check, move.is_pass());
  if (const std::optional<Outcome> outcome = judge(after, dangers, past)) {
    if (!outcome->winner) return 0;
    const Score win = (outcome->by_points ? kCountWin : kMateScore) - 1;
    return *outcome->winner == root.side_to_move() ? win : -win;
  }
  return -quiet_score(after, past);
}

bool SkilledSearch::play_mate(const Position& root, const History& history,
                              const std::vector<Move>& allowed, SearchResult& result) {
  if (skill_.careless || result.score >= kMateScore - 1) return false;
  const auto mate = std::find_if(allowed.begin(), allowed.end(), [&](Move move) {
    return mates_at_once(root, move) && value_after(root, history, move) >= kMateBound;
  });
  if (mate == allowed.end()) return false;
  replace_best(result, *mate, kMateScore - 1);
  return true;
}

void SkilledSearch::take_back(const Position& root, const History& history, Move last,
                              const std::vector<Move>& allowed, SearchResult& result) {
  if (skill_.careless || is_recapture(root, last, result.move)) return;
  std::optional<std::pair<Score, Move>> best;
  for (const Move move : allowed) {
    if (!is_recapture(root, last, move) || !see_at_least(root, move, 1)) continue;
    const Score value = value_after(root, history, move);
    if (!best || value > best->first) best = {value, move};
  }
  if (!best || best->first < value_after(root, history, result.move) + kSure) return;
  replace_best(result, best->second, best->first);
}

SearchResult SkilledSearch::run(const Position& root, const History& history, Move last,
                                SearchLimits limits, const std::atomic<bool>* stop,
                                const std::function<void(const SearchInfo&)>& on_info, int lines) {
  const Danger dangers = danger(root);
  MoveList legal;
  generate(root, dangers, MoveKind::kAll, legal);
  std::vector<Move> allowed;
  for (const Move move : legal) {
    const std::vector<Move>& chosen = limits.search_moves;
    if (chosen.empty() || std::find(chosen.begin(), chosen.end(), move) != chosen.end()) {
      allowed.push_back(move);
    }
  }
  if (allowed.empty()) return {};

  Search<SkilledEvaluator>& search = inside_->search;
  limits = bounded_limits(skill_, std::move(limits));
  limits.search_moves = seen_turns(skill_, search.evaluator().seed, root, dangers, last, allowed);
  SearchResult result = search.run(root, history, limits, stop, on_info, lines);
  const auto stopped = [stop] { return stop != nullptr && stop->load(std::memory_order_relaxed); };
  if (lines > 1 || stopped()) return result;
  if (play_mate(root, history, allowed, result)) return result;
  if (result.score >= kCountWin - kMaxPly) return result;
  take_back(root, history, last, allowed, result);

  // What else could be played when losing than a turn that gives a piece away.
  if (see_at_least(root, result.move, kGivenAway)) return result;
  if (result.score > kLosing && quiet_score(root, history) > kLosing) return result;
  std::erase_if(limits.search_moves,
                [&](Move move) { return !see_at_least(root, move, kGivenAway); });
  if (limits.search_moves.empty()) return result;
  SearchResult keeping = search.run(root, history, limits, stop, {}, 1);
  keeping.nodes += result.nodes;
  const bool mated_at_once = keeping.score <= -kMateScore + 2 && result.score > -kMateScore + 2;
  const bool as_good =
      is_decided_score(result.score) || keeping.score >= result.score - kSure ||
      value_after(root, history, keeping.move) >= value_after(root, history, result.move);
  if (keeping.move && !mated_at_once && as_good && !stopped()) return keeping;
  result.nodes = keeping.nodes;
  return result;
}

}  // namespace cannonade
