#!/bin/sh
# From nothing to a report: installs what is missing, builds, plays, fits, verifies.
set -eu
cd "$(dirname "$0")/.."
sh configs/install-packages.sh
cmake --preset release >/dev/null
cmake --build --preset release --target selfplay tuner
build/bin/tuner overnight --config configs/quickstart.toml --out runs/quickstart "$@"
