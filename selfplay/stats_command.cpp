#include "selfplay/stats_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "selfplay/command_line.h"
#include "selfplay/sprt.h"
#include "selfplay/statistics.h"

namespace cannonade {
namespace {

constexpr std::uint64_t kMaxCount = 1'000'000'000'000;

// N whole numbers with commas between them.
template <std::size_t N>
Expected<std::optional<std::array<std::uint64_t, N>>> parse_counts(std::string_view text) {
  std::array<std::uint64_t, N> counts{};
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  for (std::size_t i = 0; i < N; ++i) {
    if (i > 0 && (at == end || *at++ != ',')) return Failure{""};
    const auto [next, error] = std::from_chars(at, end, counts[i]);
    if (error != std::errc() || counts[i] > kMaxCount) return Failure{""};
    at = next;
  }
  if (at != end) return Failure{""};
  return std::optional(counts);
}

template <std::size_t N>
void add_counts(SettingsTable& options, std::string key,
                std::optional<std::array<std::uint64_t, N>>& counts, std::string_view form,
                std::string help) {
  options.add_parsed<std::optional<std::array<std::uint64_t, N>>>(
      std::move(key), counts, parse_counts<N>, [](const auto&) { return std::string(); },
      fmt::format("{}: {} whole numbers up to {}", form, N, kMaxCount), std::move(help));
}

// Everything that the command has to say.
struct Answer {
  std::string counted;  // "225 pairs" or "400 games"
  MatchStatistics statistics;
  std::optional<SprtTest> test;
  SprtResult result;
  // If elo0, the Elo measured, or elo1 is true.
  SprtForecast at_elo0, at_estimate, at_elo1;
};

template <class Counts>
void judge_counts(const Counts& counts, Answer& answer) {
  answer.statistics = match_statistics(counts);
  if (!answer.test) return;
  const SprtTest& test = *answer.test;
  const Sample sample = sample_of(counts);
  const double estimate =
      test.model == EloModel::kLogistic ? answer.statistics.elo : answer.statistics.nelo;
  answer.result = judge(test, counts);
  answer.at_elo0 = forecast(test, test.elo0, sample);
  answer.at_estimate = forecast(test, std::clamp(estimate, -kMaxSprtElo, kMaxSprtElo), sample);
  answer.at_elo1 = forecast(test, test.elo1, sample);
}

nlohmann::json to_json(const Answer& answer, const nlohmann::json& counts) {
  nlohmann::json json = to_json(answer.statistics);
  json.update(counts);
  if (!answer.test) {
    // No test, no verdict; the keys are there for scripts.
    for (const char* key : {"llr", "lower", "upper", "verdict"}) json[key] = nullptr;
    return json;
  }
  json.update(to_json(*answer.test, answer.result));
  json["expected_games"] = {{"elo0", answer.at_elo0.games},
                            {"estimate", answer.at_estimate.games},
                            {"elo1", answer.at_elo1.games}};
  return json;
}

std::string to_text(const Answer& answer) {
  const MatchStatistics& s = answer.statistics;
  std::string text = fmt::format("{}, score {:.2f} %\n", answer.counted, 100 * s.score);
  text += fmt::format("Elo         {:+.2f} +- {:.2f}   (95 %: {:+.2f} to {:+.2f})\n", s.elo,
                      s.elo_error, s.elo_low, s.elo_high);
  text += fmt::format("Norm. Elo   {:+.2f} +- {:.2f}\n", s.nelo, s.nelo_error);
  text += fmt::format("LOS         {:.2f} %\n", 100 * s.los);
  if (!answer.test) return text;
  const SprtTest& test = *answer.test;
  const SprtResult& r = answer.result;
  const std::string verdict =
      r.verdict == Verdict::kContinue ? "continue" : fmt::format("{} accepted", name_of(r.verdict));
  text += fmt::format("LLR         {:.3f} in ({:.3f}, {:.3f}) for {} Elo {} against {}: {}\n",
                      r.llr, r.lower, r.upper, name_of(test.model), test.elo0, test.elo1, verdict);
  text += fmt::format("Expected    {:.0f} games if Elo is {}, {:.0f} as measured, {:.0f} if {}\n",
                      answer.at_elo0.games, test.elo0, answer.at_estimate.games,
                      answer.at_elo1.games, test.elo1);
  return text;
}

}  // namespace

int stats_command(int argc, char** argv) {
  std::optional<std::array<std::uint64_t, 5>> pentanomial;
  std::optional<std::array<std::uint64_t, 3>> wdl;
  std::optional<SprtTest> test;
  SprtTest asked;
  bool json = false;
  CommandLine line(
      "selfplay stats",
      "Elo, normalised Elo, likelihood of superiority (LOS) and the sequential test of "
      "a match, from its counts.",
      "selfplay stats --pentanomial 10,40,100,60,15 --sprt 0,5");
  SettingsTable& options = line.options();
  add_counts(options, "pentanomial", pentanomial, "LL,LD,WL+DD,DW,WW",
             "pairs of games by A's points over the two");
  add_counts(options, "wdl", wdl, "W,D,L", "single games by A's result");
  options.add_parsed<std::optional<SprtTest>>(
      "sprt", test,
      [](std::string_view text) -> Expected<std::optional<SprtTest>> {
        auto parsed = parse_sprt(text);
        if (!parsed) return Failure{parsed.error()};
        return std::optional(*parsed);
      },
      [](const auto&) { return std::string(); }, "E0,E1", "test Elo E0 against E1");
  options.add("model", asked.model,
              {{"logistic", EloModel::kLogistic}, {"normalized", EloModel::kNormalized}},
              "what the test's Elo means");
  options.add("alpha", asked.alpha, kMinErrorRate, kMaxErrorRate,
              "chance of accepting E1 when E0 is true");
  options.add("beta", asked.beta, kMinErrorRate, kMaxErrorRate,
              "chance of accepting E0 when E1 is true");
  options.add("json", json, "print one JSON object");
  if (!line.parse(argc, argv)) return 0;

  if (pentanomial.has_value() == wdl.has_value()) {
    throw user_error("stats: give one of --pentanomial and --wdl");
  }
  Answer answer;
  if (test) {
    asked.elo0 = test->elo0;
    asked.elo1 = test->elo1;
    answer.test = asked;
  } else {
    for (const char* key : {"model", "alpha", "beta"}) {
      if (options.find(key)->given) {
        throw user_error(
            fmt::format("stats: --{} belongs to a test: --sprt E0,E1 is missing", key));
      }
    }
  }
  nlohmann::json given;
  if (pentanomial) {
    const Pentanomial counts{*pentanomial};
    answer.counted = fmt::format("{} pairs of games", counts.pairs());
    given = {{"pairs", counts.pairs()}, {"pentanomial", counts.counts}};
    judge_counts(counts, answer);
  } else {
    const Trinomial counts{(*wdl)[0], (*wdl)[1], (*wdl)[2]};
    answer.counted = fmt::format("{} games", counts.games());
    given = {{"wins", counts.wins}, {"draws", counts.draws}, {"losses", counts.losses}};
    judge_counts(counts, answer);
  }
  if (json) {
    fmt::print("{}\n", to_json(answer, given).dump());
  } else {
    fmt::print("{}", to_text(answer));
  }
  return 0;
}

}  // namespace cannonade
