# What the cluster tests share; to be sourced.
# shellcheck shell=bash

# write_run_file FILE GAMES NODES
write_run_file() {
  printf 'weights = "material"\nhash_mb = 1\n' >engine.toml
  printf '%s\n' 'rules = "janggi-kja"' 'engines = "engine.toml"' "games = $2" 'seed = 11' \
    "nodes = $3" '[openings]' 'plies = 6' >"$1"
}

# A match that its test ends in its third round.
write_match_file() {
  printf '%s\n' 'weights = "material"' 'hash_mb = 1' '[limits]' 'nodes = 8' >weak.toml
  printf '%s\n' 'rules = "janggi-point-count"' 'a = "engine.toml"' 'b = "weak.toml"' 'games = 400' \
    'round_games = 10' 'nodes = 200' 'sprt = "0,100"' '[openings]' 'plies = 16' 'max_score = 0' >"$1"
}

# A generation whose test decides after a few rounds.
write_night_file() {
  printf '%s\n' 'title = "Cluster"' 'seed = 5' '[[job]]' 'kind = "tune"' \
    'rules = ["janggi-kja"]' 'generations = 1' \
    '[job.generate]' 'games = 60' 'nodes = 1000' \
    '[job.fit]' 'folds = 2' 'anchor_deviation = 20' \
    '[job.verify]' 'games = 200' 'round_games = 6' 'nodes = 50' 'elo0 = -200' 'elo1 = 0' >"$1"
}

# same_games A.db B.db: fails the script unless all that they export is the same, byte for byte.
same_games() {
  local format
  for format in pgn epd csv; do
    selfplay export "$1" --format $format --out "$1.$format" >/dev/null
    selfplay export "$2" --format $format --out "$2.$format" >/dev/null
    [ -s "$1.$format" ]
    cmp "$1.$format" "$2.$format"
  done
  # And every column of every game but the wall clock, whatever number a player has in which store.
  for store in "$1" "$2"; do
    sqlite3 -readonly "$store" "SELECT id, pair, first, first_hash, second, second_hash, winner, reason,
      nodes, note FROM game_list ORDER BY id; SELECT id, rules, hex(moves), hex(scores), by_points,
      first_points, second_points FROM games ORDER BY id" >"$store.columns"
  done
  cmp "$1.columns" "$2.columns"
}
