// selfplay generate: plays games for training into a store, or goes on where it was interrupted.
#include "selfplay/generate.h"

#include <fmt/format.h>

#include "selfplay/command_line.h"
#include "selfplay/commands.h"
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
  declare_shard_option(line.options(), options);
  line.options().find("out")->required();
  line.add(table);
  if (!line.parse(argc, argv)) return 0;

  RunSession session(options, settings.power_loss_games);
  const GenerateResult result =
      run_generate(make_tournament(settings), options.out, session.control());
  session.finish(result.warnings, result.skipped_openings);

  if (options.json) {
    fmt::print("{}\n", to_json(result).dump());
  } else {
    for (const std::string& text : to_lines(result.summary, result.game)) {
      fmt::print("{}\n", text);
    }
    fmt::print("{}\n", completeness_text(result.complete, result.summary.games(), result.planned,
                                         result.played, result.seconds));
  }
  if (result.complete) return 0;
  return session.interrupted(fmt::format("{} of {} games", result.summary.games(), result.planned),
                             argc, argv);
}

}  // namespace cannonade
