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
#include "tuner/night_shards.h"
#include "tuner/work_order.h"

namespace cannonade {
namespace {

constexpr int kGamesAwaited = 1;

// Plays this machine's part of what the night in `folder` waits for.
int play_shard(const std::filesystem::path& folder, const RunControl& settings, bool quiet,
               bool json, const std::string& again) {
  const std::filesystem::path file = order_file(folder);
  if (!std::filesystem::exists(file)) {
    if (!is_night_folder(folder)) {
      throw user_error(
          fmt::format("overnight: there is no night in {}: begin it with --join", folder.string()));
    }
    if (json) {
      fmt::print("{}\n", nlohmann::ordered_json{{"awaited", nullptr}}.dump());
    } else {
      fmt::print("no games are awaited in {}\n", folder.string());
    }
    return 0;
  }
  const WorkOrder order = read_work_order(file);
  const InterruptGuard interrupt;
  ProgressPrinter printer(quiet);
  ProgressState last;
  RunControl control = settings;
  control.stop = &interrupt.flag();
  control.on_progress = [&](const ProgressState& state) {
    last = state;
    last.title = order.title;
    printer.show(last);
  };
  const ShardResult result = play_order(order, control);
  printer.finish(last);
  const std::string shard = fmt::format("{}/{}", control.shard.index, control.shard.count);
  if (json) {
    const nlohmann::ordered_json object{{"awaited", order.title},     {"shard", shard},
                                        {"planned", result.planned},  {"stored", result.stored},
                                        {"played", result.played},    {"seconds", result.seconds},
                                        {"complete", result.complete}};
    fmt::print("{}\n", object.dump());
  } else {
    fmt::print("{}, shard {}: {} of {} games\n", order.title, shard, result.stored, result.planned);
  }
  if (result.complete) return 0;
  fmt::print(stderr, "interrupted; to go on:\ntuner {}\n", again);
  return interrupt.exit_code();
}

}  // namespace

int overnight_command(int argc, char** argv) {
  NightSettings settings;
  SettingsTable table;
  declare(table, settings);
  std::filesystem::path config;
  std::filesystem::path out;
  int threads = 0;
  std::optional<Shard> shard;
  bool join = false;
  bool json = false;
  bool quiet = false;
  CommandLine line(
      "tuner overnight",
      "Generates games, fits weights, verifies and promotes them, again and again; goes on\n"
      "with a folder that exists. Over many machines that see the folder: --join does all\n"
      "but the games and exits with 1 while games are awaited; --shard I/N plays a part of\n"
      "these.",
      "tuner overnight --config configs/runs/overnight.toml --out runs/night");
  line.add(table);
  SettingsTable& options = line.options();
  options.add_path("config", config, "night file; required, but with --shard");
  options.add_path("out", out, "folder for everything the night makes").required();
  options.add("threads", threads, 0, 1024, "worker threads; 0: all cores");
  options.add("join", join, "play no games: join what shards have played, and go on from there");
  options.add_parsed<std::optional<Shard>>(
      "shard", shard,
      [](std::string_view text) -> Expected<std::optional<Shard>> {
        const Expected<Shard> parsed = parse_shard(text);
        if (!parsed) return Failure{parsed.error()};
        return std::optional<Shard>(*parsed);
      },
      [](const std::optional<Shard>&) { return std::string(); }, "I/N, I from 1 to N",
      "do nothing but play this part of the games that are awaited");
  options.add("quiet", quiet, "no progress");
  options.add("json", json, "print one JSON object");
  if (!line.parse(argc, argv)) return 0;
  if (join && shard) throw user_error("overnight: --join and --shard exclude each other");
  if (config.empty() && !shard) {
    throw user_error("overnight: missing option --config (see tuner overnight --help)");
  }

  threads = resolve_threads(threads);
  if (shard) {
    RunControl control;
    control.threads = threads;
    control.shard = *shard;
    return play_shard(out, control, quiet, json, shell_words(argc, argv));
  }
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
      run_night(std::move(settings), out, join ? NightGames::kJoined : NightGames::kPlayed, threads,
                &interrupt.flag(), observer);
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
  if (outcome.awaited) {
    fmt::print(
        stderr,
        "{} games are awaited ({}); on each machine:\ntuner overnight --out {} --shard I/N\n",
        outcome.awaited->games, outcome.awaited->title, out.string());
    return kGamesAwaited;
  }
  for (const JobStatus* status : outcome.statuses()) {
    if (!status->failure.empty()) return 3;
  }
  return 0;
}

}  // namespace cannonade
