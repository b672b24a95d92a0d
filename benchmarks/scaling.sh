#!/bin/bash
# How generate scales on this machine, and the constants of the model in README.md, "Scaling":
#   benchmarks/scaling.sh [GAMES] [NODES]        (4000 games of 50 nodes a turn)
#
# Threads of one process, then shards as processes of one thread each; what a game takes in the
# store; what merging costs. The processor's seconds are what a busy machine does not change much.
set -euo pipefail
export LC_ALL=C
games=${1:-4000} nodes=${2:-50}
bin=$(cd "$(dirname "$0")/.." && pwd)/build/bin
PATH=${BIN:-$bin}:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
printf 'weights = "default"\nhash_mb = 1\n' >engine.toml
printf '%s\n' 'rules = "janggi-kja"' 'engines = "engine.toml"' 'seed = 1' "games = $games" \
  "nodes = $nodes" '[openings]' 'plies = 8' >run.toml
TIMEFORMAT='%R %U %S'

# row NAME COMMAND...: wall seconds, games a second, and games a second of processor time.
row() {
  local name=$1 wall user sys
  shift
  read -r wall user sys < <({ time "$@" >/dev/null 2>&1; } 2>&1)
  awk -v n="$name" -v g="$games" -v w="$wall" -v u="$user" -v s="$sys" \
    'BEGIN { printf "| %s | %.1f | %.1f | %.1f |\n", n, w, g / w, g / (u + s) }'
}
generate() { selfplay generate --config run.toml --quiet "$@"; }
shards() {
  local i
  for i in $(seq "$1"); do generate --threads 1 --shard "$i/$1" --out "shard-$1-$i.db" & done
  wait
}

echo "$(nproc) cores, load $(cut -d' ' -f1 /proc/loadavg); $games games of $nodes nodes a turn"
echo "| | seconds | games a second | games a second of processor time |"
echo "|---|---|---|---|"
row "1 thread" generate --threads 1 --out 1.db
row "2 threads" generate --threads 2 --out 2.db
for n in 1 2 4 8; do row "$n shards" shards $n; done

bytes=$(stat -c %s 1.db)
plies=$(selfplay generate --config run.toml --out 1.db --quiet --json | grep -o '"plies":[0-9.]*' | head -n 1)
echo "store: $((bytes / games)) bytes a game ($plies)"
read -r _ start _ < <({ time generate --games 1 --threads 1 --out start.db >/dev/null 2>&1; } 2>&1)
echo "start of a process: $start s of processor time"
# Merging: into a new store, and again into the same, where all games are only compared.
for how in "a new store" "a store that has them"; do
  read -r wall user sys < <({ time selfplay merge --out all.db shard-8-*.db >/dev/null; } 2>&1)
  awk -v h="$how" -v g="$games" -v w="$wall" -v u="$user" -v s="$sys" 'BEGIN { printf \
    "merge into %s: %.0f s a million games (%.0f s of processor time)\n", h, w / g * 1e6, (u + s) / g * 1e6 }'
done
# What a shard costs that has hardly a game.
mkdir tiny
for i in $(seq 64); do generate --games 128 --threads 1 --shard "$i/64" --out "tiny/$i.db" >/dev/null; done
read -r wall user sys < <({ time selfplay merge --out tiny/all.db tiny/*.db >/dev/null; } 2>&1)
awk -v w="$wall" -v u="$user" -v s="$sys" \
  'BEGIN { printf "merge of 64 shards of 2 games: %.1f ms a shard (%.1f of processor time)\n", w / 64e-3, (u + s) / 64e-3 }'
