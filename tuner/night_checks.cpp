#include "tuner/night_checks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "selfplay/tournament.h"

namespace cannonade {
namespace {

class Checks {
 public:
  explicit Checks(const NightSettings& settings) {
    for (std::size_t j = 0; j < settings.jobs.size(); ++j) {
      const NightJob& job = settings.jobs[j];
      for (const std::string& name : job.rules) {
        place_ = fmt::format("job[{}], {}", j, name);
        const Ruleset rules = find_ruleset(name).value_or_throw();
        if (job.kind == NightJob::Kind::kTune) check_tune(job, rules);
        if (job.kind == NightJob::Kind::kMatch) {
          check(job.match.opponent, job.match.limits, job.match.openings, rules);
        }
      }
    }
  }
  [[nodiscard]] const std::vector<std::string>& faults() const { return faults_; }

 private:
  void check_tune(const NightJob& job, const Ruleset& rules) {
    check({}, {}, job.generate.openings, rules);
    check({}, {}, job.verify.openings, rules);
    for (const NightMeasure* measure :
         {&job.against_start, &job.against_first, &job.against_shipped}) {
      if (measure->games > 0) check({}, {}, measure->openings, rules);
    }
    if (job.against_anchor.games > 0) {
      MoveLimits limits;
      limits.nodes = job.against_anchor.nodes;
      check(job.anchor, limits, job.against_anchor.openings, rules);
    }
  }

  // An engine, where one is named, and where its games start.
  void check(const std::filesystem::path& engine, const MoveLimits& limits,
             const OpeningSettings& openings, const Ruleset& rules) {
    if (engine.empty() && openings.book.empty()) return;
    Tournament tournament;
    tournament.rules = rules;
    tournament.openings = openings;
    tournament.limits = limits;
    if (engine.empty()) {
      tournament.limits.nodes = 1;
      tournament.engines.emplace_back();
      tournament.engines.back().name = "the night's";
    } else {
      tournament.engines = read_engine_configs({engine}, tournament.faults);
    }
    tournament.pairings = make_pairings(PairingKind::kSelf, tournament.engines.size());
    try {
      const PreparedTournament prepared(std::move(tournament));
    } catch (const Error& fault) {
      if (fault.kind() != ErrorKind::kUser) throw;
      std::string text = fmt::format("{}: {}", place_, fault.what());
      if (std::find(faults_.begin(), faults_.end(), text) == faults_.end()) {
        faults_.push_back(std::move(text));
      }
    }
  }

  std::string place_;
  std::vector<std::string> faults_;
};

}  // namespace

void check_night(const NightSettings& settings) {
  const Checks checks(settings);
  if (!checks.faults().empty())
    throw user_error(fmt::format("{}", fmt::join(checks.faults(), "\n")));
}

}  // namespace cannonade
