#include "selfplay/import_games.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/files.h"
#include "core/notation/csv.h"
#include "core/notation/epd.h"
#include "core/notation/gib.h"
#include "core/notation/pgn.h"
#include "core/notation/text.h"
#include "selfplay/revision.h"

namespace cannonade {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kImportBatch = 500;
static_assert(kMaxToldPlies <= kMaxStoredPlies);

std::string read_bytes(const fs::path& path) {
  return read_file(path).value_or_throw();
}

ImportCounts read_games(ImportFormat format, std::string_view text, const Ruleset& rules,
                        RankBase ranks, const GameSink& sink) {
  switch (format) {
    case ImportFormat::kPgn:
      return read_pgn(text, rules, sink);
    case ImportFormat::kGib:
      return read_gib(text, rules, sink);
    case ImportFormat::kEpd:
      return read_epd(text, rules, sink);
    case ImportFormat::kCsv:
      return read_csv(text, rules, sink);
    case ImportFormat::kList:
    case ImportFormat::kRecognise:
      break;
  }
  return read_uci_list(text, rules, ranks, sink);
}

RunInfo import_run(const std::vector<ImportedFile>& files,
                   const std::vector<std::string>& fingerprints, const Ruleset& rules,
                   const ImportOptions& options) {
  RunInfo run;
  run.command = "import";
  run.rules = rules.id;
  constexpr std::string_view kRanks[] = {"recognised", "from 1", "from 0"};
  run.settings = fmt::format("ranks = {}\n", kRanks[static_cast<std::size_t>(options.ranks)]);
  for (std::size_t i = 0; i < files.size(); ++i) {
    run.settings += fmt::format("file {} = {} {}\n", i + 1, import_format_name(files[i].format),
                                fingerprints[i]);
  }
  run.revision = revision();
  return run;
}

// What makes two games that follow each other a pair: the same opening, the same two players, the
// seats swapped. No format tells pairs, and whoever fits or compares must not take them apart.
class PairFinder {
 public:
  std::uint64_t pair_of(const GameRecord& game) {
    Seen seen{game.start_fen, {}, game.players, game.player_hashes};
    const std::size_t plies =
        std::min(static_cast<std::size_t>(game.opening_plies), game.moves.size());
    seen.opening.assign(game.moves.begin(),
                        game.moves.begin() + static_cast<std::ptrdiff_t>(plies));
    const bool second = half_ && seen.swapped() == *half_ && seen != *half_;
    if (second) {
      half_.reset();
    } else {
      half_ = std::move(seen);
      pair_ = game.id;
    }
    return pair_;
  }

 private:
  struct Seen {
    std::string start_fen;
    std::vector<Move> opening;
    std::array<std::string, 2> players;
    std::array<std::string, 2> hashes;
    bool operator==(const Seen&) const = default;
    [[nodiscard]] Seen swapped() const {
      return {start_fen, opening, {players[1], players[0]}, {hashes[1], hashes[0]}};
    }
  };
  std::optional<Seen> half_;  // a game whose pair may be the next
  std::uint64_t pair_ = 0;
};

// Numbers games in the order in which they are told and commits them in batches.
class Importer {
 public:
  Importer(fs::path out, RunInfo run, ImportReport& report)
      : out_(std::move(out)), run_(std::move(run)), report_(report) {}

  void take(GameRecord&& game) {
    game.id = next_++;
    game.pair = pairs_.pair_of(game);
    ++report_.endings[std::string(reason_name(game.outcome.reason))];
    // Begun with the first game, so that a file without any leaves no store behind.
    if (!store_) store_.emplace(Store::create_or_resume(out_, run_));
    if (store_->finished().contains(game.id)) return;
    batch_.push_back(std::move(game));
    if (batch_.size() == kImportBatch) flush();
  }
  void finish() {
    if (!store_) throw user_error("no game was found");
    flush();
    if (!store_->complete()) store_->mark_complete("imported");
  }

 private:
  void flush() {
    store_->extend(next_);
    store_->add_batch(batch_);
    report_.added += batch_.size();
    batch_.clear();
  }

  fs::path out_;
  RunInfo run_;
  ImportReport& report_;
  PairFinder pairs_;
  std::uint64_t next_ = 0;
  std::optional<Store> store_;
  std::vector<GameRecord> batch_;
};

}  // namespace

std::string_view import_format_name(ImportFormat format) {
  constexpr std::string_view kNames[] = {"auto", "pgn", "gib", "epd", "csv", "list"};
  return kNames[static_cast<std::size_t>(format)];
}

ImportFormat recognise_format(const fs::path& path, std::string_view text) {
  const std::string ending = to_lower(path.extension().string());
  for (const ImportFormat format :
       {ImportFormat::kPgn, ImportFormat::kGib, ImportFormat::kEpd, ImportFormat::kCsv}) {
    if (ending == fmt::format(".{}", import_format_name(format))) return format;
  }
  LineReader lines(text);
  std::string_view line;
  while (lines.next(line)) {
    line = trim(line);
    if (line.empty() || is_epd_comment(line)) continue;
    if (line.starts_with('[')) {
      // Keys of .gib are Korean, tags of PGN are not.
      const bool ascii = line.size() > 1 && static_cast<unsigned char>(line[1]) < 0x80;
      return ascii ? ImportFormat::kPgn : ImportFormat::kGib;
    }
    if (line.starts_with("1.")) return ImportFormat::kPgn;
    if (parse_epd_line(line)) return ImportFormat::kEpd;
    if (line.find(',') != std::string_view::npos && line.find("moves") != std::string_view::npos) {
      return ImportFormat::kCsv;
    }
    break;
  }
  return ImportFormat::kList;
}

ImportReport import_games(const std::vector<fs::path>& files, const Ruleset& rules,
                          const ImportOptions& options, const fs::path& out,
                          const std::function<void(const fs::path& file, std::size_t line,
                                                   const std::string& what)>& remark) {
  // Every file is looked at before the first game is stored; they are read again one by one, so
  // that only one is in memory at a time.
  ImportReport report;
  std::vector<std::string> fingerprints;
  for (const fs::path& path : files) {
    const std::string bytes = read_bytes(path);
    const DecodedText decoded = decode_text(bytes);
    ImportedFile& file = report.files.emplace_back();
    file.path = path;
    file.format = options.format == ImportFormat::kRecognise ? recognise_format(path, decoded.text)
                                                             : options.format;
    file.encoding = decoded.encoding;
    file.replaced = decoded.replaced;
    fingerprints.push_back(fingerprint_hex(bytes));
  }
  Importer importer(out, import_run(report.files, fingerprints, rules, options), report);
  for (ImportedFile& file : report.files) {
    const DecodedText decoded = decode_text(read_bytes(file.path));
    if (file.replaced > 0) {
      remark(file.path, 0,
             fmt::format("{} bytes mean nothing in {}", file.replaced, file.encoding));
    }
    const GameSink sink{
        [&](GameRecord&& game, std::size_t) { importer.take(std::move(game)); },
        [&](std::size_t line, const std::string& what) { remark(file.path, line, what); }};
    try {
      file.counts = read_games(file.format, decoded.text, rules, options.ranks, sink);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kUser) throw;
      throw user_error(fmt::format("{}: {}", file.path.string(), error.what()));
    }
    report.total += file.counts;
  }
  importer.finish();
  return report;
}

}  // namespace cannonade
