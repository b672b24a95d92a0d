// The answered positions of tests/data: rule-cases.tsv (id, rules, fen, moves, question, answer)
// and perft.tsv (rules, fen, depth, nodes), and the asking of a question. Both files are
// tab-separated with a line of column names; an answer is written as the file writes it:
//   legal_count, perft:N     a number
//   legal_from:SQ, legal_all, mate_in_1   the words, sorted as strings, or "(none)"
//   move_legal:M             yes / no
//   is_check, facing         true / false
//   result                   "ongoing", or winner, reason and, where the count decided, "points"
//   points                   Cho's and Han's points
//   setup:cho=W,han=W        the start FEN
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/rules_under_test.h"

namespace cannonade::support {

struct RuleCase {
  std::string id;
  std::string rules;
  std::string fen;
  std::vector<std::string> moves;  // played from `fen` before the question is asked
  std::string question;
  std::string answer;
};

struct PerftCase {
  std::string rules;
  std::string fen;
  int depth = 0;
  std::uint64_t nodes = 0;
};

// Throw a user error that names file and line when a row does not fit.
[[nodiscard]] std::vector<RuleCase> read_rule_cases(const std::filesystem::path& path);
[[nodiscard]] std::vector<PerftCase> read_perft_cases(const std::filesystem::path& path);

// What `rules` answers to the case's question after the case's moves; text that starts with
// "error:" when the position is refused, a move cannot be played, or the question is unknown.
[[nodiscard]] std::string ask(RulesUnderTest& rules, const RuleCase& rule_case);

}  // namespace cannonade::support
