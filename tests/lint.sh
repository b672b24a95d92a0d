#!/bin/sh
# clang-tidy and cppcheck over the libraries and the programs; fails on any finding.
#   sh tests/lint.sh                        both, over everything
#   sh tests/lint.sh cppcheck
#   sh tests/lint.sh tidy [FILE.cpp ...]    these sources only, each alone
# Needs Debian's clang-tidy and cppcheck, which nothing else here does. JOBS says how many at a time.
set -eu
cd "$(dirname "$0")/.."
what=${1:-all}
[ $# -gt 0 ] && shift
jobs=${JOBS:-$(nproc)}

if [ "$what" != tidy ]; then
  cppcheck --enable=warning,performance,portability --inline-suppr --std=c++20 --language=c++ -I . \
    --error-exitcode=1 --quiet -j "$jobs" core eval selfplay tuner
fi
if [ "$what" != cppcheck ]; then
  # All of a library's sources as one: most of the time goes into what their headers have in common.
  unity=ON
  [ $# -gt 0 ] && unity=OFF
  cmake -S . -B build-lint -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_COMPILER=clang++ \
    -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DCANNONADE_TESTS=OFF -DCANNONADE_BENCHMARKS=OFF \
    -DCMAKE_UNITY_BUILD=$unity -DCMAKE_UNITY_BUILD_BATCH_SIZE=0 >/dev/null
  cmake --build build-lint --target cannonade_revision >/dev/null
  [ $# -gt 0 ] || set -- $(sed -n 's/.*"file": "\(.*\)".*/\1/p' build-lint/compile_commands.json |
    grep -v report_assets)
  printf '%s\n' "$@" | xargs -P "$jobs" -n 1 clang-tidy -p build-lint --quiet
fi
