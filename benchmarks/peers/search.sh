#!/bin/sh
# Nodes a second of the search on the start positions, one thread, 64 MB hash: ours and fairy-stockfish's
# in turn, and the ratio of the medians: benchmarks/peers/search.sh [RUNS] [MILLISECONDS]
set -eu
cd "$(dirname "$0")/../.."
runs=${1:-5}
time=${2:-2000}
peer=$(command -v fairy-stockfish || echo /usr/games/fairy-stockfish)

# program, variant -> nps of one search
nps() {
  { printf 'setoption name UCI_Variant value %s\nsetoption name Hash value 64\nisready\nposition startpos\ngo movetime %s\n' "$2" "$time"
    sleep "$(awk "BEGIN { print $time / 1000 + 1 }")"; echo quit; } |
    $1 | awk '/ nps / { for (i = 1; i < NF; ++i) if ($i == "nps") n = $(i + 1) } END { print n }'
}
median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

for pair in "janggi-kja janggitraditional" "janggi-point-count janggi" "xiangqi-casual xiangqi"; do
  set -- $pair
  ours="" theirs=""
  for _ in $(seq "$runs"); do
    ours="$ours $(nps "build/bin/selfplay uci" "$1")"
    theirs="$theirs $(nps "$peer" "$2")"
  done
  a=$(printf '%s\n' $ours | median)
  b=$(printf '%s\n' $theirs | median)
  awk "BEGIN { printf \"%-20s ours %9d nps   fairy-stockfish %9d nps   ratio %.2f\n\", \"$1\", $a, $b, $a / $b }"
done
