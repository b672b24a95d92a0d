// What every command shares that plays games: its options, its progress, its end by a signal.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "selfplay/interrupt.h"
#include "selfplay/progress.h"
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
// Of runs whose games many machines can share.
void declare_shard_option(SettingsTable& table, RunOptions& options);
// The setting of every run that is kept: StoreOptions::power_loss_games.
void declare_power_loss(SettingsTable& table, int& games);

// The last line about a run for a person: "complete: 24 of 24 games; 10 in this session, 8.1 a
// second".
[[nodiscard]] std::string completeness_text(bool complete, std::uint64_t stored,
                                            std::uint64_t planned, std::uint64_t played,
                                            double seconds);

// A run as a command plays it, from its options to its exit code.
class RunSession {
 public:
  RunSession(const RunOptions& options, int power_loss_games);
  RunSession(const RunSession&) = delete;
  RunSession& operator=(const RunSession&) = delete;

  [[nodiscard]] const RunControl& control() const { return control_; }
  // After the run: closes the progress; tells on standard error what the run did not do as it was
  // asked to.
  void finish(const std::vector<std::string>& warnings = {},
              const std::vector<std::string>& skipped_openings = {});
  // Tells on standard error that the run was interrupted, with `there` ("12 of 40 games") in its
  // store, and how to go on; gives the exit code.
  [[nodiscard]] int interrupted(const std::string& there, int argc, char** argv) const;

 private:
  const RunOptions& options_;
  InterruptGuard interrupt_;
  ProgressPrinter printer_;
  ProgressState last_;
  RunControl control_;
};

}  // namespace cannonade
