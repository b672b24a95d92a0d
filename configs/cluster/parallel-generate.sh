#!/bin/sh
# The games of a run file on a few machines over ssh, with GNU parallel (see README.md):
#   configs/cluster/parallel-generate.sh RUN.toml DIR SHARDS --sshlogin alpha,beta,:
# The same command again goes on: shards that are whole are not started again.
set -eu
run=$(realpath "$1") dir=$(mkdir -p "$2" && realpath "$2") shards=$3
shift 3
exec parallel "$@" --joblog "$dir/joblog" --resume-failed selfplay generate --config "$run" \
  --out "$dir/shard-{}.db" --shard "{}/$shards" --threads 1 --quiet ::: $(seq "$shards")
