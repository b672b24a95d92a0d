#include "core/notation/xiangqi_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "core/board/movegen.h"
#include "core/notation/text.h"
#include "core/notation/uci_move.h"

namespace cannonade {
namespace {

constexpr int kMostNumbered = 9;  // numerals that one character can write

// Which of its kind a piece is: by its file, or by its place among others.
struct Label {
  enum class Kind { kFile, kFront, kMiddle, kRear, kNumber } kind = Kind::kFile;
  int number = 0;  // of the file or the place, from 1
  int of = 1;      // how many share the file or the numbering
};

int file_number(Side side, int file) {
  return side == Side::kFirst ? kFiles - file : file + 1;
}

// Pieces of one kind from the mover's right to the left, on a file from the front to the rear.
std::vector<Square> in_reading_order(const Position& position, Side side, PieceKind kind) {
  std::vector<Square> squares(position.list(side, kind),
                              position.list(side, kind) + position.count(side, kind));
  std::ranges::sort(squares, {}, [side](Square s) {
    const int rear = side == Side::kFirst ? kRanks - rank_of(s) : rank_of(s);
    return std::pair(file_number(side, file_of(s)), rear);
  });
  return squares;
}

Label label_of(const Position& position, Square from, PieceKind kind) {
  const Side side = position.side_to_move();
  const Label by_file{Label::Kind::kFile, file_number(side, file_of(from))};
  // Two of these on a file cannot both advance or both retreat: the direction tells.
  if (kind == PieceKind::kGuard || kind == PieceKind::kElephant) return by_file;
  std::vector<Square> group = in_reading_order(position, side, kind);
  const auto sharing = [&](Square s) {
    return std::ranges::count_if(group, [s](Square t) { return file_of(t) == file_of(s); });
  };
  if (sharing(from) == 1) return by_file;
  std::vector<Square> shared;
  for (const Square s : group) {
    const bool counts = kind == PieceKind::kSoldier ? sharing(s) > 1 : file_of(s) == file_of(from);
    if (counts) shared.push_back(s);
  }
  const auto place = static_cast<int>(std::ranges::find(shared, from) - shared.begin()) + 1;
  const int size = static_cast<int>(shared.size());
  const bool one_file = file_of(shared.front()) == file_of(shared.back());
  if (one_file && size <= 3) {
    if (place == 1) return {Label::Kind::kFront, place, size};
    return {place == size ? Label::Kind::kRear : Label::Kind::kMiddle, place, size};
  }
  return {Label::Kind::kNumber, std::min(place, kMostNumbered), size};
}

// What every style writes, each in its own characters.
struct Description {
  PieceKind kind = PieceKind::kNone;
  Label label;
  int direction = 0;  // 1 forward, -1 back, 0 sideways
  int number = 0;     // steps, or the file arrived at
};

Description describe(const Position& position, Move move) {
  const Side side = position.side_to_move();
  Description d;
  d.kind = position.at(move.from()).kind();
  d.label = label_of(position, move.from(), d.kind);
  const int up = rank_of(move.to()) - rank_of(move.from());
  const int forward = side == Side::kFirst ? up : -up;
  d.direction = (forward > 0) - (forward < 0);
  const bool slanting =
      d.kind == PieceKind::kGuard || d.kind == PieceKind::kElephant || d.kind == PieceKind::kHorse;
  d.number = slanting || forward == 0 ? file_number(side, file_of(move.to())) : std::abs(forward);
  return d;
}

constexpr std::array<std::string_view, 10> kNumerals{"零", "一", "二", "三", "四",
                                                     "五", "六", "七", "八", "九"};

std::string chinese_text(const Description& d, Side side) {
  constexpr std::array<std::array<std::string_view, kPieceKinds>, 2> kPieces{
      {{"?", "帅", "仕", "相", "马", "车", "炮", "兵"},
       {"?", "将", "士", "象", "马", "车", "炮", "卒"}}};
  const auto number = [side](int n) {
    return side == Side::kFirst ? std::string(kNumerals[static_cast<std::size_t>(n)])
                                : std::to_string(n);
  };
  const std::string_view piece =
      kPieces[static_cast<std::size_t>(index_of(side))][static_cast<std::size_t>(index_of(d.kind))];
  std::string text;
  switch (d.label.kind) {
    case Label::Kind::kFile:
      text = std::string(piece) + number(d.label.number);
      break;
    case Label::Kind::kFront:
      text = fmt::format("前{}", piece);
      break;
    case Label::Kind::kMiddle:
      text = fmt::format("中{}", piece);
      break;
    case Label::Kind::kRear:
      text = fmt::format("后{}", piece);
      break;
    case Label::Kind::kNumber:
      text = fmt::format("{}{}", kNumerals[static_cast<std::size_t>(d.label.number)], piece);
      break;
  }
  text += d.direction > 0 ? "进" : d.direction < 0 ? "退" : "平";
  return text + number(d.number);
}

std::string wxf_text(const Description& d) {
  constexpr std::string_view kWxfLetters = "?KAEHRCP";
  std::string text(1, kWxfLetters[static_cast<std::size_t>(index_of(d.kind))]);
  if (d.label.kind == Label::Kind::kFile) {
    text += std::to_string(d.label.number);
  } else if (d.label.of == 2 && d.label.kind != Label::Kind::kNumber) {
    text += d.label.kind == Label::Kind::kFront ? '+' : '-';
  } else {
    text += static_cast<char>('a' + d.label.number - 1);
  }
  text += d.direction > 0 ? '+' : d.direction < 0 ? '-' : '=';
  return text + std::to_string(d.number);
}

std::string text_of(const Position& position, Move move, XiangqiColumns style) {
  const Description d = describe(position, move);
  return style == XiangqiColumns::kChinese ? chinese_text(d, position.side_to_move()) : wxf_text(d);
}

// Other ways to write the same characters, and how this file writes them.
constexpr std::pair<std::string_view, std::string_view> kVariants[] = {
    {"帥", "帅"}, {"將", "将"}, {"馬", "马"}, {"傌", "马"}, {"車", "车"},
    {"俥", "车"}, {"砲", "炮"}, {"包", "炮"}, {"進", "进"}, {"後", "后"},
    {"０", "0"},  {"１", "1"},  {"２", "2"},  {"３", "3"},  {"４", "4"},
    {"５", "5"},  {"６", "6"},  {"７", "7"},  {"８", "8"},  {"９", "9"},
};

// One spelling for each text: variants replaced; in WXF upper case, E and H for elephant and horse,
// '=' for sideways and the sign after the piece.
std::string normal(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    bool replaced = false;
    for (const auto& [variant, plain] : kVariants) {
      if (!take_prefix(text, variant)) continue;
      result += plain;
      replaced = true;
      break;
    }
    if (replaced) continue;
    result += text.front();
    text.remove_prefix(1);
  }
  if (result.size() == 4) {  // the length of WXF; the Chinese text is longer
    if (result[0] == '+' || result[0] == '-') std::swap(result[0], result[1]);
    char& piece = result[0];
    if (piece >= 'a' && piece <= 'z') piece = static_cast<char>(piece - 'a' + 'A');
    if (piece == 'B') piece = 'E';
    if (piece == 'N') piece = 'H';
    if (result[2] == '.') result[2] = '=';
  }
  return result;
}

}  // namespace

std::string to_xiangqi_columns(const Position& position, Move move, XiangqiColumns style) {
  std::string text = text_of(position, move, style);
  MoveList legal;
  generate(position, legal);
  for (const Move other : legal) {
    if (other != move && text_of(position, other, style) == text) return to_uci(move);
  }
  return text;
}

Expected<Move> parse_xiangqi_columns(const Position& position, std::string_view text) {
  constexpr std::size_t kLongest = 32;
  if (text.size() <= kLongest) {
    const std::string wanted = normal(text);
    Move found;
    int matches = 0;
    MoveList legal;
    generate(position, legal);
    for (const Move move : legal) {
      const Description d = describe(position, move);
      if (wanted == chinese_text(d, position.side_to_move()) || wanted == wxf_text(d)) {
        found = move;
        ++matches;
      }
    }
    if (matches == 1) return found;
    if (matches > 1) return Failure{fmt::format("'{}' names more than one turn", shown(text))};
  }
  return Failure{fmt::format("'{}' names no legal turn", shown(text))};
}

}  // namespace cannonade
