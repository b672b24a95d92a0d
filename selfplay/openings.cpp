#include "selfplay/openings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <map>
#include <numeric>

#include "core/base/files.h"
#include "core/base/rng.h"

namespace cannonade {
namespace {

constexpr std::size_t kMaxBookBytes = std::size_t{1} << 28;
constexpr std::size_t kReportedFaults = 20;
constexpr int kMaxTries = 1000;
constexpr int kMaxPlies = 200;

// Streams of the run's seed, so that a draw for one purpose never shifts another.
constexpr std::uint64_t kSetUpStream = 0x5E70;
constexpr std::uint64_t kTurnStream = 0x7042;
constexpr std::uint64_t kBookStream = 0xB001;

Rng stream(std::uint64_t seed, std::uint64_t purpose, std::uint64_t index) {
  return Rng(splitmix64(seed ^ splitmix64(purpose)), index);
}

// Number `index` of an endless row of blocks, each a permutation of 0 to n - 1.
std::size_t balanced_draw(std::uint64_t seed, std::uint64_t index, std::size_t n) {
  std::vector<std::size_t> block(n);
  std::iota(block.begin(), block.end(), std::size_t{0});
  Rng rng = stream(seed, kSetUpStream, index / n);
  rng.shuffle(block);
  return block[index % n];
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  constexpr std::string_view kBlank = " \t\r";
  for (std::size_t at = line.find_first_not_of(kBlank); at != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(kBlank, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(kBlank, end);
  }
  return words;
}

bool is_number(std::string_view word) {
  return !word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos;
}

// A FEN as it stands, or an EPD's four fields with the counters from its operations `hmvc` and
// `fmvn`; every other operation is a comment here.
std::string fen_of_line(std::string_view line) {
  const std::vector<std::string_view> words = words_of(line);
  std::string_view no_capture = "0";
  std::string_view full_move = "1";
  if (words.size() >= 6 && is_number(words[4]) && is_number(words[5])) {
    no_capture = words[4];
    full_move = words[5];
  } else {
    for (std::size_t i = 4; i + 1 < words.size(); ++i) {
      std::string_view value = words[i + 1];
      if (!value.empty() && value.back() == ';') value.remove_suffix(1);
      if (words[i] == "hmvc" && is_number(value)) no_capture = value;
      if (words[i] == "fmvn" && is_number(value)) full_move = value;
    }
  }
  const std::size_t fields = std::min<std::size_t>(words.size(), 4);
  std::string fen = fmt::format(
      "{}", fmt::join(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(fields), " "));
  for (std::size_t i = fields; i < 4; ++i) fen += " -";
  return fmt::format("{} {} {}", fen, no_capture, full_move);
}

// Why no game can start here; empty when one can.
std::string why_unplayable(const GameState& game) {
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

const std::initializer_list<std::pair<std::string_view, SetUp>> kSetUpWords{
    {"inside", SetUp::kInside},
    {"outside", SetUp::kOutside},
    {"left", SetUp::kLeft},
    {"right", SetUp::kRight}};

std::size_t at(SetUp set_up) {
  return static_cast<std::size_t>(set_up);
}

}  // namespace

void declare(SettingsTable& table, SetUpAnswers& answers) {
  for (const auto& [word, han] : kSetUpWords) {
    table.add(std::string(word), answers.by_han[at(han)], kSetUpWords,
              fmt::format("Cho's set-up when Han's is {}", word));
  }
}

void declare(SettingsTable& table, OpeningSettings& settings) {
  using Cho = OpeningSettings::Cho;
  const std::string names = "any, inside, outside, left, right";
  table.add_parsed<std::optional<SetUp>>(
      "han", settings.han,
      [](std::string_view text) -> Expected<std::optional<SetUp>> {
        if (text == "any") return std::optional<SetUp>();
        const Expected<SetUp> set_up = parse_set_up(text);
        if (!set_up) return Failure{""};
        return std::optional<SetUp>(*set_up);
      },
      [](const std::optional<SetUp>& set_up) {
        return set_up ? std::string(set_up_name(*set_up)) : std::string("any");
      },
      "one of " + names, "janggi: Han's set-up, declared first");
  // One word sets two fields.
  table.add_parsed<Cho>(
      "cho", settings.cho,
      [&settings](std::string_view text) -> Expected<Cho> {
        if (text == "any") return Cho::kAny;
        if (text == "answer") return Cho::kAnswer;
        const Expected<SetUp> set_up = parse_set_up(text);
        if (!set_up) return Failure{""};
        settings.cho_fixed = *set_up;
        return Cho::kFixed;
      },
      [&settings](const Cho& cho) -> std::string {
        if (cho == Cho::kAny) return "any";
        return cho == Cho::kAnswer ? "answer" : std::string(set_up_name(settings.cho_fixed));
      },
      "one of " + names + ", answer", "janggi: Cho's set-up; answer takes it from [answers]");
  table.add("plies", settings.plies, 0, kMaxPlies, "random turns after the start");
  table.add("max_score", settings.max_score, 0, 20'000,
            "keep a random opening when a search scores it within so many centipawns; 0 keeps all");
  table.add("check_nodes", settings.check_nodes, 1, 1'000'000'000, "nodes of that search");
  table.add_path("book", settings.book, "EPD or FEN file to take openings from instead");
  table.add("order", settings.order,
            {{"sequential", OpeningSettings::Order::kSequential},
             {"random", OpeningSettings::Order::kRandom}},
            "the order of the book's lines");
  table.add("start", settings.start, 0, INT64_MAX, "openings to pass over at the beginning");
  table.add(
      "bad_line", settings.bad_line,
      {{"refuse", OpeningSettings::BadLine::kRefuse}, {"skip", OpeningSettings::BadLine::kSkip}},
      "what to do about a book line that cannot be played");
  table.add_table("answers", settings.answers,
                  "janggi: Cho's set-up by Han's, for cho = \"answer\"");
}

Openings::Openings(const OpeningSettings& settings, const Ruleset& rules, std::uint64_t seed)
    : settings_(settings), rules_(rules), seed_(seed) {
  if (!settings_.book.empty()) read_book();
}

void Openings::read_book() {
  const std::string text = read_file(settings_.book, kMaxBookBytes).value_or_throw();
  std::size_t number = 0;
  std::vector<std::string> faults;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    begin = end + 1;
    ++number;
    const std::vector<std::string_view> words = words_of(line);
    if (words.empty() || words.front().front() == '#') continue;
    const Expected<Position> position = parse_fen(rules_, fen_of_line(line));
    const std::string fault = position ? why_unplayable(GameState(*position)) : position.error();
    if (fault.empty()) {
      book_.push_back(to_fen(*position));
    } else {
      faults.push_back(fmt::format("{}:{}: {}", settings_.book.string(), number, fault));
    }
  }
  if (!faults.empty() && settings_.bad_line == OpeningSettings::BadLine::kRefuse) {
    const std::size_t shown = std::min(faults.size(), kReportedFaults);
    std::string message = fmt::format(
        "{}", fmt::join(faults.begin(), faults.begin() + static_cast<std::ptrdiff_t>(shown), "\n"));
    if (shown < faults.size()) {
      message += fmt::format("\nand {} more lines that cannot be played", faults.size() - shown);
    }
    throw user_error(message);
  }
  skipped_ = std::move(faults);
  if (book_.empty()) {
    throw user_error(fmt::format("{}: no opening in it", settings_.book.string()));
  }
  book_hash_ = fingerprint_hex(fmt::format("{}", fmt::join(book_, "\n")));
  if (settings_.order == OpeningSettings::Order::kRandom) {
    Rng rng = stream(seed_, kBookStream, 0);
    rng.shuffle(book_);
  }
}

std::string Openings::start_of(std::uint64_t index) const {
  if (!book_.empty()) return book_[index % book_.size()];
  if (rules_.game == Game::kXiangqi) return std::string(start_fen(Game::kXiangqi));
  SetUp cho = settings_.cho_fixed;
  SetUp han = settings_.han.value_or(SetUp::kInside);
  const bool any_cho = settings_.cho == OpeningSettings::Cho::kAny;
  if (any_cho && !settings_.han) {
    const std::size_t cell =
        balanced_draw(seed_, index, std::size_t{kSetUps} * std::size_t{kSetUps});
    cho = static_cast<SetUp>(cell % kSetUps);
    han = static_cast<SetUp>(cell / kSetUps);
  } else if (any_cho || !settings_.han) {
    (any_cho ? cho : han) = static_cast<SetUp>(balanced_draw(seed_, index, kSetUps));
  }
  if (settings_.cho == OpeningSettings::Cho::kAnswer) cho = settings_.answers.by_han[at(han)];
  return set_up_fen(cho, han);
}

Opening Openings::draw(std::uint64_t index, const BalanceCheck& check) const {
  index += settings_.start;
  Opening opening;
  opening.start_fen = start_of(index);
  if (!book_.empty() || settings_.plies == 0) return opening;
  const Position start = parse_fen(rules_, opening.start_fen).value_or_throw();
  if (settings_.max_score > 0 && !check) {
    throw internal_error("openings are to be balanced but nobody is there to score them");
  }
  Rng rng = stream(seed_, kTurnStream, index);
  for (int attempt = 0; attempt < kMaxTries; ++attempt) {
    GameState game(start);
    for (int ply = 0; ply < settings_.plies && !game.outcome(); ++ply) {
      MoveList turns;
      generate(game.position(), game.dangers(), MoveKind::kAll, turns);
      std::vector<Move> moves;  // no passes: an opening brings pieces out
      for (const Move turn : turns) {
        if (!turn.is_pass()) moves.push_back(turn);
      }
      if (moves.empty()) break;
      game.play(moves[rng.below(moves.size())]);
    }
    const bool whole = game.moves().size() == static_cast<std::size_t>(settings_.plies);
    if (!whole || !why_unplayable(game).empty()) continue;
    if (settings_.max_score > 0 && std::abs(check(game)) > settings_.max_score) continue;
    opening.moves = game.moves();
    return opening;
  }
  throw user_error(fmt::format(
      "openings: none of {} random openings of {} plies stays within {} centipawns: allow more",
      kMaxTries, settings_.plies, settings_.max_score));
}

std::optional<std::array<SetUp, 2>> set_ups_of(const std::string& start_fen) {
  static const std::map<std::string, std::array<SetUp, 2>, std::less<>> known = [] {
    std::map<std::string, std::array<SetUp, 2>, std::less<>> all;
    for (int cho = 0; cho < kSetUps; ++cho) {
      for (int han = 0; han < kSetUps; ++han) {
        const std::array<SetUp, 2> pair{static_cast<SetUp>(cho), static_cast<SetUp>(han)};
        all.emplace(set_up_fen(pair[0], pair[1]), pair);
      }
    }
    return all;
  }();
  const auto found = known.find(start_fen);
  if (found == known.end()) return std::nullopt;
  return found->second;
}

}  // namespace cannonade
