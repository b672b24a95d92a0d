// `selfplay stats`: match statistics and the sequential test for counts given on the command line.
#pragma once

namespace cannonade {

// argv[0] is the command's own name. Prints to standard output; returns the exit code 0 whatever
// the verdict. Throws Error(kUser), one line, for a bad command line.
int stats_command(int argc, char** argv);

}  // namespace cannonade
