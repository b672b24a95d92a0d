// Readers of text from outside, each behind one function that takes any bytes. A target returns
// quietly whatever it is fed; it aborts when a reader breaks its word: an exception other than a
// user's error, an error without a one-line message, a value that does not survive being written
// and read again.
//
// With the preset `fuzz` each target is a libFuzzer program, fuzz_<name>; everywhere else the
// corpora checked in under tests/fuzz/corpus/<name> are fed to them once, by an ordinary test.
#pragma once

#include <string_view>

namespace cannonade::fuzz {

void fen(std::string_view bytes);
void move(std::string_view bytes);  // a position's number, then a turn in any way of writing
void pgn(std::string_view bytes);
void gib(std::string_view bytes);
void epd(std::string_view bytes);
void csv(std::string_view bytes);
void uci_list(std::string_view bytes);
void weights(std::string_view bytes);   // TOML
void settings(std::string_view bytes);  // TOML
void codec(std::string_view bytes);     // moves and scores as the store keeps them

struct Target {
  std::string_view name;
  void (*run)(std::string_view);
};
inline constexpr Target kTargets[] = {
    {"fen", fen},           {"move", move},   {"pgn", pgn},           {"gib", gib},
    {"epd", epd},           {"csv", csv},     {"uci_list", uci_list}, {"weights", weights},
    {"settings", settings}, {"codec", codec},
};

}  // namespace cannonade::fuzz
