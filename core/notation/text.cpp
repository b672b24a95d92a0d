#include "core/notation/text.h"

#include <iconv.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>

namespace cannonade {
namespace {

constexpr std::string_view kSpace = " \t\r\n\v\f";
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

class Converter {
 public:
  explicit Converter(const char* from) : handle_(::iconv_open("UTF-8", from)) {
    // iconv_open's own sign of failure.
    failed_ = reinterpret_cast<std::intptr_t>(handle_) == -1;
    if (failed_) {
      throw internal_error(std::string("the C library cannot read the encoding ") + from);
    }
  }
  ~Converter() { ::iconv_close(handle_); }
  Converter(const Converter&) = delete;
  Converter& operator=(const Converter&) = delete;

  void convert(std::string_view bytes, DecodedText& into) {
    std::array<char, 4096> buffer{};
    std::string input(bytes);  // iconv takes a pointer to char that is not const
    char* from = input.data();
    std::size_t left = input.size();
    while (left > 0) {
      char* to = buffer.data();
      std::size_t room = buffer.size();
      const std::size_t result = ::iconv(handle_, &from, &left, &to, &room);
      const int reason = errno;
      into.text.append(buffer.data(), buffer.size() - room);
      if (result != static_cast<std::size_t>(-1) || reason == E2BIG) continue;
      into.text += kReplacement;  // a byte that means nothing, or the end of a character is missing
      ++into.replaced;
      ++from;
      --left;
    }
  }

 private:
  iconv_t handle_;
  bool failed_ = false;
};

// The length of the well-formed character at the front (Unicode 15, table 3-7); 0 if it is not.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const auto tail = [&](std::size_t i) { return byte(i) >= 0x80 && byte(i) <= 0xBF; };
  const unsigned lead = byte(0);
  const unsigned second = byte(1);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return tail(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    if (!tail(1) || !tail(2)) return 0;
    if (lead == 0xE0 && second < 0xA0) return 0;
    if (lead == 0xED && second > 0x9F) return 0;  // surrogates
    return 3;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    if (!tail(1) || !tail(2) || !tail(3)) return 0;
    if (lead == 0xF0 && second < 0x90) return 0;
    if (lead == 0xF4 && second > 0x8F) return 0;
    return 4;
  }
  return 0;
}

}  // namespace

bool is_utf8(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t length = character_length(bytes);
    if (length == 0) return false;
    bytes.remove_prefix(length);
  }
  return true;
}

DecodedText decode_text(std::string_view bytes) {
  DecodedText decoded;
  (void)take_prefix(bytes, "\xEF\xBB\xBF");
  if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF")) {
    decoded.encoding = "UTF-16";
    Converter("UTF-16").convert(bytes, decoded);
  } else if (is_utf8(bytes)) {
    decoded.encoding = "UTF-8";
    decoded.text = bytes;
  } else {
    decoded.encoding = "CP949";
    Converter("CP949").convert(bytes, decoded);
  }
  return decoded;
}

std::string_view trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

std::string_view take_word(std::string_view& text) {
  const std::size_t begin = std::min(text.find_first_not_of(kSpace), text.size());
  const std::size_t end = std::min(text.find_first_of(kSpace, begin), text.size());
  const std::string_view word = text.substr(begin, end - begin);
  text.remove_prefix(end);
  return word;
}

std::vector<std::string_view> split_words(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::string_view word = take_word(text); !word.empty(); word = take_word(text)) {
    words.push_back(word);
  }
  return words;
}

std::string to_lower(std::string_view ascii) {
  std::string lower(ascii);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

bool take_prefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

bool LineReader::next(std::string_view& line) {
  if (rest_.empty()) return false;
  const std::size_t end = std::min(rest_.find_first_of("\r\n"), rest_.size());
  line = rest_.substr(0, end);
  const std::size_t skip = rest_.substr(end).starts_with("\r\n") ? 2 : 1;
  rest_.remove_prefix(std::min(end + skip, rest_.size()));
  ++number_;
  return true;
}

std::string_view cut(std::string_view utf8, std::size_t longest) {
  if (utf8.size() <= longest) return utf8;
  const auto continues = [&](std::size_t i) {
    return (static_cast<unsigned char>(utf8[i]) & 0xC0) == 0x80;
  };
  while (longest > 0 && continues(longest)) --longest;
  return utf8.substr(0, longest);
}

std::string shown(std::string_view utf8, std::size_t longest) {
  std::string text;
  while (!utf8.empty()) {
    const std::size_t length = character_length(utf8);
    if (text.size() + std::max<std::size_t>(length, 1) > longest) return text + "...";
    const auto first = static_cast<unsigned char>(utf8.front());
    const bool control =
        length == 0 || first < 0x20 || first == 0x7F ||
        (length == 2 && first == 0xC2 && static_cast<unsigned char>(utf8[1]) < 0xA0);
    if (control) {
      text += '?';
    } else {
      text += utf8.substr(0, length);
    }
    utf8.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return text;
}

}  // namespace cannonade
