#include "selfplay/opening_book.h"

#include <fmt/format.h>

#include "core/base/files.h"
#include "core/notation/epd.h"
#include "core/notation/fen.h"
#include "core/notation/pgn.h"
#include "core/notation/text.h"

namespace cannonade {
namespace {

constexpr std::size_t kMaxBookBytes = std::size_t{1} << 28;

// The FEN of an EPD or FEN line; counters may come from EPD's operations `hmvc` and `fmvn`.
Expected<std::string> fen_of_line(std::string_view text) {
  const Expected<EpdLine> line = parse_epd_line(text);
  if (!line) return Failure{line.error()};
  if (split_words(line->fen).size() > 4) return line->fen;
  const auto number = [&](const char* name, const char* otherwise) {
    const auto found = line->operations.find(name);
    return found == line->operations.end() ? std::string(otherwise) : found->second;
  };
  return fmt::format("{} {} {}", line->fen, number("hmvc", "0"), number("fmvn", "1"));
}

// The openings of a book file and the lines that give none.
class BookReader {
 public:
  BookReader(const Ruleset& rules, const std::filesystem::path& file, int plies)
      : rules_(rules), file_(file), plies_(static_cast<std::size_t>(plies)) {}

  void read() {
    const std::string text = decode_text(read_file(file_, kMaxBookBytes).value_or_throw()).text;
    if (to_lower(file_.extension().string()) == ".pgn") {
      read_games(text);
    } else {
      read_lines(text);
    }
  }

  std::vector<Opening> openings;
  std::vector<std::string> faults;

 private:
  void read_lines(const std::string& text) {
    LineReader lines(text);
    for (std::string_view line; lines.next(line);) {
      if (trim(line).empty() || is_epd_comment(line)) continue;
      const Expected<std::string> fen = fen_of_line(line);
      if (!fen) {
        fault(lines.number(), fen.error());
      } else {
        add(lines.number(), *fen, {});
      }
    }
  }

  void read_games(const std::string& text) {
    GameSink sink;
    sink.game = [this](GameRecord&& game, std::size_t line) {
      // A note says which turn could not be played; it does not matter behind those that we take.
      const bool enough = plies_ > 0 && game.moves.size() >= plies_;
      if (!game.note.empty() && !enough) {
        fault(line, game.note);
        return;
      }
      if (enough) game.moves.resize(plies_);
      add(line, game.start_fen, game.moves);
    };
    sink.remark = [this](std::size_t line, const std::string& what) {
      if (what.ends_with("left out")) fault(line, what);
    };
    (void)read_pgn(text, rules_, sink);
  }

  void add(std::size_t line, const std::string& fen, const std::vector<Move>& moves) {
    const Expected<Position> position = parse_fen(rules_, fen);
    if (!position) {
      fault(line, position.error());
      return;
    }
    GameState game(*position);
    for (const Move move : moves) game.play(move);
    const std::string why = why_no_opening(game);
    if (why.empty()) {
      openings.push_back({to_fen(*position), moves});
    } else {
      fault(line, why);
    }
  }

  void fault(std::size_t line, const std::string& what) {
    faults.push_back(fmt::format("{}:{}: {}", file_.string(), line, what));
  }

  const Ruleset& rules_;
  std::filesystem::path file_;
  std::size_t plies_;
};

}  // namespace

std::string why_no_opening(const GameState& game) {
  const Position& position = game.position();
  const Ruleset& rules = position.rules();
  if (const auto& outcome = game.outcome()) {
    return fmt::format("already finished ({})", reason_name(outcome->reason));
  }
  if (position.no_capture() >= rules.no_capture_limit) return "already finished (no_progress)";
  if (rules.insufficient_material && insufficient_material(position)) {
    return "already finished (insufficient_material)";
  }
  if (rules.bikjang && position.generals_face()) return "generals already facing";
  return "";
}

OpeningBook read_opening_book(const std::filesystem::path& file, const Ruleset& rules, int plies) {
  BookReader reader(rules, file, plies);
  reader.read();
  return {std::move(reader.openings), std::move(reader.faults)};
}

}  // namespace cannonade
