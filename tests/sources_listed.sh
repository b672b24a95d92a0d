#!/bin/sh
# Fails on a source that no CMakeLists.txt names: a test that is not built never fails.
set -u
cd "$1" || exit 2
lists=$(find core eval selfplay tuner benchmarks tests -name CMakeLists.txt -exec cat {} +)
bad=0
for source in $(find core eval selfplay tuner benchmarks tests -name '*.cpp' | sort); do
  name=$(basename "$source" | sed 's/[.+]/\\&/g')
  printf '%s\n' "$lists" | grep -qE "(^|[[:space:]/(])$name([[:space:])]|\$)" && continue
  echo "no CMakeLists.txt names $source"
  bad=1
done
exit $bad
