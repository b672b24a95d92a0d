#!/bin/sh
# Tests under the sanitizers, in a build of their own each.
#   sh tests/sanitizers.sh                   every ordinary test under both, also those labelled `slow`
#   sh tests/sanitizers.sh asan-ci tsan-ci   what .ci/run has time for
#   sh tests/sanitizers.sh PRESET ... [-- CTEST_ARGUMENTS]
set -eu
cd "$(dirname "$0")/.."
presets=""
while [ $# -gt 0 ] && [ "$1" != -- ]; do presets="$presets $1"; shift; done
[ $# -gt 0 ] && shift
# GCC 12's thread sanitizer cannot live with addresses that are drawn from more than 28 bits.
fixed=""
setarch --addr-no-randomize true 2>/dev/null && fixed="setarch --addr-no-randomize"
for preset in ${presets:-asan tsan}; do
  cmake --preset "$preset" >/dev/null
  cmake --build --preset "$preset" -j "${JOBS:-$(nproc)}"
  $fixed ctest --preset "$preset" --no-tests=error -j "${JOBS:-$(nproc)}" "$@"
done
