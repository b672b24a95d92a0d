#include "selfplay/run_digest.h"

#include <algorithm>

#include "core/base/files.h"
#include "core/base/rng.h"

namespace cannonade {
namespace {

// A stream of its own, so that which position stands for a game depends on the game alone.
constexpr std::uint64_t kPositionStream = 0x5C0E;

Side side_to_move(const std::string& fen) {
  const std::size_t field = fen.find(' ');
  return field != std::string::npos && fen.compare(field, 2, " b") == 0 ? Side::kSecond
                                                                        : Side::kFirst;
}

std::size_t distinct_in(std::vector<std::uint64_t> values) {
  std::sort(values.begin(), values.end());
  return static_cast<std::size_t>(std::unique(values.begin(), values.end()) - values.begin());
}

}  // namespace

void RulesDigest::add(const GameRecord& game) {
  summary_.add(game);
  milliseconds_ += game.milliseconds;
  lengths_.push_back({static_cast<std::uint32_t>(game.moves.size()), game.id});
  const std::optional<Side> winner = game.outcome.winner;
  ++endings_[static_cast<std::size_t>(game.outcome.reason)][!winner                   ? 2
                                                            : *winner == Side::kFirst ? 0
                                                                                      : 1];

  std::uint64_t mix = fingerprint(game.start_fen);
  std::size_t ply = 0;
  for (std::size_t i = 0; i < kDiversityTurns.size(); ++i) {
    const auto turns = static_cast<std::size_t>(kDiversityTurns[i]);
    for (; ply < std::min(turns, game.moves.size()); ++ply) {
      mix = splitmix64(mix ^ game.moves[ply].raw());
    }
    prefixes_[i].push_back(mix);
  }
  for (; ply < game.moves.size(); ++ply) mix = splitmix64(mix ^ game.moves[ply].raw());
  for (std::size_t i = 0; i < 2; ++i) {
    mix = splitmix64(mix ^ fingerprint(game.players[i] + "\n" + game.player_hashes[i]));
  }
  whole_.emplace_back(mix, game.id);

  if (!game.outcome.known()) return;
  const int result = game.outcome.first_score_halves() - 1;
  count_result(starts_[game.start_fen], result);
  count_result(meetings_[{{game.players[0], game.player_hashes[0]},
                          {game.players[1], game.player_hashes[1]}}],
               result);
  add_score(game, result);
}

void RulesDigest::add_score(const GameRecord& game, int result) {
  std::vector<std::size_t> scored;
  for (std::size_t ply = 0; ply < game.scores.size(); ++ply) {
    if (game.scores[ply] != kNoScore) scored.push_back(ply);
  }
  if (scored.empty()) return;
  Rng rng(kPositionStream, game.id);
  const std::size_t ply = scored[rng.below(scored.size())];
  const bool first_moved = (side_to_move(game.start_fen) == Side::kFirst) == (ply % 2 == 0);
  const int score = first_moved ? game.scores[ply] : -game.scores[ply];
  const auto bin = static_cast<std::size_t>(
      std::upper_bound(kScoreEdges.begin(), kScoreEdges.end(), score) - kScoreEdges.begin());
  count_result(scores_[bin].first, result);
  scores_[bin].score_sum += std::clamp(score, -kScoreReach, kScoreReach);
}

std::array<std::uint64_t, kDiversityTurns.size()> RulesDigest::distinct() const {
  std::array<std::uint64_t, kDiversityTurns.size()> counts{};
  for (std::size_t i = 0; i < counts.size(); ++i) counts[i] = distinct_in(prefixes_[i]);
  return counts;
}

std::vector<DuplicateGroup> RulesDigest::duplicates(std::size_t most) const {
  auto sorted = whole_;
  std::sort(sorted.begin(), sorted.end());
  std::vector<DuplicateGroup> groups;
  for (std::size_t begin = 0; begin < sorted.size();) {
    std::size_t end = begin + 1;
    while (end < sorted.size() && sorted[end].first == sorted[begin].first) ++end;
    if (end - begin > 1) groups.push_back({end - begin, sorted[begin].second});
    begin = end;
  }
  std::sort(groups.begin(), groups.end(), [](const DuplicateGroup& a, const DuplicateGroup& b) {
    return a.games != b.games ? a.games > b.games : a.first_id < b.first_id;
  });
  if (groups.size() > most) groups.resize(most);
  return groups;
}

void RunDigest::add(const GameRecord& game) {
  auto entry = by_rules_.find(game.rules);
  if (entry == by_rules_.end()) {
    Ruleset rules = find_ruleset(game.rules).value_or_throw("game " + std::to_string(game.id));
    entry = by_rules_.emplace(game.rules, RulesDigest(std::move(rules))).first;
  }
  entry->second.add(game);
  ++games_;
  plies_ += game.moves.size();
}

}  // namespace cannonade
