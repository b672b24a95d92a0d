#!/bin/sh
# Installs what is missing, builds release and runs every ordinary test through ctest. PRESET names another
# preset of CMakePresets.json.
set -eu
cd "$(dirname "$0")/.."
preset=${PRESET:-release}
sh configs/install-packages.sh
cmake --preset "$preset" >/dev/null
cmake --build --preset "$preset"
ctest --preset "$preset" --no-tests=error -j"$(nproc)" "$@"
