#!/bin/sh
# A whole night on Slurm, its games dealt out to SHARDS tasks (see README.md):
#   sbatch configs/cluster/slurm-overnight.sh NIGHT.toml DIR SHARDS
# The head joins games, fits, judges and promotes; where games are due it submits an array that
# plays them and, to follow it, the next head. Submitted again, it goes on where it was.
#SBATCH --job-name=cannonade-night
#SBATCH --requeue --open-mode=append
set -eu
night=$1 dir=$2 shards=$3
mkdir -p "$dir"
if [ -n "${SLURM_ARRAY_TASK_ID:-}" ]; then
  # The lock lets a twin that is being cancelled end first.
  exec flock "$dir/shard-$SLURM_ARRAY_TASK_ID.lock" \
    tuner overnight --out "$dir" --shard "$SLURM_ARRAY_TASK_ID/$shards" \
    --threads "${SLURM_CPUS_ON_NODE:-1}" --quiet
fi
# One head at a time, and one chain: a head that is run or submitted again cancels whatever bears
# the night's name, which is what another head has submitted. (Some of it may be ending just now.)
exec 9>"$dir/head.lock"
flock 9
name=cannonade:$(realpath "$dir")
squeue --me --noheader --name="$name" --format=%F | grep -vx "$SLURM_JOB_ID" | xargs -r scancel || true
code=0
tuner overnight --config "$night" --out "$dir" --join --threads "${SLURM_CPUS_ON_NODE:-1}" \
  --quiet || code=$?
[ "$code" = 1 ] || exit "$code" # 1: games are due
# shellcheck disable=SC2086 # options are words
array=$(sbatch --parsable --job-name="$name" ${TASK_OPTIONS:-} --array="1-$shards" "$0" "$@")
# shellcheck disable=SC2086
sbatch --job-name="$name" ${HEAD_OPTIONS:-} --dependency="afterok:$array" "$0" "$@"
