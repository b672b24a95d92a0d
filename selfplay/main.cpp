// The program `selfplay`.
#include "selfplay/commands.h"
#include "selfplay/program.h"
#include "selfplay/report_command.h"
#include "selfplay/stats_command.h"

int main(int argc, char** argv) {
  using cannonade::Command;
  constexpr Command kCommands[] = {
      {"perft", "count the tree of legal turns", cannonade::perft_command},
      {"inspect", "a position's legal turns, verdict and points", cannonade::inspect_command},
      {"uci", "play for another program, over UCI or UCCI", cannonade::uci_command},
      {"bench", "a fixed search: the signature of search and evaluation", cannonade::bench_command},
      {"generate", "games for training, into a store", cannonade::generate_command},
      {"match", "engine A against engine B, until a sequential test decides",
       cannonade::match_command},
      {"compare", "janggi's rule sets on the same games: the count, its bonus, set-ups",
       cannonade::compare_command},
      {"ladder", "strength levels with measured Elo", cannonade::ladder_command},
      {"merge", "the shards of one run into one store", cannonade::merge_command},
      {"export", "a store's games as PGN, EPD or CSV", cannonade::export_command},
      {"import", "games from outside into a store", cannonade::import_command},
      {"report", "one HTML page about a run", cannonade::report_command},
      {"stats", "Elo, LOS and sequential test of given counts", cannonade::stats_command},
  };
  return cannonade::run_program("selfplay", "plays janggi and xiangqi against itself", kCommands,
                                argc, argv);
}
