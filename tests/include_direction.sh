#!/bin/sh
# Fails on an include that points the wrong way. Layers, each of which may include itself and those
# named after the colon:
set -u
cd "$1" || exit 2
bad=0
allow() { # folder, then the folders that its files may include
  folder=$1; shift
  pattern=$(printf '%s|' "$folder" "$@"); pattern=${pattern%|}
  [ -d "$folder" ] || { echo "no such folder: $folder"; bad=1; return; }
  # Folders below are separate layers: only the files that lie in `folder` itself.
  wrong=$(find "$folder" -maxdepth 1 -name '*.h' -o -maxdepth 1 -name '*.cpp' | sort |
    xargs -r grep -nE '^#include "' /dev/null | grep -vE "#include \"($pattern)/[^/]*\"")
  if [ -n "$wrong" ]; then
    echo "includes that point the wrong way (allowed in $folder: $pattern):"; echo "$wrong"; bad=1
  fi
}
below_core="core/base core/board core/game"
core_all="$below_core core/notation core/search"
allow core/base
allow core/board core/base
allow core/game core/base core/board
allow core/notation $below_core
allow core/search $below_core
allow eval $core_all
allow selfplay $core_all eval
allow tuner $core_all eval selfplay
exit $bad
