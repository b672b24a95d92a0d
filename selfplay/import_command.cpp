// selfplay import: games from outside into a store.
#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "selfplay/command_line.h"
#include "selfplay/commands.h"
#include "selfplay/import_games.h"

namespace cannonade {
namespace {

nlohmann::ordered_json counts_json(const ImportCounts& counts) {
  return {{"games", counts.games},
          {"cut", counts.cut},
          {"skipped", counts.skipped},
          {"comments", counts.comments}};
}

std::string counts_text(const ImportCounts& counts) {
  return fmt::format("{} games, {} of them cut short; {} left out; {} comments ignored",
                     counts.games, counts.cut, counts.skipped, counts.comments);
}

}  // namespace

int import_command(int argc, char** argv) {
  Ruleset rules;
  ImportOptions chosen;
  std::filesystem::path out;
  std::vector<std::string> words;
  bool json = false;
  CommandLine line(
      "selfplay import",
      "Reads games of other programs and of people (PGN, janggi's GIB in CP949 or UTF-8,\n"
      "EPD, CSV, UCI move lists) and stores them. A game that breaks a rule is kept up to\n"
      "that turn; every such game is told on standard error with the reason.",
      "selfplay import games.gib more.pgn --rules janggi-kja --out human.db");
  line.add_operands("FILE ...", words, 1);
  SettingsTable& options = line.options();
  options.add("rules", rules, "rule set that judges the games").required();
  options.add_path("out", out, "the store to write").required();
  options.add("format", chosen.format,
              {{"auto", ImportFormat::kRecognise},
               {"pgn", ImportFormat::kPgn},
               {"gib", ImportFormat::kGib},
               {"epd", ImportFormat::kEpd},
               {"csv", ImportFormat::kCsv},
               {"list", ImportFormat::kList}},
              "of all files");
  options.add("ranks", chosen.ranks,
              {{"auto", RankBase::kRecognise}, {"1-10", RankBase::kOne}, {"0-9", RankBase::kZero}},
              "how move lists count ranks");
  options.add("json", json, "print one JSON object");
  if (!line.parse(argc, argv)) return 0;

  const std::vector<std::filesystem::path> files(words.begin(), words.end());
  const ImportReport report =
      import_games(files, rules, chosen, out,
                   [](const std::filesystem::path& file, std::size_t at, const std::string& what) {
                     if (at == 0) {
                       fmt::print(stderr, "{}: {}\n", file.string(), what);
                     } else {
                       fmt::print(stderr, "{}:{}: {}\n", file.string(), at, what);
                     }
                   });

  if (json) {
    nlohmann::ordered_json object = counts_json(report.total);
    object["added"] = report.added;
    object["endings"] = report.endings;
    auto& list = object["files"] = nlohmann::ordered_json::array();
    for (const ImportedFile& file : report.files) {
      nlohmann::ordered_json entry{{"file", file.path.string()},
                                   {"format", import_format_name(file.format)},
                                   {"encoding", file.encoding}};
      entry.update(counts_json(file.counts));
      list.push_back(std::move(entry));
    }
    object["out"] = out.string();
    fmt::print("{}\n", object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    return 0;
  }
  for (const ImportedFile& file : report.files) {
    fmt::print("{} ({}, {}): {}\n", file.path.string(), import_format_name(file.format),
               file.encoding, counts_text(file.counts));
  }
  if (report.files.size() > 1) fmt::print("in all: {}\n", counts_text(report.total));
  for (const auto& [reason, count] : report.endings) fmt::print("  {:<22} {}\n", reason, count);
  fmt::print("{} games added to {}\n", report.added, out.string());
  return 0;
}

}  // namespace cannonade
