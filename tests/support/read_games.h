// Texts of games read by each reader, with what it said while it read: for tests.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "core/notation/csv.h"
#include "core/notation/epd.h"
#include "core/notation/gib.h"
#include "core/notation/pgn.h"
#include "core/notation/text.h"
#include "core/notation/uci_list.h"
#include "core/notation/uci_move.h"

namespace cannonade {

struct Found {
  std::vector<GameRecord> games;
  std::vector<std::size_t> lines;
  std::vector<std::string> remarks;
  ImportCounts counts;
};

template <class Reader>
Found collect(Reader&& reader) {
  Found found;
  const GameSink sink{[&](GameRecord&& game, std::size_t line) {
                        found.games.push_back(std::move(game));
                        found.lines.push_back(line);
                      },
                      [&](std::size_t line, const std::string& what) {
                        EXPECT_TRUE(is_utf8(what));
                        EXPECT_EQ(what.find('\n'), std::string::npos);
                        found.remarks.push_back(fmt::format("{}: {}", line, what));
                      }};
  found.counts = reader(sink);
  EXPECT_EQ(found.counts.games, found.games.size());
  return found;
}
inline Found from_pgn(const std::string& text, const Ruleset& rules) {
  return collect([&](const GameSink& sink) { return read_pgn(text, rules, sink); });
}
inline Found from_epd(const std::string& text, const Ruleset& rules) {
  return collect([&](const GameSink& sink) { return read_epd(text, rules, sink); });
}
inline Found from_csv(const std::string& text, const Ruleset& rules) {
  return collect([&](const GameSink& sink) { return read_csv(text, rules, sink); });
}
inline Found from_gib(const std::string& text, const Ruleset& rules) {
  return collect([&](const GameSink& sink) { return read_gib(text, rules, sink); });
}
inline Found from_list(const std::string& text, const Ruleset& rules,
                       RankBase base = RankBase::kRecognise) {
  return collect([&](const GameSink& sink) { return read_uci_list(text, rules, base, sink); });
}

inline std::string words(const GameRecord& game) {
  std::string text;
  for (const Move move : game.moves) {
    if (!text.empty()) text += ' ';
    text += to_uci(move);
  }
  return text;
}

// A block of a GIB file.
inline std::string gib(const std::string& result, const std::string& turns,
                       const std::string& extra = "") {
  return "[초대국자 \"가\"]\r\n[한대국자 \"나\"]\r\n[초차림 \"마상상마\"]\r\n[한차림 "
         "\"마상상마\"]\r\n" +
         extra + "[대국결과 \"" + result + "\"]\r\n\r\n" + turns + "\r\n\r\n";
}

}  // namespace cannonade
