// What games amount to, as blocks of a report page: each function adds its part to a section, for
// one rule set, and adds nothing where there is nothing to say. Reports of runs, matches,
// comparisons and of whole nights are put together from them.
//
// Intervals are 95 %. A table names games with links into `viewer`, and appends their ids to
// `named` so that whoever fills the viewer can put them in.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "selfplay/page.h"
#include "selfplay/run_digest.h"

namespace cannonade {

// Where tables send readers, and which games they name.
struct NamedGames {
  std::string viewer;
  std::vector<std::uint64_t> ids;
};

// The names of the sides, "Cho" and "Han".
[[nodiscard]] std::string first_name(const RulesDigest& digest);
[[nodiscard]] std::string second_name(const RulesDigest& digest);
// A game's number as a link; the game becomes a named one.
[[nodiscard]] Cell game_cell(std::uint64_t id, NamedGames& named);

// "Cho scored 52.1 % (50.3 to 53.9): won 410, drawn 212, lost 378."
[[nodiscard]] std::string first_mover_sentence(const RulesDigest& digest);
// "No game is the same as another." or how many are.
[[nodiscard]] std::string duplicates_sentence(std::uint64_t duplicates, std::uint64_t games);

void add_results(Section& section, const RulesDigest& digest);  // who won
void add_endings(Section& section, const RulesDigest& digest);  // how games ended, for whom
void add_lengths(Section& section, const RulesDigest& digest, NamedGames& named);
void add_starts(Section& section, const RulesDigest& digest);  // set-ups, start positions
void add_diversity(Section& section, const RulesDigest& digest, NamedGames& named);
void add_scores(Section& section, const RulesDigest& digest);     // scores against results
void add_players(Section& section, const RulesDigest& digest);    // who met whom
void add_incidents(Section& section, const RulesDigest& digest);  // breakdowns, adjudication

}  // namespace cannonade
