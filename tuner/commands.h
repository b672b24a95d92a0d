// The commands of the program `tuner`, one file each. argv[0] is the command's own name; the result
// is the exit code.
#pragma once

namespace cannonade {

int diff_command(int argc, char** argv);
int explain_command(int argc, char** argv);
int fit_command(int argc, char** argv);
int overnight_command(int argc, char** argv);

}  // namespace cannonade
