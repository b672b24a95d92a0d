#!/bin/sh
# A run of games under what a long night may bring: `selfplay generate` at two threads, with an
# outside engine among the players, stopped at random moments (SIGINT, SIGTERM, kill -9), resumed,
# its plan raised, and its disk full in between. Watches memory and descriptors, and at the end
# whether the store is whole and what an uninterrupted run would have made it.
#
#   sh tests/soak.sh [MINUTES=30] [FOLDER]
#
# FOLDER is new or empty and is kept; without it a temporary one is taken and removed. Environment:
# SELFPLAY names the program (build/bin/selfplay), SEED what is drawn. Needs sqlite3. As root the
# store lies on a small file system of its own, which is filled up; otherwise the process meets a
# limit on the size of its files. Prints a table; exit code 0, or 1 with a line for every fault.
set -u
minutes=${1:-30}
case $minutes in '' | *[!0-9]* | 0) echo "soak.sh: MINUTES is a whole number from 1" >&2; exit 2 ;; esac
here=$(cd "$(dirname "$0")/.." && pwd)
selfplay=${SELFPLAY:-$here/build/bin/selfplay}
[ -x "$selfplay" ] || { echo "soak.sh: no program $selfplay (SELFPLAY names another)" >&2; exit 2; }
command -v sqlite3 >/dev/null || { echo "soak.sh: needs sqlite3" >&2; exit 2; }
draw=${SEED:-$(date +%s)}

keep=yes
folder=${2:-}
[ -n "$folder" ] || { keep=no; folder=$(mktemp -d); }
mkdir -p "$folder" || exit 2
folder=$(cd "$folder" && pwd)
[ -z "$(ls -A "$folder")" ] || { echo "soak.sh: $folder is not empty" >&2; exit 2; }

pid=
mounted=no
clean_up() {
  [ -z "$pid" ] || kill -9 "$pid" 2>/dev/null
  if [ "$mounted" = yes ]; then
    [ "$keep" = no ] || cp "$disk"/run.db* "$folder" 2>/dev/null
    umount "$disk" 2>/dev/null
  fi
  [ "$keep" = yes ] || rm -rf "$folder"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

disk=$folder/disk
mkdir "$disk"
full_by=limit
if [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=256m soak "$disk" 2>/dev/null; then
  mounted=yes
  full_by=disk
fi
store=$disk/run.db

# A name of their own tells the outside engine's processes from everybody else's.
ln -s "$selfplay" "$folder/outside-engine"
printf 'weights = "material"\nhash_mb = 1\n' >"$folder/ours.toml"
printf 'command = ["%s", "uci"]\n[options]\nHash = 1\n' "$folder/outside-engine" >"$folder/outside.toml"
cat >"$folder/run.toml" <<END
rules = "janggi-kja"
engines = ["ours.toml", "outside.toml"]
games = 100
seed = 11
nodes = 10
power_loss_games = 50
[openings]
plies = 6
[adjudication]
max_plies = 60
END

say() { printf '%s\n' "$*" >&2; }
faults=0
fault() { faults=$((faults + 1)); printf 'FAULT: %s\n' "$*"; }
random() { # a number below $1, in $drawn; not of a subshell, which would draw the same again
  draw=$(((draw * 1103515245 + 12345) % 2147483648))
  drawn=$((draw / 65536 % $1))
}
now() { # since the machine started: seconds in $time, hundredths in $ticks
  read -r time _ </proc/uptime
  ticks=${time%.*}${time#*.}
  time=${time%.*}
}

# Games in the store and its health, by a copy: a look at the store itself would mend it before the
# program has to.
examine() {
  rm -f "$folder"/copy.db*
  for suffix in "" -wal; do
    [ ! -e "$store$suffix" ] || cp "$store$suffix" "$folder/copy.db$suffix"
  done
  health=$(sqlite3 "$folder/copy.db" 'PRAGMA quick_check' 2>&1)
  [ "$health" = ok ] || fault "the store is damaged after $1: $health"
  count=$(sqlite3 "$folder/copy.db" 'SELECT count(*) FROM games' 2>/dev/null) || count=0
  rm -f "$folder"/copy.db*
  [ "$count" -ge "$games" ] || fault "$games games became $count after $1"
  games=$count
}

# One line: seconds, heap (anonymous memory), resident memory, descriptors, threads, and heap and
# descriptors of the engine's processes; in KiB. By the shell alone: on a busy machine a look must
# not take longer than the pause between two.
sample() {
  now
  at=$time
  look "$pid"
  line="$((at - began)) $heap $resident $files"
  theirs=0
  their_files=0
  threads=0
  children=
  for task in /proc/"$pid"/task/*; do
    threads=$((threads + 1))
    some=
    read -r some <"$task/children"
    children="$children $some"
  done
  for child in $children; do
    look "$child"
    theirs=$((theirs + heap))
    their_files=$((their_files + files))
  done
  printf '%s %d %d %d\n' "$line" "$threads" "$theirs" "$their_files"
}
look() {
  heap=0
  resident=0
  while read -r key value _; do
    case $key in Rss:) resident=$value ;; Anonymous:) heap=$value ;; esac
  done <"/proc/$1/smaps_rollup"
  files=0
  for _ in /proc/"$1"/fd/*; do files=$((files + 1)); done
}

start() { # the process, with a plan of $1 games
  now
  began=$time
  began_ticks=$ticks
  "$selfplay" generate --config "$folder/run.toml" --out "$store" --threads 2 --games "$1" \
    >>"$folder/output.txt" 2>"$folder/errors.txt" &
  pid=$!
}

# Waits for the end and compares the exit code with those allowed; no process may be left behind.
finish() { # what, then the codes
  what=$1
  shift
  wait "$pid" 2>/dev/null
  code=$?
  pid=
  case " $* " in
    *" $code "*) ;;
    *) fault "exit code $code after $what, not $*: $(tail -n 2 "$folder/errors.txt")" ;;
  esac
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    left=$(grep -la "$folder/[o]utside-engine" /proc/[0-9]*/cmdline 2>/dev/null)
    [ -n "$left" ] || return
    sleep 1
  done
  fault "processes are left behind after $what: $left"
}

measure_rate() { # games a second, of the session before; few games say nothing
  [ $((games - before)) -lt 20 ] ||
    rate=$(((games - before) * 100 / (ended_ticks - began_ticks + 1) + 1))
}

# Runs for $1 seconds and ends it by signal $2. The plan is raised so that it hardly comes to its
# end before, and the last session still can.
segment() {
  seconds=$1
  signal=$2
  before=$games
  plan=$((games + rate * seconds * (seconds > 10 ? 14 : 30) / 10 + 10))
  [ "$plan" -gt "$planned" ] && planned=$plan
  start "$planned"
  samples=$folder/samples.txt
  : >"$samples"
  while now && [ $((time - began)) -lt "$seconds" ] && kill -0 "$pid" 2>/dev/null; do
    # What ends in the midst of a look leaves no line.
    line=$(sample 2>/dev/null) && printf '%s\n' "$line" >>"$samples"
    sleep "$pause"
  done
  # Not on the second: some part of one more.
  random 10
  sleep "0.$drawn"
  kill -"$signal" "$pid" 2>/dev/null
  case $signal in INT) expected=130 ;; TERM) expected=143 ;; *) expected=137 ;; esac
  finish "SIG$signal" "$expected" 0
  now
  lasted=$((time - began))
  [ "$code" = 0 ] || eval "n_$signal=\$((n_$signal + 1))"
  sessions=$((sessions + 1))
  ended_ticks=$ticks
  examine "SIG$signal"
  measure_rate
  judge
}

# Memory and descriptors of the session that was sampled: everything after the first part of it
# ($warm seconds) against what stood then. Sessions too short for that are not looked at.
judge() {
  [ "$lasted" -ge $((3 * warm)) ] || return 0
  result=$(awk -v warm="$warm" '
    $1 < warm { next }
    { n++; for (i = 2; i <= 7; i++) { v[i, n] = $i } }
    # The middle one of the first five stands for the start; what follows is taken at its most.
    function start(i,   k, j, a, t) {
      for (k = 1; k <= 5; k++) a[k] = v[i, k]
      for (k = 1; k <= 5; k++) for (j = k + 1; j <= 5; j++) if (a[j] < a[k]) { t = a[k]; a[k] = a[j]; a[j] = t }
      return a[3]
    }
    function most(i, from,   k, m) { m = 0; for (k = from; k <= n; k++) if (v[i, k] > m) m = v[i, k]; return m }
    function growth(i) { return start(i) > 0 ? 100 * (most(i, 6) - start(i)) / start(i) : 0 }
    END {
      if (n < 8) exit
      printf "%d %.2f %d %.2f %d %.2f %d %d %d %d %d\n", start(2), growth(2), start(3), growth(3),
             start(6), growth(6), start(4), most(4, 6), start(7), most(7, 6), most(5, 1)
    }' "$samples")
  [ -n "$result" ] || return 0
  watched=$((watched + lasted))
  echo "$lasted $result" >>"$folder/sessions.txt"
  # shellcheck disable=SC2086
  set -- $result
  for part in "heap $2" "resident memory $4" "the engine's heap $6"; do
    awk -v g="${part##* }" 'BEGIN { exit !(g > 5) }' &&
      fault "${part% *} grew by ${part##* } % in a session of $lasted s"
  done
  [ "$8" -le "$7" ] || fault "descriptors grew from $7 to $8 in a session of $lasted s"
  [ "${10}" -le "$9" ] || fault "the engine's descriptors grew from $9 to ${10} in $lasted s"
}

# The disk runs full under a session, stays so for another one, and has room again.
full_disk() {
  ballast=$disk/ballast
  planned=$((planned + rate * 30 + 50))
  if [ "$full_by" = disk ]; then
    start "$planned"
    sleep 2
    dd if=/dev/zero of="$ballast" bs=64k 2>/dev/null
    what="a full disk"
  else
    # In blocks of 512 bytes: 1 MiB. The signal is not the program's to die of.
    (
      trap '' XFSZ
      ulimit -f 2048 || exit 99
      exec "$selfplay" generate --config "$folder/run.toml" --out "$store" --threads 2 \
        --games "$planned" >>"$folder/output.txt" 2>"$folder/errors.txt"
    ) &
    pid=$!
    what="files that may not grow"
  fi
  ( sleep 120; kill -9 "$pid" 2>/dev/null ) &
  guard=$!
  finish "$what" 3
  lines=$(wc -l <"$folder/errors.txt")
  grep -q "what was committed before is kept" "$folder/errors.txt" ||
    fault "$what is not told: $(cat "$folder/errors.txt") ($lines lines)"
  kill "$guard" 2>/dev/null
  wait "$guard" 2>/dev/null
  examine "$what"
  if [ "$full_by" = disk ]; then
    start "$planned"
    finish "a start on a full disk" 3
    rm -f "$ballast"
    examine "a start on a full disk"
  fi
  n_full=$((n_full + 1))
}

games=0
planned=0
rate=2
sessions=0
watched=0
n_INT=0
n_TERM=0
n_KILL=0
n_full=0
: >"$folder/sessions.txt"
all=$((60 * minutes))
warm=$((all / 15))
[ "$warm" -le 120 ] || warm=120
pause=$((minutes >= 5 ? 2 : 1))
long=$((warm < 8 ? 24 : 4 * warm))
now
end=$((time + all))
say "soak: $minutes min, store in $store, SEED=$draw, full by $full_by"

before=0
start 100
finish "the first session" 0
now
ended_ticks=$ticks
planned=100
examine "the first session"
measure_rate
while now && [ "$time" -lt "$end" ]; do
  for signal in INT TERM KILL; do
    now
    rest=$((end - time))
    [ "$rest" -gt 0 ] || break
    # One that is long enough to watch, then a few short ones, of which none may lose a game.
    [ "$rest" -lt $((3 * warm)) ] || segment $((rest < long ? rest : long)) "$signal"
    for _ in 1 2 3; do
      random 3
      case $drawn in 0) short=INT ;; 1) short=TERM ;; *) short=KILL ;; esac
      random 6
      segment "$drawn" "$short"
    done
    full_disk
    now
    say "soak: $((all - end + time)) s, $games games, $faults faults"
  done
done

# To the end of the plan: ids 0 to the plan, each once.
start "$planned"
finish "the last session" 0
examine "the last session"
say "soak: complete, now the comparison"
[ "$games" = "$planned" ] || fault "$games games of $planned after the last session"
ids=$(sqlite3 "$store" 'SELECT count(DISTINCT id) || " " || min(id) || " " || max(id) FROM games')
[ "$ids" = "$planned 0 $((planned - 1))" ] || fault "ids (number, least, largest) are $ids of $planned"
health=$(sqlite3 "$store" 'PRAGMA integrity_check; PRAGMA foreign_key_check')
[ "$health" = ok ] || fault "the store is damaged at the end: $health"
left=$(ls "$disk" | grep -vx run.db)
[ -z "$left" ] || fault "beside the store is left: $left"

# A shard of the same run, played in one go by one thread: games from all over the plan.
shards=$((planned / 300 + 1))
part=$folder/part.db
random "$shards"
"$selfplay" generate --config "$folder/run.toml" --out "$part" --threads 1 --games "$planned" \
  --shard "$((drawn + 1))/$shards" >>"$folder/output.txt" 2>"$folder/errors.txt" ||
  fault "the uninterrupted shard failed: $(cat "$folder/errors.txt")"
what="id, pair, rules, first, first_hash, second, second_hash, start_fen, opening_plies, winner, reason,
      by_points, first_points, second_points, nodes, note"
compared=$(sqlite3 "$part" 'SELECT count(*) FROM games')
different=$(sqlite3 "$part" "ATTACH '$store' AS whole;
  SELECT count(*) FROM (SELECT $what FROM main.game_list EXCEPT SELECT $what FROM whole.game_list);" &&
  sqlite3 "$part" "ATTACH '$store' AS whole;
  SELECT count(*) FROM main.games a LEFT JOIN whole.games b ON a.id = b.id
  WHERE b.id IS NULL OR a.moves IS NOT b.moves OR a.scores IS NOT b.scores;")
[ "$compared" -gt 0 ] || fault "no game was compared"
[ "$(printf '%s' "$different" | tr '\n' ' ')" = "0 0" ] ||
  fault "games that differ from an uninterrupted run's (facts, turns): $different of $compared"

[ $((n_INT + n_TERM)) -gt 0 ] && [ "$n_KILL" -gt 0 ] ||
  fault "not every way to end came up: SIGINT $n_INT, SIGTERM $n_TERM, kill -9 $n_KILL"
if [ ! -s "$folder/sessions.txt" ]; then
  fault "no session was long enough to watch"
  echo "0 0 0 0 0 0 0 0 0 0 0 0" >"$folder/sessions.txt"
fi
awk -v minutes="$minutes" -v games="$games" -v sessions="$sessions" -v watched="$watched" \
  -v killed="$n_KILL" -v inted="$n_INT" -v term="$n_TERM" -v full="$n_full" -v by="$full_by" \
  -v compared="$compared" -v warm="$warm" -v faults="$faults" '
  function worst(i, x) { if (NR == 1 || x > w[i]) w[i] = x }
  function base(i, x) { if (x > b[i]) b[i] = x }
  { worst(1, $3); worst(2, $5); worst(3, $7); base(1, $2); base(2, $4); base(3, $6)
    base(4, $9); base(5, $11); base(6, $12); long++ }
  END {
    printf "%-42s %s\n", "minutes, games", minutes ", " games
    printf "%-42s %s\n", "sessions, of them watched", sessions ", " long " (" watched " s)"
    printf "%-42s %s\n", "ended by SIGINT, SIGTERM, kill -9", inted ", " term ", " killed
    printf "%-42s %s\n", "full disks (by " by ")", full
    printf "%-42s %.1f MiB, %+.2f %%\n", "heap after " warm " s, worst growth", b[1] / 1024, w[1]
    printf "%-42s %.1f MiB, %+.2f %%\n", "resident memory, worst growth", b[2] / 1024, w[2]
    printf "%-42s %.1f MiB, %+.2f %%\n", "the engine'"'"'s heap, worst growth", b[3] / 1024, w[3]
    printf "%-42s %d, %d, %d\n", "descriptors, of the engine, threads at most", b[4], b[5], b[6]
    printf "%-42s %s\n", "games equal to an uninterrupted run", compared " compared"
    printf "%-42s %s\n", "faults", faults
  }' "$folder/sessions.txt"
[ "$faults" = 0 ]
