#!/bin/bash
# configs/cluster/parallel-generate.sh with GNU parallel: parallel_test.sh WORK_DIR BIN_DIR
#
# One of 8 shards is killed at work; the same command again plays only what is missing, and the
# shards merge to the run of one machine.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/cluster/same_games.sh
. "$here/same_games.sh"
command -v parallel >/dev/null || { echo "skipped: no parallel (Debian: apt-get install parallel)"; exit 77; }
command -v sqlite3 >/dev/null || { echo "skipped: no sqlite3 (Debian: apt-get install sqlite3)"; exit 77; }
work=$1
export PATH=$2:$PATH
rm -rf "$work"
mkdir -p "$work"
cd "$work"
write_run_file run.toml 96 500
selfplay generate --config run.toml --out whole.db --quiet --threads 1 >/dev/null

# The third shard's program is one that dies at work the first time.
mkdir dying
cat >dying/selfplay <<'END'
#!/bin/sh
case "$*" in *"--shard 3/8"*) ;; *) exec "$REAL" "$@" ;; esac
[ ! -e "$ONCE" ] || exec "$REAL" "$@"
touch "$ONCE"
"$REAL" "$@" &
while [ "$(sqlite3 -readonly shards/shard-3.db 'SELECT count(*) FROM games' 2>/dev/null || echo 0)" = 0 ]; do sleep 0.02; done
kill -9 $!
exit 1
END
chmod +x dying/selfplay
REAL=$(command -v selfplay) ONCE=$work/once
export REAL ONCE
generate() { PATH=$work/dying:$PATH "$here/../../configs/cluster/parallel-generate.sh" run.toml shards 8 --jobs 2 >/dev/null; }
code=0
generate || code=$?
[ $code = 1 ] || { echo "FAILED: one job should have failed, $code did"; exit 1; }
selfplay merge --out merged.db shards/shard-*.db >early.txt
grep -q 'shard 3/8 lacks' early.txt
generate # --resume-failed
[ "$(tail -n +2 shards/joblog | wc -l)" = 9 ] || { echo "FAILED: whole shards were played again"; exit 1; }
selfplay merge --out merged.db shards/shard-*.db >late.txt
grep -q '^complete' late.txt
same_games whole.db merged.db
echo "8 shards, the third killed and resumed: $(sed -n 1p late.txt)"
