#!/bin/sh
# Our engine with the shipped weights against Debian's fairy-stockfish (hand-crafted evaluation, one thread,
# 64 MB hash each) at 100 ms a move, refereed by our rules: benchmarks/peers/match.sh RULES GAMES [OUT.db]
set -eu
cd "$(dirname "$0")/../.."
rules=${1:?rules: janggi-kja, janggi-point-count or xiangqi-casual}
games=${2:?number of games}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ours.toml" <<TOML
name = "cannonade"
weights = "$PWD/configs/weights/{rules}.toml"
hash_mb = 64
TOML
# One game at a time for each core: both engines of a game think in turn.
build/bin/selfplay match --rules "$rules" --a "$folder/ours.toml" \
  --b configs/engines/fairy-stockfish.toml --games "$games" --movetime-ms 100 \
  --out "${3:-$folder/match.db}"
