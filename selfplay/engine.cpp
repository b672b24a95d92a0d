#include "selfplay/engine.h"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <utility>

#include "core/base/files.h"
#include "core/notation/fen.h"
#include "core/search/search.h"
#include "eval/sinks.h"
#include "selfplay/bench_positions.h"
#include "selfplay/skilled_search.h"

namespace cannonade {
namespace {

struct LinearEvaluator {
  std::shared_ptr<const PackedWeights> weights;
  Score operator()(const Position& position) const { return evaluate(position, *weights); }
};

}  // namespace

// One of both: a search at full strength knows nothing of skills.
struct Engine::Inside {
  std::optional<Search<LinearEvaluator>> full;
  std::optional<SkilledSearch> skilled;
};

Engine::Engine(std::string name, const Weights& weights, std::size_t hash_megabytes,
               const Skill& skill, SearchTerms terms)
    : name_(std::move(name)),
      hash_(fingerprint_hex(fmt::format("engine;hash_mb={};weights={}{}{}", hash_megabytes,
                                        weights.hash(),
                                        skill == Skill{} ? "" : ";skill=" + skill_text(skill),
                                        terms.complete() ? "" : ";without=" + terms.left_out()))),
      skill_(skill),
      inside_(std::make_unique<Inside>()) {
  if (skill.impaired()) {
    inside_->skilled.emplace(weights, hash_megabytes, skill);
  } else {
    inside_->full.emplace(LinearEvaluator{std::make_shared<PackedWeights>(weights)}, hash_megabytes,
                          terms);
  }
}

Engine::~Engine() = default;

void Engine::new_game(const Ruleset& /*rules*/, std::uint64_t seed) {
  // Players of one game get one seed; they must not err alike.
  if (inside_->skilled) inside_->skilled->new_game(seed ^ fingerprint(hash_));
  if (inside_->full) inside_->full->new_game();
}

void Engine::resize_hash(std::size_t megabytes) {
  if (inside_->skilled) inside_->skilled->resize_hash(megabytes);
  if (inside_->full) inside_->full->resize_hash(megabytes);
}

MoveChoice Engine::choose(const GameState& game, const SearchLimits& limits) {
  const Move last = game.moves().empty() ? kNoMove : game.moves().back();
  const SearchResult result = search(game.position(), game.history(), limits, stop_, {}, 1, last);
  MoveChoice choice;
  choice.move = result.move;
  choice.score = result.score;
  choice.nodes = result.nodes;
  choice.depth = result.depth;
  return choice;
}

SearchResult Engine::search(const Position& position, const History& history,
                            const SearchLimits& limits, const std::atomic<bool>* stop,
                            const std::function<void(const SearchInfo&)>& on_info, int lines,
                            Move last) {
  if (inside_->skilled) {
    return inside_->skilled->run(position, history, last, limits, stop, on_info, lines);
  }
  return inside_->full->run(position, history, bounded_limits(skill_, limits), stop, on_info,
                            lines);
}

Score Engine::quiet_score(const Position& position, const History& history) {
  return inside_->skilled ? inside_->skilled->quiet_score(position, history)
                          : inside_->full->quiet_score(position, history);
}

Score Engine::static_score(const Position& position) const {
  return inside_->skilled ? inside_->skilled->static_score(position)
                          : inside_->full->evaluator()(position);
}

std::vector<BenchResult> run_bench(int depth) {
  std::vector<BenchResult> results;
  for (const Ruleset& rules : rulesets()) {
    constexpr std::size_t kHash = 16;
    Engine engine("bench", default_weights(rules), kHash);
    BenchResult result;
    result.rules = rules.id;
    const auto start = std::chrono::steady_clock::now();
    for (const std::string_view fen : bench_positions(rules.game)) {
      const Position position = parse_fen(rules, fen).value_or_throw();
      engine.new_game(rules, 0);
      SearchLimits limits;
      limits.depth = depth;
      result.nodes += engine.search(position, History(position), limits).nodes;
    }
    result.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    results.push_back(result);
  }
  return results;
}

}  // namespace cannonade
