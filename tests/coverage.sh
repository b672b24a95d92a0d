#!/bin/sh
# Lines that the ordinary tests reach, by folder: sh tests/coverage.sh [FOLDER=build-coverage] [ctest options]
# Builds everything once more with counters and runs the ordinary tests on it; needs gcovr (Debian: gcovr).
# Writes FOLDER/coverage.html with every line, and prints a percentage a folder and the files that lack
# most. Optimised a little, for tests play games; more would merge lines.
set -eu
cd "$(dirname "$0")/.."
folder=${1:-build-coverage}
[ $# -eq 0 ] || shift
command -v gcovr >/dev/null || { echo "coverage.sh: needs gcovr" >&2; exit 2; }
# The counters make GCC see uninitialised values where there are none.
flags="-O1 -DNDEBUG --coverage -fprofile-abs-path -fprofile-update=atomic -Wno-maybe-uninitialized"
cmake -S . -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Coverage -DCANNONADE_BENCHMARKS=OFF \
  -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=10 "-DCMAKE_CXX_FLAGS_COVERAGE=$flags" >/dev/null
cmake --build "$folder"
find "$folder" -name '*.gcda' -delete
# What is installed would ask its user for the counters' library.
ctest --test-dir "$folder" -LE 'nightly|browser|cluster' -E '^install$' --output-on-failure "$@" || echo "some tests failed" >&2
gcovr --root . --object-directory "$folder" --filter '(core|eval|selfplay|tuner)/' \
  --json-summary "$folder/coverage.json" \
  --html-details "$folder/coverage.html" "$folder" >/dev/null
python3 - "$folder/coverage.json" <<'END'
import collections, json, sys
lines = collections.defaultdict(lambda: [0, 0])
worst = []
for file in json.load(open(sys.argv[1]))["files"]:
    total, covered = file["line_total"], file["line_covered"]
    sums = lines[file["filename"].split("/")[0]]
    sums[0] += total
    sums[1] += covered
    worst.append((total - covered, file["filename"], total))
for name in sorted(lines):
    total, covered = lines[name]
    print(f"{name:10} {100 * covered / total:5.1f} % of {total} lines")
print("lines that no test reaches, most first:")
for missing, name, total in sorted(worst, reverse=True)[:15]:
    if missing: print(f"{missing:5} of {total:4}  {name}")
END
