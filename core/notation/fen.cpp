#include "core/notation/fen.h"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <charconv>
#include <vector>

#include "core/notation/text.h"

namespace cannonade {
namespace {

constexpr std::string_view kFenLetters = ".KABNRCP";
constexpr std::array<std::string_view, kSetUps> kSetUpNames{"inside", "outside", "left", "right"};

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> fields;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t begin = text.find_first_not_of(" \t\r\n", at);
    if (begin == std::string_view::npos) break;
    at = text.find_first_of(" \t\r\n", begin);
    if (at == std::string_view::npos) at = text.size();
    fields.push_back(text.substr(begin, at - begin));
  }
  return fields;
}

Expected<PieceMap> parse_board(std::string_view board) {
  PieceMap pieces{};
  int rank = kRanks - 1;
  int file = 0;
  for (const char c : board) {
    if (c == '/') {
      if (file != kFiles) {
        return Failure{fmt::format("rank {} has {} points, not nine", rank + 1, file)};
      }
      if (--rank < 0) return Failure{"more than ten ranks"};
      file = 0;
      continue;
    }
    if (c >= '1' && c <= '9') {
      file += c - '0';
    } else {
      char upper = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
      if (upper == 'E') upper = 'B';
      if (upper == 'H') upper = 'N';
      const std::size_t kind = kFenLetters.find(upper);
      if (kind == std::string_view::npos || kind == 0) {
        const bool printable = std::isprint(static_cast<unsigned char>(c)) != 0;
        return Failure{printable ? fmt::format("unknown piece letter '{}'", c)
                                 : fmt::format("unknown piece letter (byte {})",
                                               static_cast<unsigned char>(c))};
      }
      if (file < kFiles) {
        const Side side =
            std::isupper(static_cast<unsigned char>(c)) != 0 ? Side::kFirst : Side::kSecond;
        pieces[make_square(file, rank)] = Piece(side, static_cast<PieceKind>(kind));
      }
      ++file;
    }
    if (file > kFiles) {
      return Failure{fmt::format("rank {} has more than nine points", rank + 1)};
    }
  }
  if (file != kFiles) {
    return Failure{fmt::format("rank {} has {} points, not nine", rank + 1, file)};
  }
  if (rank != 0) return Failure{fmt::format("{} ranks, not ten", kRanks - rank)};
  return pieces;
}

Expected<int> parse_count(std::string_view text, std::string_view what) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  constexpr int kLargest = 100000;
  if (error != std::errc() || end != text.data() + text.size() || value < 0 || value > kLargest) {
    return Failure{
        fmt::format("the {} is '{}', not a number from 0 to {}", what, shown(text), kLargest)};
  }
  return value;
}

}  // namespace

std::string_view start_fen(Game game) {
  return game == Game::kJanggi
             ? "rnba1abnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBA1ABNR w - - 0 1"
             : "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
}

Expected<Position> parse_fen(const Ruleset& rules, std::string_view fen) {
  constexpr std::size_t kLongest = 512;
  if (fen.size() > kLongest) return Failure{"illegal FEN: it is too long"};
  const auto refuse = [&](const std::string& why) {
    return Failure{fmt::format("illegal FEN: {}", why)};
  };
  const std::vector<std::string_view> fields = split(fen);
  if (fields.size() < 4) return refuse("four fields at least are needed");
  if (fields.size() > 6) return refuse("more than six fields");
  const Expected<PieceMap> pieces = parse_board(fields[0]);
  if (!pieces) return refuse(pieces.error());
  if (fields[1] != "w" && fields[1] != "b") {
    return refuse(fmt::format("the side to move is '{}', not w or b", shown(fields[1])));
  }
  for (std::size_t i = 2; i < fields.size() && i < 4; ++i) {
    if (fields[i] != "-") {
      return refuse(fmt::format("field {} is '{}', not -", i + 1, shown(fields[i])));
    }
  }
  int counters[2] = {0, 1};
  constexpr std::string_view kWhat[] = {"count of turns without a capture", "move number"};
  for (std::size_t i = 4; i < fields.size(); ++i) {
    const Expected<int> value = parse_count(fields[i], kWhat[i - 4]);
    if (!value) return refuse(value.error());
    counters[i - 4] = *value;
  }
  Expected<Position> position = Position::create(
      rules, *pieces, fields[1] == "w" ? Side::kFirst : Side::kSecond, counters[0], counters[1]);
  if (!position) return refuse(position.error());
  return position;
}

std::string to_fen(const Position& position) {
  std::string fen;
  for (int rank = kRanks - 1; rank >= 0; --rank) {
    int empty = 0;
    for (int file = 0; file < kFiles; ++file) {
      const Piece piece = position.at(make_square(file, rank));
      if (piece.empty()) {
        ++empty;
        continue;
      }
      if (empty > 0) fen += std::to_string(empty);
      empty = 0;
      fen += piece_letter(piece);
    }
    if (empty > 0) fen += std::to_string(empty);
    if (rank > 0) fen += '/';
  }
  return fen + fmt::format(" {} - - {} {}", position.side_to_move() == Side::kFirst ? 'w' : 'b',
                           position.no_capture(), position.plies() / 2 + 1);
}

char piece_letter(Piece piece) {
  const char upper = kFenLetters[static_cast<std::size_t>(index_of(piece.kind()))];
  return piece.side() == Side::kFirst
             ? upper
             : static_cast<char>(std::tolower(static_cast<unsigned char>(upper)));
}

std::string_view set_up_name(SetUp set_up) {
  return kSetUpNames[static_cast<std::size_t>(set_up)];
}

Expected<SetUp> parse_set_up(std::string_view name) {
  for (std::size_t i = 0; i < kSetUps; ++i) {
    if (kSetUpNames[i] == name) return static_cast<SetUp>(i);
  }
  return Failure{fmt::format("unknown set-up '{}': known are inside, outside, left, right", name)};
}

std::string set_up_fen(SetUp cho, SetUp han) {
  // Letters of b, c and of g, h as the player sees them from the left: elephants are B.
  constexpr std::array<std::string_view, kSetUps> kWings{"NBBN", "BNNB", "BNBN", "NBNB"};
  const std::string_view c = kWings[static_cast<std::size_t>(cho)];
  const std::string_view h = kWings[static_cast<std::size_t>(han)];
  const auto lower = [](char letter) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  };
  // Han's left wing is on files g, h, i: from Cho's side its letters run backwards.
  return fmt::format(
      "r{}{}a1a{}{}r/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/R{}{}A1A{}{}R w - - 0 1",
      lower(h[3]), lower(h[2]), lower(h[1]), lower(h[0]), c[0], c[1], c[2], c[3]);
}

}  // namespace cannonade
