#include "selfplay/uci.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <new>
#include <utility>

#include "core/notation/fen.h"
#include "core/notation/text.h"
#include "eval/explain.h"
#include "selfplay/engine_lines.h"
#include "selfplay/revision.h"
#include "selfplay/uci_go.h"
#include "selfplay/uci_text.h"

namespace cannonade {
namespace {

constexpr int kMostLines = 256;
constexpr int kShownFeatures = 15;
// No game is so long (J25, X15); looking for repetitions takes time with its square.
constexpr int kMostTurns = 10'000;

// A rule set that lasts as long as the program: positions keep a reference.
const Ruleset& lasting(std::string_view id) {
  return *std::find_if(rulesets().begin(), rulesets().end(),
                       [&](const Ruleset& rules) { return rules.id == id; });
}

// What UCI_Variant may say, and the rule set that it means.
struct Variant {
  std::string_view name;
  std::string_view rules;
};
constexpr Variant kVariants[] = {
    {"janggi-kja", "janggi-kja"},
    {"janggi-point-count", "janggi-point-count"},
    {"xiangqi-casual", "xiangqi-casual"},
    {"janggi-tournament", "janggi-kja"},
    {"janggi-points", "janggi-point-count"},
    // Other engines' names.
    {"janggi", "janggi-point-count"},
    {"janggitraditional", "janggi-kja"},
    {"xiangqi", "xiangqi-casual"},
};

// Half of the machine's memory: more could be granted and then kill the process.
int most_hash_megabytes() {
  constexpr long kMost = 65'536;
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page_bytes = ::sysconf(_SC_PAGE_SIZE);
  if (pages <= 0 || page_bytes <= 0) return 1024;
  return static_cast<int>(std::clamp(pages / 2 / ((1L << 20) / page_bytes), 16L, kMost));
}

Weights named_weights(const std::string& name, const Ruleset& rules) {
  EngineConfig config;
  config.weights = name.empty() ? "default" : name;
  return load_weights(config, rules);
}

GameState start_of(const Ruleset& rules) {
  return GameState(parse_fen(rules, start_fen(rules.game)).value_or_throw());
}

}  // namespace

const UciSession::Command UciSession::kCommands[] = {
    {"uci", &UciSession::uci},
    {"ucci", &UciSession::ucci},
    {"isready", &UciSession::is_ready},
    {"ucinewgame", &UciSession::new_game},
    {"setoption", &UciSession::set_option},
    {"position", &UciSession::position},
    {"banmoves", &UciSession::ban_moves},
    {"go", &UciSession::go},
    {"stop", &UciSession::stop},
    {"ponderhit", &UciSession::ponder_hit},
    {"d", &UciSession::show},
    {"eval", &UciSession::explain_position},
    // Allowed, and nothing to do.
    {"debug", &UciSession::pass_over},
    {"register", &UciSession::pass_over},
    {"quit", &UciSession::quit},
};

UciSession::UciSession(Write write)
    : write_(std::move(write)),
      rules_(&lasting(variant_)),
      weights_(default_weights(*rules_)),
      game_(start_of(*rules_)) {
  declare_options();
}

UciSession::~UciSession() = default;

void UciSession::declare_options() {
  std::vector<std::string> variants;
  for (const Variant& variant : kVariants) variants.emplace_back(variant.name);
  options_.add_combo({"UCI_Variant", ""}, variant_, std::move(variants), [this] {
    const auto* const found =
        std::find_if(std::begin(kVariants), std::end(kVariants),
                     [&](const Variant& each) { return each.name == variant_; });
    change_rules(lasting(found->rules));
    say(message_line(fmt::format("rules {}", rules_->id), protocol_));
  });
  options_.add_spin({"Hash", "hashsize"}, hash_megabytes_, 1, most_hash_megabytes(), [this] {
    if (engine_) engine_->resize_hash(static_cast<std::size_t>(hash_megabytes_));
  });
  options_.add_button({"Clear Hash", "clearhash"}, [this] { forget(); });
  options_.add_spin({"Threads", ""}, threads_, 1, 1);
  options_.add_spin({"MultiPV", ""}, lines_, 1, kMostLines);
  options_.add_check({"Ponder", ""}, ponder_);
  // A search that is watched goes on behind a mate that it has found.
  options_.add_check({"UCI_AnalyseMode", ""}, analyse_, [this] {
    if (strength_.limited()) engine_.reset();  // analysis is at full strength
  });
  // `default`, `material`, or a file in which {rules} stands for the rule set's id.
  options_.add_string({"Weights", "weights"}, weights_name_, [this] {
    Weights named = named_weights(weights_name_, *rules_);
    change_strength(named);
    weights_ = std::move(named);
  });
  strength_.declare_options(options_, [this] { change_strength(weights_); });
  options_.add_check({"", "usemillisec"}, milliseconds_);
  options_.add_button({"", "newgame"}, [this] { forget(); });
}

bool UciSession::handle(std::string_view line) {
  std::string_view rest = line;
  std::string_view unknown;
  // Words that mean nothing are passed over, as UCI has it.
  for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest)) {
    const auto* const command =
        std::find_if(std::begin(kCommands), std::end(kCommands),
                     [&](const Command& each) { return each.word == word; });
    if (command == std::end(kCommands)) {
      if (unknown.empty()) unknown = word;
      continue;
    }
    try {
      (this->*command->run)(rest);
    } catch (const std::bad_alloc&) {
      error(fmt::format("{}: there is not enough memory", word));
    }
    return !over_;
  }
  if (!unknown.empty()) error(fmt::format("unknown command '{}'", shown(unknown)));
  return true;
}

void UciSession::say(const std::string& text) {
  const std::lock_guard lock(write_mutex_);
  write_(text);
}

void UciSession::error(const std::string& what) {
  say(message_line("error: " + what, protocol_));
}

void UciSession::greet(Protocol protocol, const std::string& last_word) {
  protocol_ = protocol;
  say(fmt::format("id name Cannonade {}", revision()));
  say("id author the Cannonade developers");
  for (const std::string& line : options_.declarations(protocol)) say(line);
  say(last_word);
}

void UciSession::uci(std::string_view /*rest*/) {
  search_.stop();
  greet(Protocol::kUci, "uciok");
}

void UciSession::ucci(std::string_view /*rest*/) {
  search_.stop();
  if (rules_->game != Game::kXiangqi) change_rules(lasting("xiangqi-casual"));
  greet(Protocol::kUcci, "ucciok");
}

void UciSession::is_ready(std::string_view /*rest*/) {
  (void)engine();
  say("readyok");
}

void UciSession::new_game(std::string_view /*rest*/) {
  search_.stop();
  forget();
}

void UciSession::set_option(std::string_view rest) {
  search_.stop();
  std::string name;
  if (protocol_ == Protocol::kUcci) {
    name = take_word(rest);
  } else if (std::string_view word = take_word(rest); word == "name") {
    for (word = take_word(rest); !word.empty() && word != "value"; word = take_word(rest)) {
      name += (name.empty() ? "" : " ") + std::string(word);
    }
  }
  if (name.empty()) {
    error("setoption: no name given");
    return;
  }
  if (const auto fault = options_.set(protocol_, name, trim(rest))) error(*fault);
}

void UciSession::change_rules(const Ruleset& rules) {
  try {
    weights_ = named_weights(weights_name_, rules);
  } catch (const Error& fault) {
    if (fault.kind() != ErrorKind::kUser) throw;
    error(fmt::format("Weights is default again: {}", fault.what()));
    weights_name_ = "default";
    weights_ = default_weights(rules);
  }
  rules_ = &rules;
  variant_ = rules.id;
  engine_.reset();
  game_ = start_of(rules);
  banned_.clear();
  try {
    change_strength(weights_);
  } catch (const Error& fault) {
    if (fault.kind() != ErrorKind::kUser) throw;
    error(fmt::format("full strength again: {}", fault.what()));
    strength_.lift();
    change_strength(weights_);
  }
}

void UciSession::change_strength(const Weights& weights) {
  std::vector<std::string> remarks;
  skill_ = strength_.skill(*rules_, weights, &remarks);
  for (const std::string& remark : remarks) say(message_line(remark, protocol_));
  engine_.reset();
}

void UciSession::forget() {
  if (engine_) engine_->new_game(*rules_, strength_.limited() ? strength_.next_seed() : 0);
}

Engine& UciSession::engine() {
  if (!engine_) {
    engine_ =
        std::make_unique<Engine>("Cannonade", weights_, static_cast<std::size_t>(hash_megabytes_),
                                 analyse_ ? Skill{} : skill_);
    forget();
  }
  return *engine_;
}

Expected<GameState> UciSession::read_position(std::string_view rest) const {
  std::string fen;
  std::string_view word = take_word(rest);
  if (word == "startpos") {
    fen = start_fen(rules_->game);
    word = take_word(rest);
  } else if (word == "fen") {
    std::vector<std::string_view> fields;
    for (word = take_word(rest); !word.empty() && word != "moves"; word = take_word(rest)) {
      fields.push_back(word);
    }
    // UCCI's programs call Red's turn r, and often stop behind the turn.
    if (protocol_ == Protocol::kUcci && fields.size() >= 2 && fields[1] == "r") fields[1] = "w";
    if (protocol_ == Protocol::kUcci && fields.size() == 2) fields.insert(fields.end(), 2, "-");
    for (const std::string_view field : fields)
      fen += (fen.empty() ? "" : " ") + std::string(field);
  } else {
    return Failure{fmt::format("'{}' given; allowed: startpos or fen", shown(word))};
  }
  const Expected<Position> start = parse_fen(*rules_, fen);
  if (!start) return Failure{start.error()};
  GameState game(*start);
  if (!word.empty() && word != "moves") {
    return Failure{fmt::format("'{}' where 'moves' should stand", shown(word))};
  }
  int turn = 0;
  for (word = take_word(rest); !word.empty(); word = take_word(rest)) {
    if (++turn > kMostTurns) return Failure{fmt::format("more than {} turns", kMostTurns)};
    const Expected<Move> move = parse_move(word, protocol_);
    if (!move) return Failure{fmt::format("turn {}: {}", turn, move.error())};
    if (!game.legal(*move)) {
      return Failure{
          fmt::format("turn {}: {} is not legal in {}", turn, word, to_fen(game.position()))};
    }
    game.play(*move);
  }
  return game;
}

void UciSession::position(std::string_view rest) {
  Expected<GameState> game = read_position(rest);
  if (!game) {
    error("position: " + game.error());
    return;
  }
  game_ = std::move(*game);
  banned_.clear();
}

void UciSession::ban_moves(std::string_view rest) {
  banned_.clear();
  std::string fault;
  for (const std::string_view word : split_words(rest)) {
    const Expected<Move> move = parse_move(word, protocol_);
    if (move) {
      banned_.push_back(*move);
    } else if (fault.empty()) {
      fault = "banmoves: " + move.error();
    }
  }
  if (!fault.empty()) error(fault);
}

void UciSession::go(std::string_view rest) {
  search_.stop();
  const std::vector<std::string_view> words = split_words(rest);
  GoCommand command =
      parse_go(words, game_, protocol_, protocol_ == Protocol::kUci || milliseconds_);
  for (const std::string& fault : command.faults) error(fault);

  if (!banned_.empty()) {
    std::vector<Move>& chosen = command.limits.search_moves;
    if (chosen.empty()) {
      MoveList legal;
      generate(game_.position(), legal);
      for (const Move move : legal) chosen.push_back(move);
    }
    std::erase_if(chosen, [this](Move move) {
      return std::find(banned_.begin(), banned_.end(), move) != banned_.end();
    });
    if (chosen.empty()) {
      say(bestmove_line({}, protocol_));
      return;
    }
  }
  SearchJob job{game_.position(), game_.history(),
                command.limits,   lines_,
                command.infinite, command.ponder,
                command.mate,     game_.moves().empty() ? kNoMove : game_.moves().back()};
  job.limits.infinite = analyse_;
  MoveList legal;
  generate(game_.position(), legal);
  if (legal.empty()) {  // mated or stalemated: both lose (J21, X13)
    SearchInfo info;
    info.score = -kMateScore;
    say(info_line(info, protocol_));
  }
  search_.start(
      engine(), std::move(job),
      [this, protocol = protocol_](const SearchInfo& info) { say(info_line(info, protocol)); },
      [this, protocol = protocol_](const SearchResult& result) {
        say(bestmove_line(result, protocol));
      });
}

void UciSession::stop(std::string_view /*rest*/) {
  search_.stop();
}

void UciSession::ponder_hit(std::string_view /*rest*/) {
  search_.ponder_hit();
}

void UciSession::show(std::string_view /*rest*/) {
  say(board_text(game_));
}

void UciSession::explain_position(std::string_view /*rest*/) {
  say(explanation_text(explain(game_.position(), weights_), rules_->game, kShownFeatures));
}

void UciSession::pass_over(std::string_view /*rest*/) {}

void UciSession::quit(std::string_view /*rest*/) {
  search_.stop();
  if (protocol_ == Protocol::kUcci) say("bye");
  over_ = true;
}

}  // namespace cannonade
