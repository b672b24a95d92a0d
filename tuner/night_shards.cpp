#include "tuner/night_shards.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "selfplay/match_rounds.h"
#include "selfplay/merge.h"
#include "selfplay/store.h"
#include "tuner/work_order.h"

namespace cannonade {
namespace {

namespace fs = std::filesystem;

fs::path shards_of(const fs::path& store) {
  return fs::path(store).replace_extension(".shards");
}

// Joins what the shards have so far. The length of the joined store's whole prefix.
std::uint64_t join_shards(const fs::path& store) {
  std::vector<fs::path> shards;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(shards_of(store), error)) {
    const fs::path& path = entry.path();
    if (path.extension() == ".db" && !is_blank_store(path)) shards.push_back(path);
  }
  std::sort(shards.begin(), shards.end());
  if (!shards.empty()) (void)merge_stores(store, shards);
  return fs::exists(store) ? Store::open_read_only(store).finished().first_missing() : 0;
}

[[noreturn]] void await(const Tournament& tournament, std::uint64_t prefix, const fs::path& store,
                        const std::string& title, const fs::path& order) {
  const GamesAwaited awaited{title, tournament.games - prefix};
  write_work_order(order, {title, tournament, shards_of(store)});
  throw awaited;
}

}  // namespace

fs::path order_file(const fs::path& night_folder) {
  return night_folder / "order.toml";
}

GenerateResult obtain_games(Tournament tournament, const fs::path& store, const std::string& title,
                            const fs::path& order, const RunControl& control) {
  if (!order.empty()) {
    const std::uint64_t prefix = join_shards(store);
    if (prefix < tournament.games) await(tournament, prefix, store, title, order);
  }
  GenerateResult result = run_generate(std::move(tournament), store, control);
  if (!order.empty() && result.complete) fs::remove_all(shards_of(store));  // all of it is joined
  return result;
}

MatchResult obtain_match(MatchPlan plan, std::uint64_t round_games, const fs::path& store,
                         const std::string& title, const fs::path& order,
                         const RunControl& control) {
  if (!order.empty()) {
    const std::uint64_t prefix = join_shards(store);
    if (!judge_match(plan, store).result.complete) {
      Tournament& tournament = plan.tournament;
      if (plan.sprt) {
        tournament.games =
            games_through_round(tournament.games, round_games, round_after(prefix, round_games));
      }
      await(tournament, prefix, store, title, order);
    }
  }
  MatchResult result = run_match(std::move(plan), store, control);
  if (!order.empty() && result.complete) fs::remove_all(shards_of(store));
  return result;
}

}  // namespace cannonade
