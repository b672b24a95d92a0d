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
  table.add_parsed<Shard>(
      "shard", options.shard, [](std::string_view text) { return parse_shard(text); },
      [](const Shard& shard) { return fmt::format("{}/{}", shard.index, shard.count); },
      "I/N, I from 1 to N",
      "play only this part of the games, for another machine to play the rest");
  table.add("threads", options.threads, 0, kMaxThreads, "games at the same time; 0: all cores");
  table.add("json", options.json, "print one JSON object");
  table.add("quiet", options.quiet, "no progress");
}

}  // namespace cannonade
