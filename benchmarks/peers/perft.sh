#!/bin/bash
# Perft, ours and fairy-stockfish's in turn, one thread each: nodes per second of processor time,
# start-up taken off, medians of RUNS runs and their ratio. The peer lists and counts the last ply;
# ours is asked for the same, and for the other two ways beside it.
#   benchmarks/peers/perft.sh [RUNS]
# SELFPLAY names another program, PEER another peer, ONLY a pattern of rows.
#
# Base starts at depth 5, and the middle games of tests/data with the most turns. In janggi the
# peer's counts are its own rules' (it has no turns that stay facing, and a double pass ends its
# tree), so each side is measured by what it counted itself.
set -euo pipefail
cd "$(dirname "$0")/../.."
runs=${1:-5}
selfplay=${SELFPLAY:-build/bin/selfplay}
peer=${PEER:-$(command -v fairy-stockfish || echo /usr/games/fairy-stockfish)}
only=${ONLY:-.}
TIMEFORMAT='%U %S'

# Runs a command, prints "nodes seconds" of processor time.
measure() {
  local times
  { times=$({ time "$@" >"$output" 2>/dev/null; } 2>&1); } </dev/null
  awk -v times="$times" '
    /^Nodes searched:/ { nodes = $3 } /^nodes [0-9]+$/ { nodes = $2 }
    END { split(times, t, " "); printf "%.0f %.3f\n", nodes, t[1] + t[2] }' "$output"
}
ours() { measure "$selfplay" perft --rules "$1" --fen "$2" --depth "$3" --leaves "$4"; }
ask_peer() { # variant, fen, depth
  printf 'setoption name UCI_Variant value %s\nposition fen %s\ngo perft %s\nquit\n' "$@" | "$peer"
}
theirs() { measure ask_peer "$@"; }

# Lines of "nodes seconds" and the start-up's seconds -> million nodes a second: median, and nodes.
median_rate() {
  awk -v start="$1" '{ t = $2 - start; print $1 / (t > 0.001 ? t : 0.001) / 1e6, $1 }' |
    sort -n | awk '{ rate[NR] = $1; nodes = $2 } END { printf "%.1f %.0f\n", rate[int((NR + 1) / 2)], nodes }'
}
# The least of five starts without any tree to speak of.
startup() { for _ in 1 2 3 4 5; do "$@"; done | awk '{ print $2 }' | sort -n | head -1; }

output=$(mktemp)
trap 'rm -f "$output"' EXIT
printf 'million nodes a second of processor time, medians of %d runs\n' "$runs"
printf '%-30s %6s %12s %12s %8s %8s %7s %9s %8s\n' \
  position depth nodes 'peer nodes' listed peer ratio counted made
row() { # name, rules, variant, fen, depth
  [[ $1 =~ $only ]] || return 0
  local start_ours start_peer listed="" counted="" made="" fairy=""
  start_ours=$(startup ours "$2" "$4" 1 listed)
  start_peer=$(startup theirs "$3" "$4" 1)
  for _ in $(seq "$runs"); do
    listed+=$(ours "$2" "$4" "$5" listed)$'\n'
    fairy+=$(theirs "$3" "$4" "$5")$'\n'
    counted+=$(ours "$2" "$4" "$5" counted)$'\n'
    made+=$(ours "$2" "$4" "$5" made)$'\n'
  done
  rate() { printf '%s' "$1" | median_rate "$2"; }
  printf '%s %s %s %s %s %s\n' "$1" "$5" "$(rate "$listed" "$start_ours")" \
    "$(rate "$fairy" "$start_peer")" "$(rate "$counted" "$start_ours")" \
    "$(rate "$made" "$start_ours")" |
    awk '{ printf "%-30s %6d %12d %12d %8.1f %8.1f %7.1f %9.1f %8.1f\n",
           $1, $2, $4, $6, $3, $5, $3 / $5, $7, $9 }'
}

row janggi-start janggi-kja janggitraditional \
  'rnba1abnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBA1ABNR w - - 0 1' 5
row xiangqi-start xiangqi-casual xiangqi \
  'rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1' 5
# The three middle games (14 to 30 pieces) of each game with the largest trees.
number=0
while IFS=$'\t' read -r rules fen _; do
  variant=xiangqi
  [[ $rules == janggi* ]] && variant=janggitraditional
  row "${rules%%-*}-middle-$((++number))" "$rules" "$variant" "$fen" 5
done < <(for game in janggi xiangqi; do
  awk -F'\t' -v game="$game" 'NR > 1 && index($1, game) == 1 && $3 == 4 {
    pieces = $2; sub(/ .*/, "", pieces); gsub(/[^A-Za-z]/, "", pieces)
    if (length(pieces) >= 14 && length(pieces) <= 30) print $1 "\t" $2 "\t" $4 }' \
    tests/data/perft.tsv | sort -t$'\t' -k3 -rn | head -3
done)
