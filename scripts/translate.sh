#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# translate.sh [ARGUMENT...]: installs what is missing, builds, and runs `dragoman translate ARGUMENT...`.
# Without arguments it translates three sentences with the model that comes with the library.
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
cd "$root"
to_german() { build/release/bin/dragoman translate --from en --to de "$@"; }
to_english() { build/release/bin/dragoman translate --from de --to en "$@"; }
for text in "Good morning! How did you sleep?" "I would like a cup of coffee, please."; do
    echo "== dragoman translate --to de \"$text\"" >&2
    to_german "$text"
done
text="Wo ist der Bahnhof?"
echo "== dragoman translate --to en \"$text\"" >&2
to_english "$text"
