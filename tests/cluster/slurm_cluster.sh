# A Slurm cluster of two nodes on this machine, for tests; to be sourced by a bash script.
#
#   start_slurm DIR    starts munged, slurmctld and two slurmd in DIR, which must be new; exports
#                      SLURM_CONF. Anything that stands in the way ends the script with 77 (skipped)
#                      when a program is missing, with 1 when one does not start.
#   stop_slurm DIR     cancels the jobs and stops just those, by the numbers that they wrote down.
# Nothing outside DIR is touched: keys, sockets, state and logs are all in it.
# shellcheck shell=bash disable=SC2016

start_slurm() {
  local dir=$1 program port
  for program in munged slurmctld slurmd; do
    [ -x /usr/sbin/$program ] || {
      echo "skipped: no $program (Debian: apt-get install slurm-wlm munge)"
      exit 77
    }
  done
  mkdir -p "$dir"/{state,log,run,spool-n1,spool-n2}
  mkdir -m 0711 "$dir/munge"
  head -c 1024 /dev/urandom >"$dir/munge/key"
  chmod 0400 "$dir/munge/key"
  # --force: a folder of ours need not satisfy munged's idea of a system folder.
  /usr/sbin/munged --force --socket="$dir/munge/socket" --key-file="$dir/munge/key" \
    --pid-file="$dir/run/munged.pid" --log-file="$dir/log/munged.log" \
    --seed-file="$dir/munge/seed" 2>>"$dir/log/munged.err"
  port=$((20000 + $$ % 10000 * 3))
  sed -e "s|@DIR@|$dir|g" -e "s|@HOST@|$(hostname -s)|g" -e "s|@USER@|$(id -un)|g" \
    -e "s|@PORT0@|$port|" -e "s|@PORT1@|$((port + 1))|" -e "s|@PORT2@|$((port + 2))|" \
    "$(dirname "${BASH_SOURCE[0]}")/slurm.conf.in" >"$dir/slurm.conf"
  export SLURM_CONF=$dir/slurm.conf
  /usr/sbin/slurmctld
  /usr/sbin/slurmd -N n1
  /usr/sbin/slurmd -N n2
  wait_until 60 "both nodes to be idle" '[ "$(sinfo -h -N -t idle -o %N 2>/dev/null | sort -u | wc -l)" = 2 ]'
}

stop_slurm() {
  local dir=$1 name pid
  # Jobs first: their keepers only end once the controller has heard of it.
  if [ -s "$dir/run/slurmctld.pid" ]; then
    scancel --user="$(id -un)" 2>/dev/null || true
    wait_until 30 "jobs to be cancelled" '[ -z "$(squeue -h 2>/dev/null)" ]' || true
  fi
  for name in slurmd-n1 slurmd-n2 slurmctld munged; do
    [ -s "$dir/run/$name.pid" ] || continue
    pid=$(cat "$dir/run/$name.pid")
    kill "$pid" 2>/dev/null || continue
    for _ in $(seq 100); do
      kill -0 "$pid" 2>/dev/null || break
      sleep 0.1
    done
    if kill -0 "$pid" 2>/dev/null; then kill -9 "$pid"; fi
  done
}

# wait_until SECONDS WHAT CONDITION: fails the script when it takes longer.
wait_until() {
  local deadline=$((SECONDS + $1))
  until eval "$3"; do
    if [ $SECONDS -ge $deadline ]; then
      echo "FAILED: waited $1 s for $2" >&2
      return 1
    fi
    sleep 0.2
  done
}
