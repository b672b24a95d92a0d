#include "tests/support/rule_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <optional>
#include <string_view>

#include "core/base/files.h"

namespace cannonade::support {
namespace {

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const auto end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  Number value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return {};
  return value;
}

// Calls `row(fields)` for each line after the column names, which must be `columns`; row says
// whether the fields are good.
void read_table(const std::filesystem::path& path, std::string_view columns,
                const std::function<bool(const std::vector<std::string>&)>& row) {
  const std::string text = read_file(path).value_or_throw();
  auto lines = split(text, '\n');
  if (lines.back().empty()) lines.pop_back();
  if (lines.empty() || lines[0] != columns) {
    throw user_error(fmt::format("{}: expected the columns {}", path.string(), columns));
  }
  const auto width = split(columns, '\t').size();
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const auto fields = split(lines[i], '\t');
    if (fields.size() != width || !row(fields)) {
      throw user_error(fmt::format("{}:{}: a row that does not fit", path.string(), i + 1));
    }
  }
}

std::string joined(const std::vector<std::string>& words) {
  return words.empty() ? "(none)" : fmt::format("{}", fmt::join(words, " "));
}

bool is_from(std::string_view word, std::string_view point) {
  if (!word.starts_with(point)) return false;
  // "a1" is no prefix of "a10...": the next character must begin the second point.
  return word.size() > point.size() && word[point.size()] >= 'a' && word[point.size()] <= 'i';
}

std::string mates_in_one(RulesUnderTest& rules) {
  std::vector<std::string> mates;
  for (const auto& word : rules.legal_moves()) {
    if (!rules.play(word)) return "error: " + word + " is listed as legal but not played";
    if (rules.result().find(" checkmate") != std::string::npos) mates.push_back(word);
    rules.undo();
  }
  return joined(mates);
}

std::string start_fen(const RulesUnderTest& rules, const std::string& argument) {
  std::string cho;
  std::string han;
  for (const auto& part : split(argument, ',')) {
    if (part.starts_with("cho=")) cho = part.substr(4);
    if (part.starts_with("han=")) han = part.substr(4);
  }
  if (cho.empty() || han.empty()) return "error: set-ups missing in " + argument;
  return rules.start_fen(cho, han);
}

}  // namespace

std::vector<RuleCase> read_rule_cases(const std::filesystem::path& path) {
  std::vector<RuleCase> cases;
  read_table(path, "id\trules\tfen\tmoves\tquestion\tanswer",
             [&](const std::vector<std::string>& fields) {
               RuleCase rule_case{fields[0], fields[1], fields[2], {}, fields[4], fields[5]};
               if (!fields[3].empty()) rule_case.moves = split(fields[3], ' ');
               cases.push_back(rule_case);
               return !rule_case.question.empty() && !rule_case.answer.empty();
             });
  return cases;
}

std::vector<PerftCase> read_perft_cases(const std::filesystem::path& path) {
  std::vector<PerftCase> cases;
  read_table(path, "rules\tfen\tdepth\tnodes", [&](const std::vector<std::string>& fields) {
    const auto depth = parse_number<int>(fields[2]);
    const auto nodes = parse_number<std::uint64_t>(fields[3]);
    if (!depth || !nodes) return false;
    cases.push_back({fields[0], fields[1], *depth, *nodes});
    return true;
  });
  return cases;
}

std::string ask(RulesUnderTest& rules, const RuleCase& rule_case) {
  const auto started = rules.start(rule_case.rules, rule_case.fen);
  if (!started) return "error: " + started.error();
  for (const auto& word : rule_case.moves) {
    if (!rules.play(word)) {
      return fmt::format("error: {} cannot be played, the game is {}", word, rules.result());
    }
  }

  const auto colon = rule_case.question.find(':');
  const std::string question = rule_case.question.substr(0, colon);
  const std::string argument =
      colon == std::string::npos ? "" : rule_case.question.substr(colon + 1);
  const auto legal = rules.legal_moves();
  if (question == "legal_count") return std::to_string(legal.size());
  if (question == "legal_all") return joined(legal);
  if (question == "legal_from") {
    std::vector<std::string> words;
    std::copy_if(legal.begin(), legal.end(), std::back_inserter(words),
                 [&](const std::string& word) { return is_from(word, argument); });
    return joined(words);
  }
  if (question == "move_legal") {
    return std::find(legal.begin(), legal.end(), argument) != legal.end() ? "yes" : "no";
  }
  if (question == "is_check") return rules.in_check() ? "true" : "false";
  if (question == "facing") return rules.facing() ? "true" : "false";
  if (question == "result") return rules.result();
  if (question == "points") {
    const auto points = rules.points();
    return fmt::format("{:g} {:g}", points.cho, points.han);
  }
  if (question == "mate_in_1") return mates_in_one(rules);
  if (question == "setup") return start_fen(rules, argument);
  if (question == "perft") {
    const auto depth = parse_number<int>(argument);
    return depth ? std::to_string(rules.perft(*depth)) : "error: no depth in " + argument;
  }
  return "error: unknown question " + rule_case.question;
}

}  // namespace cannonade::support
