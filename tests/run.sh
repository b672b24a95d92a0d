#!/bin/sh
# Installs what is missing, builds release and runs every ordinary test through ctest.
set -eu
cd "$(dirname "$0")/.."
sh configs/install-packages.sh
cmake --preset release >/dev/null
cmake --build --preset release
ctest --preset release --no-tests=error -j"$(nproc)" "$@"
