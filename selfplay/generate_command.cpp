// selfplay generate: plays games for training into a store, or goes on where it was interrupted.
#include "selfplay/generate.h"

#include <fmt/format.h>

#include "selfplay/command_line.h"
#include "selfplay/commands.h"
#include "selfplay/interrupt.h"
#include "selfplay/progress.h"
#include "selfplay/run_options.h"

namespace cannonade {

int generate_command(int argc, char** argv) {
  GenerateSettings settings;
  SettingsTable table;
  declare(table, settings);
  RunOptions options;
  CommandLine line("selfplay generate",
                   "Plays games for training into a store; goes on with a store that exists.",
                   "selfplay generate --config configs/runs/generate-janggi-kja.toml --out run.db");
  declare_run_options(line.options(), options);
  line.options().find("out")->required();
  line.add(table);
  if (!line.parse(argc, argv)) return 0;

  const InterruptGuard interrupt;
  ProgressPrinter printer(options.quiet);
  ProgressState last;
  RunControl control = options.control(settings.power_loss_games);
  control.stop = &interrupt.flag();
  control.on_progress = [&](const ProgressState& state) {
    last = state;
    printer.show(state);
  };
  const GenerateResult result = run_generate(make_tournament(settings), options.out, control);
  printer.finish(last);

  for (const std::string& warning : result.warnings) fmt::print(stderr, "{}\n", warning);
  for (const std::string& skipped : result.skipped_openings) {
    fmt::print(stderr, "opening passed over: {}\n", skipped);
  }
  if (options.json) {
    fmt::print("{}\n", to_json(result).dump());
  } else {
    for (const std::string& text : to_lines(result.summary, result.game)) {
      fmt::print("{}\n", text);
    }
    fmt::print("{}: {} of {} games\n", result.complete ? "complete" : "not complete",
               result.summary.games(), result.planned);
  }
  if (result.complete) return 0;
  fmt::print(stderr, "interrupted: {} of {} games are in {}; to go on:\nselfplay {}\n",
             result.summary.games(), result.planned, options.out.string(), shell_words(argc, argv));
  return interrupt.exit_code();
}

}  // namespace cannonade
