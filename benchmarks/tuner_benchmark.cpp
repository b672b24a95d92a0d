// What a fit costs: passes over a million positions of 64 active features, beside bounds measured
// in the same run on the same data, rows from the cache, and how soon Newton, L-BFGS and Adam come
// within half a centipawn of the minimum.
//
// The bounds: `bandwidth` reads every byte that a gradient pass needs once and adds it up; `gather`
// does the pass's table look-ups and histogram additions and nothing else. Adam is the reference of
// public tuners and lives only here.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <memory>

#include "core/base/rng.h"
#include "tuner/dataset.h"
#include "tuner/dataset_cache.h"
#include "tuner/objective.h"
#include "tuner/optimiser.h"
#include "tuner/row_block.h"

namespace cannonade {
namespace {

constexpr int kFeatures = 1000;
constexpr int kActive = 64;
constexpr int kPlies = 100;  // positions a game
constexpr std::size_t kPassRows = 1'000'000;
constexpr std::size_t kFitRows = 100'000;
constexpr double kK = 0.005;
constexpr std::size_t kChunkRows = 8192;

FeatureList features() {
  FeatureList list;
  list.group_names = {"all"};
  for (int j = 0; j < kFeatures; ++j) {
    list.names.push_back(fmt::format("feature{}", j));
    list.group.push_back(0);
  }
  return list;
}

// The weights that games are played from: a few large ones as of pieces, many small ones as of
// squares.
Eigen::VectorXd truth() {
  Rng rng(2024);
  Eigen::VectorXd weights(2 * kFeatures);
  for (Eigen::Index j = 0; j < weights.size(); ++j) {
    weights[j] = (rng.unit() - 0.5) * (j % kFeatures < 12 ? 300 : 60);
  }
  return weights;
}

// Features as an evaluation has them: a dozen that nearly every position has, and many of which
// some are far more frequent than others; coefficients mostly 1 or -1. The phase falls as a game
// goes on.
RowBatch play(int game, const Eigen::VectorXd& weights) {
  Rng rng(1, static_cast<std::uint64_t>(game));
  RowBatch batch;
  std::vector<std::uint8_t> used(kFeatures);
  std::vector<RowCoefficient> coefficients;
  for (int ply = 0; ply < kPlies; ++ply) {
    std::fill(used.begin(), used.end(), std::uint8_t{0});
    coefficients.clear();
    while (coefficients.size() < kActive) {
      const auto count = static_cast<int>(coefficients.size());
      const double u = rng.unit();
      const int feature = count < 12 ? count : 12 + static_cast<int>((kFeatures - 12) * u * u);
      if (used[static_cast<std::size_t>(feature)]) continue;
      used[static_cast<std::size_t>(feature)] = 1;
      const double size = rng.unit();
      const int magnitude = size < 0.85 ? 1 : size < 0.96 ? 2 : 3;
      coefficients.push_back({static_cast<std::uint16_t>(feature),
                              static_cast<std::int16_t>(rng.below(2) ? magnitude : -magnitude)});
    }
    RowInfo row;
    row.key = rng.next();
    row.phase =
        static_cast<std::uint16_t>(256 * (1 - ply / double{kPlies}) * (0.8 + 0.2 * rng.unit()));
    double score = 0;
    for (const RowCoefficient& c : coefficients) {
      const double p = row.phase / 256.0;
      score += c.value * (weights[c.feature] * p + weights[kFeatures + c.feature] * (1 - p));
    }
    SampleInfo sample;
    sample.game = static_cast<std::uint32_t>(game);
    sample.pair = sample.game / 2;
    sample.ply = static_cast<std::uint16_t>(ply);
    sample.result = rng.unit() < 1 / (1 + std::exp(-kK * score)) ? SampleResult::kFirstWon
                                                                 : SampleResult::kFirstLost;
    batch.add(row, sample, coefficients);
  }
  return batch;
}

Dataset build(std::size_t rows) {
  DatasetBuilder builder(features(), 256, "benchmark");
  const Eigen::VectorXd weights = truth();
  tbb::parallel_for(0, static_cast<int>(rows) / kPlies,
                    [&](int game) { builder.add(play(game, weights)); });
  return std::move(builder).finish();
}

struct Bench {
  Dataset data;
  Objective objective;
  Eigen::VectorXd weights = truth();

  explicit Bench(std::size_t rows)
      : data(build(rows)),
        objective(data, std::make_shared<Targets>(make_targets(data, {})), {.k = kK}) {}
};

const Bench& passes_data() {
  static const Bench bench(kPassRows);
  return bench;
}

tbb::global_control threads_of(const benchmark::State& state) {
  return {tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(state.range(0))};
}

// Runs work(begin row, end row) over the rows as a gradient pass is cut.
template <class Work>
void for_each_chunk(std::size_t rows, Work work) {
  tbb::parallel_for(std::size_t{0}, (rows + kChunkRows - 1) / kChunkRows, [&](std::size_t chunk) {
    work(chunk * kChunkRows, std::min(rows, (chunk + 1) * kChunkRows));
  });
}

void per_million(benchmark::State& state, std::size_t rows) {
  state.counters["positions/s"] =
      benchmark::Counter(static_cast<double>(rows), benchmark::Counter::kIsIterationInvariantRate);
  state.counters["s/million"] = benchmark::Counter(
      static_cast<double>(rows) / 1e6,
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void gradient_pass(benchmark::State& state) {
  const Bench& b = passes_data();
  const auto threads = threads_of(state);
  Eigen::VectorXd gradient;
  for (auto _ : state) benchmark::DoNotOptimize(b.objective.evaluate(b.weights, &gradient));
  per_million(state, b.data.rows());
  state.counters["bytes/position"] =
      static_cast<double>(b.data.bytes()) / static_cast<double>(b.data.rows()) + 16;
}

void bandwidth_bound(benchmark::State& state) {
  const Bench& b = passes_data();
  const auto threads = threads_of(state);
  const DatasetColumns& c = b.data.columns();
  // Wide independent sums: nothing but the memory holds them up.
  const auto add_up = [](const void* from, std::size_t bytes) {
    std::uint64_t sums[8] = {};
    const auto* data = static_cast<const char*>(from);
    for (std::size_t i = 0; i + 64 <= bytes; i += 64) {
      std::uint64_t words[8];
      std::memcpy(words, data + i, sizeof words);
      for (int k = 0; k < 8; ++k) sums[k] += words[k];
    }
    return sums[0] + sums[1] + sums[2] + sums[3] + sums[4] + sums[5] + sums[6] + sums[7];
  };
  for (auto _ : state) {
    for_each_chunk(b.data.rows(), [&](std::size_t begin, std::size_t end) {
      const std::size_t rows = end - begin;
      const std::size_t first = std::size_t{c.row_begin[begin]} * kEntryGroup;
      const std::size_t last = std::size_t{c.row_begin[end]} * kEntryGroup;
      std::uint64_t sum = add_up(c.entries.data() + first, (last - first) * 2);
      sum += add_up(c.row_begin.data() + begin, rows * 4);
      sum += add_up(c.offset.data() + begin, rows * 4);
      sum += add_up(c.scale.data() + begin, rows);
      sum += add_up(b.objective.targets().label.data() + begin, rows * 4);
      sum += add_up(b.objective.targets().weight.data() + begin, rows * 4);
      benchmark::DoNotOptimize(sum);
    });
  }
  per_million(state, b.data.rows());
}

void gather_bound(benchmark::State& state) {
  const Bench& b = passes_data();
  const auto threads = threads_of(state);
  const DatasetColumns& c = b.data.columns();
  for (auto _ : state) {
    for_each_chunk(b.data.rows(), [&](std::size_t begin, std::size_t end) {
      std::vector<double> table(c.atoms.size(), 1.0);
      std::vector<double> sums(c.atoms.size());
      double score[kBlockRows];
      for (std::size_t first = begin; first < end; first += kBlockRows) {
        const std::size_t count = std::min(kBlockRows, end - first);
        const auto row = [&](std::size_t i) {
          return c.entries.data() + std::size_t{c.row_begin[first + i]} * kEntryGroup;
        };
        for (std::size_t i = 0; i < count; ++i) {
          score[i] = sum_of_entries(row(i), row(i + 1), table.data());
        }
        for (std::size_t i = 0; i < count; ++i) {
          add_to_entries(row(i), row(i + 1), score[i], sums.data());
        }
      }
      benchmark::DoNotOptimize(sums.data());
    });
  }
  per_million(state, b.data.rows());
}

void hessian_pass(benchmark::State& state) {
  const Bench& b = passes_data();
  const auto threads = threads_of(state);
  Eigen::MatrixXd hessian;
  for (auto _ : state) {
    b.objective.hessian(b.weights, hessian, 1);
    benchmark::DoNotOptimize(hessian.data());
  }
  per_million(state, b.data.rows());
}

void rows_from_cache(benchmark::State& state) {
  const Bench& b = passes_data();
  const auto threads = threads_of(state);
  const auto path = std::filesystem::temp_directory_path() / "cannonade-benchmark.rows";
  write_dataset_cache(path, b.data);
  for (auto _ : state) {
    const Dataset read = read_dataset_cache(path).value_or_throw();
    benchmark::DoNotOptimize(read.rows());
  }
  std::filesystem::remove(path);
  per_million(state, b.data.rows());
}

// From coefficients in memory to a data set; the games are drawn outside the clock.
void rows_from_batches(benchmark::State& state) {
  const auto threads = threads_of(state);
  const Eigen::VectorXd weights = truth();
  const int games = static_cast<int>(kFitRows) / kPlies;
  for (auto _ : state) {
    state.PauseTiming();
    DatasetBuilder builder(features(), 256, "benchmark");
    std::vector<RowBatch> batches(static_cast<std::size_t>(games));
    tbb::parallel_for(0, games,
                      [&](int g) { batches[static_cast<std::size_t>(g)] = play(g, weights); });
    state.ResumeTiming();
    tbb::parallel_for(0, games,
                      [&](int g) { builder.add(std::move(batches[static_cast<std::size_t>(g)])); });
    const Dataset data = std::move(builder).finish();
    benchmark::DoNotOptimize(data.rows());
    state.PauseTiming();
    batches.clear();
    state.ResumeTiming();
  }
  per_million(state, kFitRows);
}

// The fit that the optimisers race on: from zero weights, with a weak anchor; `minimum` to a
// thousandth of a centipawn.
struct Race {
  Bench bench{kFitRows};
  std::vector<Eigen::Index> pinned;
  Anchor anchor{bench.data.features(), Eigen::VectorXd::Zero(2 * kFeatures),
                AnchorSettings{.strength = 1 / (50.0 * 50.0)}};
  Problem problem{bench.objective, anchor, pinned};
  Eigen::VectorXd minimum;

  Race() {
    OptimiserSettings exact;
    exact.tolerance = 1e-3;
    minimum = minimise(problem, anchor.start(), exact).weights;
  }
  [[nodiscard]] double error(const Eigen::VectorXd& weights) const {
    return (weights - minimum).cwiseAbs().maxCoeff();
  }
};

const Race& race() {
  static const Race instance;
  return instance;
}

constexpr double kWanted = 0.5;  // centipawns, of the farthest weight

void fit_by(benchmark::State& state, Method method) {
  const Race& r = race();
  const auto threads = threads_of(state);
  OptimiserSettings settings;
  settings.method = method;
  // The fewest passes that suffice; the fit is the same each time, only cut short elsewhere.
  for (settings.max_gradient_passes = 1; settings.max_gradient_passes < 100;
       ++settings.max_gradient_passes) {
    if (r.error(minimise(r.problem, r.anchor.start(), settings).weights) < kWanted) break;
  }
  OptimiserResult fit;
  for (auto _ : state) fit = minimise(r.problem, r.anchor.start(), settings);
  state.counters["passes"] = fit.gradient_passes;
  state.counters["hessians"] = fit.hessian_passes;
  state.counters["error_cp"] = r.error(fit.weights);
}

void fit_by_newton(benchmark::State& state) {
  fit_by(state, Method::kNewton);
}
void fit_by_lbfgs(benchmark::State& state) {
  fit_by(state, Method::kLbfgs);
}

// Kingma and Ba (2015) on whole passes, the usual constants; the argument is the step in hundredths
// of a centipawn. Stops at half a centipawn or after 5000 passes.
void fit_by_adam(benchmark::State& state) {
  const Race& r = race();
  const auto threads = threads_of(state);
  const double step = static_cast<double>(state.range(1)) / 100;
  constexpr int kMaxPasses = 5000;
  int pass = 0;
  Eigen::VectorXd weights;
  for (auto _ : state) {
    weights = r.anchor.start();
    Eigen::ArrayXd first = Eigen::ArrayXd::Zero(weights.size());
    Eigen::ArrayXd second = first;
    Eigen::VectorXd gradient;
    for (pass = 1; pass <= kMaxPasses; ++pass) {
      r.bench.objective.evaluate(weights, &gradient);
      r.anchor.add_to(weights, &gradient);
      first = 0.9 * first + 0.1 * gradient.array();
      second = 0.999 * second + 0.001 * gradient.array().square();
      const Eigen::ArrayXd m = first / (1 - std::pow(0.9, pass));
      const Eigen::ArrayXd v = second / (1 - std::pow(0.999, pass));
      weights.array() -= step * m / (v.sqrt() + 1e-8);
      if (r.error(weights) < kWanted) break;
    }
  }
  state.counters["passes"] = std::min(pass, kMaxPasses);
  state.counters["error_cp"] = r.error(weights);
}

BENCHMARK(bandwidth_bound)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(gather_bound)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(gradient_pass)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(hessian_pass)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(rows_from_cache)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(rows_from_batches)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(fit_by_newton)->Arg(2)->Iterations(1)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(fit_by_lbfgs)->Arg(2)->Iterations(1)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(fit_by_adam)
    ->Args({2, 30})
    ->Args({2, 100})
    ->Args({2, 300})
    ->Args({2, 1000})
    ->Iterations(1)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace cannonade

BENCHMARK_MAIN();
