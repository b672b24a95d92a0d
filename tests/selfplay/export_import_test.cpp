// What leaves a store and what comes in, by the library and by the commands.
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "core/base/files.h"
#include "core/notation/text.h"
#include "selfplay/commands.h"
#include "selfplay/export_games.h"
#include "selfplay/import_games.h"
#include "selfplay/merge.h"
#include "tests/selfplay/stored_games.h"

namespace cannonade {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kExportedGames = 24;

std::string rules_of(std::uint64_t id) {
  return id % 4 == 3 ? "janggi-point-count" : "janggi-kja";
}

fs::path make_store(const fs::path& path, const std::string& rules = {},
                    const std::function<bool(std::uint64_t)>& wanted = {}) {
  Store store = Store::create_or_resume(path, sample_run(kExportedGames));
  for (std::uint64_t i = 0; i < kExportedGames; ++i) {
    const std::uint64_t id = (i * 7 + 5) % kExportedGames;  // not in index order
    if (wanted && !wanted(id)) continue;
    store.add(random_game(rules.empty() ? rules_of(id) : rules, id));
  }
  return path;
}

std::string exported(const fs::path& store, ExportFormat format,
                     MoveStyle style = MoveStyle::kUci) {
  fs::path out = store;
  out += ".out";
  (void)export_games(Store::open_read_only(store), {format, style, true}, out);
  return read_file(out).value_or_throw();
}

struct Told {
  ImportReport report;
  std::vector<std::string> remarks;
};
Told import_text(const TempFolder& folder, const std::string& name, const std::string& bytes,
                 const std::string& rules, const ImportOptions& options = {}) {
  write_file_atomically(folder / name, bytes);
  Told told;
  const Ruleset known = find_ruleset(rules).value_or_throw();
  told.report = import_games({folder / name}, known, options, folder / (name + ".db"),
                             [&](const fs::path& file, std::size_t line, const std::string& what) {
                               EXPECT_EQ(file, folder / name);
                               told.remarks.push_back(std::to_string(line) + ": " + what);
                             });
  return told;
}

// A command's standard output; its exit code must be 0.
std::string run(int (*command)(int, char**), std::vector<std::string> words) {
  words.insert(words.begin(), "command");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  testing::internal::CaptureStdout();
  int code = -1;
  std::string failure;
  try {
    code = command(static_cast<int>(words.size()), argv.data());
  } catch (const Error& error) {
    failure = error.what();
  }
  const std::string output = testing::internal::GetCapturedStdout();
  if (!failure.empty()) throw user_error(failure);
  EXPECT_EQ(code, 0);
  return output;
}

TEST(Export, BytesDependOnTheGamesAloneNotOnOrderOrShards) {
  const TempFolder folder;
  const fs::path whole = make_store(folder / "whole.db");
  std::vector<fs::path> shards;
  for (int i = 1; i <= 3; ++i) {
    RunInfo run = sample_run(kExportedGames);
    run.shard = {i, 3};
    shards.push_back(folder / ("shard" + std::to_string(i)));
    Store store = Store::create_or_resume(shards.back(), run);
    for (std::uint64_t id = 0; id < kExportedGames; ++id) {
      if (!run.shard.owns(id)) continue;
      GameRecord game = random_game(rules_of(id), id);
      game.milliseconds += 17;
      store.add(game);
    }
  }
  (void)merge_stores(folder / "merged.db", shards);
  for (const ExportFormat format : {ExportFormat::kPgn, ExportFormat::kEpd, ExportFormat::kCsv}) {
    EXPECT_EQ(exported(whole, format), exported(folder / "merged.db", format));
  }
}

TEST(Export, EveryFormatImportsBackToTheSameGames) {
  for (const char* rules : {"janggi-kja", "janggi-point-count", "xiangqi-casual"}) {
    const TempFolder folder;
    const fs::path store = make_store(folder / "run.db", rules);
    const auto check = [&](const std::string& name, const std::string& text, bool scores) {
      const Told told = import_text(folder, name, text, rules);
      EXPECT_TRUE(told.remarks.empty()) << told.remarks.front();
      const Store again = Store::open_read_only(folder / (name + ".db"));
      EXPECT_TRUE(again.complete());
      EXPECT_EQ(again.finished().size(), kExportedGames);
      again.for_each([&](const GameRecord& game) {
        const GameRecord original = random_game(rules, game.id);
        EXPECT_EQ(game.moves, original.moves);
        EXPECT_EQ(game.start_fen, original.start_fen);
        EXPECT_EQ(game.outcome, original.outcome);
        EXPECT_EQ(game.player_hashes, original.player_hashes);
        EXPECT_EQ(game.opening_plies, original.opening_plies);
        EXPECT_EQ(game.points_halves, original.points_halves);
        if (scores) {
          EXPECT_EQ(game.scores, original.scores);
        }
      });
    };
    check("a.pgn", exported(store, ExportFormat::kPgn), true);
    check("b.pgn", exported(store, ExportFormat::kPgn, MoveStyle::kColumns), true);
    check("c.pgn", exported(store, ExportFormat::kPgn, MoveStyle::kWxf), true);
    check("d.epd", exported(store, ExportFormat::kEpd), false);
    check("e.csv", exported(store, ExportFormat::kCsv), true);
  }
}

// A fit holds out both games of a pair or neither: they must still be one after a way through a
// file.
TEST(Import, TwoGamesOfAPairAreOneAgain) {
  const TempFolder folder;
  RunInfo run = sample_run(8);
  {
    Store store = Store::create_or_resume(folder / "run.db", run);
    for (std::uint64_t id = 0; id < 8; ++id) {
      GameRecord game = random_game("janggi-kja", id / 2 * 2);  // one opening a pair
      game.id = id;
      game.pair = id / 2;
      if (id % 2 != 0) {
        std::swap(game.players[0], game.players[1]);
        std::swap(game.player_hashes[0], game.player_hashes[1]);
      }
      if (id >= 6)
        game.players[0] = game.players[1] = "alone";  // two games of a player with itself
      if (id >= 6) game.player_hashes[0] = game.player_hashes[1] = "00000000000000cc";
      store.add(game);
    }
  }
  for (const ExportFormat format : {ExportFormat::kPgn, ExportFormat::kEpd, ExportFormat::kCsv}) {
    const std::string name = "again" + std::to_string(static_cast<int>(format));
    (void)import_text(folder, name, exported(folder / "run.db", format), "janggi-kja");
    std::vector<std::uint64_t> pairs;
    for (const GameRecord& game : all_games(Store::open_read_only(folder / (name + ".db")))) {
      pairs.push_back(game.pair);
    }
    EXPECT_EQ(pairs, (std::vector<std::uint64_t>{0, 0, 2, 2, 4, 4, 6, 7})) << name;
  }
}

TEST(Export, AGameThatCannotBeIsNamedAndNoFileIsLeft) {
  const TempFolder folder;
  {
    Store store = Store::create_or_resume(folder / "run.db", sample_run());
    store.add(random_game("janggi-kja", 0));
    GameRecord bad = random_game("janggi-kja", 1);
    bad.moves[4] = bad.moves[3];
    store.add(bad);
  }
  const Store store = Store::open_read_only(folder / "run.db");
  for (const ExportFormat format : {ExportFormat::kPgn, ExportFormat::kEpd, ExportFormat::kCsv}) {
    const auto message = error_of([&] {
      (void)export_games(store, {format, MoveStyle::kUci, true}, folder / "out");
    });
    EXPECT_NE(message.find("game 1: turn 5"), std::string::npos) << message;
  }
  EXPECT_NE(error_of([&] {
              (void)export_games(store, {}, folder / "none" / "out");
            }).find("No such file or directory"),
            std::string::npos);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1);
}

TEST(Import, TheSameFilesAgainAddNothing) {
  const TempFolder folder;
  const std::string gib = *read_file(std::string(CANNONADE_TEST_DATA) + "/sample.gib");
  EXPECT_EQ(import_text(folder, "a.gib", gib, "janggi").report.added, 2U);
  const Told again = import_text(folder, "a.gib", gib, "janggi");
  EXPECT_EQ(again.report.added, 0U);
  EXPECT_EQ(again.report.total.games, 2U);
  // Another content is another run.
  EXPECT_NE(error_of([&] {
              (void)import_text(folder, "a.gib", gib + "\r\n", "janggi");
            }).find("another run"),
            std::string::npos);
}

TEST(Import, SeveralFilesAreOneRunAndGamesKeepTheirOrder) {
  const TempFolder folder;
  write_file_atomically(folder / "1.pgn", "1. h3e3 *\n1. h1g3 *\n");
  write_file_atomically(folder / "2.txt", "b3e3 b10c8\n");
  const Ruleset rules = find_ruleset("xiangqi").value_or_throw();
  const ImportReport report =
      import_games({folder / "1.pgn", folder / "2.txt"}, rules, {}, folder / "all.db",
                   [](const fs::path&, std::size_t, const std::string& what) { FAIL() << what; });
  EXPECT_EQ(report.total.games, 3U);
  EXPECT_EQ(report.endings.at("unfinished"), 3U);
  std::string first;
  Store::open_read_only(folder / "all.db").for_each([&](const GameRecord& game) {
    first += std::to_string(game.id) + ":" + std::to_string(game.moves.size()) + " ";
  });
  EXPECT_EQ(first, "0:1 1:1 2:2 ");
}

TEST(Import, FormatsAreRecognisedByEndingAndByContent) {
  const auto of = [](const char* name, const char* text) { return recognise_format(name, text); };
  EXPECT_EQ(of("a.PGN", ""), ImportFormat::kPgn);
  EXPECT_EQ(of("a.gib", ""), ImportFormat::kGib);
  EXPECT_EQ(of("a.txt", "[Event \"x\"]\n"), ImportFormat::kPgn);
  EXPECT_EQ(of("a.txt", "\n[대회명 \"x\"]\n"), ImportFormat::kGib);
  EXPECT_EQ(of("a", "1. h3e3 h8e8\n"), ImportFormat::kPgn);
  EXPECT_EQ(of("a", "# x\n3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1 c9 \"1-0\";\n"), ImportFormat::kEpd);
  EXPECT_EQ(of("a", "result,moves\n"), ImportFormat::kCsv);
  EXPECT_EQ(of("a", "position startpos moves h3e3\n"), ImportFormat::kList);
  EXPECT_EQ(of("a", "position fen 3k5/9/9/9/9/9/9/9/9/R3K4 w moves a1a2\n"), ImportFormat::kList);
  EXPECT_EQ(of("a", "h3e3 h8e8\n"), ImportFormat::kList);
  EXPECT_EQ(of("a", ""), ImportFormat::kList);
}

TEST(Import, WhatCannotBeReadIsNamedAndLeavesNoStore) {
  const TempFolder folder;
  const Ruleset rules = find_ruleset("janggi").value_or_throw();
  const auto silent = [](const fs::path&, std::size_t, const std::string&) {};
  const auto message = [&](const fs::path& file) {
    return error_of([&] { (void)import_games({file}, rules, {}, folder / "x.db", silent); });
  };
  EXPECT_NE(message(folder / "none.pgn").find("none.pgn"), std::string::npos);
  EXPECT_NE(message(folder.path()).find("folder"), std::string::npos);
  write_file_atomically(folder / "bad.csv", "a,b\n");
  EXPECT_NE(message(folder / "bad.csv").find("bad.csv: line 1"), std::string::npos);
  write_file_atomically(folder / "empty.pgn", "");
  EXPECT_NE(message(folder / "empty.pgn").find("no game was found"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder / "x.db"));
}

TEST(Commands, ImportExportAndMergeReportInJson) {
  const TempFolder folder;
  const std::string gib = std::string(CANNONADE_TEST_DATA) + "/sample.gib";
  const auto imported = nlohmann::json::parse(
      run(import_command, {gib, "--rules", "janggi-points", "--out", folder / "h.db", "--json"}));
  EXPECT_EQ(imported.at("games"), 2);
  EXPECT_EQ(imported.at("cut"), 0);
  EXPECT_EQ(imported.at("endings").at("double_pass"), 1);
  EXPECT_EQ(imported.at("files").at(0).at("encoding"), "CP949");

  const auto out =
      nlohmann::json::parse(run(export_command, {folder / "h.db", "--format", "pgn", "--out",
                                                 folder / "h.pgn", "--columns", "--json"}));
  EXPECT_EQ(out.at("games"), 2);
  EXPECT_NE(read_file(folder / "h.pgn")->find("06사96"), std::string::npos);

  const auto half = [](std::uint64_t id) { return id % 2 == 0; };
  make_store(folder / "half.db", {}, half);
  const auto merged = nlohmann::json::parse(
      run(merge_command, {"--out", folder / "all.db", folder / "half.db", "--json"}));
  EXPECT_EQ(merged.at("games"), kExportedGames / 2);
  EXPECT_EQ(merged.at("missing"), kExportedGames / 2);
  EXPECT_EQ(merged.at("missing_ids").at(1), nlohmann::json({3, 3}));
  EXPECT_EQ(merged.at("complete"), false);
  const std::string text = run(merge_command, {"--out", folder / "all.db", folder / "half.db"});
  EXPECT_NE(text.find("missing 12 games: 1 3 5 7"), std::string::npos) << text;
}

TEST(Commands, HelpHasAnExampleAndMistakesAreRefused) {
  for (const auto command : {import_command, export_command, merge_command}) {
    EXPECT_NE(run(command, {"--help"}).find("Example: selfplay"), std::string::npos);
    EXPECT_NE(error_of([&] { (void)run(command, {}); }), "");
    EXPECT_NE(error_of([&] {
                (void)run(command, {"x", "--out", "y", "--bogus"});
              }).find("bogus"),
              std::string::npos);
  }
  const TempFolder folder;
  make_store(folder / "run.db");
  const std::string db = folder / "run.db";
  const std::string out = folder / "out";
  EXPECT_NE(error_of([&] {
              (void)run(export_command, {db, "--format", "sgf", "--out", out});
            }),
            "");
  EXPECT_NE(error_of([&] {
              (void)run(export_command, {db, "--format", "csv", "--columns", "--out", out});
            }),
            "");
  EXPECT_NE(error_of([&] {
              (void)run(import_command, {db, "--rules", "chess", "--out", out});
            }),
            "");
  EXPECT_NE(error_of([&] { (void)run(merge_command, {"--out", db, db}); }), "");
}

}  // namespace
}  // namespace cannonade
