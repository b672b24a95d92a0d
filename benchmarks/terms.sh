#!/bin/sh
# What each term of the search is worth: our engine against itself without one term, the same nodes a move,
# a sequential test of 0 against 20 Elo: benchmarks/terms.sh RULES [GAMES] [NODES] [TERM...]
# A line a term: Elo of having it with the error, games, log-likelihood ratio, verdict.
set -eu
cd "$(dirname "$0")/.."
rules=${1:?rules: janggi-kja, janggi-point-count or xiangqi-casual}
games=${2:-1000}
nodes=${3:-1500}
[ $# -gt 3 ] && shift 3 || set -- aspiration table null_move reverse_futility internal_reduction \
  late_move_pruning history_pruning see_pruning singular reductions killers \
  continuation capture_history pass_bound repetition
selfplay=${SELFPLAY:-build/bin/selfplay}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
printf 'name = "whole"\nhash_mb = 8\n' >"$folder/whole.toml"
field() { sed 's/.*"'"$1"'":"*\([^",}]*\).*/\1/' "$folder/match.json"; }
printf '%-20s %8s %7s %6s %7s  %s\n' term elo error games llr verdict
for term; do
  printf 'name = "without %s"\nhash_mb = 8\nwithout = ["%s"]\n' "$term" "$term" >"$folder/part.toml"
  "$selfplay" match --rules "$rules" --a "$folder/whole.toml" --b "$folder/part.toml" --games "$games" \
    --nodes "$nodes" --sprt 0,20 ${THREADS:+--threads $THREADS} --quiet --json >"$folder/match.json"
  printf '%-20s %8.1f %7.1f %6d %7.2f  %s\n' "$term" "$(field elo)" "$(field elo_error)" "$(field played)" \
    "$(field llr)" "$(field verdict)"
done
