// How strong one engine is against another, as parts of a report page. Intervals are 95 %.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/game/game_record.h"
#include "selfplay/match.h"
#include "selfplay/page.h"

namespace cannonade {

// A match's pairs in the order of its schedule, to see how its figures came about.
class MatchCourse {
 public:
  // In any order; A is the first engine and moves first in games of even number.
  void add(const GameRecord& game);

  struct Stage {
    std::uint64_t games = 0;
    MatchStatistics statistics;
  };
  // The figures after about `stages` evenly spaced numbers of the first `pairs` whole pairs with a
  // result.
  [[nodiscard]] std::vector<Stage> stages(std::uint64_t pairs, std::size_t stages) const;

 private:
  struct Pair {
    int games = 0;
    int half_points = 0;  // A's
    bool known = true;
  };
  std::map<std::uint64_t, Pair> pairs_;
};

// "A is stronger than B: +35 ± 12 Elo ..."; how the sequential test came out. `ended` is the
// store's own word on why the match ended.
[[nodiscard]] std::vector<std::string> match_sentences(const MatchResult& match,
                                                       const std::string& ended);
// Elo, likelihood of superiority, normalised Elo, the test.
[[nodiscard]] std::vector<KeyFigure> match_figures(const MatchResult& match);
// Course, pairs, results by side.
void add_match(Section& section, const MatchResult& match, const MatchCourse& course);

}  // namespace cannonade
