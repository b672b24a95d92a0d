#include "selfplay/merge.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <queue>
#include <set>
#include <tuple>
#include <utility>

#include "selfplay/store_schema.h"

namespace cannonade {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kMergeBatch = 1000;
// Inputs read side by side, so that games come in order; SQLite keeps up to three files open each.
constexpr std::size_t kSideBySide = 64;

bool same_game(const GameRecord& a, const GameRecord& b) {
  const auto all_but_the_clock = [](const GameRecord& g) {
    return std::tie(g.id, g.pair, g.rules, g.start_fen, g.opening_plies, g.players, g.player_hashes,
                    g.moves, g.scores, g.outcome, g.points_halves, g.nodes, g.note);
  };
  return all_but_the_clock(a) == all_but_the_clock(b);
}

// An input and its next game.
struct Source {
  explicit Source(const fs::path& path)
      : store(Store::open_read_only(path)), reader(store.read()) {}

  Store store;
  GameReader reader;
  GameRecord game;
};

// Takes games in any order of ids; equal neighbours are found before they are written.
class Joiner {
 public:
  Joiner(Store& out, MergeReport& report) : out_(out), report_(report) {}

  void take(GameRecord& game, const fs::path& from) {
    if (!batch_.empty() && batch_.back().id == game.id) {
      require_same(batch_.back(), game, from);
    } else if (out_.finished().contains(game.id)) {
      require_same(out_.find(game.id).value(), game, from);
    } else {
      batch_.push_back(game);
      if (batch_.size() == kMergeBatch) flush();
    }
  }
  void flush() {
    out_.add_batch(batch_);
    report_.added += batch_.size();
    batch_.clear();
  }

 private:
  void require_same(const GameRecord& known, const GameRecord& game, const fs::path& from) {
    if (!same_game(known, game)) {
      throw user_error(fmt::format("game {} in {} is not the one that is already in {}", game.id,
                                   from.string(), out_.path().string()));
    }
    ++report_.already;
  }

  Store& out_;
  MergeReport& report_;
  std::vector<GameRecord> batch_;
};

void join(std::span<const fs::path> group, Joiner& joiner) {
  std::vector<Source> sources;
  sources.reserve(group.size());
  using Next = std::pair<std::uint64_t, std::size_t>;  // a game's id and its source
  std::priority_queue<Next, std::vector<Next>, std::greater<>> queue;
  const auto advance = [&](std::size_t i) {
    if (sources[i].reader.next(sources[i].game)) queue.emplace(sources[i].game.id, i);
  };
  for (const fs::path& path : group) {
    sources.emplace_back(path);
    advance(sources.size() - 1);
  }
  while (!queue.empty()) {
    const std::size_t i = queue.top().second;
    queue.pop();
    joiner.take(sources[i].game, sources[i].store.path());
    advance(i);
  }
  joiner.flush();
}

// Missing games by the shard that owes them, in a time that goes with the missing games of less
// than a whole round.
std::vector<std::uint64_t> count_by_shard(const IdSet& ids, std::uint64_t planned, int shards) {
  const auto round = 2 * static_cast<std::uint64_t>(shards);
  std::uint64_t whole_rounds = 0;
  std::vector<std::uint64_t> missing(static_cast<std::size_t>(shards), 0);
  ids.for_each_gap(planned, [&](IdRange gap) {
    whole_rounds += (gap.end - gap.begin) / round;
    const std::uint64_t rest = (gap.end - gap.begin) % round;
    for (std::uint64_t id = gap.end - rest; id < gap.end; ++id) {
      ++missing[static_cast<std::size_t>(id % round / 2)];
    }
  });
  for (std::uint64_t& count : missing) count += 2 * whole_rounds;
  return missing;
}

}  // namespace

bool is_blank_store(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return false;
  try {
    SQLite::Database database(path.string(), SQLite::OPEN_READONLY);
    guard_connection(database);
    return is_blank(database, path);
  } catch (const SQLite::Exception&) {
    return false;  // Store says what is wrong with it
  }
}

MergeReport merge_stores(const fs::path& out, std::span<const fs::path> inputs) {
  if (inputs.empty()) throw user_error("nothing to merge: no store was given");
  MergeReport report;
  std::vector<fs::path> shards;
  for (const fs::path& path : inputs)
    (is_blank_store(path) ? report.blank : shards).push_back(path);
  if (shards.empty()) {
    throw user_error(fmt::format("nothing to merge: no run was begun in {}", inputs[0].string()));
  }
  RunInfo run;
  std::set<std::string> revisions;
  std::set<std::pair<int, int>> given;
  int most_shards = 1;
  for (const fs::path& path : shards) {
    std::error_code error;
    if (fs::equivalent(path, out, error)) {
      throw user_error(fmt::format("{} cannot be merged into itself", path.string()));
    }
    const Store shard = Store::open_read_only(path);
    if (report.run_id.empty()) {
      run = shard.run();
      report.run_id = shard.id();
    } else if (shard.id() != report.run_id) {
      throw user_error(fmt::format("{} is of another run than {}: {}", path.string(),
                                   shards.front().string(), run_differences(shard.run(), run)));
    }
    run.games = std::max(run.games, shard.run().games);
    given.emplace(shard.run().shard.index, shard.run().shard.count);
    most_shards = std::max(most_shards, shard.run().shard.count);
    revisions.insert(shard.run().revision);
  }
  run.shard = Shard{};
  report.revisions.assign(revisions.begin(), revisions.end());

  StoreOptions options;
  options.power_loss_games = INT32_MAX;  // what a power cut takes, merging again brings back
  Store merged = Store::create_or_resume(out, run, options);
  Joiner joiner(merged, report);
  for (std::size_t at = 0; at < shards.size(); at += kSideBySide) {
    join(std::span(shards).subspan(at, std::min(kSideBySide, shards.size() - at)), joiner);
  }

  report.planned = merged.run().games;
  report.present = merged.finished().size();
  report.missing = report.planned - report.present;
  merged.finished().for_each_gap(report.planned, [&](IdRange gap) {
    if (report.missing_ranges.size() < kNamedRanges) {
      report.missing_ranges.push_back(gap);
    } else {
      report.all_ranges = false;
    }
  });
  if (most_shards > 1 && report.missing > 0) {
    const auto counts = count_by_shard(merged.finished(), report.planned, most_shards);
    for (int i = 1; i <= most_shards; ++i) {
      const std::uint64_t missing = counts[static_cast<std::size_t>(i - 1)];
      if (missing > 0) {
        report.gaps.push_back({Shard{i, most_shards}, given.contains({i, most_shards}), missing});
      }
    }
  }
  if (report.missing == 0 && !merged.complete()) merged.mark_complete("all games played");
  return report;
}

}  // namespace cannonade
