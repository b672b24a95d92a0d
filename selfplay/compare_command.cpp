// selfplay compare: what the count of points changes in janggi, which bonus is fair, which set-ups
// are best.
#include <fmt/format.h>

#include "selfplay/command_line.h"
#include "selfplay/commands.h"
#include "selfplay/compare.h"
#include "selfplay/run_options.h"

namespace cannonade {

int compare_command(int argc, char** argv) {
  CompareSettings settings;
  SettingsTable table;
  declare(table, settings);
  RunOptions options;
  CommandLine line("selfplay compare",
                   "Plays the same pairs under janggi-kja and janggi-point-count, and tells what "
                   "the rules change, which bonus is fair and which set-ups are best.",
                   "selfplay compare --config configs/runs/compare.toml --out compare.db");
  declare_run_options(line.options(), options);
  declare_shard_option(line.options(), options);
  line.options().find("out")->required();
  line.add(table);
  if (!line.parse(argc, argv)) return 0;

  RunSession session(options, settings.power_loss_games);
  const CompareResult result =
      run_compare(make_compare_plan(settings), options.out, session.control());
  session.finish({}, result.skipped_openings);

  if (options.json) {
    fmt::print("{}\n", to_json(result).dump());
  } else {
    for (const std::string& text : to_lines(result)) fmt::print("{}\n", text);
    fmt::print("{}: {} of {} games; the whole story: selfplay report {} --out report.html\n",
               result.complete ? "complete" : "not complete", result.stored, result.planned,
               options.out.string());
  }
  if (result.complete) return 0;
  return session.interrupted(fmt::format("{} of {} games", result.stored, result.planned), argc,
                             argv);
}

}  // namespace cannonade
