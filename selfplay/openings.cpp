#include "selfplay/openings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <numeric>

#include "core/base/files.h"
#include "core/base/rng.h"
#include "core/notation/uci_move.h"

namespace cannonade {
namespace {

constexpr std::size_t kReportedFaults = 20;
constexpr int kMaxTries = 1000;
constexpr int kMaxOpeningPlies = 200;

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
  table.add("plies", settings.plies, 0, kMaxOpeningPlies, "random turns after the start");
  table.add("max_score", settings.max_score, 0, 20'000,
            "keep a random opening when a search scores it within so many centipawns; 0 keeps all");
  table.add("check_nodes", settings.check_nodes, 1, 1'000'000'000, "nodes of that search");
  table.add_path("book", settings.book, "EPD, FEN or PGN file to take openings from instead");
  table.add("order", settings.order,
            {{"sequential", OpeningSettings::Order::kSequential},
             {"random", OpeningSettings::Order::kRandom}},
            "the order of the book's lines");
  table.add("book_plies", settings.book_plies, 0, 1000,
            "turns to take from each game of a PGN book; 0 takes all");
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
  OpeningBook book = read_opening_book(settings_.book, rules_, settings_.book_plies);
  const std::vector<std::string>& faults = book.faults;
  if (!faults.empty() && settings_.bad_line == OpeningSettings::BadLine::kRefuse) {
    const auto shown = static_cast<std::ptrdiff_t>(std::min(faults.size(), kReportedFaults));
    std::string message =
        fmt::format("{}", fmt::join(faults.begin(), faults.begin() + shown, "\n"));
    if (faults.size() > kReportedFaults) {
      message +=
          fmt::format("\nand {} more that cannot be played", faults.size() - kReportedFaults);
    }
    throw user_error(message);
  }
  book_ = std::move(book.openings);
  skipped_ = std::move(book.faults);
  if (book_.empty()) {
    throw user_error(fmt::format("{}: no opening in it", settings_.book.string()));
  }
  std::string all;
  for (const Opening& opening : book_) {
    all += opening.start_fen;
    for (const Move move : opening.moves) all += fmt::format(" {}", to_uci(move));
    all += '\n';
  }
  book_hash_ = fingerprint_hex(all);
  if (settings_.order == OpeningSettings::Order::kRandom) {
    Rng rng = stream(seed_, kBookStream, 0);
    rng.shuffle(book_);
  }
}

std::string Openings::random_start(std::uint64_t index) const {
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
  if (!book_.empty()) return book_[index % book_.size()];
  Opening opening;
  opening.start_fen = random_start(index);
  if (settings_.plies == 0) return opening;
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
    if (!whole || !why_no_opening(game).empty()) continue;
    if (settings_.max_score > 0 && std::abs(check(game)) > settings_.max_score) continue;
    opening.moves = game.moves();
    return opening;
  }
  throw user_error(fmt::format(
      "openings: none of {} random openings of {} plies stays within {} centipawns: allow more",
      kMaxTries, settings_.plies, settings_.max_score));
}

std::optional<std::array<SetUp, 2>> set_ups_of(const std::string& start_fen) {
  static const std::map<std::string, std::array<SetUp, 2>, std::less<>> kKnown = [] {
    std::map<std::string, std::array<SetUp, 2>, std::less<>> all;
    for (int cho = 0; cho < kSetUps; ++cho) {
      for (int han = 0; han < kSetUps; ++han) {
        const std::array<SetUp, 2> pair{static_cast<SetUp>(cho), static_cast<SetUp>(han)};
        all.emplace(set_up_fen(pair[0], pair[1]), pair);
      }
    }
    return all;
  }();
  const auto found = kKnown.find(start_fen);
  if (found == kKnown.end()) return std::nullopt;
  return found->second;
}

}  // namespace cannonade
