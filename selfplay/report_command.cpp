#include "selfplay/report_command.h"

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/files.h"
#include "selfplay/command_line.h"
#include "selfplay/page_text.h"
#include "selfplay/run_report.h"

namespace cannonade {

int report_command(int argc, char** argv) {
  std::vector<std::string> operands;
  std::filesystem::path out;
  RunReportOptions options;
  CommandLine line("selfplay report", "Writes one HTML page about a run; it needs no network.",
                   "selfplay report run.db --out report.html");
  line.add_operands("RUN.db", operands, 1);
  line.options().add_path("out", out, "the page").required();
  line.options().add("games", options.viewer_games, 0, 500,
                     "how many games to put into the page for stepping through");
  line.options().add_parsed<std::optional<SprtTest>>(
      "sprt", options.sprt,
      [](std::string_view text) -> Expected<std::optional<SprtTest>> {
        const Expected<SprtTest> test = parse_sprt(text);
        if (!test) return Failure{test.error()};
        return std::optional<SprtTest>(*test);
      },
      [](const std::optional<SprtTest>&) { return std::string(); }, "E0,E1",
      "of a match: judge it by this sequential test");
  if (!line.parse(argc, argv)) return 0;
  if (operands.size() != 1) {
    throw user_error(
        fmt::format("selfplay report: {} stores given; allowed: one (selfplay merge "
                    "joins the shards of a run)",
                    operands.size()));
  }
  const Store store = Store::open_read_only(operands.front());
  if (std::filesystem::exists(out) && std::filesystem::equivalent(out, store.path())) {
    throw user_error("out: " + out.string() + " is the store itself");
  }
  const std::string html = render(run_report(store, options));
  write_file_atomically(out, html);
  fmt::print("{}: {} games, {} kB\n", out.string(), format_count(store.finished().size()),
             format_count((html.size() + 500) / 1000));
  return 0;
}

}  // namespace cannonade
