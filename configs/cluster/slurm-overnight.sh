#!/bin/sh
# A whole night on Slurm, its games dealt out to SHARDS tasks (see README.md):
#   sbatch configs/cluster/slurm-overnight.sh NIGHT.toml DIR SHARDS
# The head joins games, fits, judges and promotes; where games are due it submits an array that
# plays them and, to follow it, the next head. Submitted again, it goes on where it was.
#SBATCH --job-name=cannonade-night
#SBATCH --requeue --open-mode=append
set -eu
night=$1 dir=$2 shards=$3
if [ -n "${SLURM_ARRAY_TASK_ID:-}" ]; then
  # The lock lets a twin that is being cancelled end first.
  exec flock "$dir/shard-$SLURM_ARRAY_TASK_ID.lock" \
    tuner overnight --out "$dir" --shard "$SLURM_ARRAY_TASK_ID/$shards" \
    --threads "${SLURM_CPUS_ON_NODE:-1}" --quiet
fi
mkdir -p "$dir"
# A head that is run again may have submitted its followers already.
[ "${SLURM_RESTART_COUNT:-0}" = 0 ] || xargs -r scancel <"$dir/followers" || true
code=0
tuner overnight --config "$night" --out "$dir" --join --threads "${SLURM_CPUS_ON_NODE:-1}" \
  --quiet || code=$?
[ "$code" = 1 ] || exit "$code" # 1: games are due
unset SLURM_RESTART_COUNT      # the followers inherit what is set, and they are no second try
# shellcheck disable=SC2086 # options are words
array=$(sbatch --parsable --hold ${TASK_OPTIONS:-} --array="1-$shards" "$0" "$@")
echo "$array" >"$dir/followers"
# shellcheck disable=SC2086
head=$(sbatch --parsable ${HEAD_OPTIONS:-} --dependency="afterok:$array" "$0" "$@")
echo "$array $head" >"$dir/followers"
scontrol release "$array"
