#include "tests/support/naive_fen.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "tests/support/naive_rules.h"

namespace cannonade::naive {
namespace {

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

// A count of at most six digits.
std::optional<int> parse_count(const std::string& text) {
  if (text.empty() || text.size() > 6) return {};
  int value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return {};
    value = 10 * value + (c - '0');
  }
  return value;
}

std::optional<char> parse_letter(char c) {
  if (c == 'E') return 'B';
  if (c == 'e') return 'b';
  if (c == 'H') return 'N';
  if (c == 'h') return 'n';
  if (std::string_view("KABNRCPkabnrcp").find(c) != std::string_view::npos) return c;
  return {};
}

// Fills `board.points`; the error text when the field is not ten rows of nine points.
std::optional<std::string> parse_rows(const std::string& field, Board& board) {
  const auto rows = split(field, '/');
  if (rows.size() != kRanks) {
    return fmt::format("expected 10 rows, got {}", rows.size());
  }
  for (int row = 0; row < kRanks; ++row) {
    const int rank = kRanks - 1 - row;
    std::string points;
    for (const char c : rows[row]) {
      if (c >= '1' && c <= '9') {
        points += std::string(c - '0', kEmpty);
      } else if (const auto letter = parse_letter(c)) {
        points += *letter;
      } else {
        return fmt::format("unknown letter '{}'", c);
      }
    }
    if (points.size() != kFiles) {
      return fmt::format("rank {} has {} points instead of 9", rank + 1, points.size());
    }
    std::copy(points.begin(), points.end(), board.points[rank].begin());
  }
  return {};
}

// "Positions from outside": the error text when the position is refused.
std::optional<std::string> refusal(Rules rules, const Board& board) {
  int generals[2] = {0, 0};
  std::optional<std::string> wrong;
  each_point([&](Point point) {
    const char letter = piece_on(board, point);
    if (letter == kEmpty) return;
    const Side side = side_of(letter);
    const std::string where = fmt::format("{} on {}", letter, to_word(point));
    if (upper(letter) == 'K') ++generals[side == Side::kFirst ? 0 : 1];
    if ((upper(letter) == 'K' || upper(letter) == 'A') && !in_palace(side, point)) {
      wrong = where + " is outside its palace";
    }
    if (!is_janggi(rules) && upper(letter) == 'B' && !on_own_bank(side, point)) {
      wrong = where + " is across the river";
    }
  });
  for (const Side side : {Side::kFirst, Side::kSecond}) {
    const int count = generals[side == Side::kFirst ? 0 : 1];
    if (count != 1) {
      return fmt::format("{} has {} generals instead of 1", name_of(rules, side), count);
    }
  }
  if (wrong) return wrong;
  if (in_check(rules, board, other(board.to_move))) return "the side that waits is in check";
  if (!is_janggi(rules) && facing(board)) return "the generals face each other";
  return {};
}

}  // namespace

Expected<Board> parse_fen(Rules rules, std::string_view fen) {
  const auto fields = split(fen, ' ');
  if (fields.size() < 4 || fields.size() > 6) {
    return Failure{fmt::format("expected 4 to 6 fields, got {}", fields.size())};
  }
  Board board;
  if (const auto wrong = parse_rows(fields[0], board)) return Failure{*wrong};
  if (fields[1] != "w" && fields[1] != "b") {
    return Failure{fmt::format("the side to move is '{}' instead of w or b", fields[1])};
  }
  board.to_move = fields[1] == "w" ? Side::kFirst : Side::kSecond;
  if (fields[2] != "-" || fields[3] != "-") {
    return Failure{"the third and fourth fields are not '-'"};
  }
  const auto no_capture = parse_count(fields.size() > 4 ? fields[4] : "0");
  const auto move_number = parse_count(fields.size() > 5 ? fields[5] : "1");
  if (!no_capture || !move_number) return Failure{"the last two fields are not counts"};
  board.no_capture = *no_capture;
  board.move_number = *move_number;
  if (const auto wrong = refusal(rules, board)) return Failure{*wrong};
  return board;
}

std::string to_fen(const Board& board) {
  std::string text;
  for (int rank = kRanks - 1; rank >= 0; --rank) {
    int gap = 0;
    const auto close_gap = [&] {
      if (gap > 0) text += std::to_string(gap);
      gap = 0;
    };
    for (const char letter : board.points[rank]) {
      if (letter == kEmpty) {
        ++gap;
      } else {
        close_gap();
        text += letter;
      }
    }
    close_gap();
    if (rank > 0) text += '/';
  }
  text += board.to_move == Side::kFirst ? " w - - " : " b - - ";
  return text + fmt::format("{} {}", board.no_capture, board.move_number);
}

Expected<std::string> start_fen(std::string_view cho, std::string_view han) {
  // J6: for each way, whether the player's own left and right elephants stand outside.
  const auto wings = [](std::string_view name) -> std::optional<std::array<bool, 2>> {
    if (name == "inside") return {{false, false}};
    if (name == "outside") return {{true, true}};
    if (name == "left") return {{true, false}};
    if (name == "right") return {{false, true}};
    return {};
  };
  // The back rank as its owner sees it, from the owner's left to right.
  const auto back_rank = [](std::array<bool, 2> outside) {
    const std::string left = outside[0] ? "RBNA" : "RNBA";
    const std::string right = outside[1] ? "ANBR" : "ABNR";
    return left + "1" + right;
  };
  const auto cho_wings = wings(cho);
  const auto han_wings = wings(han);
  if (!cho_wings) return Failure{"unknown set-up " + std::string(cho)};
  if (!han_wings) return Failure{"unknown set-up " + std::string(han)};
  std::string han_rank = back_rank(*han_wings);
  std::reverse(han_rank.begin(), han_rank.end());  // Han's left wing is on files g, h, i
  for (char& letter : han_rank) {
    if (letter != '1') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return han_rank + "/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/" + back_rank(*cho_wings) +
         " w - - 0 1";
}

}  // namespace cannonade::naive
