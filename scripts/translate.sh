#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# translate.sh [ARGUMENT...]: installs what is missing, builds, and runs `dragoman translate ARGUMENT...`.
# Without arguments it transliterates three Arabic words with the small model in tests/data.
set -euo pipefail

here=$PWD
cd "$(dirname "$(dirname "$(readlink -f "$0")")")"
root=$PWD

# Progress goes to standard error: standard output is the translation alone.
{
    scripts/setup.sh
    [ -e build/release/CMakeCache.txt ] || export CMAKE_ARGS="-DDRAGOMAN_BUILD_TESTS=OFF"
    scripts/build.sh dragoman_cli
} >&2

cd "$here"
if [ $# -gt 0 ]; then
    exec "$root/build/release/bin/dragoman" translate "$@"
fi
model=tests/data/aren-transliteration
cd "$root"
for word in "ك ت ا ب" "م ح م د" "آ ت ز م و ن"; do
    echo "== dragoman translate --model $model --tokens \"$word\"" >&2
    build/release/bin/dragoman translate --model "$model" --tokens "$word"
done
