// selfplay uci: our engine for programs that speak UCI or UCCI.
#include <fmt/format.h>

#include <cstdio>
#include <iostream>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "selfplay/command_line.h"
#include "selfplay/commands.h"
#include "selfplay/uci.h"

namespace cannonade {
namespace {

// Far more than a game takes.
constexpr std::size_t kLongestLine = std::size_t{1} << 20;

}  // namespace

int uci_command(int argc, char** argv) {
  CommandLine line(
      "selfplay uci",
      "Plays for another program: UCI (or UCCI, for xiangqi) on standard input and "
      "output.\nThe rule set is the option UCI_Variant; `d` shows the board, `eval` "
      "the evaluation.",
      "printf 'position startpos\\ngo movetime 1000\\n' | (cat; sleep 2) | selfplay uci");
  if (!line.parse(argc, argv)) return 0;

  UciSession session([](const std::string& text) {
    const std::string whole = text + '\n';
    std::fwrite(whole.data(), 1, whole.size(), stdout);
    std::fflush(stdout);
  });
  std::vector<char> buffer(kLongestLine + 1);
  // Ends with the input, too: whoever spoke has gone.
  while (std::ferror(stdout) == 0) {
    std::cin.getline(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    const bool ended = std::cin.eof();
    auto length = static_cast<std::size_t>(std::cin.gcount());
    if (std::cin.fail() && !ended) {  // it did not fit
      std::cin.clear();
      std::cin.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
      session.error(fmt::format("a line of more than {} bytes", kLongestLine));
      continue;
    }
    if (!ended && length > 0) --length;  // the end of the line
    if (!session.handle(std::string_view(buffer.data(), length)) || ended) break;
  }
  return 0;
}

}  // namespace cannonade
