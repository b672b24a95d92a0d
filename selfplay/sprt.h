// The sequential test of a match: the generalised sequential probability ratio test (GSPRT) on the
// trinomial or pentanomial distribution, for logistic and for normalised Elo.
//
// The log-likelihood ratio (LLR) compares the most likely distribution that has Elo elo1 with the
// most likely one that has elo0. Verdicts on a match in play are taken on the longest whole prefix
// of its schedule only: quick games finish first, and stopping on whatever has finished would
// favour them. All functions are pure and finite for all counts.
//
// Sources: A. Wald, "Sequential Analysis"; X. Li, J. Liu, Z. Ying, "Generalized Sequential
// Probability Ratio Test for Separate Families of Hypotheses"; M. Van den Bergh, "The Generalized
// Sequential Probability Ratio Test for chess" and "Comments on Normalized Elo".
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string_view>

#include "core/base/error.h"
#include "selfplay/statistics.h"

namespace cannonade {

enum class EloModel {
  kLogistic,    // a bound fixes the expected score
  kNormalized,  // a bound fixes (expected score - 1/2) / (a game's standard deviation)
};
[[nodiscard]] std::string_view name_of(EloModel model);
// "logistic" or "normalized".
[[nodiscard]] Expected<EloModel> parse_elo_model(std::string_view text);

enum class Verdict { kContinue, kH0, kH1 };
[[nodiscard]] std::string_view name_of(Verdict verdict);  // "continue", "H0", "H1"

// Bounds of a test reach this far at most, either way, and its error rates lie between these.
inline constexpr double kMaxSprtElo = 1000;
inline constexpr double kMinErrorRate = 1e-9;
inline constexpr double kMaxErrorRate = 0.45;

struct SprtTest {
  EloModel model = EloModel::kLogistic;
  double elo0 = 0;      // H0: A is worth elo0 (or less)
  double elo1 = 5;      // H1: A is worth elo1 (or more)
  double alpha = 0.05;  // chance of H1 when elo0 is true
  double beta = 0.05;   // chance of H0 when elo1 is true

  [[nodiscard]] double lower() const;  // LLR at or below which H0 is accepted
  [[nodiscard]] double upper() const;  // LLR at or above which H1 is accepted
  // Nothing wrong: empty. Otherwise what is, in one line.
  [[nodiscard]] std::optional<std::string> fault() const;
};
// "E0,E1"; the failure says what is allowed.
[[nodiscard]] Expected<SprtTest> parse_sprt(std::string_view text);

struct SprtResult {
  double llr = 0;
  double lower = 0;
  double upper = 0;
  Verdict verdict = Verdict::kContinue;
};
// Zero games: an LLR of exactly 0. Throws Error(kInternal) when the test has a fault.
[[nodiscard]] SprtResult judge(const SprtTest& test, const Trinomial& counts);
[[nodiscard]] SprtResult judge(const SprtTest& test, const Pentanomial& counts);
// Keys llr, lower, upper, verdict, model, elo0, elo1, alpha, beta.
[[nodiscard]] nlohmann::json to_json(const SprtTest& test, const SprtResult& result);

// What a test will take: expected games until a verdict, and the chance that it is H1.
struct SprtForecast {
  double games = 0;
  double h1_probability = 0;
};
// Under a true Elo in the test's own model, for games that otherwise spread as `shape` does (as
// counted so far, or an assumed draw rate). The LLR is taken as a Brownian motion with the exact
// drift and variance of its increments; Siegmund's 0.583 standard deviations allow for overshoot
// ("Sequential Analysis", 1985, chapter 10).
[[nodiscard]] SprtForecast forecast(const SprtTest& test, double true_elo, const Sample& shape);

// Folds pairs into the pentanomial in schedule order, whatever order they finish in, and stops at
// the first verdict: pairs after it change nothing.
class PrefixJudge {
 public:
  // Without a test only counts.
  explicit PrefixJudge(std::optional<SprtTest> test);

  // Pair `index` of the schedule ended with A's `half_points`, 0 to 4. Throws Error(kInternal) for
  // another number or an index given before.
  void finish(std::uint64_t index, int half_points);
  // The pair was played but has no result (an engine broke down and such games are void): it is
  // passed over.
  void pass_over(std::uint64_t index);

  // Over the longest whole prefix, or up to the verdict.
  [[nodiscard]] const Pentanomial& counts() const { return counts_; }
  [[nodiscard]] std::uint64_t pairs() const { return counts_.pairs(); }
  // Length of that prefix in the schedule: pairs without a result are part of it.
  [[nodiscard]] std::uint64_t folded() const { return next_; }
  // As of the last folded pair; an LLR of 0 without a test.
  [[nodiscard]] const SprtResult& result() const { return result_; }
  [[nodiscard]] bool decided() const { return result_.verdict != Verdict::kContinue; }
  // Finished pairs that wait for one before them.
  [[nodiscard]] std::size_t waiting() const { return waiting_.size(); }

 private:
  void fold(std::uint64_t index, int half_points);

  std::optional<SprtTest> test_;
  Pentanomial counts_;
  SprtResult result_;
  std::uint64_t next_ = 0;
  std::map<std::uint64_t, int> waiting_;
};

// The same over a whole schedule at once; an empty entry is a pair that has not finished.
[[nodiscard]] PrefixJudge fold_schedule(std::span<const std::optional<int>> half_points,
                                        const std::optional<SprtTest>& test);

}  // namespace cannonade
