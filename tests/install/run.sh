#!/bin/sh
# Installs the build into a folder and uses what is there: run.sh WORK_DIR BUILD_DIR COMPILER
# The programs run from there with the installed engines and weights, and a project of its own finds
# the package, builds against it and gives published numbers.
set -eu
work=$1 build=$2 compiler=$3
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$work"
mkdir -p "$work"
cmake --install "$build" --prefix "$work/prefix" >"$work/install.log"
cd "$work"
share=prefix/share/cannonade
[ "$(prefix/bin/selfplay perft --rules janggi-kja --depth 3 --json | grep -o '"nodes":[0-9]*')" = '"nodes":33348' ]
prefix/bin/selfplay match --rules janggi-kja --a $share/engines/best.toml --b $share/engines/material.toml \
  --games 2 --nodes 20 --quiet >/dev/null
prefix/bin/tuner diff $share/weights/janggi-kja.toml $share/weights/janggi-kja.toml >/dev/null
cmake -S "$here/consumer" -B consumer -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_CXX_COMPILER="$compiler" \
  -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS=-Werror >configure.log
cmake --build consumer >build.log || { cat build.log; exit 1; }
consumer/consumer >told.txt
cat told.txt
# 79666: the public count of xiangqi's start to depth 3.
grep -q '^turns 79666$' told.txt
grep -q "^weights [0-9a-f]\{16\}$" told.txt
