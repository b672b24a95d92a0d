#include "tuner/night_phase.h"

#include <fmt/format.h>

#include "core/base/files.h"
#include "core/base/rng.h"

namespace cannonade {

void NightContext::note(const std::string& text) const {
  if (observer.on_note) observer.on_note(text);
}

RunControl NightContext::control(const std::string& title) const {
  RunControl result;
  result.threads = threads;
  result.stop = stop;
  if (observer.on_games) {
    result.on_progress = [on_games = observer.on_games, title](const ProgressState& state) {
      ProgressState titled = state;
      titled.title = title;
      on_games(titled);
    };
  }
  return result;
}

std::uint64_t NightContext::seed(int generation, std::uint64_t phase) const {
  std::uint64_t x = splitmix64(night.seed ^ fingerprint(rules.id));
  for (const std::uint64_t part :
       {std::uint64_t{job_index}, static_cast<std::uint64_t>(generation), phase}) {
    x = splitmix64(x ^ part);
  }
  return x >> 1;
}

void NightContext::in_phase(const std::string& name, int generation,
                            const std::function<void()>& phase) const {
  try {
    phase();
    return;
  } catch (const std::exception& error) {
    if (stopped()) throw Interrupted{};
    note(fmt::format("{}: {} failed, trying once more: {}", rules.id, name, error.what()));
  }
  try {
    phase();
  } catch (const std::exception& error) {
    if (stopped()) throw Interrupted{};
    throw internal_error(generation > 0
                             ? fmt::format("generation {}, {}: {}", generation, name, error.what())
                             : fmt::format("{}: {}", name, error.what()));
  }
}

EngineConfig engine_with(const std::string& name, const std::filesystem::path& weights,
                         int hash_mb) {
  EngineConfig config;
  config.name = name;
  config.weights = std::filesystem::absolute(weights).string();
  config.hash_mb = hash_mb;
  return config;
}

}  // namespace cannonade
