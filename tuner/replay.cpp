#include "tuner/replay.h"

#include <fmt/format.h>
#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "core/board/zobrist.h"
#include "core/game/game_state.h"
#include "core/notation/fen.h"
#include "core/notation/uci_move.h"
#include "eval/sinks.h"
#include "selfplay/engine.h"
#include "selfplay/parallel_loop.h"
#include "selfplay/store.h"

namespace cannonade {
namespace {

constexpr std::size_t kGameBatch = 512;  // games replayed between two looks at the progress

// What one thread needs.
struct Worker {
  explicit Worker(const Weights& weights) : engine("filter", weights, 1), packed(weights) {}
  Engine engine;
  PackedWeights packed;
  TraceSink trace;
  std::vector<TraceSink::Entry> entries;
  std::vector<RowCoefficient> coefficients;
};

struct GameInput {
  GameRecord record;
  std::uint32_t game = 0;
  std::uint32_t pair = 0;
  std::uint8_t source = 0;
};

struct GameOutput {
  RowBatch rows;
  ReplayReport report;
};

SampleResult typed_result(const Outcome& outcome) {
  switch (outcome.first_score_halves()) {
    case 0:
      return SampleResult::kFirstLost;
    case 2:
      return SampleResult::kFirstWon;
    default:
      return SampleResult::kDrawn;
  }
}

// Two positions are one only if everything that the evaluation sees is equal, the counters
// included.
std::uint64_t row_key(const Position& position, int scale) {
  const auto counters = static_cast<std::uint64_t>(position.no_capture());
  const bool counts = position.rules().count_points || scale != kFullScale;
  return position.key() ^ (counts ? splitmix64(counters + 1) : 0);
}

class Replayer {
 public:
  Replayer(const Ruleset& rules, const Weights& start, const FilterSettings& filter,
           const std::vector<std::string>& names)
      : rules_(rules),
        filter_(filter),
        names_(names),
        workers_([&start] { return std::make_unique<Worker>(start); }) {}

  void replay(const GameInput& input, GameOutput& output) {
    Worker& worker = *workers_.local();
    const GameRecord& record = input.record;
    const auto where = [&](std::size_t ply) {
      return fmt::format("{}: game {}, ply {}", names_[input.source], record.id, ply);
    };
    const Position start = parse_fen(rules_, record.start_fen).value_or_throw(where(0));
    GameState game(start);
    std::vector<std::size_t> quiet;  // plies whose positions pass, chosen from afterwards
    std::vector<Position> positions;
    ReplayReport& report = output.report;
    const std::size_t first =
        static_cast<std::size_t>(std::max(filter_.skip_plies, record.opening_plies));
    std::size_t last = record.moves.size();
    if (record.outcome.reason == Reason::kAdjudication ||
        record.outcome.reason == Reason::kResignation) {
      const auto tail = static_cast<std::size_t>(filter_.adjudicated_tail);
      last = last > tail ? last - tail : 0;
    }
    for (std::size_t ply = 0; ply < record.moves.size(); ++ply) {
      if (ply >= first && ply < last) {
        ++report.seen;
        if (passes(game, worker, report)) {
          quiet.push_back(ply);
          positions.push_back(game.position());
        }
      }
      if (game.outcome()) {
        throw user_error(fmt::format("{}: the game was over before this turn", where(ply)));
      }
      if (!game.legal(record.moves[ply])) {
        throw user_error(
            fmt::format("{}: {} is not legal here", where(ply), to_uci(record.moves[ply])));
      }
      game.play(record.moves[ply]);
    }
    // At most so many a game, spread evenly.
    const std::size_t most = static_cast<std::size_t>(filter_.max_per_game);
    const std::size_t n = std::min(quiet.size(), most);
    report.thinned += quiet.size() - n;
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t pick = i * quiet.size() / n;
      const std::size_t ply = quiet[pick];
      add_row(positions[pick], input, ply, worker, output.rows, where(ply));
    }
    report.kept += n;
    ++report.games;
    ++report.endings[static_cast<std::size_t>(record.outcome.reason)];
  }

 private:
  bool passes(const GameState& game, Worker& worker, ReplayReport& report) const {
    if (game.dangers().in_check) {
      ++report.in_check;
      return false;
    }
    const Score quiet = worker.engine.quiet_score(game.position(), game.history());
    if (std::abs(quiet) > filter_.score_bound) {
      ++report.decided;
      return false;
    }
    if (std::abs(quiet - evaluate(game.position(), worker.packed)) > filter_.quiet_bound) {
      ++report.not_quiet;
      return false;
    }
    return true;
  }

  void add_row(const Position& position, const GameInput& input, std::size_t ply, Worker& worker,
               RowBatch& rows, const std::string& where) const {
    extract(position, worker.trace);
    worker.trace.take(worker.entries);
    worker.coefficients.clear();
    std::int64_t sum = 0;
    for (const auto& [feature, coefficient] : worker.entries) {
      worker.coefficients.push_back(
          {static_cast<std::uint16_t>(feature), static_cast<std::int16_t>(coefficient)});
      sum += worker.packed[feature] * coefficient;
    }
    const int middle = PackedWeights::middle(sum);
    const int end = PackedWeights::end(sum);
    const Score value = blend(position, middle, end);
    const Score evaluated = evaluate(position, worker.packed);
    if (value != (position.side_to_move() == Side::kFirst ? evaluated : -evaluated) &&
        std::abs(evaluated) < 15000) {
      throw internal_error(where + ": the coefficients do not add up to the evaluation");
    }
    RowInfo row;
    row.phase = static_cast<std::uint16_t>(game_phase(position));
    const int scale = score_scale(position, value >= 0 ? Side::kFirst : Side::kSecond);
    row.scale = static_cast<std::uint8_t>(scale);
    row.key = row_key(position, scale);
    SampleInfo sample;
    sample.game = input.game;
    sample.pair = input.pair;
    sample.ply = static_cast<std::uint16_t>(ply);
    sample.source = input.source;
    sample.result = typed_result(input.record.outcome);
    const std::int16_t score = input.record.scores.empty() ? kNoScore : input.record.scores[ply];
    if (score != kNoScore) {
      sample.search_score =
          static_cast<std::int16_t>(position.side_to_move() == Side::kFirst ? score : -score);
    }
    rows.add(row, sample, worker.coefficients);
  }

  const Ruleset& rules_;
  const FilterSettings& filter_;
  const std::vector<std::string>& names_;
  tbb::enumerable_thread_specific<std::unique_ptr<Worker>> workers_;
};

void add_counts(ReplayReport& total, const ReplayReport& part) {
  total.games += part.games;
  total.seen += part.seen;
  total.in_check += part.in_check;
  total.not_quiet += part.not_quiet;
  total.decided += part.decided;
  total.thinned += part.thinned;
  total.kept += part.kept;
  for (std::size_t i = 0; i < total.endings.size(); ++i) total.endings[i] += part.endings[i];
}

}  // namespace

void declare(SettingsTable& table, FilterSettings& settings) {
  table.add("skip_plies", settings.skip_plies, 0, 10000, "turns at a game's start left out");
  table.add("quiet_bound", settings.quiet_bound, 0, 30000,
            "centipawns that quiescence may differ from the static evaluation");
  table.add("score_bound", settings.score_bound, 100, 30000,
            "centipawns beyond which a position counts as decided and is left out");
  table.add("max_per_game", settings.max_per_game, 1, 10000, "positions of one game at most");
  table.add("adjudicated_tail", settings.adjudicated_tail, 0, 10000,
            "turns left out before an end by resignation or adjudication");
}

FeatureList feature_list() {
  FeatureList list;
  for (const GroupInfo& group : kFeatureGroups) list.group_names.emplace_back(group.name);
  for (int feature = 0; feature < kFeatureCount; ++feature) {
    list.names.push_back(feature_name(feature));
    list.group.push_back(static_cast<std::uint16_t>(group_of(feature)));
  }
  return list;
}

std::string rows_origin(const std::vector<std::filesystem::path>& stores, const Ruleset& rules,
                        const Weights& start, const FilterSettings& filter) {
  std::string origin = fmt::format("{}\nstart = {}\n", rules.id, start.hash());
  FilterSettings copy = filter;
  SettingsTable table;
  declare(table, copy);
  origin += canonical_text(table);
  for (const auto& path : stores) {
    const Store store = Store::open_read_only(path);
    origin += fmt::format("store {} {}\n", store.id(), store.finished().size());
  }
  return origin;
}

nlohmann::ordered_json to_json(const ReplayReport& r) {
  nlohmann::ordered_json json{{"games", r.games},         {"without_result", r.without_result},
                              {"seen", r.seen},           {"in_check", r.in_check},
                              {"not_quiet", r.not_quiet}, {"decided", r.decided},
                              {"thinned", r.thinned},     {"kept", r.kept},
                              {"endings", r.endings}};
  json["sources"] = nlohmann::ordered_json::array();
  for (const SourceCount& source : r.sources) {
    json["sources"].push_back({{"store", source.store},
                               {"games", source.games},
                               {"positions", source.positions},
                               {"first_lost", source.results[0]},
                               {"drawn", source.results[1]},
                               {"first_won", source.results[2]}});
  }
  return json;
}

ReplayReport replay_report_from_json(const nlohmann::ordered_json& json) {
  ReplayReport r;
  try {
    json.at("games").get_to(r.games);
    json.at("without_result").get_to(r.without_result);
    json.at("seen").get_to(r.seen);
    json.at("in_check").get_to(r.in_check);
    json.at("not_quiet").get_to(r.not_quiet);
    json.at("decided").get_to(r.decided);
    json.at("thinned").get_to(r.thinned);
    json.at("kept").get_to(r.kept);
    json.at("endings").get_to(r.endings);
    for (const auto& item : json.at("sources")) {
      SourceCount source;
      item.at("store").get_to(source.store);
      item.at("games").get_to(source.games);
      item.at("positions").get_to(source.positions);
      item.at("first_lost").get_to(source.results[0]);
      item.at("drawn").get_to(source.results[1]);
      item.at("first_won").get_to(source.results[2]);
      r.sources.push_back(std::move(source));
    }
  } catch (const nlohmann::json::exception& error) {
    throw user_error(fmt::format("the rows' report is damaged: {}", error.what()));
  }
  return r;
}

Dataset replay_stores(const std::vector<std::filesystem::path>& stores, const Ruleset& rules,
                      const Weights& start, const FilterSettings& filter, ReplayReport& report,
                      const std::function<bool(const ReplayProgress&)>& progress) {
  constexpr std::size_t kMostSources = 255;
  if (stores.size() > kMostSources) {
    throw user_error(fmt::format("at most {} stores at once", kMostSources));
  }
  std::vector<Store> opened;
  std::vector<std::string> names;
  ReplayProgress done;
  for (const auto& path : stores) {
    opened.push_back(Store::open_read_only(path));
    names.push_back(path.string());
    const Store& store = opened.back();
    done.of += store.finished().size();
  }
  DatasetBuilder builder(feature_list(), kFullPhase, rows_origin(stores, rules, start, filter));
  Replayer replayer(rules, start, filter, names);
  std::uint32_t next_game = 0;
  std::uint32_t pair_base = 0;
  for (std::size_t source = 0; source < opened.size(); ++source) {
    SourceCount count;
    count.store = names[source];
    GameReader reader = opened[source].read();
    std::uint32_t largest_pair = 0;
    for (bool more = true; more;) {
      std::vector<GameInput> inputs;
      while (inputs.size() < kGameBatch) {
        GameInput input;
        if (!reader.next(input.record)) {
          more = false;
          break;
        }
        if (input.record.rules != rules.id) {
          throw user_error(fmt::format("{}: game {} was played under {}, not {}", names[source],
                                       input.record.id, input.record.rules, rules.id));
        }
        ++done.games;
        if (!input.record.outcome.known()) {
          ++report.without_result;
          continue;
        }
        input.game = next_game++;
        largest_pair = std::max(largest_pair, static_cast<std::uint32_t>(input.record.pair));
        input.pair = pair_base + static_cast<std::uint32_t>(input.record.pair);
        input.source = static_cast<std::uint8_t>(source);
        inputs.push_back(std::move(input));
      }
      std::vector<GameOutput> outputs(inputs.size());
      parallel_loop(std::size_t{0}, inputs.size(),
                    [&](std::size_t i) { replayer.replay(inputs[i], outputs[i]); });
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        add_counts(report, outputs[i].report);
        ++count.games;
        count.positions += outputs[i].report.kept;
        ++count.results[static_cast<std::size_t>(typed_result(inputs[i].record.outcome))];
        builder.add(std::move(outputs[i].rows));
      }
      if (progress && !progress(done)) throw user_error("interrupted while replaying games");
    }
    pair_base += largest_pair + 1;
    report.sources.push_back(count);
  }
  return std::move(builder).finish();
}

}  // namespace cannonade
