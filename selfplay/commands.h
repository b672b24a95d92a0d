// The commands of the program `selfplay`, one file each. argv[0] is the command's own name; the
// result is the exit code.
#pragma once

namespace cannonade {

int bench_command(int argc, char** argv);
int compare_command(int argc, char** argv);
int export_command(int argc, char** argv);
int generate_command(int argc, char** argv);
int import_command(int argc, char** argv);
int inspect_command(int argc, char** argv);
int ladder_command(int argc, char** argv);
int match_command(int argc, char** argv);
int merge_command(int argc, char** argv);
int perft_command(int argc, char** argv);
int uci_command(int argc, char** argv);

}  // namespace cannonade
