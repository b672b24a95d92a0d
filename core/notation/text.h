// Text from outside: encodings, lines, words, and how to show a piece of it in a message.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace cannonade {

struct DecodedText {
  std::string text;           // UTF-8, without a byte-order mark
  std::string_view encoding;  // "UTF-8", "CP949", "UTF-16"
  std::size_t replaced = 0;   // bytes that mean nothing in it; each became U+FFFD
};
// UTF-8 where the bytes are that, UTF-16 where a mark says so, else CP949 (which has EUC-KR in it).
// Throws an internal error when the C library lacks the table.
[[nodiscard]] DecodedText decode_text(std::string_view bytes);
[[nodiscard]] bool is_utf8(std::string_view bytes);

[[nodiscard]] std::string_view trim(std::string_view text);
// At spaces, tabs and line ends; empty words do not count.
[[nodiscard]] std::vector<std::string_view> split_words(std::string_view text);
// Cuts one word off the front; empty at the end.
[[nodiscard]] std::string_view take_word(std::string_view& text);
[[nodiscard]] std::string to_lower(std::string_view ascii);
// Takes `prefix` off the front if it is there.
[[nodiscard]] bool take_prefix(std::string_view& text, std::string_view prefix);

// One line after another, with its number from 1; LF, CRLF or CR end a line.
class LineReader {
 public:
  explicit LineReader(std::string_view text) : rest_(text) {}
  [[nodiscard]] bool next(std::string_view& line);
  [[nodiscard]] std::size_t number() const { return number_; }

 private:
  std::string_view rest_;
  std::size_t number_ = 0;
};

// At most `longest` bytes, cut between characters.
[[nodiscard]] std::string_view cut(std::string_view utf8, std::size_t longest);

// A short piece of a stranger's text for one line of a message: control characters as '?', cut at
// `longest` bytes between characters.
[[nodiscard]] std::string shown(std::string_view utf8, std::size_t longest = 40);

}  // namespace cannonade
