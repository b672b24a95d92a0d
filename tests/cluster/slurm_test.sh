#!/bin/bash
# The Slurm scripts of configs/cluster on a real Slurm: slurm_test.sh WORK_DIR BIN_DIR
# shellcheck disable=SC2016,SC2154 # conditions go to eval
#
# An array of 8 shards, one task of which is killed and requeued while another has a twin, merges to
# the run of one machine; a sequential match in rounds decides as on one machine and plays no round
# too many; a night over shards, whose head and one task are requeued and which is submitted twice
# too often, ends with one machine's weights. Starts a cluster of its own (slurm_cluster.sh) and
# stops it, whatever happens.
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

state_of() { scontrol show job "$1" -o | grep -o ' JobState=[A-Z_]*' | cut -d= -f2; }
# Slurm holds a requeued job back for as long as credentials live (slurm.conf(5), cred_expire: two
# minutes). What needs that time is the node: it takes the job for one that was killed when the new
# credential is of the same second as the kill, or older, and Slurm then calls the job failed. Seconds
# are counted whole, so the second after next is soon enough, and sure.
requeue() {
  wait_until 60 "Slurm to take job $1 back" "scontrol requeue $1"
  wait_until 60 "job $1 to be queued again" '[ "$(state_of '"$1"')" = PENDING ]'
  scontrol update "JobId=$1" StartTime=now+2
}
# finish JOB: waits for its end, which has to be a good one.
finish() {
  local state
  wait_until 120 "job $1 to end" 'state=$(state_of '"$1"'); [[ ! $state =~ ^(|PENDING|CONFIGURING|RUNNING|COMPLETING)$ ]]'
  [ "$state" = COMPLETED ] || { echo "FAILED: job $1 has $state"; scontrol show job "$1"; exit 1; }
}
none_failed() {
  local failed
  failed=$(scontrol show job -o | grep -v ' JobState=\(COMPLETED\|CANCELLED\) ' || true)
  [ -z "$failed" ] || { echo "FAILED: $failed"; exit 1; }
}
games_in() { sqlite3 -readonly "$1" 'SELECT count(*) FROM games' 2>/dev/null || echo 0; }

# generate: long enough a run for its third task to be met at work.
write_run_file run.toml 96 2000
selfplay generate --config run.toml --out whole.db --quiet --threads 1 >/dev/null
# The first one has a twin at work, as on a node that Slurm has lost and run again elsewhere.
SLURM_ARRAY_TASK_ID=1 "$scripts/slurm-generate.sh" run.toml shards 8 >/dev/null &
wait_until 60 "the first task's twin to be at work" '[ -s shards/shard-1.db-lock ]'
array=$(sbatch --parsable --array=1-8 "$scripts/slurm-generate.sh" run.toml shards)
wait_until 300 "shard 3 to have a game" '[ "$(games_in shards/shard-3.db)" -ge 1 ]'
kill -9 "$(grep -o '[0-9]*' shards/shard-3.db-lock | head -n 1)" # its writer's number
wait_until 60 "task 3 to be killed" '[ "$(state_of "${array}_3")" = FAILED ]'
[ "$(games_in shards/shard-3.db)" -lt 12 ] || { echo "FAILED: task 3 was killed too late"; exit 1; }
selfplay merge --out merged.db shards/shard-*.db >early.txt # half-finished shards do no harm
requeue "${array}_3"
wait_until 600 "the array to end" '[ -z "$(squeue -h)" ]'
none_failed
scontrol show job "${array}_3" -o | grep -q ' Restarts=1 ' || { echo "FAILED: no restart"; exit 1; }
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
  joined=$(grep -o "\"$key\":\(\[[^]]*\]\|[^,]*\)" match.json | head -n 1)
  if [ -z "$there" ] || [ "$there" != "$joined" ]; then
    echo "FAILED: $there on one machine, $joined over shards"
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
submit() { sbatch --parsable "$scripts/slurm-overnight.sh" night.toml night 8; }
# Two jobs, and none of those that were cancelled: an array and the head to follow it.
one_chain() {
  local before=${followers:-none}
  followers=$(squeue -h -o %F --name="cannonade:$work/night" | sort -u)
  [ "$(wc -w <<<"$followers")" = 2 ] || { echo "FAILED: not one chain:"; squeue; exit 1; }
  ! grep -qxF "$before" <<<"$followers" || { echo "FAILED: the old chain goes on:"; squeue; exit 1; }
}
export TASK_OPTIONS=--partition=q # where tasks wait for now
head=$(submit)
finish "$head"
one_chain
# Whether run again or submitted again, and be it twice at once: there is one chain.
requeue "$head"
finish "$head"
scontrol show job "$head" -o | grep -q ' Restarts=1 ' || { echo "FAILED: no restart of the head"; exit 1; }
one_chain
one=$(submit) other=$(submit)
finish "$one"
finish "$other"
one_chain
scontrol update PartitionName=q State=UP
wait_until 300 "a shard of the night to be played" \
  'task=$(squeue -h -t R -o %i | grep -m 1 _) && ls night/*/*/*.shards/*.db >/dev/null 2>&1'
requeue "$task"
wait_until 900 "the night to end" '[ -z "$(squeue -h)" ]'
scontrol show job "$task" -o | grep -q ' Restarts=1 ' || { echo "FAILED: no restart of a task"; exit 1; }
for file in $(cd whole-night && find . -name '*.toml'); do cmp "whole-night/$file" "night/$file"; done
[ -s night/report.html ] && [ ! -e night/order.toml ]
none_failed
# After all is done a head that is run again finds nothing to do.
requeue "$head"
finish "$head"
[ -z "$(squeue -h)" ]
echo "night over 8 shards: $(cd night && find . -name best.toml | wc -l) promoted as on one machine"
