#include "selfplay/page_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <locale>
#include <nlohmann/json.hpp>

#include "core/board/ruleset.h"

namespace cannonade {
namespace {

constexpr std::string_view kMinus = "\u2212";
constexpr std::string_view kNone = "\u2013";

// Thousands in threes, whatever the machine's own locale is.
class Grouping : public std::numpunct<char> {
 protected:
  [[nodiscard]] char do_decimal_point() const override { return '.'; }
  [[nodiscard]] char do_thousands_sep() const override { return ','; }
  [[nodiscard]] std::string do_grouping() const override { return "\3"; }
};
const std::locale& page_locale() {
  static const std::locale kLocale(std::locale::classic(), new Grouping);
  return kLocale;
}

}  // namespace

std::string format_count(std::uint64_t count) {
  return fmt::format(page_locale(), "{:L}", count);
}

std::string format_number(double value, int decimals) {
  if (!std::isfinite(value)) return std::string(kNone);
  const std::string digits = fmt::format(page_locale(), "{:.{}Lf}", std::abs(value), decimals);
  const bool zero = digits.find_first_of("123456789") == std::string::npos;
  return value < 0 && !zero ? std::string(kMinus) + digits : digits;
}

std::string format_signed(double value, int decimals) {
  std::string text = format_number(value, decimals);
  const bool zero = text.find_first_of("123456789") == std::string::npos;
  return value > 0 && !zero ? "+" + text : text;
}

std::string format_percent(double fraction, int decimals) {
  if (!std::isfinite(fraction)) return std::string(kNone);
  return format_number(100 * fraction, decimals) + "\u00a0%";
}

std::string format_error(double half_width, int decimals) {
  return "\u00b1\u00a0" + format_number(half_width, decimals);
}

std::string format_interval(double low, double high, int decimals) {
  return format_number(low, decimals) + " to " + format_number(high, decimals);
}

std::string format_duration(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0) return std::string(kNone);
  if (seconds < 9.95) return format_number(seconds, 1) + "\u00a0s";
  const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
  if (whole < 60) return fmt::format("{}\u00a0s", whole);
  if (whole < 3600) return fmt::format("{}\u00a0min {}\u00a0s", whole / 60, whole % 60);
  return fmt::format("{}\u00a0h {}\u00a0min", whole / 3600, whole % 3600 / 60);
}

std::string in_words(std::string_view name) {
  std::string words(name);
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

std::string side_words(Game game, Side side) {
  std::string name(side_name(game, side));
  name[0] = static_cast<char>(name[0] - 'a' + 'A');
  return name;
}

std::string outcome_words(Game game, const Outcome& outcome) {
  if (!outcome.known()) return "No result";
  const std::string reason = in_words(reason_name(outcome.reason));
  if (!outcome.winner) return "Drawn by " + reason;
  const std::string winner = side_words(game, *outcome.winner);
  if (outcome.by_points) return winner + " won on points after " + reason;
  // The loser is who checked forever.
  if (outcome.reason == Reason::kPerpetualCheck) {
    return winner + " won: perpetual check by " + side_words(game, ~*outcome.winner);
  }
  return winner + (outcome.reason == Reason::kTime ? " won on " : " won by ") + reason;
}

std::string clean_text(std::string_view text) {
  std::string clean(text);
  for (char& c : clean) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7f) c = ' ';
  }
  // The JSON library knows UTF-8; its writer replaces what is not, its reader gives the text back.
  if (std::any_of(clean.begin(), clean.end(), [](char c) { return (c & 0x80) != 0; })) {
    using nlohmann::json;
    clean = json::parse(json(clean).dump(-1, ' ', false, json::error_handler_t::replace))
                .get<std::string>();
  }
  return clean;
}

std::string json_for_script(const nlohmann::json& json) {
  // Pure ASCII: what is not is written as \u escapes, U+2028 and U+2029 among them.
  const std::string plain = json.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  std::string safe;
  safe.reserve(plain.size() + plain.size() / 16);
  for (const char c : plain) {
    switch (c) {  // outside strings JSON has none of these
      case '<':
        safe += "\\u003c";
        break;
      case '>':
        safe += "\\u003e";
        break;
      case '&':
        safe += "\\u0026";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

}  // namespace cannonade
