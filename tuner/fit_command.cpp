// tuner fit: from stored games to a weights file.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <oneapi/tbb/global_control.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "core/base/files.h"
#include "selfplay/command_line.h"
#include "selfplay/interrupt.h"
#include "selfplay/intervals.h"
#include "selfplay/store.h"
#include "tuner/commands.h"
#include "tuner/fit.h"
#include "tuner/fit_progress.h"

namespace cannonade {
namespace {

// The weights that moved most, with how sure each is.
void print_weights(const FitResult& r) {
  constexpr std::size_t kMost = 12;
  std::vector<const WeightTrust*> moved;
  for (const WeightTrust& w : r.trust.weights) {
    if (!w.pinned) moved.push_back(&w);
  }
  std::stable_sort(moved.begin(), moved.end(), [](const WeightTrust* a, const WeightTrust* b) {
    return std::abs(a->change) > std::abs(b->change);
  });
  if (moved.empty()) return;
  fmt::print("{:<36} {:>8} {:>8} {:>8} {:>7} {:>10}   ({} weights are free)\n",
             "weights that moved most, cp", "value", "change", "+- 95 %", "z", "positions",
             moved.size());
  for (std::size_t i = 0; i < std::min(kMost, moved.size()); ++i) {
    const WeightTrust& w = *moved[i];
    fmt::print("{:<36} {:>8.1f} {:>+8.1f} {:>8.1f} {:>7.1f} {:>10}\n",
               r.features.parameter_name(w.parameter), w.value, w.change,
               kNormal95 * w.standard_error, w.z, w.positions);
  }
}

void print_doubts(const FitResult& r) {
  constexpr std::size_t kMost = 10;
  fmt::print(
      "{} weights undetermined (hardly any game shows them: left where they were); {} of the "
      "others "
      "are mostly the anchor's; {} null directions\n",
      r.undetermined.size(), r.weak.size(), r.null_directions.size());
  for (std::size_t i = 0; i < std::min(kMost, r.null_directions.size()); ++i) {
    fmt::print("  null: {}\n", r.null_directions[i]);
  }
  for (std::size_t i = 0; i < std::min(kMost, r.collinear.size()); ++i) {
    constexpr std::size_t kNamed = 6;
    const std::vector<std::string>& names = r.collinear[i];
    const std::size_t shown = std::min(kNamed, names.size());
    fmt::print("  only sums of these show: {}{}\n",
               fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
               names.size() > shown ? fmt::format(" and {} more", names.size() - shown) : "");
  }
}

void print_summary(const FitResult& r, const std::filesystem::path& out) {
  fmt::print("games {}, positions {} ({} fitted, {} held out, {} duplicates pooled)\n",
             r.replay.games, r.positions, r.training_rows, r.validation_rows, r.merged);
  fmt::print(
      "left out: {} in check, {} not quiet, {} decided, {} thinned; {} games without a result\n",
      r.replay.in_check, r.replay.not_quiet, r.replay.decided, r.replay.thinned,
      r.replay.without_result);
  for (const SourceCount& s : r.replay.sources) {
    fmt::print("  {}: {} games, {} positions; first mover won {}, drew {}, lost {}\n", s.store,
               s.games, s.positions, s.results[2], s.results[1], s.results[0]);
  }
  fmt::print("sigmoid scale K {:.6f} per centipawn, {}; a soldier is 100 in the middle game\n", r.k,
             r.k_at_bound ? "a customary value: the games say nothing about it"
                          : "solved on the starting weights and kept");
  fmt::print("anchor: weights expected to move about {:.2f} centipawns\n", r.deviation);
  for (const CandidateLoss& c : r.anchor.curve) {
    fmt::print("  {:>8.1f} cp: held-out loss {:.6f} (+{:.6f})\n", 1 / std::sqrt(c.strength), c.loss,
               c.standard_error);
  }
  for (const GroupTrial& t : r.factor_trials) {
    if (t.taken)
      fmt::print("  {}: anchor's factor {:.4g} (held-out loss falls by {:.6f} +- {:.6f})\n", t.what,
                 t.factor, t.gain, t.standard_error);
  }
  if (!r.pooled_with.empty()) {
    fmt::print("pooled with {}: about {:.2f} centipawns from the common weights\n", r.pooled_with,
               r.pool_deviation);
  }
  fmt::print("{} in {:.1f} s\n", r.from_cache ? "rows from the cache" : "games replayed",
             r.replay_seconds);
  fmt::print(
      "loss {:.6f} -> {:.6f} (rounded {:.6f}); held out {:.6f} -> {:.6f} ({:+.6f} +- {:.6f})\n",
      r.loss_before, r.loss_after, r.loss_rounded, r.validation_loss_before,
      r.validation_loss_after, r.validation_loss_after - r.validation_loss_before,
      kNormal95 * r.validation_loss_error);
  fmt::print(
      "certificate: {} gradient and {} Hessian passes, gradient norm {:.3g}, largest remaining "
      "step {:.4f} cp, condition {:.3g}{}\n",
      r.gradient_passes, r.hessian_passes, r.certificate.gradient_norm, r.certificate.largest_step,
      r.certificate.condition, r.converged ? "" : "; NOT converged");
  print_doubts(r);
  print_weights(r);
  fmt::print("wrote {} in {:.1f} s\n", out.string(), r.seconds);
}

}  // namespace

int fit_command(int argc, char** argv) {
  FitSettings settings;
  SettingsTable table;
  declare(table, settings);
  std::filesystem::path config;
  std::vector<std::filesystem::path> data;
  std::vector<std::filesystem::path> pool;
  std::filesystem::path cache;
  std::filesystem::path out;
  int threads = 0;
  bool json = false;
  bool quiet = false;
  CommandLine line(
      "tuner fit", "Fits evaluation weights to the games of stores.",
      "tuner fit --config configs/runs/fit-janggi-kja.toml --data run.db --out w.toml");
  line.add(table);
  SettingsTable& options = line.options();
  options.add_path("config", config, "fit file").required();
  options.add_paths("data", data, "stores of games").required();
  options.add_paths("pool", pool,
                    "stores of another preset of the variant, toward whose common weights to fit");
  options.add_path("cache", cache, "file to keep the rows in between fits");
  options.add_path("out", out, "weights file to write").required();
  options.add("threads", threads, 0, 1024, "worker threads; 0: all cores");
  options.add("quiet", quiet, "no progress");
  options.add("json", json, "print one JSON object");
  if (!line.parse(argc, argv)) return 0;
  // Not after the hours that a fit may take.
  const std::filesystem::path folder = out.has_parent_path() ? out.parent_path() : ".";
  if (!std::filesystem::is_directory(folder)) {
    throw user_error(
        fmt::format("cannot write {}: there is no folder {}", out.string(), folder.string()));
  }

  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(resolve_threads(threads)));
  const InterruptGuard interrupt;
  FitPrinter printer(quiet);
  FitInput input;
  input.rules = settings.rules;
  input.start = weights_by_name(settings.start, settings.rules);
  input.stores = data;
  input.cache = cache;
  if (!pool.empty()) {
    const std::string rules = Store::open_read_only(pool.front()).run().rules;
    input.pool = PoolWith{find_ruleset(rules).value_or_throw(pool.front().string()), pool};
  }
  FitResult result;
  try {
    result = run_fit(input, settings.options, [&](const FitProgress& progress) {
      printer.show("fit " + settings.rules.id, progress);
      return !interrupt.flag().load();
    });
  } catch (const Error&) {
    if (!interrupt.flag()) throw;
    printer.finish();
    fmt::print(stderr, "interrupted before there were weights: nothing was written\n");
    return interrupt.exit_code();
  }
  printer.finish();
  result.weights.set_provenance("origin", "tuner fit");
  result.weights.set_provenance("start", input.start.hash());
  result.weights.set_provenance("games", std::to_string(result.replay.games));
  result.weights.set_provenance("positions", std::to_string(result.positions));
  result.weights.set_provenance("k", fmt::format("{:.6f}", result.k));
  result.weights.set_provenance("anchor_deviation", fmt::format("{:.3f}", result.deviation));
  write_file_atomically(out, result.weights.to_toml());
  if (json) {
    fmt::print("{}\n", to_json(result).dump());
  } else {
    print_summary(result, out);
  }
  if (result.stopped) {
    fmt::print(stderr, "interrupted: the best weights so far are in {}\n", out.string());
    return interrupt.exit_code();
  }
  return 0;
}

}  // namespace cannonade
