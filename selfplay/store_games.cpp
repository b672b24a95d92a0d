#include "selfplay/store_games.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "core/base/files.h"
#include "selfplay/game_codec.h"
#include "selfplay/store_columns.h"
#include "selfplay/store_schema.h"

namespace cannonade {
namespace {

constexpr std::int64_t kMaxPointsHalves = 10'000;

// A blob of no bytes needs an address all the same: SQLite takes a null pointer for NULL.
void bind_blob(SQLite::Statement& statement, int index, const std::string& blob) {
  statement.bindNoCopy(index, static_cast<const void*>(blob.data()), static_cast<int>(blob.size()));
}

// Of a game as it is stored: `moves` and `scores` are its blobs.
std::int64_t checksum_of(const GameRecord& game, std::string_view moves, std::string_view scores,
                         std::string_view note) {
  const auto& winner = game.outcome.winner;
  std::string all =
      fmt::format("{} {} {} {} {} {} {} {} {} ", game.id, game.pair, game.opening_plies,
                  !winner                   ? 0
                  : *winner == Side::kFirst ? 1
                                            : -1,
                  game.outcome.by_points ? 1 : 0, game.points_halves[0], game.points_halves[1],
                  game.nodes, game.milliseconds);
  for (const std::string_view text :
       {std::string_view(game.rules), std::string_view(game.start_fen),
        std::string_view(game.players[0]), std::string_view(game.player_hashes[0]),
        std::string_view(game.players[1]), std::string_view(game.player_hashes[1]), moves, scores,
        reason_name(game.outcome.reason), note}) {
    all += std::to_string(text.size());  // so that no text runs over into the next
    all += ' ';
    all += text;
  }
  return static_cast<std::int64_t>(fingerprint(all));
}

std::string_view as_text(std::span<const std::uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

std::string why_not_storable(const GameRecord& game) {
  if (game.moves.size() > kMaxStoredPlies) return "it is too long";
  if (game.scores.size() != game.moves.size()) return "not one score a turn";
  if (game.opening_plies < 0 || static_cast<std::size_t>(game.opening_plies) > game.moves.size()) {
    return "its opening is longer than the game";
  }
  for (const Move move : game.moves) {
    if (!move || move.from() >= kSquares || move.to() >= kSquares) return "a turn off the board";
  }
  for (const std::string* text : {&game.rules, &game.start_fen, &game.players[0], &game.players[1],
                                  &game.player_hashes[0], &game.player_hashes[1]}) {
    if (text->size() > kMaxName) return "a name is too long";
  }
  for (const int halves : game.points_halves) {
    if (halves < 0 || halves > kMaxPointsHalves) return "its points cannot be";
  }
  if (game.pair > kMaxGameId || game.nodes > static_cast<std::uint64_t>(INT64_MAX) ||
      game.milliseconds < 0) {
    return "its pair, nodes or time cannot be";
  }
  return {};
}

void GameWriter::forget() {
  players_.clear();
  insert_.reset();
}

std::int64_t GameWriter::player(const std::string& name, const std::string& hash) {
  const std::pair<std::string, std::string> key(name, hash);
  if (const auto known = players_.find(key); known != players_.end()) return known->second;
  SQLite::Statement add(database_,
                        "INSERT INTO players (name, hash) VALUES (?1, ?2) ON CONFLICT DO NOTHING");
  add.bind(1, name);
  add.bind(2, hash);
  add.exec();
  SQLite::Statement query(database_, "SELECT number FROM players WHERE name = ?1 AND hash = ?2");
  query.bind(1, name);
  query.bind(2, hash);
  if (!query.executeStep()) throw internal_error("the store did not keep a player");
  constexpr std::size_t kCached = 1000;  // people's games have new players all the time
  if (players_.size() >= kCached) players_.clear();
  return players_[key] = query.getColumn(0).getInt64();
}

void GameWriter::insert(const GameRecord& game) {
  const std::string moves = encode_moves(game.moves);
  const std::string scores = encode_scores(game.scores);
  const std::string note = game.note.substr(0, kMaxStoredNote);
  const std::string reason(reason_name(game.outcome.reason));
  const auto& winner = game.outcome.winner;
  if (!insert_) {
    insert_.emplace(database_,
                    "INSERT INTO games VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12,"
                    " ?13, ?14, ?15, ?16, ?17, ?18)");
  }
  const std::int64_t first = player(game.players[0], game.player_hashes[0]);
  const std::int64_t second = player(game.players[1], game.player_hashes[1]);
  SQLite::Statement& row = *insert_;
  row.bind(1, static_cast<std::int64_t>(game.id));
  row.bind(2, static_cast<std::int64_t>(game.pair));
  row.bindNoCopy(3, game.rules);
  row.bindNoCopy(4, game.start_fen);
  row.bind(5, game.opening_plies);
  row.bind(6, first);
  row.bind(7, second);
  bind_blob(row, 8, moves);
  bind_blob(row, 9, scores);
  row.bind(10, !winner ? 0 : *winner == Side::kFirst ? 1 : -1);
  row.bindNoCopy(11, reason);
  row.bind(12, game.outcome.by_points ? 1 : 0);
  row.bind(13, game.points_halves[0]);
  row.bind(14, game.points_halves[1]);
  row.bind(15, static_cast<std::int64_t>(game.nodes));
  row.bind(16, game.milliseconds);
  row.bindNoCopy(17, note);
  row.bind(18, checksum_of(game, moves, scores, note));
  row.exec();
  row.reset();
}

GameReader::Impl::Impl(SQLite::Database& database, std::filesystem::path store,
                       std::uint64_t planned, Shard part)
    : path(std::move(store)),
      games(planned),
      shard(part),
      query(database,
            "SELECT g.id, g.pair, g.rules, g.start_fen, g.opening_plies, a.name, a.hash, b.name,"
            " b.hash, g.moves, g.scores, g.winner, g.reason, g.by_points, g.first_points,"
            " g.second_points, g.nodes, g.milliseconds, g.note, g.checksum FROM games g"
            " LEFT JOIN players a ON a.number = g.first"
            " LEFT JOIN players b ON b.number = g.second"
            " WHERE g.id >= ?1 AND g.id < ?2 ORDER BY g.id") {}

GameReader::GameReader(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
GameReader::~GameReader() = default;
GameReader::GameReader(GameReader&&) noexcept = default;
GameReader& GameReader::operator=(GameReader&&) noexcept = default;

bool GameReader::next(GameRecord& game) {
  Impl& impl = *impl_;
  if (impl.done) return false;
  try {
    if (!impl.query.executeStep()) {
      impl.done = true;
      impl.query.reset();  // lets go of the snapshot
      return false;
    }
  } catch (const SQLite::Exception& error) {
    throw store_error(impl.path, "read", error);
  }
  const std::function<std::string()> where = [&] {
    return fmt::format("{}: game {}", impl.path.string(), impl.query.getColumn(0).getInt64());
  };
  const Columns row(impl.query, where);
  constexpr auto kLargestId = static_cast<std::int64_t>(kMaxGameId);
  game.id = static_cast<std::uint64_t>(row.integer(0, 0, kLargestId, "id"));
  if (game.id >= impl.games || !impl.shard.owns(game.id)) row.refuse("it is not of this run");
  game.pair = static_cast<std::uint64_t>(row.integer(1, 0, kLargestId, "pair"));
  row.text(2, kMaxName, "rule set", game.rules);
  row.text(3, kMaxName, "start", game.start_fen);
  row.text(5, kMaxName, "first player", game.players[0]);
  row.text(6, kMaxName, "first player's hash", game.player_hashes[0]);
  row.text(7, kMaxName, "second player", game.players[1]);
  row.text(8, kMaxName, "second player's hash", game.player_hashes[1]);
  const std::span<const std::uint8_t> moves = row.blob(9, 2 * kMaxStoredPlies, "moves");
  const std::span<const std::uint8_t> scores = row.blob(10, 2 * kMaxStoredPlies, "scores");
  std::string wrong = decode_moves(moves, game.moves);
  if (wrong.empty()) wrong = decode_scores(scores, game.moves.size(), game.scores);
  if (!wrong.empty()) row.refuse(wrong);
  game.opening_plies = static_cast<int>(
      row.integer(4, 0, static_cast<std::int64_t>(game.moves.size()), "number of opening turns"));
  const std::int64_t winner = row.integer(11, -1, 1, "winner");
  game.outcome.winner = winner == 0   ? std::nullopt
                        : winner == 1 ? std::optional(Side::kFirst)
                                      : std::optional(Side::kSecond);
  row.text(12, kMaxName, "reason", impl.text);
  const Expected<Reason> reason = parse_reason(impl.text);
  if (!reason) row.refuse(reason.error());
  game.outcome.reason = *reason;
  game.outcome.by_points = row.integer(13, 0, 1, "by_points") == 1;
  game.points_halves[0] = static_cast<int>(row.integer(14, 0, kMaxPointsHalves, "points"));
  game.points_halves[1] = static_cast<int>(row.integer(15, 0, kMaxPointsHalves, "points"));
  game.nodes = static_cast<std::uint64_t>(row.integer(16, 0, INT64_MAX, "nodes"));
  game.milliseconds = row.integer(17, 0, INT64_MAX, "time");
  row.text(18, kMaxStoredNote, "note", game.note);
  const std::int64_t checksum = row.integer(19, INT64_MIN, INT64_MAX, "checksum");
  if (checksum != checksum_of(game, as_text(moves), as_text(scores), game.note)) {
    row.refuse("it is not as it was written: the file is damaged");
  }
  return true;
}

}  // namespace cannonade
