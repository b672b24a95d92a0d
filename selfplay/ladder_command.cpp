// selfplay ladder: strength levels with measured Elo.
#include <fmt/format.h>

#include "selfplay/command_line.h"
#include "selfplay/commands.h"
#include "selfplay/ladder.h"
#include "selfplay/run_options.h"

namespace cannonade {

int ladder_command(int argc, char** argv) {
  LadderSettings settings;
  SettingsTable table;
  declare(table, settings);
  RunOptions options;
  CommandLine line("selfplay ladder",
                   "Makes strength levels of equal distance: calibrates them by matches among\n"
                   "them, confirms them on fresh games, and writes them down for `selfplay uci`\n"
                   "and engine files.",
                   "selfplay ladder --config configs/runs/ladder-xiangqi-casual.toml --out "
                   "ladder.db");
  declare_run_options(line.options(), options);
  line.add(table);
  if (!line.parse(argc, argv)) return 0;
  if (options.out.empty()) {
    throw user_error("ladder: missing option --out: the store; one that exists is gone on with");
  }

  RunSession session(options, settings.power_loss_games);
  LadderPlan plan = make_ladder_plan(settings);
  plan.command = "selfplay " + shell_words(argc, argv);
  const LadderResult result = run_ladder(plan, options.out, session.control());
  session.finish();

  if (options.json) {
    fmt::print("{}\n", to_json(result).dump());
  } else {
    for (const std::string& text : to_lines(result)) fmt::print("{}\n", text);
  }
  if (result.complete) return 0;
  return session.interrupted(fmt::format("{} games", result.stored), argc, argv);
}

}  // namespace cannonade
