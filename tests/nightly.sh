#!/bin/sh
# What CI has no time for: the release build as everybody makes it, the tests labelled `nightly`, and every
# ordinary test under both sanitizers with all of their checks. Some hours. A part that fails keeps no other
# from being run; the last lines say which failed.
set -u
cd "$(dirname "$0")/.." || exit 2
failed=""
part() { # name, command
  name=$1
  shift
  echo "nightly: $name, $(date '+%H:%M')"
  "$@" || failed="$failed\n  $name"
}
part "release" sh tests/run.sh
part "long tests" ctest --preset nightly --no-tests=error
part "asan" sh tests/sanitizers.sh asan
part "tsan" sh tests/sanitizers.sh tsan
[ -z "$failed" ] && { echo "nightly: all passed"; exit 0; }
printf 'nightly: failed:%b\n' "$failed"
exit 1
