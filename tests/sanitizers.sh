#!/bin/sh
# The ordinary tests under the sanitizers, without those that carry the label `slow` there.
#   sh tests/sanitizers.sh [asan|tsan ...] [-- CTEST_ARGUMENTS]     both, if none is named
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
  $fixed ctest --preset "$preset-short" --no-tests=error -j "${JOBS:-$(nproc)}" "$@"
done
