#!/bin/sh
# The games of a run file on Slurm, a store a task (see README.md):
#   sbatch --array=1-200 configs/cluster/slurm-generate.sh RUN.toml DIR [SHARDS]
# SHARDS is for playing a few of them again: sbatch --array=7,12 ... RUN.toml DIR 200
#SBATCH --job-name=cannonade-generate
#SBATCH --requeue --open-mode=append
set -eu
mkdir -p "$2"
# The lock lets a twin end first, on a node that Slurm has given up, say.
exec flock "$2/shard-$SLURM_ARRAY_TASK_ID.lock" \
  selfplay generate --config "$1" --out "$2/shard-$SLURM_ARRAY_TASK_ID.db" \
  --shard "$SLURM_ARRAY_TASK_ID/${3:-$SLURM_ARRAY_TASK_COUNT}" \
  --threads "${SLURM_CPUS_ON_NODE:-1}" --quiet
