// selfplay merge: the shards of one run into one store.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "selfplay/command_line.h"
#include "selfplay/commands.h"
#include "selfplay/merge.h"

namespace cannonade {
namespace {

constexpr std::size_t kShownRanges = 20;

std::string range_text(IdRange range) {
  return range.end == range.begin + 1 ? std::to_string(range.begin)
                                      : fmt::format("{}-{}", range.begin, range.end - 1);
}

nlohmann::ordered_json to_json(const MergeReport& report, const std::filesystem::path& out) {
  nlohmann::ordered_json object{{"run", report.run_id},           {"planned", report.planned},
                                {"games", report.present},        {"added", report.added},
                                {"already", report.already},      {"missing", report.missing},
                                {"complete", report.missing == 0}};
  auto& ranges = object["missing_ids"] = nlohmann::ordered_json::array();
  for (const IdRange range : report.missing_ranges) ranges.push_back({range.begin, range.end - 1});
  object["all_missing_named"] = report.all_ranges;
  auto& shards = object["missing_by_shard"] = nlohmann::ordered_json::array();
  for (const MergeReport::ShardGap& gap : report.gaps) {
    shards.push_back({{"shard", fmt::format("{}/{}", gap.shard.index, gap.shard.count)},
                      {"given", gap.given},
                      {"missing", gap.missing}});
  }
  auto& blank = object["blank"] = nlohmann::ordered_json::array();
  for (const std::filesystem::path& path : report.blank) blank.push_back(path.string());
  object["revisions"] = report.revisions;
  object["out"] = out.string();
  return object;
}

void print_text(const MergeReport& report, const std::filesystem::path& out) {
  fmt::print("run {}: {} of {} games in {} ({} added, {} already there)\n", report.run_id,
             report.present, report.planned, out.string(), report.added, report.already);
  if (report.revisions.size() > 1) {
    fmt::print("played by {} different builds:", report.revisions.size());
    for (const std::string& revision : report.revisions) fmt::print(" {}", revision);
    fmt::print("\n");
  }
  for (const std::filesystem::path& path : report.blank) {
    fmt::print("{} has no games: no run was begun in it\n", path.string());
  }
  if (report.missing == 0) {
    fmt::print("complete\n");
    return;
  }
  fmt::print("missing {} games:", report.missing);
  const std::size_t shown = std::min(report.missing_ranges.size(), kShownRanges);
  for (std::size_t i = 0; i < shown; ++i) fmt::print(" {}", range_text(report.missing_ranges[i]));
  if (shown < report.missing_ranges.size() || !report.all_ranges) fmt::print(" ...");
  fmt::print("\n");
  for (const MergeReport::ShardGap& gap : report.gaps) {
    fmt::print("  shard {}/{} lacks {}{}\n", gap.shard.index, gap.shard.count, gap.missing,
               gap.given ? "" : " (no store of it was given)");
  }
}

}  // namespace

int merge_command(int argc, char** argv) {
  std::filesystem::path out;
  std::vector<std::string> words;
  bool json = false;
  CommandLine line(
      "selfplay merge",
      "Joins the shards of one run into one store and says which games are missing. May\n"
      "be repeated, and given shards that are still being played.",
      "selfplay merge --out all.db shard1.db shard2.db");
  line.add_operands("SHARD.db ...", words, 1);
  SettingsTable& options = line.options();
  options.add_path("out", out, "the store to write").required();
  options.add("json", json, "print one JSON object");
  if (!line.parse(argc, argv)) return 0;

  const std::vector<std::filesystem::path> shards(words.begin(), words.end());
  const MergeReport report = merge_stores(out, shards);
  if (json) {
    fmt::print("{}\n", to_json(report, out).dump());
  } else {
    print_text(report, out);
  }
  return 0;
}

}  // namespace cannonade
