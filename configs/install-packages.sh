#!/bin/sh
# Installs the Debian packages of configs/apt-packages.txt that are missing. Works as root or with sudo.
set -eu
list=$(dirname "$0")/apt-packages.txt
missing=""
for package in $(grep -v '^#' "$list"); do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' ||
    missing="$missing $package"
done
[ -z "$missing" ] && exit 0
if [ "$(id -u)" = 0 ]; then run=""; else run="sudo"; fi
echo "Installing:$missing"
export DEBIAN_FRONTEND=noninteractive
$run apt-get update -qq
# shellcheck disable=SC2086
$run apt-get install -y -qq --no-install-recommends $missing >/dev/null
