#!/bin/sh
# Opens report pages in headless Chromium: run.sh WORK_DIR REPORT_DEMO [OTHER.html ...]
# Makes the demonstration page and the reports of a match and a comparison, fetches playwright-core into WORK_DIR (never
# into the source tree) and runs report_test.mjs; screenshots are left in WORK_DIR/screenshots. Exits
# 77, which ctest reads as skipped, where the browser or the means to drive it are missing.
set -eu
source=$(cd "$(dirname "$0")" && pwd)
work=$1
demo=$2
shift 2
skip() {
  echo "skipped: $1"
  exit 77
}
browser=$(command -v chromium || command -v chromium-browser || true)
[ -n "$browser" ] || skip "no chromium (Debian: apt-get install chromium fonts-noto-cjk)"
command -v node >/dev/null || skip "no node (Debian: apt-get install nodejs npm)"
command -v npm >/dev/null || skip "no npm (Debian: apt-get install npm)"
mkdir -p "$work/screenshots"
cp "$source/package.json" "$source/report_test.mjs" "$source/contrast.mjs" "$work/"
cd "$work"
if ! node -e 'require.resolve("playwright-core")' 2>/dev/null; then
  npm install --no-audit --no-fund --loglevel=error >npm.log 2>&1 || {
    cat npm.log
    skip "npm could not install playwright-core (no network?)"
  }
fi
"$demo" "$work/demo.html" "$work/run.html" "$work/compare.html"
CHROMIUM=$browser exec node report_test.mjs "$work/demo.html" "$work/run.html" "$work/compare.html" "$@"
