#!/bin/sh
# Games a second at the same node limit: our engine against itself on one and two threads, and
# Debian's fairy-stockfish against itself through the same driver. Prints a table and the driver's
# efficiency on two threads.
#   benchmarks/peers/games.sh [GAMES] [NODES] [RULES...]
set -eu
cd "$(dirname "$0")/../.."
games=${1:-200}
nodes=${2:-1000}
[ $# -gt 2 ] && shift 2 || set -- janggi-kja janggi-point-count xiangqi-casual
selfplay=${SELFPLAY:-build/bin/selfplay}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT INT TERM
for seat in a b; do
  printf 'name = "ours %s"\nhash_mb = 8\n' $seat >"$folder/ours-$seat.toml"
  printf 'name = "fairy %s"\ncommand = "fairy-stockfish"\non_failure = "void"\n' $seat \
    >"$folder/fairy-$seat.toml"
done
rate() { # who, threads, rules
  "$selfplay" match --rules "$3" --a "$folder/$1-a.toml" --b "$folder/$1-b.toml" \
    --games "$games" --nodes "$nodes" --threads "$2" --allow-identical --quiet --json |
    sed 's/.*"games_per_second":\([0-9.e+-]*\).*/\1/'
}
echo "$games games at $nodes nodes a move; games a second"
printf '%-20s %10s %10s %10s %12s %8s\n' rules 'ours x1' 'ours x2' 'fairy x2' 'efficiency' 'ratio'
for rules in "$@"; do
  one=$(rate ours 1 "$rules")
  two=$(rate ours 2 "$rules")
  fairy=$(rate fairy 2 "$rules")
  awk -v r="$rules" -v a="$one" -v b="$two" -v f="$fairy" 'BEGIN {
    printf "%-20s %10.2f %10.2f %10.2f %12.3f %8.1f\n", r, a, b, f, b / (2 * a), b / f }'
done
