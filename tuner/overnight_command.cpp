// tuner overnight: the whole night, unattended.
#include <fmt/format.h>
#include <oneapi/tbb/global_control.h>

#include "core/base/files.h"
#include "selfplay/command_line.h"
#include "selfplay/interrupt.h"
#include "selfplay/progress.h"
#include "tuner/commands.h"
#include "tuner/fit_progress.h"
#include "tuner/night.h"
#include "tuner/night_report.h"

namespace cannonade {

int overnight_command(int argc, char** argv) {
  NightSettings settings;
  SettingsTable table;
  declare(table, settings);
  std::filesystem::path config;
  std::filesystem::path out;
  int threads = 0;
  bool json = false;
  bool quiet = false;
  CommandLine line(
      "tuner overnight",
      "Generates games, fits weights, verifies and promotes them, again and again; goes "
      "on with a folder that exists.",
      "tuner overnight --config configs/runs/overnight.toml --out runs/night");
  line.add(table);
  SettingsTable& options = line.options();
  options.add_path("config", config, "night file").required();
  options.add_path("out", out, "folder for everything the night makes").required();
  options.add("threads", threads, 0, 1024, "worker threads; 0: all cores");
  options.add("quiet", quiet, "no progress");
  options.add("json", json, "print one JSON object");
  if (!line.parse(argc, argv)) return 0;

  threads = resolve_threads(threads);
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(threads));
  const InterruptGuard interrupt;
  ProgressPrinter games(quiet);
  FitPrinter fits(quiet);
  const std::filesystem::path report = out / "report.html";
  NightObserver observer;
  std::optional<ProgressState> last;
  const auto close_block = [&] {
    if (last) games.finish(*last);
    last.reset();
    fits.finish();
  };
  observer.on_games = [&](const ProgressState& state) {
    fits.finish();
    if (last && last->title != state.title) games.finish(*last);
    last = state;
    games.show(state);
  };
  observer.on_fit = [&](const std::string& title, const FitProgress& progress) {
    if (last) games.finish(*last);
    last.reset();
    fits.show(title, progress);
  };
  observer.on_note = [&](const std::string& note) {
    close_block();
    if (!quiet) fmt::print(stderr, "{}\n", note);
  };
  observer.on_phase = [&](const NightOutcome& outcome) {
    close_block();
    write_file_atomically(report, render(night_page(outcome)));
  };
  const NightOutcome outcome =
      run_night(std::move(settings), out, threads, &interrupt.flag(), observer);
  close_block();
  write_file_atomically(report, render(night_page(outcome)));
  if (json) {
    fmt::print("{}\n", to_json(outcome).dump());
  } else {
    for (const std::string& text : night_lines(outcome)) fmt::print("{}\n", text);
    fmt::print("report: {}\n", std::filesystem::absolute(report).lexically_normal().string());
  }
  if (outcome.interrupted) {
    fmt::print(stderr, "interrupted; to go on:\ntuner {}\n", shell_words(argc, argv));
    return interrupt.exit_code();
  }
  for (const JobStatus* status : outcome.statuses()) {
    if (!status->failure.empty()) return 3;
  }
  return 0;
}

}  // namespace cannonade
