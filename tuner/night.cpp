#include "tuner/night.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <chrono>
#include <cmath>

#include "core/base/files.h"
#include "core/base/rng.h"

namespace cannonade {
namespace {

namespace fs = std::filesystem;

// Raised inside a phase when the stop flag is seen.
struct Interrupted {};

// Keeps a second night out of the folder.
class FolderLock {
 public:
  explicit FolderLock(const fs::path& folder)
      : fd_(::open((folder / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
    if (fd_ < 0) throw user_error(fmt::format("cannot write in {}", folder.string()));
    if (::flock(fd_, LOCK_EX | LOCK_NB) != 0) {
      ::close(fd_);
      throw user_error(fmt::format("{} is in use by another run", folder.string()));
    }
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock() { ::close(fd_); }

 private:
  int fd_;
};

std::uint64_t phase_seed(std::uint64_t seed, std::size_t job, const Ruleset& rules, int generation,
                         std::uint64_t phase) {
  std::uint64_t x = splitmix64(seed ^ fingerprint(rules.id));
  for (const std::uint64_t part :
       {std::uint64_t{job}, static_cast<std::uint64_t>(generation), phase}) {
    x = splitmix64(x ^ part);
  }
  return x >> 1;  // reads as a positive number everywhere
}

EngineConfig engine_with(const std::string& name, const fs::path& weights, int hash_mb) {
  EngineConfig config;
  config.name = name;
  config.weights = fs::absolute(weights).string();
  config.hash_mb = hash_mb;
  return config;
}

std::uint64_t grown(std::uint64_t base, double growth, int generation) {
  return static_cast<std::uint64_t>(
      std::llround(static_cast<double>(base) * std::pow(growth, generation - 1)));
}

// One rule set of a tune job.
class Tuning {
 public:
  Tuning(const NightSettings& night, const std::string& config, std::size_t job_index,
         const Ruleset& rules, fs::path folder, int threads, const std::atomic<bool>* stop,
         const NightObserver& observer)
      : night_(night),
        config_(config),
        job_(night.jobs[job_index]),
        job_index_(job_index),
        rules_(rules),
        folder_(std::move(folder)),
        threads_(threads),
        stop_(stop),
        observer_(observer) {}

  // Fills `outcome` as it goes; `changed` is called after each phase.
  void run(RulesOutcome& outcome, const std::function<void()>& changed) {
    fs::create_directories(folder_);
    const fs::path start = folder_ / "start.toml";
    if (!fs::exists(start)) {
      Weights weights = weights_by_name(job_.start, rules_);
      write_file_atomically(start, weights.to_toml());
    }
    best_ = start;
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
      note(fmt::format("{}: stopped after {} rejections in a row", rules_.id, rejected));
    }
    if (job_.against_start.games > 0 && outcome.best_generation > 0) {
      outcome.against_start =
          measure(job_.against_start, engine_with("generation 0", start, job_.verify.hash_mb),
                  "against-start", 1001);
      const MatchStatistics& gain = outcome.against_start->statistics;
      Weights weights = Weights::load(best_, rules_).value_or_throw();
      weights.set_provenance("against_start",
                             fmt::format("Elo {:+.1f} +- {:.1f} in {} games at {} nodes", gain.elo,
                                         gain.elo_error, gain.games, job_.against_start.nodes));
      write_file_atomically(best_, weights.to_toml());
      changed();
    }
    if (job_.against_anchor.games > 0 && !job_.anchor.empty()) {
      outcome.against_anchor =
          measure(job_.against_anchor, read_engine_config(job_.anchor), "against-anchor", 1002);
      changed();
    }
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

    in_phase("games", g, [&] { generation.games = play_games(generation, place, from); });
    changed();
    in_phase("fit", g, [&] { generation.fit = fit(generation, place, from); });
    changed();
    in_phase("verification", g, [&] { generation.verify = verify(generation, place, from); });
    const MatchResult& match = *generation.verify;
    generation.promoted = match.sprt.verdict == Verdict::kH1;
    if (generation.promoted) promote(generation, place, outcome);
    note(fmt::format("{} generation {}: {} after {} games, Elo {:+.1f} +- {:.1f}", rules_.id, g,
                     generation.promoted ? "promoted" : "rejected", match.counts.games(),
                     match.statistics.elo, match.statistics.elo_error));
    changed();
  }

  GenerateResult play_games(GenerationOutcome& generation, const fs::path& place,
                            const fs::path& from) {
    const NightGenerate& s = job_.generate;
    const int g = generation.number;
    Tournament tournament;
    tournament.command = "generate";
    tournament.rules = rules_;
    tournament.seed = phase_seed(night_.seed, job_index_, rules_, g, 1);
    tournament.games = grown(s.games, s.games_growth, g);
    tournament.engines = {engine_with(fmt::format("generation {}", g - 1), from, s.hash_mb)};
    tournament.pairings = make_pairings(PairingKind::kSelf, 1);
    tournament.limits.nodes = generation.nodes = grown(s.nodes, s.nodes_growth, g);
    tournament.openings = s.openings;
    tournament.adjudication = s.adjudication;
    GenerateResult result =
        run_generate(std::move(tournament), place / "games.db",
                     control(fmt::format("{} generation {}: games", rules_.id, g)));
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
      if (observer_.on_fit) observer_.on_fit(title, progress);
      return !stopped();
    });
    if (stopped() || result.stopped) throw Interrupted{};
    Weights& weights = result.weights;
    weights.set_provenance("origin",
                           fmt::format("tuner overnight, seed {}, generation {}", night_.seed, g));
    weights.set_provenance("start", input.start.hash());
    weights.set_provenance("games", std::to_string(result.replay.games));
    weights.set_provenance("positions", std::to_string(result.positions));
    weights.set_provenance("nodes", std::to_string(generation.nodes));
    weights.set_provenance("k", fmt::format("{:.6f}", result.k));
    weights.set_provenance("anchor_deviation", fmt::format("{:.3f}", result.deviation));
    weights.set_provenance("validation_loss",
                           fmt::format("{:.6f} before, {:.6f} after", result.validation_loss_before,
                                       result.validation_loss_after));
    const nlohmann::ordered_json json = to_json(result);
    write_file_atomically(report, json.dump(1) + "\n");
    write_file_atomically(candidate, weights.to_toml());
    std::error_code ignored;  // only there for a fit that is interrupted and begun again
    fs::remove(input.cache, ignored);
    fs::remove(fs::path(input.cache) += ".json", ignored);
    return json;
  }

  MatchResult verify(const GenerationOutcome& generation, const fs::path& place,
                     const fs::path& from) {
    const NightVerify& s = job_.verify;
    const int g = generation.number;
    MatchPlan plan;
    plan.tournament.command = "match";
    plan.tournament.rules = rules_;
    plan.tournament.seed = phase_seed(night_.seed, job_index_, rules_, g, 2);
    plan.tournament.games = s.games;
    set_opponents(plan.tournament,
                  engine_with(fmt::format("candidate {}", g), place / "candidate.toml", s.hash_mb),
                  engine_with("best so far", from, s.hash_mb));
    plan.tournament.limits.nodes = grown(s.nodes, s.nodes_growth, g);
    plan.tournament.openings = s.openings;
    SprtTest test;
    test.elo0 = s.elo0;
    test.elo1 = s.elo1;
    test.alpha = s.alpha;
    test.beta = s.beta;
    plan.sprt = test;
    plan.allow_identical = true;  // a fit that changes nothing is rejected by the test
    MatchResult result = run_match(std::move(plan), place / "verify.db",
                                   control(fmt::format("{} generation {}: verify", rules_.id, g)));
    if (!result.complete) throw Interrupted{};
    return result;
  }

  MatchResult measure(const NightMeasure& s, EngineConfig opponent, const std::string& name,
                      int phase) {
    MatchPlan plan;
    plan.tournament.command = "match";
    plan.tournament.rules = rules_;
    plan.tournament.seed = phase_seed(night_.seed, job_index_, rules_, phase, 3);
    plan.tournament.games = s.games;
    const std::string opponent_name = opponent.name;
    set_opponents(plan.tournament, engine_with("best", best_, job_.verify.hash_mb),
                  std::move(opponent));
    plan.tournament.limits.nodes = s.nodes;
    plan.tournament.openings = s.openings;
    MatchResult result;
    in_phase("the match against " + opponent_name, 0, [&] {
      result = run_match(std::move(plan), folder_ / (name + ".db"),
                         control(fmt::format("{}: best against {}", rules_.id, opponent_name)));
      if (!result.complete) throw Interrupted{};
    });
    return result;
  }

  void promote(const GenerationOutcome& generation, const fs::path& place, RulesOutcome& outcome) {
    Weights weights = Weights::load(place / "candidate.toml", rules_).value_or_throw();
    weights.set_provenance("settings", config_);
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

  // Tries a phase twice.
  void in_phase(const std::string& name, int generation, const std::function<void()>& phase) {
    try {
      phase();
      return;
    } catch (const std::exception& error) {
      if (stopped()) throw Interrupted{};
      note(fmt::format("{}: {} failed, trying once more: {}", rules_.id, name, error.what()));
    }
    try {
      phase();
    } catch (const std::exception& error) {
      if (stopped()) throw Interrupted{};
      throw internal_error(
          generation > 0 ? fmt::format("generation {}, {}: {}", generation, name, error.what())
                         : fmt::format("{}: {}", name, error.what()));
    }
  }

  RunControl control(const std::string& title) const {
    RunControl result;
    result.threads = threads_;
    result.stop = stop_;
    result.on_progress = [this, title](const ProgressState& state) {
      if (!observer_.on_games) return;
      ProgressState titled = state;
      titled.title = title;
      observer_.on_games(titled);
    };
    return result;
  }
  [[nodiscard]] bool stopped() const { return stop_ != nullptr && stop_->load(); }
  void note(const std::string& text) const {
    if (observer_.on_note) observer_.on_note(text);
  }

  const NightSettings& night_;
  const std::string& config_;  // canonical text of the night's settings
  const NightJob& job_;
  std::size_t job_index_;
  const Ruleset& rules_;
  fs::path folder_;
  int threads_;
  const std::atomic<bool>* stop_;
  const NightObserver& observer_;
  fs::path best_;
};

// The folder belongs to one night; another's settings are refused.
void claim_folder(const fs::path& folder, const std::string& config) {
  const fs::path record = folder / "night.txt";
  if (fs::exists(record)) {
    const std::string there = read_file(record).value_or_throw();
    if (there == config) return;
    std::size_t at = 0;
    while (at < there.size() && at < config.size() && there[at] == config[at]) ++at;
    const auto line_of = [at](const std::string& text) {
      const std::size_t begin = text.rfind('\n', at > 0 ? at - 1 : 0);
      const std::size_t from = begin == std::string::npos ? 0 : begin + 1;
      return text.substr(from, text.find('\n', std::max(at, from)) - from);
    };
    throw user_error(fmt::format("{} belongs to a night with other settings: '{}' there, '{}' here",
                                 folder.string(), line_of(there), line_of(config)));
  }
  write_file_atomically(record, config);
}

}  // namespace

void declare(SettingsTable& table, NightGenerate& s) {
  table.add("games", s.games, 2, 100000000, "games of the first generation");
  table.add("games_growth", s.games_growth, 0.1, 10, "factor from generation to generation");
  table.add("nodes", s.nodes, 1, 1000000000, "nodes a turn in the first generation");
  table.add("nodes_growth", s.nodes_growth, 0.1, 10, "factor from generation to generation");
  table.add("hash_mb", s.hash_mb, 1, 65536, "hash of each engine");
  table.add_table("openings", s.openings, "where games start");
  table.add_table("adjudication", s.adjudication, "stopping decided games");
}

void declare(SettingsTable& table, NightVerify& s) {
  table.add("games", s.games, 2, 100000000, "games at most");
  table.add("nodes", s.nodes, 1, 1000000000, "nodes a turn in the first generation");
  table.add("nodes_growth", s.nodes_growth, 0.1, 10, "factor from generation to generation");
  table.add("hash_mb", s.hash_mb, 1, 65536, "hash of each engine");
  table.add("elo0", s.elo0, -kMaxSprtElo, kMaxSprtElo, "the test's lower hypothesis");
  table.add("elo1", s.elo1, -kMaxSprtElo, kMaxSprtElo, "the test's upper hypothesis");
  table.add("alpha", s.alpha, kMinErrorRate, kMaxErrorRate,
            "chance of promoting what is no better");
  table.add("beta", s.beta, kMinErrorRate, kMaxErrorRate, "chance of rejecting what is better");
  table.add_table("openings", s.openings, "where games start");
  table.check([&s]() -> std::optional<std::string> {
    if (s.elo0 < s.elo1) return std::nullopt;
    return "elo0 must be below elo1";
  });
}

void declare(SettingsTable& table, NightMeasure& s) {
  table.add("games", s.games, 0, 100000000, "games; 0: none");
  table.add("nodes", s.nodes, 1, 1000000000, "nodes a turn");
  table.add_table("openings", s.openings, "where games start");
}

void declare(SettingsTable& table, NightJob& job) {
  table.add("kind", job.kind, {{"tune", NightJob::Kind::kTune}}, "what is done");
  table.add("rules", job.rules, "rule sets").required();
  table.add("start", job.start,
            "starting weights: material, default or a file ({rules} is replaced)");
  table.add("generations", job.generations, 1, 99, "rounds of the loop");
  table.add("window", job.window, 1, 99, "generations whose games are fitted");
  table.add("stop_after_rejections", job.stop_after_rejections, 1, 99, "in a row");
  table.add_path("anchor", job.anchor, "an engine file to measure the best against");
  table.add_table("generate", job.generate, "games for the fit");
  table.add_table("fit", job.fit, "the fit");
  table.add_table("verify", job.verify, "the match that decides");
  table.add_table("against_start", job.against_start, "the best against generation 0, at the end");
  table.add_table("against_anchor", job.against_anchor, "the best against the anchor, at the end");
  table.check([&job]() -> std::optional<std::string> {
    for (const std::string& name : job.rules) {
      const Expected<Ruleset> rules = find_ruleset(name);
      if (!rules) return rules.error();
    }
    return std::nullopt;
  });
}

void declare(SettingsTable& table, NightSettings& settings) {
  table.add("title", settings.title, "heads the report").not_fingerprinted();
  table.add("seed", settings.seed, 0, INT64_MAX, "of everything that is drawn");
  table.add_tables("job", settings.jobs, "what is to be done, in order");
}

NightOutcome run_night(NightSettings settings, const std::filesystem::path& folder, int threads,
                       const std::atomic<bool>* stop, const NightObserver& observer) {
  const auto begin = std::chrono::steady_clock::now();
  const auto seconds_since = [](std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  if (settings.jobs.empty()) throw user_error("the night has no jobs ([[job]])");
  NightOutcome outcome;
  {
    SettingsTable table;
    declare(table, settings);
    outcome.config = canonical_text(table);
  }
  outcome.title = settings.title;
  outcome.seed = settings.seed;
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    throw user_error(
        fmt::format("cannot make the folder {}: {}", folder.string(), error.message()));
  }
  const FolderLock lock(folder);
  claim_folder(folder, outcome.config);

  outcome.complete = true;
  for (std::size_t j = 0; j < settings.jobs.size() && !outcome.interrupted; ++j) {
    for (const std::string& name : settings.jobs[j].rules) {
      const auto started = std::chrono::steady_clock::now();
      outcome.rule_sets.emplace_back();
      RulesOutcome& mine = outcome.rule_sets.back();
      mine.rules = find_ruleset(name).value_or_throw();
      const fs::path place = settings.jobs.size() == 1
                                 ? folder / mine.rules.id
                                 : folder / fmt::format("job-{}", j + 1) / mine.rules.id;
      const auto changed = [&] {
        mine.seconds = seconds_since(started);
        outcome.seconds = seconds_since(begin);
        if (observer.on_phase) observer.on_phase(outcome);
      };
      try {
        Tuning(settings, outcome.config, j, mine.rules, place, threads, stop, observer)
            .run(mine, changed);
      } catch (const Interrupted&) {
        outcome.interrupted = true;
        outcome.complete = false;
      } catch (const std::exception& failed) {
        mine.failure = failed.what();
        outcome.complete = false;
        if (observer.on_note) {
          observer.on_note(fmt::format("{}: given up: {}", mine.rules.id, failed.what()));
        }
      }
      changed();
      if (outcome.interrupted) break;
    }
  }
  outcome.seconds = seconds_since(begin);
  return outcome;
}

nlohmann::ordered_json to_json(const NightOutcome& outcome) {
  using Json = nlohmann::ordered_json;
  Json json{{"title", outcome.title},
            {"seed", outcome.seed},
            {"complete", outcome.complete},
            {"seconds", outcome.seconds}};
  json["rule_sets"] = Json::array();
  for (const RulesOutcome& r : outcome.rule_sets) {
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
    if (r.against_anchor) item["against_anchor"] = to_json(*r.against_anchor);
    json["rule_sets"].push_back(std::move(item));
  }
  return json;
}

}  // namespace cannonade
