// Command-line options that every command shares that plays games.
#pragma once

#include <filesystem>

#include "selfplay/run_control.h"
#include "selfplay/settings.h"

namespace cannonade {

struct RunOptions {
  std::filesystem::path config;
  std::filesystem::path out;
  Shard shard;
  int threads = 0;  // 0: all cores
  bool json = false;
  bool quiet = false;

  // Without stop and on_progress.
  [[nodiscard]] RunControl control(int power_loss_games) const;
};
void declare_run_options(SettingsTable& table, RunOptions& options);

}  // namespace cannonade
