#!/bin/sh
# Runs every command in a tree of its own and fails on a file that is new, changed or gone anywhere
# but in the place that the command was told to write to. written_places.sh WORK_DIR BIN_DIR
# The working folder, HOME, the folder for temporary files and the inputs are all watched; names are
# chosen to lead elsewhere for whoever trusts them.
set -u
work=$1
bin=$2
rm -rf "$work"
mkdir -p "$work/tree"
cd "$work/tree" || exit 2
work=$(cd .. && pwd)
mkdir in cwd home tmp out
mkdir 'out/o;touch ..' # where all output goes, a name that a shell would act on
out="$work/tree/out/o;touch .."
in=$work/tree/in
bad=0

# Engines whose names are paths and commands; one of them is another program.
cat >in/one.toml <<END
name = "../../one \$(touch injected) \`touch injected\`"
weights = "material"
hash_mb = 1
END
cat >in/two.toml <<END
name = "/two'; DROP TABLE games; <b>"
command = ["$in/\$(touch injected);touch injected", "uci"]
[options]
Hash = 1
END
ln -s "$bin/selfplay" 'in/$(touch injected);touch injected'
cat >in/run.toml <<END
rules = "janggi-kja"
engines = ["one.toml", "two.toml"]
games = 6
nodes = 10
[openings]
plies = 4
[adjudication]
max_plies = 30
END
cat >in/compare.toml <<END
engines = "one.toml"
games = 12
nodes = [8]
[openings]
plies = 6
max_score = 0
END
cat >in/ladder.toml <<END
rules = "xiangqi-casual"
engine = "one.toml"
levels = 2
probes = 2
survey_games = 4
round_games = 4
confirm_games = 4
rounds = 1
yardstick_games = 2
profile_games = 1
profile_nodes = 20
[weakest]
nodes = 5
[strongest]
nodes = 20
END
cat >in/fit.toml <<END
rules = "janggi-kja"
start = "material"
[fit]
folds = 2
anchor_deviation = 20
END
cat >in/night.toml <<END
title = "../../night <script>"
seed = 5
[[job]]
kind = "tune"
rules = ["janggi-kja"]
generations = 1
[job.generate]
games = 16
nodes = 20
[job.fit]
folds = 2
anchor_deviation = 20
[job.verify]
games = 4
nodes = 20
END
cat >in/games.pgn <<'END'
[Event "../../event; touch injected"]
[White "../../../white"]
[Black "/tmp/$(touch injected)"]
[Result "1-0"]

1. a4b4 1-0
END

state() {
  (cd "$work/tree" && find . -path "./out/o;touch ..*" -prune -o \( -type f -o -type l -o -type d -o -type p \) -print |
    sort | while read -r name; do
      [ -f "$name" ] && [ ! -L "$name" ] && set -- "$(cksum <"$name")" || set -- -
      echo "$name $1"
    done)
}
state >"$work/before"

# Runs a command there; $1 is the exit code that it has to have.
run() {
  expected=$1
  program=$2
  shift 2
  (cd "$work/tree/cwd" && env -i PATH="$PATH" TMPDIR="$work/tree/tmp" LC_ALL=C.UTF-8 \
    ${home:+HOME="$home" XDG_CACHE_HOME="$home" XDG_CONFIG_HOME="$home"} \
    ${TSAN_OPTIONS:+TSAN_OPTIONS="$TSAN_OPTIONS"} ${ASAN_OPTIONS:+ASAN_OPTIONS="$ASAN_OPTIONS"} \
    "$bin/$program" "$@" >"$work/stdout" 2>"$work/stderr" </dev/null)
  code=$?
  if [ "$code" != "$expected" ]; then
    echo "$program $*: exit code $code, not $expected: $(tail -n 3 "$work/stderr")"
    bad=1
  fi
  state >"$work/after"
  if ! difference=$(diff "$work/before" "$work/after"); then
    echo "$program $*: wrote where it was not told to:"
    echo "$difference"
    bad=1
  fi
}

home=$work/tree/home
run 0 selfplay perft --rules janggi-kja --depth 2
run 0 selfplay inspect --rules janggi-kja --json
run 0 selfplay stats --wdl 10,5,3
run 0 selfplay uci
run 0 selfplay match --rules janggi-kja --a "$in/one.toml" --b "$in/two.toml" --games 4 --nodes 5 --quiet
run 0 selfplay generate --config "$in/run.toml" --out "$out/run.db" --quiet
for shard in 1 2; do
  run 0 selfplay generate --config "$in/run.toml" --out "$out/shard$shard.db" --shard $shard/2 --quiet
done
run 0 selfplay merge --out "$out/all.db" "$out/shard1.db" "$out/shard2.db"
run 0 selfplay report "$out/run.db" --out "$out/run.html"
for format in pgn epd csv; do
  run 0 selfplay export "$out/run.db" --format $format --out "$out/run.$format"
done
run 0 selfplay import "$in/games.pgn" --rules janggi-kja --out "$out/imported.db"
run 0 selfplay report "$out/imported.db" --out "$out/imported.html"
run 0 selfplay export "$out/imported.db" --format pgn --out "$out/imported.pgn"
run 0 selfplay compare --config "$in/compare.toml" --out "$out/compare.db" --quiet
run 0 selfplay ladder --config "$in/ladder.toml" --out "$out/ladder.db" --quiet
run 0 tuner overnight --config "$in/night.toml" --out "$out/night" --quiet
run 0 tuner fit --config "$in/fit.toml" --data "$out/night/janggi-kja/generation-01/games.db" --out "$out/fit.toml" --quiet
run 0 tuner explain --weights "$out/fit.toml" --rules janggi-kja
run 0 tuner diff "$out/fit.toml" "$out/fit.toml"
# Without a home, and with places that cannot be.
home=
run 0 selfplay generate --config "$in/run.toml" --out "$out/again.db" --quiet
run 2 selfplay generate --config "$in/run.toml" --out "$work/tree/none/run.db" --quiet
run 2 selfplay import "$in/games.pgn" --rules janggi-kja --out "$work/tree/none/x.db"
run 2 selfplay report "$out/run.db" --out "$work/tree/none/run.html"
run 2 selfplay export "$out/run.db" --format pgn --out "$work/tree/none/run.pgn"
run 2 tuner fit --config "$in/fit.toml" --data "$out/run.db" --out "$work/tree/none/fit.toml" --quiet

# In the output folder itself: what was named, and nothing that a name inside a file asked for.
left=$(ls "$out" | grep -vxE '(run|shard[12]|all|imported|compare|ladder|again)\.db|(run|imported)\.(html|pgn)|run\.(epd|csv)|fit\.toml|night|ladder\.db\.levels\.toml')
[ -z "$left" ] || { echo "unexpected in the output folder: $left"; bad=1; }
[ -z "$(find "$work" -name 'injected*')" ] || { echo "a name was run as a command"; bad=1; }
exit $bad
