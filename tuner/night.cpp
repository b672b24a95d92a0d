#include "tuner/night.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <chrono>
#include <map>

#include "core/base/files.h"
#include "eval/weights.h"
#include "tuner/night_checks.h"

namespace cannonade {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRecord = "night.txt";  // its settings, in its folder

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

// The folder belongs to one night; another's settings are refused.
void claim_folder(const fs::path& folder, const std::string& config) {
  const fs::path record = folder / kRecord;
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

// The weights that a job plays with, kept beside its games: when the job is taken up again they are
// what they were, whatever has been promoted since.
fs::path keep_weights(const std::map<std::string, fs::path>& promoted, const Ruleset& rules,
                      const fs::path& job_folder) {
  fs::path kept = job_folder / "weights" / (rules.id + ".toml");
  if (fs::exists(kept)) return kept;
  fs::create_directories(kept.parent_path());
  const auto found = promoted.find(rules.id);
  write_file_atomically(kept, found != promoted.end()
                                  ? read_file(found->second).value_or_throw()
                                  : weights_by_name("default", rules).to_toml());
  return kept;
}

void add_status(nlohmann::ordered_json& json, const JobStatus& status) {
  json["rules"] = status.rules.id;
  json["complete"] = status.complete;
  json["failure"] =
      status.failure.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(status.failure);
}

}  // namespace

bool is_night_folder(const fs::path& folder) {
  return fs::exists(folder / kRecord);
}

std::vector<const JobStatus*> NightOutcome::statuses() const {
  std::vector<const JobStatus*> all;
  for (const RulesOutcome& r : rule_sets) all.push_back(&r);
  for (const MatchOutcome& m : matches) all.push_back(&m);
  for (const CompareOutcome& c : comparisons) all.push_back(&c);
  for (const LadderOutcome& l : ladders) all.push_back(&l);
  return all;
}

NightOutcome run_night(NightSettings settings, const std::filesystem::path& folder,
                       NightGames games, int threads, const std::atomic<bool>* stop,
                       const NightObserver& observer) {
  const auto begin = std::chrono::steady_clock::now();
  const auto seconds_since = [](std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  if (settings.jobs.empty()) throw user_error("the night has no jobs ([[job]])");
  check_night(settings);
  NightOutcome outcome;
  outcome.config = night_text(settings);
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
  const fs::path order = games == NightGames::kJoined ? order_file(folder) : fs::path();
  fs::remove(order_file(folder));  // what it wanted is there, or is wanted anew

  // The weights that the night has for each rule set, where they are no longer the compiled-in.
  std::map<std::string, fs::path> promoted;
  outcome.complete = true;
  const auto stopped = [&] { return outcome.interrupted || outcome.awaited; };
  for (std::size_t j = 0; j < settings.jobs.size() && !stopped(); ++j) {
    const NightJob& job = settings.jobs[j];
    const fs::path job_folder =
        settings.jobs.size() == 1 ? folder : folder / fmt::format("job-{}", j + 1);
    std::vector<std::string> names = job.rules;
    if (job.kind == NightJob::Kind::kCompare) names = {rules_of(Preset::kKja).id};
    for (const std::string& name : names) {
      const auto started = std::chrono::steady_clock::now();
      const Ruleset rules = find_ruleset(name).value_or_throw();
      const NightContext context{settings, outcome.config, j,        rules, job_folder / rules.id,
                                 threads,  stop,           observer, order};
      const auto item = [&](auto& list, const auto& work) {
        list.emplace_back();
        list.back().rules = rules;
        const auto changed = [&] {
          list.back().seconds = seconds_since(started);
          outcome.seconds = seconds_since(begin);
          if (observer.on_phase) observer.on_phase(outcome);
        };
        try {
          fs::create_directories(context.folder);
          work(list.back(), changed);
        } catch (const Interrupted&) {
          outcome.interrupted = true;
          outcome.complete = false;
        } catch (const GamesAwaited& awaited) {
          outcome.awaited = awaited;
          outcome.complete = false;
        } catch (const std::exception& failed) {
          list.back().failure = failed.what();
          outcome.complete = false;
          context.note(fmt::format("{}: given up: {}", rules.id, failed.what()));
        }
        changed();
      };
      switch (job.kind) {
        case NightJob::Kind::kTune:
          item(outcome.rule_sets, [&](RulesOutcome& mine, const auto& changed) {
            run_tune(context, mine, changed);
            promoted[rules.id] = mine.best;
          });
          break;
        case NightJob::Kind::kMatch:
          item(outcome.matches, [&](MatchOutcome& mine, const auto&) {
            run_match_job(context, keep_weights(promoted, rules, job_folder), mine);
          });
          break;
        case NightJob::Kind::kCompare:
          item(outcome.comparisons, [&](CompareOutcome& mine, const auto&) {
            for (const Preset preset : {Preset::kKja, Preset::kPointCount}) {
              (void)keep_weights(promoted, rules_of(preset), job_folder);
            }
            run_compare_job(context, job_folder / "weights" / "{rules}.toml", mine);
          });
          break;
        case NightJob::Kind::kLadder:
          item(outcome.ladders, [&](LadderOutcome& mine, const auto&) {
            run_ladder_job(context, keep_weights(promoted, rules, job_folder), mine);
          });
          break;
      }
      if (stopped()) break;
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
  if (outcome.awaited) {
    json["awaited"] = {{"title", outcome.awaited->title}, {"games", outcome.awaited->games}};
  }
  json["rule_sets"] = Json::array();
  for (const RulesOutcome& r : outcome.rule_sets) json["rule_sets"].push_back(to_json(r));
  json["matches"] = Json::array();
  for (const MatchOutcome& m : outcome.matches) {
    Json item = m.result ? to_json(*m.result) : Json::object();
    item["opponent"] = m.opponent;
    add_status(item, m);
    json["matches"].push_back(std::move(item));
  }
  json["comparisons"] = Json::array();
  for (const CompareOutcome& c : outcome.comparisons) {
    Json item = c.result ? to_json(*c.result) : Json::object();
    add_status(item, c);
    json["comparisons"].push_back(std::move(item));
  }
  json["ladders"] = Json::array();
  for (const LadderOutcome& l : outcome.ladders) {
    Json item = l.result ? to_json(*l.result) : Json::object();
    add_status(item, l);
    json["ladders"].push_back(std::move(item));
  }
  return json;
}

}  // namespace cannonade
