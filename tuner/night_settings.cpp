#include "tuner/night_settings.h"

#include <fmt/format.h>

#include "selfplay/compare.h"
#include "selfplay/sprt.h"

namespace cannonade {
namespace {

// Whether a job of this kind heeds a key of its table.
bool uses(NightJob::Kind kind, const std::string& key) {
  if (key == "kind" || key == "rules") return true;
  if (key == "match") return kind == NightJob::Kind::kMatch;
  if (key == "compare") return kind == NightJob::Kind::kCompare;
  if (key == "ladder") return kind == NightJob::Kind::kLadder;
  return kind == NightJob::Kind::kTune;
}

void declare_round(SettingsTable& table, std::uint64_t& games) {
  table
      .add("round_games", games, 2, 1000000000,
           "games that shards play, all together, before the test is asked again")
      .not_fingerprinted();
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
  declare_round(table, s.round_games);
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

void declare(SettingsTable& table, NightMatch& s) {
  table.add_path("opponent", s.opponent, "engine file; the night's best plays against it");
  table.add("games", s.games, 2, 100000000, "games at most");
  table.add("hash_mb", s.hash_mb, 1, 65536, "hash of the night's best");
  table.add("elo0", s.elo0, -kMaxSprtElo, kMaxSprtElo,
            "a sequential test's lower hypothesis; no test when elo0 and elo1 are the same");
  table.add("elo1", s.elo1, -kMaxSprtElo, kMaxSprtElo, "its upper hypothesis");
  declare_round(table, s.round_games);
  declare(table, s.limits);
  table.add_table("openings", s.openings, "where games start");
  table.add_table("adjudication", s.adjudication, "stopping decided games");
  table.check([&s]() -> std::optional<std::string> {
    if (s.elo0 <= s.elo1) return std::nullopt;
    return "elo0 must not be above elo1";
  });
}

NightCompare::NightCompare() : openings(CompareSettings().openings) {}

void declare(SettingsTable& table, NightCompare& s) {
  table.add("games", s.games, 1, 1'000'000'000, "games in all");
  table.add("hash_mb", s.hash_mb, 1, 65536, "hash of each engine");
  declare(table, s.design);
  table.add_table("openings", s.openings, "where games start");
}

void declare(SettingsTable& table, NightLadder& s) {
  table.add("hash_mb", s.hash_mb, 1, 65536, "hash of each player");
  declare_calibration(table, s.ladder);
}

void declare(SettingsTable& table, NightJob& job) {
  table.add("kind", job.kind,
            {{"tune", NightJob::Kind::kTune},
             {"match", NightJob::Kind::kMatch},
             {"compare", NightJob::Kind::kCompare},
             {"ladder", NightJob::Kind::kLadder}},
            "what is done");
  table.add("rules", job.rules, "rule sets; a compare job has none");
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
  table.add_table("against_first", job.against_first,
                  "the best against the first generation that was promoted, at the end");
  table.add_table("against_shipped", job.against_shipped,
                  "the best against the weights that this program ships, at the end");
  table.add_table("against_anchor", job.against_anchor, "the best against the anchor, at the end");
  table.add_table("match", job.match, "a match job");
  table.add_table("compare", job.compare, "a compare job");
  table.add_table("ladder", job.ladder, "a ladder job");
  table.check([&job]() -> std::optional<std::string> {
    if (job.rules.empty() && job.kind != NightJob::Kind::kCompare) {
      return "rules: missing; which rule sets?";
    }
    if (!job.rules.empty() && job.kind == NightJob::Kind::kCompare) {
      return "rules: a compare job is about both of janggi's rule sets";
    }
    if (job.kind == NightJob::Kind::kMatch) {
      if (job.match.opponent.empty()) return "a match job needs match.opponent, an engine file";
      if (job.match.limits.empty()) {
        return "a match job needs a limit: match.nodes, soft_nodes, depth, movetime_ms or tc";
      }
    }
    if (job.kind == NightJob::Kind::kTune &&
        job.anchor.empty() != (job.against_anchor.games == 0)) {
      return "anchor, an engine file, and against_anchor.games go together: give both or neither";
    }
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

std::string night_text(NightSettings settings) {
  SettingsTable table;
  declare(table, settings);
  const std::string all = canonical_text(table);
  std::string text;
  for (std::size_t begin = 0; begin < all.size();) {
    const std::size_t end = all.find('\n', begin) + 1;
    const std::string line = all.substr(begin, end - begin);
    begin = end;
    bool used = true;
    for (std::size_t j = 0; j < settings.jobs.size(); ++j) {
      const std::string prefix = fmt::format("job[{}].", j);
      if (line.compare(0, prefix.size(), prefix) != 0) continue;
      const std::string key =
          line.substr(prefix.size(), line.find_first_of(". ", prefix.size()) - prefix.size());
      used = uses(settings.jobs[j].kind, key);
    }
    if (used) text += line;
  }
  return text;
}

}  // namespace cannonade
