#include "tuner/tune_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/files.h"
#include "eval/weights.h"
#include "selfplay/intervals.h"
#include "tuner/night_shards.h"

namespace cannonade {
namespace {

namespace fs = std::filesystem;

std::uint64_t grown(std::uint64_t base, double growth, int generation) {
  return static_cast<std::uint64_t>(
      std::llround(static_cast<double>(base) * std::pow(growth, generation - 1)));
}

// One rule set of a tune job.
class Tuning {
 public:
  explicit Tuning(const NightContext& context)
      : context_(context),
        job_(context.job()),
        rules_(context.rules),
        folder_(context.folder),
        best_(folder_ / "start.toml") {}

  // Fills `outcome` as it goes; `changed` is called after each phase.
  void run(RulesOutcome& outcome, const std::function<void()>& changed) {
    fs::create_directories(folder_);
    const fs::path start = folder_ / "start.toml";
    if (!fs::exists(start)) {
      Weights weights = weights_by_name(job_.start, rules_);
      write_file_atomically(start, weights.to_toml());
    }
    set_best(outcome, start, 0);
    int rejected = 0;
    for (int g = 1; g <= job_.generations && rejected < job_.stop_after_rejections; ++g) {
      outcome.generations.emplace_back();
      GenerationOutcome& generation = outcome.generations.back();
      generation.number = g;
      run_generation(generation, outcome, changed);
      rejected = generation.promoted ? 0 : rejected + 1;
    }
    if (rejected >= job_.stop_after_rejections && !outcome.generations.empty() &&
        outcome.generations.back().number < job_.generations) {
      context_.note(fmt::format("{}: stopped after {} rejections in a row", rules_.id, rejected));
    }
    measure_best(outcome, changed);
    outcome.complete = true;
    changed();
  }

 private:
  void run_generation(GenerationOutcome& generation, RulesOutcome& outcome,
                      const std::function<void()>& changed) {
    const int g = generation.number;
    const fs::path place = folder_ / fmt::format("generation-{:02}", g);
    fs::create_directories(place);
    const fs::path from = place / "from.toml";
    if (!fs::exists(from)) write_file_atomically(from, read_file(best_).value_or_throw());

    context_.in_phase("games", g, [&] { generation.games = play_games(generation, place, from); });
    changed();
    context_.in_phase("fit", g, [&] { generation.fit = fit(generation, place, from); });
    changed();
    context_.in_phase("verification", g,
                      [&] { generation.verify = verify(generation, place, from); });
    const MatchResult& match = *generation.verify;
    generation.promoted = match.sprt.verdict == Verdict::kH1;
    if (generation.promoted) promote(generation, place, outcome);
    context_.note(fmt::format("{} generation {}: {} after {} games, Elo {:+.1f} +- {:.1f}",
                              rules_.id, g, generation.promoted ? "promoted" : "rejected",
                              match.counts.games(), match.statistics.elo,
                              match.statistics.elo_error));
    changed();
  }

  GenerateResult play_games(GenerationOutcome& generation, const fs::path& place,
                            const fs::path& from) {
    const NightGenerate& s = job_.generate;
    const int g = generation.number;
    Tournament tournament;
    tournament.command = "generate";
    tournament.rules = rules_;
    tournament.seed = context_.seed(g, 1);
    tournament.games = grown(s.games, s.games_growth, g);
    tournament.engines = {engine_with(fmt::format("generation {}", g - 1), from, s.hash_mb)};
    tournament.pairings = make_pairings(PairingKind::kSelf, 1);
    tournament.limits.nodes = generation.nodes = grown(s.nodes, s.nodes_growth, g);
    tournament.openings = s.openings;
    tournament.adjudication = s.adjudication;
    const std::string title = fmt::format("{} generation {}: games", rules_.id, g);
    GenerateResult result = obtain_games(std::move(tournament), place / "games.db", title,
                                         context_.order, context_.control(title));
    if (!result.complete) throw Interrupted{};
    return result;
  }

  nlohmann::ordered_json fit(const GenerationOutcome& generation, const fs::path& place,
                             const fs::path& from) {
    const fs::path candidate = place / "candidate.toml";
    const fs::path report = place / "fit.json";
    if (fs::exists(candidate) && fs::exists(report)) {
      const std::string text = read_file(report).value_or_throw();
      auto json = nlohmann::ordered_json::parse(text, nullptr, false);
      if (json.is_discarded()) throw user_error(fmt::format("{} is damaged", report.string()));
      return json;
    }
    FitInput input;
    input.rules = rules_;
    input.start = Weights::load(from, rules_).value_or_throw();
    input.cache = place / "rows.bin";
    const int g = generation.number;
    for (int i = std::max(1, g - job_.window + 1); i <= g; ++i) {
      input.stores.push_back(folder_ / fmt::format("generation-{:02}", i) / "games.db");
    }
    const std::string title = fmt::format("{} generation {}: fit", rules_.id, g);
    FitResult result = run_fit(input, job_.fit, [&](const FitProgress& progress) {
      if (context_.observer.on_fit) context_.observer.on_fit(title, progress);
      return !context_.stopped();
    });
    if (context_.stopped() || result.stopped) throw Interrupted{};
    Weights& weights = result.weights;
    weights.set_provenance(
        "origin", fmt::format("tuner overnight, seed {}, generation {}", context_.night.seed, g));
    weights.set_provenance("start", input.start.hash());
    weights.set_provenance("games", std::to_string(result.replay.games));
    weights.set_provenance("positions", std::to_string(result.positions));
    weights.set_provenance("nodes", std::to_string(generation.nodes));
    weights.set_provenance("k", fmt::format("{:.6f}", result.k));
    weights.set_provenance("anchor_deviation", fmt::format("{:.3f}", result.deviation));
    weights.set_provenance(
        "validation_loss",
        fmt::format("{:.6f} before, {:.6f} after (+- {:.6f})", result.validation_loss_before,
                    result.validation_loss_after, kNormal95 * result.validation_loss_error));
    nlohmann::ordered_json json = to_json(result);
    write_file_atomically(report, json.dump(1) + "\n");
    write_file_atomically(candidate, weights.to_toml());
    std::error_code ignored;  // only there for a fit that is interrupted and begun again
    fs::remove(input.cache, ignored);
    fs::remove(fs::path(input.cache) += ".json", ignored);
    return json;
  }

  [[nodiscard]] SprtTest sequential_test() const {
    SprtTest test;
    test.elo0 = job_.verify.elo0;
    test.elo1 = job_.verify.elo1;
    test.alpha = job_.verify.alpha;
    test.beta = job_.verify.beta;
    return test;
  }

  MatchResult verify(const GenerationOutcome& generation, const fs::path& place,
                     const fs::path& from) {
    const NightVerify& s = job_.verify;
    const int g = generation.number;
    MatchPlan plan;
    plan.tournament.command = "match";
    plan.tournament.rules = rules_;
    plan.tournament.seed = context_.seed(g, 2);
    plan.tournament.games = s.games;
    set_opponents(plan.tournament,
                  engine_with(fmt::format("candidate {}", g), place / "candidate.toml", s.hash_mb),
                  engine_with("best so far", from, s.hash_mb));
    plan.tournament.limits.nodes = grown(s.nodes, s.nodes_growth, g);
    plan.tournament.openings = s.openings;
    plan.sprt = sequential_test();
    plan.allow_identical = true;  // a fit that changes nothing is rejected by the test
    const std::string title = fmt::format("{} generation {}: verify", rules_.id, g);
    MatchResult result = obtain_match(std::move(plan), s.round_games, place / "verify.db", title,
                                      context_.order, context_.control(title));
    if (!result.complete) throw Interrupted{};
    return result;
  }

  // The matches of fixed length after the last generation.
  void measure_best(RulesOutcome& outcome, const std::function<void()>& changed) {
    const auto measure = [&](const NightMeasure& settings, const EngineConfig& opponent,
                             const std::string& name, int phase,
                             std::optional<MatchResult>& result) {
      result = play_measure(settings, opponent, name, phase);
      changed();
    };
    const int hash_mb = job_.verify.hash_mb;
    if (outcome.best_generation > 0) {
      if (job_.against_start.games > 0) {
        measure(job_.against_start, engine_with("generation 0", folder_ / "start.toml", hash_mb),
                "start", 1001, outcome.against_start);
      }
      int first = outcome.best_generation;
      for (const GenerationOutcome& g : outcome.generations) {
        if (g.promoted) first = std::min(first, g.number);
      }
      if (job_.against_first.games > 0 && first < outcome.best_generation) {
        outcome.first_generation = first;
        measure(job_.against_first,
                engine_with(fmt::format("generation {}", first),
                            folder_ / fmt::format("generation-{:02}", first) / "candidate.toml",
                            hash_mb),
                "first", 1003, outcome.against_first);
      }
      // Kept beside the games: a newer program goes on with those that it began with.
      const fs::path shipped = folder_ / "shipped.toml";
      if (job_.against_shipped.games > 0) {
        if (!fs::exists(shipped)) {
          write_file_atomically(shipped, default_weights(rules_).to_toml());
        }
        if (Weights::load(shipped, rules_).value_or_throw().hash() != outcome.best_hash) {
          measure(job_.against_shipped, engine_with("shipped weights", shipped, hash_mb), "shipped",
                  1004, outcome.against_shipped);
        }
      }
    }
    if (job_.against_anchor.games > 0) {
      measure(job_.against_anchor, read_engine_config(job_.anchor), "anchor", 1002,
              outcome.against_anchor);
    }
  }

  // What came of it is written down in the best weights, too.
  MatchResult play_measure(const NightMeasure& s, const EngineConfig& opponent,
                           const std::string& name, int phase) {
    MatchPlan plan;
    plan.tournament.command = "match";
    plan.tournament.rules = rules_;
    plan.tournament.seed = context_.seed(phase, 3);
    plan.tournament.games = s.games;
    set_opponents(plan.tournament, engine_with("best", best_, job_.verify.hash_mb), opponent);
    plan.tournament.limits.nodes = s.nodes;
    plan.tournament.openings = s.openings;
    plan.allow_identical = true;  // a fit that changed nothing is as strong as before: it says so
    MatchResult result;
    context_.in_phase("the match against " + opponent.name, 0, [&] {
      const std::string title = fmt::format("{}: best against {}", rules_.id, opponent.name);
      const fs::path store = folder_ / ("against-" + name + ".db");
      result = obtain_match(plan, s.games, store, title, context_.order, context_.control(title));
      if (!result.complete) throw Interrupted{};
      // The Elo is of all games, so that it flatters no one; what the test of the verifications
      // says of them in their order is told beside it.
      const MatchResult judged = count_match(Store::open_read_only(store), sequential_test());
      result.test = judged.test;
      result.sprt = judged.sprt;
    });
    if (best_ != folder_ / "start.toml") {
      const MatchStatistics& gain = result.statistics;
      Weights weights = Weights::load(best_, rules_).value_or_throw();
      weights.set_provenance(
          "against_" + name,
          fmt::format("Elo {:+.1f} +- {:.1f} against {} in {} games at {} nodes, {}", gain.elo,
                      gain.elo_error, opponent.name, gain.games, s.nodes,
                      name_of(result.sprt.verdict)));
      write_file_atomically(best_, weights.to_toml());
    }
    return result;
  }

  void promote(const GenerationOutcome& generation, const fs::path& place, RulesOutcome& outcome) {
    Weights weights = Weights::load(place / "candidate.toml", rules_).value_or_throw();
    weights.set_provenance("settings", context_.config);
    for (const GenerationOutcome& g : outcome.generations) {
      if (!g.verify) continue;
      const MatchResult& m = *g.verify;
      weights.set_provenance(
          fmt::format("verdict_{}", g.number),
          fmt::format("{} after {} games: Elo {:+.1f} +- {:.1f} against the best before, {}",
                      name_of(m.sprt.verdict), m.counts.games(), m.statistics.elo,
                      m.statistics.elo_error, g.promoted ? "promoted" : "rejected"));
    }
    const fs::path best = folder_ / "best.toml";
    write_file_atomically(best, weights.to_toml());
    set_best(outcome, best, generation.number);
  }

  void set_best(RulesOutcome& outcome, const fs::path& path, int generation) {
    best_ = path;
    outcome.best = path;
    outcome.best_generation = generation;
    outcome.best_hash = Weights::load(path, rules_).value_or_throw().hash();
  }

  const NightContext& context_;
  const NightJob& job_;
  const Ruleset& rules_;
  const fs::path& folder_;
  fs::path best_;
};

}  // namespace

void run_tune(const NightContext& context, RulesOutcome& outcome,
              const std::function<void()>& changed) {
  Tuning(context).run(outcome, changed);
}

nlohmann::ordered_json to_json(const RulesOutcome& r) {
  using Json = nlohmann::ordered_json;
  Json item{{"rules", r.rules.id},     {"best_generation", r.best_generation},
            {"best", r.best.string()}, {"best_hash", r.best_hash},
            {"complete", r.complete},  {"failure", r.failure.empty() ? Json() : Json(r.failure)}};
  item["generations"] = Json::array();
  for (const GenerationOutcome& g : r.generations) {
    Json entry{{"generation", g.number}, {"promoted", g.promoted}};
    if (g.games) entry["generate"] = to_json(*g.games);
    if (!g.fit.is_null()) {
      entry["fit"] = g.fit;
      entry["fit"].erase("weights");
    }
    if (g.verify) entry["verify"] = to_json(*g.verify);
    item["generations"].push_back(std::move(entry));
  }
  if (r.against_start) item["against_start"] = to_json(*r.against_start);
  if (r.against_first) {
    item["against_first"] = to_json(*r.against_first);
    item["first_generation"] = r.first_generation;
  }
  if (r.against_shipped) item["against_shipped"] = to_json(*r.against_shipped);
  if (r.against_anchor) item["against_anchor"] = to_json(*r.against_anchor);
  return item;
}

}  // namespace cannonade
