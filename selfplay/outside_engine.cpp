#include "selfplay/outside_engine.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <map>
#include <utility>

#include "core/base/files.h"
#include "core/notation/fen.h"
#include "core/notation/text.h"
#include "selfplay/engine_lines.h"
#include "selfplay/engine_process.h"

namespace cannonade {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kStopSlice{50};
constexpr milliseconds kQuitPatience{300};
// After its output closed, for its exit code to arrive.
constexpr milliseconds kExitPatience{200};

// What the usual engine (Fairy-Stockfish) calls a rule set nearest to ours.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kUsualVariants{{
    {"janggi-kja", "janggitraditional"},
    {"janggi-point-count", "janggi"},
    {"xiangqi-casual", "xiangqi"},
}};

milliseconds seconds(double count) {
  return milliseconds(std::llround(count * 1000));
}

// Words as strings of their own.
std::vector<std::string> words_of(const std::string& line) {
  const std::vector<std::string_view> words = split_words(line);
  return {words.begin(), words.end()};
}

}  // namespace

// A running child and what it said of itself.
class OutsideEngine::Child {
 public:
  Child(const std::filesystem::path& program, const std::vector<std::string>& words)
      : process_(program, words) {}

  [[nodiscard]] bool send(const std::string& line, Clock::time_point deadline) {
    return process_.send(line, deadline);
  }

  // Reads until `take` says that a line is the awaited one. What went wrong; empty when it came.
  template <class Take>
  std::string await(const std::string& what, Clock::time_point deadline, const Take& take,
                    const std::atomic<bool>* stop = nullptr) {
    const auto begin = Clock::now();
    std::string line;
    for (;;) {
      if (stop != nullptr && stop->load(std::memory_order_relaxed)) return "stopped";
      // A raised stop is seen between slices.
      const auto slice = stop == nullptr ? deadline : std::min(deadline, Clock::now() + kStopSlice);
      switch (process_.read_line(&line, slice)) {
        case EngineProcess::Read::kLine:
          if (take(words_of(line), line)) return "";
          break;
        case EngineProcess::Read::kTimeout:
          if (Clock::now() < deadline) break;
          return described(
              fmt::format("no {} after {:.1f} s", what,
                          std::chrono::duration<double>(Clock::now() - begin).count()));
        case EngineProcess::Read::kClosed:
          process_.wait_until(Clock::now() + kExitPatience);
          return described(fmt::format("its output ended ({}) before {}", process_.state(), what));
        case EngineProcess::Read::kTooLong:
          return described(
              fmt::format("more than {} bytes without an end of line", EngineProcess::kMaxLine));
      }
    }
  }

  // The same for a line that begins with one of two words.
  std::string await_word(const std::string& word, Clock::time_point deadline) {
    return await(word, deadline, [&](const std::vector<std::string>& words, const std::string&) {
      return !words.empty() && words.front() == word;
    });
  }

  std::string described(const std::string& what) {
    const std::string tail = process_.stderr_tail();
    return tail.empty() ? what : fmt::format("{}; its standard error ends: {}", what, tail);
  }

  void quit() {
    const auto deadline = Clock::now() + kQuitPatience;
    if (process_.send("quit", deadline)) process_.wait_until(deadline);
  }

  // Whether another option is kept: what an engine may say of itself is bounded.
  bool fits(const std::string& line) {
    option_bytes_ += line.size();
    return option_bytes_ <= kMaxOptionBytes;
  }

  // From the handshake: option names in lower case, with the values that a combo allows.
  std::map<std::string, std::vector<std::string>> options;
  std::map<std::string, std::string> option_names;  // as the engine writes them

 private:
  static constexpr std::size_t kMaxOptionBytes = 1 << 20;
  EngineProcess process_;
  std::size_t option_bytes_ = 0;
};

OutsideEngine::OutsideEngine(const EngineConfig& config, const Ruleset& rules)
    : config_(config), rules_(rules), name_(config.name) {
  const std::filesystem::path program = find_program(config_);
  config_.command.front() = std::filesystem::absolute(program).string();
  std::string identity =
      fmt::format("outside;{};{};protocol={};on_failure={}", program.filename().string(),
                  fmt::join(config_.command.begin() + 1, config_.command.end(), " "),
                  static_cast<int>(config_.protocol), static_cast<int>(config_.on_failure));
  for (const auto& [key, value] : config_.options) identity += fmt::format(";{}={}", key, value);
  for (const auto& [key, value] : config_.variants) identity += fmt::format(";{}:{}", key, value);
  // The program itself is part of who plays.
  const Expected<std::string> bytes = read_file(program);
  if (bytes) identity += fmt::format(";{}", fingerprint_hex(*bytes));
  hash_ = fingerprint_hex(identity);
}

OutsideEngine::~OutsideEngine() {
  try {
    if (child_) child_->quit();
  } catch (...) {  // no goodbye, then: the process's own end kills it
  }
}

std::string OutsideEngine::start() {
  const auto deadline = Clock::now() + seconds(config_.handshake_seconds);
  const bool uci = config_.protocol == Protocol::kUci;
  try {
    child_ = std::make_unique<Child>(
        config_.command.front(),
        std::vector<std::string>(config_.command.begin() + 1, config_.command.end()));
  } catch (const Error& fault) {
    return fault.what();
  }
  const auto send = [&](const std::string& line) { return child_->send(line, deadline); };

  // A child that is gone already shows as the end of its output.
  (void)send(uci ? "uci" : "ucci");
  const std::string greeting = uci ? "uciok" : "ucciok";
  std::string failure = child_->await(
      greeting, deadline, [&](const std::vector<std::string>& words, const std::string& line) {
        if (words.empty()) return false;
        if (words.front() == "option" && child_->fits(line)) {
          const auto [name, values] = read_option(words);
          child_->options[to_lower(name)] = values;
          child_->option_names[to_lower(name)] = name;
        }
        return words.front() == greeting;
      });
  if (!failure.empty()) return failure;

  const auto set = [&](const std::string& name, const std::string& value) {
    const std::string& theirs = child_->option_names[to_lower(name)];
    return send(uci ? fmt::format("setoption name {} value {}", theirs, value)
                    : fmt::format("setoption {} {}", theirs, value));
  };
  const auto configured = config_.variants.find(rules_.id);
  std::string variant = configured == config_.variants.end() ? "" : configured->second;
  const auto offered = child_->options.find("uci_variant");
  if (offered != child_->options.end()) {
    for (const auto& [id, usual] : kUsualVariants) {
      if (variant.empty() && id == rules_.id) variant = usual;
    }
    const auto& known = offered->second;
    if (!known.empty() && std::find(known.begin(), known.end(), variant) == known.end()) {
      return fmt::format("it has no variant '{}' for {}; it knows {}", variant, rules_.id,
                         fmt::join(known, ", "));
    }
    (void)set("UCI_Variant", variant);
  } else if (!variant.empty()) {
    return fmt::format("it has no option UCI_Variant for variant '{}'", variant);
  }
  for (const auto& [name, value] : config_.options) {
    if (!child_->option_names.contains(to_lower(name))) {
      return fmt::format("it has no option '{}'", name);
    }
    (void)set(name, value);
  }
  if (child_->option_names.contains("usemillisec")) (void)set("usemillisec", "true");
  (void)send("isready");
  return child_->await_word("readyok", deadline);
}

void OutsideEngine::check() {
  std::string failure = child_ ? "" : start();
  if (failure.empty()) return;
  child_.reset();
  throw user_error(fmt::format("engine {}: {}", name_, failure));
}

void OutsideEngine::new_game(const Ruleset& rules, std::uint64_t /*seed*/) {
  start_failure_.clear();
  if (rules.id != rules_.id) {  // another variant: begin afresh
    rules_ = rules;
    if (child_) child_->quit();
    child_.reset();
  }
  if (!child_) start_failure_ = start();
  if (start_failure_.empty()) {
    const auto deadline = Clock::now() + seconds(config_.handshake_seconds);
    (void)child_->send(config_.protocol == Protocol::kUci ? "ucinewgame" : "setoption newgame",
                       deadline);
    (void)child_->send("isready", deadline);
    start_failure_ = child_->await_word("readyok", deadline);
  }
  if (!start_failure_.empty()) child_.reset();
}

MoveChoice OutsideEngine::choose(const GameState& game, const SearchLimits& limits) {
  MoveChoice choice;
  choice.has_score = false;
  if (!child_) {
    choice.failure = start_failure_.empty() ? "it is not running" : start_failure_;
    return choice;
  }
  const Side side = game.position().side_to_move();
  // Its own time, and our patience on top.
  const auto own =
      std::max(limits.movetime, limits.remaining[static_cast<std::size_t>(index_of(side))]);
  const auto deadline = Clock::now() + own + seconds(config_.hang_seconds);

  (void)child_->send(position_line(game, to_fen(game.start()), config_.protocol), deadline);
  (void)child_->send(go_line(limits, side, config_.protocol), deadline);
  std::string word;
  choice.failure = child_->await(
      "bestmove", deadline,
      [&](const std::vector<std::string>& words, const std::string&) {
        if (words.empty()) return false;
        if (words.front() == "info") read_info(words, &choice);
        if (words.front() == "bestmove" && words.size() > 1) word = words[1];
        return words.front() == "bestmove" || words.front() == "nobestmove";
      },
      stop_);
  if (!choice.failure.empty()) {
    child_.reset();
    return choice;
  }
  if (word == "resign") {
    choice.resign = true;
    return choice;
  }
  // "No turn" is a claim for the referee, not a breakdown.
  if (word.empty() || word == "(none)" || word == "0000" || word == "null") return choice;
  const Expected<Move> move = parse_move(word, config_.protocol);
  if (!move) {
    choice.failure = child_->described(
        fmt::format("it answered 'bestmove {}', which is not a move", shown(word)));
    child_.reset();
    return choice;
  }
  choice.move = *move;
  return choice;
}

}  // namespace cannonade
