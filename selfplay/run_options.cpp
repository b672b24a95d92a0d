#include "selfplay/run_options.h"

#include <fmt/format.h>

#include "selfplay/command_line.h"

namespace cannonade {

RunControl RunOptions::control(int power_loss_games) const {
  RunControl control;
  control.threads = resolve_threads(threads);
  control.shard = shard;
  control.power_loss_games = power_loss_games;
  return control;
}

void declare_run_options(SettingsTable& table, RunOptions& options) {
  constexpr int kMaxThreads = 1024;
  table.add_path("config", options.config, "settings to begin with; options override them");
  table.add_path("out", options.out, "the store; one that exists is gone on with");
  table.add("threads", options.threads, 0, kMaxThreads, "games at the same time; 0: all cores");
  table.add("json", options.json, "print one JSON object");
  table.add("quiet", options.quiet, "no progress");
}

void declare_shard_option(SettingsTable& table, RunOptions& options) {
  table.add_parsed<Shard>(
      "shard", options.shard, [](std::string_view text) { return parse_shard(text); },
      [](const Shard& shard) { return fmt::format("{}/{}", shard.index, shard.count); },
      "I/N, I from 1 to N",
      "play only this part of the games, for another machine to play the rest");
}

void declare_power_loss(SettingsTable& table, int& games) {
  table
      .add("power_loss_games", games, 1, 1'000'000,
           "how many of the last games a power cut may take; 1 waits for the disk at each")
      .not_fingerprinted();
}

std::string completeness_text(bool complete, std::uint64_t stored, std::uint64_t planned,
                              std::uint64_t played, double seconds) {
  std::string text =
      fmt::format("{}: {} of {} games", complete ? "complete" : "not complete", stored, planned);
  if (played > 0 && seconds > 0) {
    text += fmt::format("; {} in this session, {:.1f} a second", played,
                        static_cast<double>(played) / seconds);
  }
  return text;
}

RunSession::RunSession(const RunOptions& options, int power_loss_games)
    : options_(options), printer_(options.quiet), control_(options.control(power_loss_games)) {
  control_.stop = &interrupt_.flag();
  control_.on_progress = [this](const ProgressState& state) {
    last_ = state;
    printer_.show(state);
  };
}

void RunSession::finish(const std::vector<std::string>& warnings,
                        const std::vector<std::string>& skipped_openings) {
  printer_.finish(last_);
  for (const std::string& warning : warnings) fmt::print(stderr, "{}\n", warning);
  for (const std::string& skipped : skipped_openings) {
    fmt::print(stderr, "opening passed over: {}\n", skipped);
  }
}

int RunSession::interrupted(const std::string& there, int argc, char** argv) const {
  if (options_.out.empty()) {
    fmt::print(stderr, "interrupted: games are only kept with --out\n");
  } else {
    fmt::print(stderr, "interrupted: {} are in {}; to go on:\nselfplay {}\n", there,
               options_.out.string(), shell_words(argc, argv));
  }
  return interrupt_.exit_code();
}

}  // namespace cannonade
