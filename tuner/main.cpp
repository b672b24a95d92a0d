// The program `tuner`.
#include "selfplay/program.h"
#include "tuner/commands.h"

int main(int argc, char** argv) {
  using cannonade::Command;
  constexpr Command kCommands[] = {
      {"fit", "fit evaluation weights to stored games", cannonade::fit_command},
      {"overnight", "generate, fit, verify, promote; again and again",
       cannonade::overnight_command},
      {"explain", "a position's evaluation, feature by feature", cannonade::explain_command},
      {"diff", "what changed between two weights files", cannonade::diff_command},
  };
  return cannonade::run_program("tuner", "fits evaluations of janggi and xiangqi to games",
                                kCommands, argc, argv);
}
