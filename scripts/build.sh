#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# build.sh TARGET...: configures build/release where needed and builds the targets. CMAKE_ARGS adds options.
set -euo pipefail

cd "$(dirname "$(dirname "$(readlink -f "$0")")")"
folder=build/release
log=$folder/configure.log
mkdir -p "$folder"

echo "== configuring $folder"
if ! cmake --preset release ${CMAKE_ARGS:-} > "$log" 2>&1; then
    cat "$log" >&2
    exit 1
fi
grep -E "too old|runs? without|run on the system" "$log" || true

echo "== building $*"
# Ninja rewrites one line on a terminal; elsewhere ten lines say how far it is.
if [ -t 1 ]; then
    exec cmake --build "$folder" --target "$@"
fi
log=$folder/build.log
progress='match($0, /^\[[0-9]+\/[0-9]+\]/) {
    split(substr($0, 2, RLENGTH - 2), step, "/")
    tenth = int(10 * step[1] / step[2])
    if (tenth != shown) { shown = tenth; print "   step " step[1] " of " step[2]; fflush() }
}'
if ! cmake --build "$folder" --target "$@" 2>&1 | tee "$log" | awk "$progress"; then
    grep -v "^\[" "$log" >&2 || true
    exit 1
fi
grep -A8 "warning:" "$log" || true
