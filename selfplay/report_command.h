// `selfplay report RUN.db --out report.html`: one self-contained page about a run.
#pragma once

namespace cannonade {

// argv[0] is the command's own name; the result is the exit code.
int report_command(int argc, char** argv);

}  // namespace cannonade
