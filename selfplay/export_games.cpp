#include "selfplay/export_games.h"

#include <fmt/format.h>

#include <map>
#include <string>

#include "core/base/atomic_file.h"
#include "core/board/ruleset.h"
#include "core/notation/csv.h"
#include "core/notation/epd.h"
#include "core/notation/pgn.h"
#include "core/notation/told_game.h"

namespace cannonade {

std::uint64_t export_games(const Store& store, const ExportOptions& options,
                           const std::filesystem::path& out) {
  std::map<std::string, Ruleset> known;  // a store may hold games of several rule sets
  PgnOptions pgn;
  pgn.event = fmt::format("{} {}", store.run().command, store.id());
  pgn.style = options.style;
  pgn.scores = options.scores;

  AtomicFile file(out);
  if (options.format == ExportFormat::kCsv) file.append(csv_header());
  std::uint64_t games = 0;
  store.for_each([&](const GameRecord& game) {
    const auto where = [&] { return fmt::format("{}: game {}", store.path().string(), game.id); };
    auto rules = known.find(game.rules);
    if (rules == known.end()) {
      rules = known.emplace(game.rules, find_ruleset(game.rules).value_or_throw(where())).first;
    }
    // Whatever the format, only what the rules allow goes out.
    switch (options.format) {
      case ExportFormat::kPgn:
        file.append(to_pgn(game, rules->second, pgn).value_or_throw(where()));
        break;
      case ExportFormat::kEpd:
        file.append(to_epd(game, rules->second).value_or_throw(where()));
        break;
      case ExportFormat::kCsv:
        (void)replay(game, rules->second).value_or_throw(where());
        file.append(to_csv(game));
        break;
    }
    ++games;
  });
  file.commit();
  return games;
}

}  // namespace cannonade
