#!/bin/bash
# The Slurm scripts of configs/cluster on a real Slurm: slurm_test.sh WORK_DIR BIN_DIR
#
# An array of 8 shards, one task of which is killed and requeued, merges to the run of one machine; a
# sequential match in rounds decides as on one machine and plays no round too many; a night over shards, whose head and one task are killed and requeued, ends with one machine's
# weights. Starts a cluster of its own (slurm_cluster.sh) and stops it, whatever happens.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
scripts=$here/../../configs/cluster
# shellcheck source=tests/cluster/slurm_cluster.sh
. "$here/slurm_cluster.sh"
# shellcheck source=tests/cluster/same_games.sh
. "$here/same_games.sh"
command -v sqlite3 >/dev/null || { echo "skipped: no sqlite3 (Debian: apt-get install sqlite3)"; exit 77; }
work=$1
export PATH=$2:$PATH
rm -rf "$work"
mkdir -p "$work"
cd "$work"
trap 'code=$?; stop_slurm "$work/slurm"; [ $code = 0 ] || tail -n 20 "$work"/*.out 2>/dev/null; exit $code' EXIT
start_slurm "$work/slurm"

state_of() { scontrol show job "$1" -o | grep -o ' JobState=[A-Z]*' | cut -d= -f2; }
# Slurm holds a requeued job back for two minutes; these need not wait.
requeue() {
  job=$1
  scontrol requeue "$job"
  wait_until 60 "job $job to be queued again" '[ "$(state_of "$job")" = PENDING ]'
  scontrol update "JobId=$job" StartTime=now
}
games_in() { sqlite3 -readonly "$1" 'SELECT count(*) FROM games' 2>/dev/null || echo 0; }

# generate: long enough a run for its third task to be met at work.
write_run_file run.toml 96 2000
selfplay generate --config run.toml --out whole.db --quiet --threads 1 >/dev/null
array=$(sbatch --parsable --array=1-8 "$scripts/slurm-generate.sh" run.toml shards)
wait_until 300 "shard 3 to have a game" '[ "$(games_in shards/shard-3.db)" -ge 1 ]'
kill -9 "$(grep -o '[0-9]*' shards/shard-3.db-lock | head -n 1)" # its writer's number
wait_until 60 "task 3 to be killed" '[ "$(state_of "${array}_3")" = FAILED ]'
[ "$(games_in shards/shard-3.db)" -lt 12 ] || { echo "FAILED: task 3 was killed too late"; exit 1; }
selfplay merge --out merged.db shards/shard-*.db >early.txt # half-finished shards do no harm
requeue "${array}_3"
wait_until 600 "the array to end" '[ -z "$(squeue -h)" ]'
scontrol show job "${array}_3" -o | grep -q 'Restarts=1' || { echo "FAILED: no restart"; exit 1; }
selfplay merge --out merged.db shards/shard-*.db >late.txt
selfplay merge --out merged.db shards/shard-*.db >again.txt
grep -q '^complete' late.txt && grep -q '(0 added, 96 already there)' again.txt
same_games whole.db merged.db
echo "array of 8 shards, task 3 killed and requeued: $(sed -n 1p late.txt)"

# match: the next round is submitted only while the merged prefix has not decided.
write_match_file match.toml
selfplay match --config match.toml --out whole-match.db --threads 1 --quiet --json >whole-match.json
round=1
until selfplay match --config match.toml --out match.db --judge --json >match.json 2>due.txt; do
  [ $? = 1 ] || { echo "FAILED: cannot judge"; exit 1; }
  grep -q "round $round is due" due.txt || { echo "FAILED: $(cat due.txt)"; exit 1; }
  sbatch --wait --array=1-4 --wrap "selfplay match --config match.toml --round $round --quiet \
    --threads 1 --shard \$SLURM_ARRAY_TASK_ID/4 --out match-\$SLURM_ARRAY_TASK_ID.db" >/dev/null
  selfplay merge --out match.db match-*.db >/dev/null
  round=$((round + 1))
done
for key in games verdict llr pentanomial; do
  there=$(grep -o "\"$key\":\(\[[^]]*\]\|[^,]*\)" whole-match.json | head -n 1)
  here=$(grep -o "\"$key\":\(\[[^]]*\]\|[^,]*\)" match.json | head -n 1)
  if [ -z "$there" ] || [ "$there" != "$here" ]; then
    echo "FAILED: $there on one machine, $here over shards"
    exit 1
  fi
done
grep -q '"verdict":"H' match.json
games=$(grep -o '"games":[0-9]*' match.json | head -n 1 | cut -d: -f2)
[ $((round - 1)) = $(((games + 9) / 10)) ] || { echo "FAILED: $((round - 1)) rounds for $games games"; exit 1; }
echo "match over 4 shards: decided after $games games in $((round - 1)) rounds of 10, as on one machine"

# overnight
write_night_file night.toml
tuner overnight --config night.toml --out whole-night --threads 1 --quiet >/dev/null
head=$(sbatch --parsable "$scripts/slurm-overnight.sh" night.toml night 8)
# Its first array is under way: a head that is run again takes back what it has submitted.
wait_until 60 "the first head to end" '[ "$(state_of "$head")" = COMPLETED ]'
requeue "$head"
wait_until 120 "the head to be run again" '[ "$(state_of "$head")" = COMPLETED ]'
scontrol show job "$head" -o | grep -q 'Restarts=1'
wait_until 300 "a shard of the night to be played" \
  'ls night/*/*/*.shards/*.db >/dev/null 2>&1 && [ -n "$(squeue -h -t R)" ]'
task=$(squeue -h -t R -o %i | grep _ | head -n 1 || true)
[ -z "$task" ] || requeue "$task"
wait_until 900 "the night to end" '[ -z "$(squeue -h)" ]'
for file in $(cd whole-night && find . -name '*.toml'); do cmp "whole-night/$file" "night/$file"; done
[ -s night/report.html ] && [ ! -e night/order.toml ]
echo "night over 8 shards: $(cd night && find . -name best.toml | wc -l) promoted as on one machine"
