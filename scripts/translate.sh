#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# translate.sh [ARGUMENT...]: installs what is missing, builds, and runs `dragoman translate ARGUMENT...`.
# Without arguments it translates three sentences with the model that comes with the library.
set -euo pipefail

here=$PWD
cd "$(dirname "$(dirname "$(readlink -f "$0")")")"
root=$PWD
build_seconds=420

# Progress goes to standard error: standard output is the translation alone.
{
    # Of CPU, on two cores of Debian 12 and 13 in November 2026: 330 and 360, and room for slower ones; scripts/fresh.sh measures them.
    [ -e build/release/bin/dragoman ] ||
        echo "== the first run builds the tool: about $((build_seconds / $(nproc) / 60 + 1)) minutes on $(nproc) cores, after what has to be installed"
    scripts/setup.sh
    [ -e build/release/CMakeCache.txt ] || export CMAKE_ARGS="-DDRAGOMAN_BUILD_TESTS=OFF"
    scripts/build.sh dragoman_cli
} >&2

cd "$here"
if [ $# -gt 0 ]; then
    exec "$root/build/release/bin/dragoman" translate "$@"
fi
cd "$root"
show() {
    echo "== dragoman translate --from $1 --to $2 \"$3\"" >&2
    build/release/bin/dragoman translate --from "$1" --to "$2" "$3"
}
show en de "Good morning! How did you sleep?"
show en de "I would like a cup of coffee, please."
show de en "Wo ist der Bahnhof?"
