#include "selfplay/level_profile.h"

#include <algorithm>

#include "core/board/see.h"
#include "core/game/game_state.h"
#include "core/notation/fen.h"
#include "eval/phase.h"
#include "selfplay/skill.h"

namespace cannonade {
namespace {

constexpr std::array<std::string_view, kGamePhases> kPhaseNames{"opening", "middle", "ending"};
constexpr std::array<std::string_view, 8> kKindNames{"none",  "general", "guard",  "elephant",
                                                     "horse", "chariot", "cannon", "soldier"};
// A recapture counts as missed when it is so much better than what was played.
constexpr Score kSoldier = 100;

GamePhase phase_of(const Position& position) {
  const int phase = game_phase(position);
  if (phase > kFullPhase * 2 / 3) return GamePhase::kOpening;
  return phase > kFullPhase / 3 ? GamePhase::kMiddle : GamePhase::kEnding;
}

// The referee's view of a position, the mover's.
struct View {
  Score score = 0;
  Move best;
};

View look(Engine& referee, const GameState& game, std::uint64_t nodes) {
  SearchLimits limits;
  limits.nodes = nodes;
  const SearchResult result = referee.search(game.position(), game.history(), limits);
  return {std::clamp(result.score, -kMateScore, kMateScore), result.move};
}

// The mover's view of a game that is over.
Score value_of(const Outcome& outcome, Side mover) {
  if (!outcome.winner) return 0;
  return *outcome.winner == mover ? kMateScore : -kMateScore;
}

// Beyond a certain lead nothing is lost by taking it easy.
Score bounded(Score score) {
  return std::clamp(score, -kMostLoss, kMostLoss);
}

class Chances {
 public:
  Chances(const GameState& game, Move last) {
    const Position& position = game.position();
    MoveList legal;
    generate(position, game.dangers(), MoveKind::kAll, legal);
    for (const Move move : legal) {
      if (mates_at_once(position, move)) mate_ = true;
      if (is_recapture(position, last, move) && see_at_least(position, move, 1)) {
        recaptures_.push_back(move);
      }
    }
  }
  [[nodiscard]] bool mate() const { return mate_; }
  [[nodiscard]] const std::vector<Move>& recaptures() const { return recaptures_; }

 private:
  bool mate_ = false;
  std::vector<Move> recaptures_;
};

}  // namespace

void LevelProfile::add(const LevelProfile& other) {
  games += other.games;
  moves += other.moves;
  for (std::size_t i = 0; i < loss.size(); ++i) {
    loss[i].moves += other.loss[i].moves;
    loss[i].sum += other.loss[i].sum;
  }
  blunders += other.blunders;
  blunders_to_mate += other.blunders_to_mate;
  for (std::size_t i = 0; i < blunders_by_answer.size(); ++i) {
    blunders_by_answer[i] += other.blunders_by_answer[i];
  }
  recaptures += other.recaptures;
  recaptures_missed += other.recaptures_missed;
  mates += other.mates;
  mates_missed += other.mates_missed;
  won_endings += other.won_endings;
  won_endings_won += other.won_endings_won;
  played += other.played;
  repeated += other.repeated;
}

std::array<LevelProfile, 2> profile_game(const GameRecord& record, const Ruleset& rules,
                                         Engine& referee, std::uint64_t nodes) {
  std::array<LevelProfile, 2> profiles;
  for (LevelProfile& profile : profiles) profile.games = 1;
  GameState game(parse_fen(rules, record.start_fen).value_or_throw("game to look at"));
  referee.new_game(rules, 0);
  const auto opening = static_cast<std::size_t>(record.opening_plies);
  View view;
  for (std::size_t i = 0; i < record.moves.size() && !game.outcome(); ++i) {
    const Move move = record.moves[i];
    if (i < opening) {
      game.play(move);
      continue;
    }
    if (i == opening) view = look(referee, game, nodes);
    const Side mover = game.position().side_to_move();
    LevelProfile& profile = profiles[static_cast<std::size_t>(index_of(mover))];
    const Move last = game.moves().empty() ? kNoMove : game.moves().back();
    const Chances chances(game, last);
    const GamePhase phase = phase_of(game.position());
    if (phase == GamePhase::kEnding && view.score >= kWonEnding && profile.won_endings == 0) {
      profile.won_endings = 1;
      profile.won_endings_won = record.outcome.winner == mover ? 1 : 0;
    }
    const bool took_back = std::find(chances.recaptures().begin(), chances.recaptures().end(),
                                     move) != chances.recaptures().end();
    const bool mated = chances.mate() && mates_at_once(game.position(), move);
    const bool should_take_back =
        std::find(chances.recaptures().begin(), chances.recaptures().end(), view.best) !=
        chances.recaptures().end();

    game.play(move);
    View next;
    if (game.outcome()) {
      next.score = value_of(*game.outcome(), ~mover);
    } else {
      next = look(referee, game, nodes);
    }
    const Score loss =
        move == view.best ? 0 : std::max(bounded(view.score) - bounded(-next.score), 0);
    ++profile.moves;
    LevelProfile::Loss& sum = profile.loss[static_cast<std::size_t>(phase)];
    ++sum.moves;
    sum.sum += std::min(loss, kMostLoss);
    if (loss >= kBlunder) {
      ++profile.blunders;
      if (next.score >= kMateBound) {
        ++profile.blunders_to_mate;
      } else if (next.best) {
        ++profile.blunders_by_answer[static_cast<std::size_t>(
            index_of(game.position().at(next.best.from()).kind()))];
      }
    }
    if (took_back || should_take_back) {
      ++profile.recaptures;
      if (!took_back && loss >= kSoldier) ++profile.recaptures_missed;
    }
    if (chances.mate()) {
      ++profile.mates;
      if (!mated) ++profile.mates_missed;
    }
    view = next;
  }
  return profiles;
}

nlohmann::ordered_json to_json(const LevelProfile& profile) {
  nlohmann::ordered_json json;
  json["name"] = profile.name;
  json["games"] = profile.games;
  json["moves"] = profile.moves;
  for (std::size_t i = 0; i < kPhaseNames.size(); ++i) {
    json["loss"][std::string(kPhaseNames[i])] = {{"moves", profile.loss[i].moves},
                                                 {"sum", profile.loss[i].sum},
                                                 {"mean", profile.loss[i].mean()}};
  }
  json["blunders"] = profile.blunders;
  json["blunders_to_mate"] = profile.blunders_to_mate;
  for (std::size_t i = 1; i < kKindNames.size(); ++i) {
    json["blunders_by_answer"][std::string(kKindNames[i])] = profile.blunders_by_answer[i];
  }
  json["recaptures"] = profile.recaptures;
  json["recaptures_missed"] = profile.recaptures_missed;
  json["mates"] = profile.mates;
  json["mates_missed"] = profile.mates_missed;
  json["won_endings"] = profile.won_endings;
  json["won_endings_won"] = profile.won_endings_won;
  json["played"] = profile.played;
  json["repeated"] = profile.repeated;
  return json;
}

LevelProfile parse_profile(const nlohmann::json& json) {
  LevelProfile profile;
  try {
    profile.name = json.at("name").get<std::string>();
    const auto number = [&](const char* key) { return json.at(key).get<std::uint64_t>(); };
    profile.games = number("games");
    profile.moves = number("moves");
    for (std::size_t i = 0; i < kPhaseNames.size(); ++i) {
      const auto& loss = json.at("loss").at(std::string(kPhaseNames[i]));
      profile.loss[i] = {loss.at("moves").get<std::uint64_t>(), loss.at("sum").get<double>()};
    }
    profile.blunders = number("blunders");
    profile.blunders_to_mate = number("blunders_to_mate");
    for (std::size_t i = 1; i < kKindNames.size(); ++i) {
      profile.blunders_by_answer[i] =
          json.at("blunders_by_answer").at(std::string(kKindNames[i])).get<std::uint64_t>();
    }
    profile.recaptures = number("recaptures");
    profile.recaptures_missed = number("recaptures_missed");
    profile.mates = number("mates");
    profile.mates_missed = number("mates_missed");
    profile.won_endings = number("won_endings");
    profile.won_endings_won = number("won_endings_won");
    profile.played = number("played");
    profile.repeated = number("repeated");
  } catch (const nlohmann::json::exception& fault) {
    throw user_error(std::string("a level's profile cannot be read: ") + fault.what());
  }
  return profile;
}

}  // namespace cannonade
