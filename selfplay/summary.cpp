#include "selfplay/summary.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/base/files.h"
#include "core/base/rng.h"
#include "selfplay/adjudication.h"
#include "selfplay/openings.h"
#include "selfplay/play_game.h"

namespace cannonade {
namespace {

std::uint64_t fingerprint_of(const GameRecord& game) {
  std::uint64_t mix = fingerprint(fmt::format("{}\n{}\n{}\n{}", game.rules, game.start_fen,
                                              game.player_hashes[0], game.player_hashes[1]));
  for (const Move move : game.moves) mix = splitmix64(mix ^ move.raw());
  return mix;
}

std::uint64_t opening_of(const GameRecord& game) {
  std::uint64_t mix = fingerprint(game.rules + "\n" + game.start_fen);
  const std::size_t plies =
      std::min(static_cast<std::size_t>(game.opening_plies), game.moves.size());
  for (std::size_t ply = 0; ply < plies; ++ply) mix = splitmix64(mix ^ game.moves[ply].raw());
  return mix;
}

// Whoever was to move at the end.
std::size_t mover_at_end(const GameRecord& game) {
  const bool first_began = game.start_fen.find(" b") == std::string::npos;
  return (game.moves.size() % 2 == 0) == first_began ? 0 : 1;
}

int result_of(const std::optional<Side>& winner) {
  if (!winner) return 0;
  return *winner == Side::kFirst ? 1 : -1;
}

std::string percent(double share) {
  return fmt::format("{:.1f} %", 100 * share);
}

double share_of(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

void count_result(Trinomial& counts, int result) {
  ++(result > 0 ? counts.wins : result < 0 ? counts.losses : counts.draws);
}

void Summary::add(const GameRecord& game) {
  ++games_;
  plies_ += game.moves.size();
  nodes_ += game.nodes;
  ++endings_[static_cast<std::size_t>(game.outcome.reason)];
  by_points_ += game.outcome.by_points ? 1 : 0;
  fingerprints_.push_back(fingerprint_of(game));
  openings_.insert(opening_of(game));
  const std::string& mover = game.players[mover_at_end(game)];
  const bool broke_down = game.note.find(kBrokeDown) != std::string::npos;
  switch (game.outcome.reason) {
    case Reason::kForfeit:
    case Reason::kUnfinished:
      ++(broke_down ? breakdowns_[mover].failed : breakdowns_[mover].illegal);
      break;
    case Reason::kTime:
      ++breakdowns_[mover].time;
      break;
    default:
      break;
  }
  if (!game.outcome.known()) return;
  const int result = result_of(game.outcome.winner);
  count_result(first_, result);
  const auto& [first, second] = game.players;
  if (first < second) count_result(pairings_[{first, second}], result);
  if (second < first) count_result(pairings_[{second, first}], -result);
  if (const auto set_ups = set_ups_of(game.start_fen)) {
    const auto cell =
        static_cast<std::size_t>((*set_ups)[0]) * kSetUps + static_cast<std::size_t>((*set_ups)[1]);
    count_result(set_ups_[cell], result);
  }
  if (const auto call = call_in_note(game.note)) {
    ++calls_;
    wrong_calls_ += call->winner != game.outcome.winner ? 1 : 0;
  }
}

std::uint64_t Summary::duplicates() const {
  std::vector<std::uint64_t> sorted = fingerprints_;
  std::sort(sorted.begin(), sorted.end());
  const auto distinct = std::unique(sorted.begin(), sorted.end()) - sorted.begin();
  return sorted.size() - static_cast<std::size_t>(distinct);
}

std::uint64_t Summary::openings() const {
  return openings_.size();
}

nlohmann::ordered_json to_json(const Summary& summary, Game game) {
  using OrderedJson = nlohmann::ordered_json;
  const std::string first(side_name(game, Side::kFirst));
  const std::string second(side_name(game, Side::kSecond));
  const Trinomial& counts = summary.first();
  OrderedJson endings = OrderedJson::object();
  for (int i = 0; i < kReasons; ++i) {
    const auto reason = static_cast<Reason>(i);
    if (summary.ending(reason) > 0)
      endings[std::string(reason_name(reason))] = summary.ending(reason);
  }
  OrderedJson json{{"games", summary.games()},
                   {"plies", summary.plies()},
                   {"nodes", summary.nodes()},
                   {"endings", endings},
                   {"decided_by_points", summary.by_points()},
                   {"by_side",
                    {{first, {{"wins", counts.wins}, {"score", counts.score()}}},
                     {second, {{"wins", counts.losses}, {"score", 1 - counts.score()}}},
                     {"draws", counts.draws}}},
                   {"duplicates", summary.duplicates()},
                   {"openings", summary.openings()}};
  OrderedJson pairings = OrderedJson::array();
  for (const auto& [names, score] : summary.pairings()) {
    pairings.push_back({{"a", names.first},
                        {"b", names.second},
                        {"wins", score.wins},
                        {"draws", score.draws},
                        {"losses", score.losses}});
  }
  if (pairings.size() > 1) json["by_pairing"] = pairings;
  OrderedJson set_ups = OrderedJson::object();
  for (std::size_t i = 0; i < summary.set_ups().size(); ++i) {
    const Trinomial& cell = summary.set_ups()[i];
    if (cell.games() == 0) continue;
    const auto name =
        fmt::format("{} {}, {} {}", first, set_up_name(static_cast<SetUp>(i / kSetUps)), second,
                    set_up_name(static_cast<SetUp>(i % kSetUps)));
    set_ups[name] = {{"games", cell.games()}, {"first_score", cell.score()}};
  }
  if (!set_ups.empty()) json["by_set_up"] = set_ups;
  OrderedJson forfeits = OrderedJson::object();
  for (const auto& [name, count] : summary.breakdowns()) {
    forfeits[name] = {{"failed", count.failed}, {"illegal", count.illegal}, {"time", count.time}};
  }
  if (!forfeits.empty()) json["forfeits"] = forfeits;
  if (summary.ending(Reason::kAdjudication) > 0 || summary.calls() > 0) {
    const Interval error = wilson_interval(summary.wrong_calls(), summary.calls());
    json["adjudication"] = {{"called", summary.ending(Reason::kAdjudication)},
                            {"played_out", summary.calls()},
                            {"wrong", summary.wrong_calls()},
                            {"error_low", error.low},
                            {"error_high", error.high}};
  }
  return json;
}

std::vector<std::string> to_lines(const Summary& summary, Game game) {
  std::vector<std::string> lines;
  const Trinomial& counts = summary.first();
  const std::string_view first = side_name(game, Side::kFirst);
  const std::string_view second = side_name(game, Side::kSecond);
  const double games = static_cast<double>(std::max<std::uint64_t>(summary.games(), 1));
  lines.push_back(fmt::format(
      "games {}, {:.1f} turns each, from {} openings; {} the same as another", summary.games(),
      static_cast<double>(summary.plies()) / games, summary.openings(), summary.duplicates()));
  const Interval interval = score_interval(counts);
  lines.push_back(fmt::format("{} won {}, {} won {}, drawn {}; {}'s score {} (95 %: {} to {})",
                              first, counts.wins, second, counts.losses, counts.draws, first,
                              percent(counts.score()), percent(interval.low),
                              percent(interval.high)));
  std::vector<std::pair<std::uint64_t, std::string_view>> endings;
  for (int i = 0; i < kReasons; ++i) {
    const auto reason = static_cast<Reason>(i);
    if (summary.ending(reason) > 0)
      endings.emplace_back(summary.ending(reason), reason_name(reason));
  }
  std::stable_sort(endings.begin(), endings.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> shown;
  shown.reserve(endings.size());
  for (const auto& [count, name] : endings) {
    shown.push_back(
        fmt::format("{} {} ({})", name, count, percent(share_of(count, summary.games()))));
  }
  if (!shown.empty()) lines.push_back(fmt::format("ended by {}", fmt::join(shown, ", ")));
  if (summary.by_points() > 0) {
    lines.push_back(fmt::format("decided by points {}", summary.by_points()));
  }
  if (summary.pairings().size() > 1) {
    for (const auto& [names, score] : summary.pairings()) {
      lines.push_back(fmt::format("{} against {}: +{} ={} -{}", names.first, names.second,
                                  score.wins, score.draws, score.losses));
    }
  }
  for (int cho = 0; cho < kSetUps; ++cho) {
    std::vector<std::string> cells;
    for (int han = 0; han < kSetUps; ++han) {
      const Trinomial& cell = summary.set_ups()[static_cast<std::size_t>(cho * kSetUps + han)];
      if (cell.games() == 0) continue;
      cells.push_back(fmt::format("{} {} ({})", set_up_name(static_cast<SetUp>(han)),
                                  percent(cell.score()), cell.games()));
    }
    if (cells.empty()) continue;
    lines.push_back(fmt::format("{} {}, score (games) by {}'s set-up: {}", first,
                                set_up_name(static_cast<SetUp>(cho)), second,
                                fmt::join(cells, ", ")));
  }
  for (const auto& [name, count] : summary.breakdowns()) {
    lines.push_back(fmt::format("{}: broke down {}, illegal turns {}, overstepped time {}", name,
                                count.failed, count.illegal, count.time));
  }
  if (summary.calls() > 0) {
    const Interval error = wilson_interval(summary.wrong_calls(), summary.calls());
    lines.push_back(fmt::format(
        "adjudication: {} games called, {} played out although called, {} of these calls wrong "
        "(95 %: {} to {})",
        summary.ending(Reason::kAdjudication), summary.calls(), summary.wrong_calls(),
        percent(error.low), percent(error.high)));
  }
  return lines;
}

}  // namespace cannonade
