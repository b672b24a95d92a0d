// selfplay match: which of two engines is stronger, and by how much.
#include "selfplay/match.h"

#include <fmt/format.h>

#include "selfplay/command_line.h"
#include "selfplay/commands.h"
#include "selfplay/interrupt.h"
#include "selfplay/progress.h"
#include "selfplay/run_options.h"

namespace cannonade {

int match_command(int argc, char** argv) {
  MatchSettings settings;
  SettingsTable table;
  declare(table, settings);
  RunOptions options;
  std::filesystem::path book;
  CommandLine line("selfplay match",
                   "Plays A against B from openings played twice with seats swapped.",
                   "selfplay match --rules janggi-kja --a configs/engines/best.toml --b "
                   "configs/engines/material.toml --games 400 --nodes 1000 --sprt 0,10");
  declare_run_options(line.options(), options);
  line.options().add_path("openings", book, "EPD, FEN or PGN file to take openings from");
  line.add(table);
  if (!line.parse(argc, argv)) return 0;
  if (!book.empty()) settings.openings.book = book;

  const InterruptGuard interrupt;
  ProgressPrinter printer(options.quiet);
  ProgressState last;
  RunControl control = options.control(settings.power_loss_games);
  control.stop = &interrupt.flag();
  control.on_progress = [&](const ProgressState& state) {
    last = state;
    printer.show(state);
  };
  const MatchResult result = run_match(make_match_plan(settings), options.out, control);
  printer.finish(last);

  for (const std::string& skipped : result.skipped_openings) {
    fmt::print(stderr, "opening passed over: {}\n", skipped);
  }
  if (options.json) {
    fmt::print("{}\n", to_json(result).dump());
  } else {
    for (const std::string& text : to_lines(result)) fmt::print("{}\n", text);
  }
  if (result.complete) return 0;
  if (options.out.empty()) {
    fmt::print(stderr, "interrupted: games are only kept with --out\n");
  } else {
    fmt::print(stderr, "interrupted: {} of {} games are in {}; to go on:\nselfplay {}\n",
               result.stored, result.planned, options.out.string(), shell_words(argc, argv));
  }
  return interrupt.exit_code();
}

}  // namespace cannonade
