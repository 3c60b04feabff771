#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# format.sh [--check] [FILE...]: formats the sources in C, C++ and GLSL, all of them or those named; --check only names
# the ones that are not formatted. Takes clang-format from PyPI, so that every machine formats alike; exits with 77 where
# it cannot be had.
set -euo pipefail

cd "$(dirname "$(dirname "$(readlink -f "$0")")")"
version=19.1.7
kept=${XDG_CACHE_HOME:-$HOME/.cache}/clang-format-$version
format=${CLANG_FORMAT:-$kept/clang_format/data/bin/clang-format}

is_right() { [ -x "$format" ] && "$format" --version | grep -q "version $version"; }

install() {  # into a folder of its own: Debian lets pip change no other place
    python3 -m pip --version >/dev/null 2>&1 || return 1
    local new
    mkdir -p "$(dirname "$kept")"
    new=$(mktemp -d "$kept.XXXXXX")
    python3 -m pip install --quiet --disable-pip-version-check --no-deps --only-binary :all: --target "$new" \
        "clang-format==$version" >/dev/null 2>&1 || { rm -rf "$new"; return 1; }
    [ ! -e "$kept" ] || is_right || rm -rf "$kept"
    python3 -c 'import os, sys; os.rename(*sys.argv[1:])' "$new" "$kept" 2>/dev/null ||
        rm -rf "$new"  # another process was first
}

if ! is_right; then
    [ -z "${CLANG_FORMAT:-}" ] || { echo "format.sh: $CLANG_FORMAT is not clang-format $version" >&2; exit 1; }
    install && is_right || { echo "skipped: clang-format $version cannot be installed (python3-pip, PyPI)"; exit 77; }
fi

check=
if [ "${1:-}" = --check ]; then
    check=yes
    shift
fi
sources() {
    find lib capi tools tests samples bindings bench \( -name node_modules -o -name target -o -name build -o -name data \) \
        -prune -o -type f \( -name '*.h' -o -name '*.hpp' -o -name '*.c' -o -name '*.cpp' \) -print
    find shaders -name '*.comp' -o -name '*.glsl' -o -name '*.h'
}
is_shader() { [[ $1 == shaders/* || $1 == *.comp || $1 == *.glsl ]]; }

# To the standard output. clang-format would take [[unroll]] for the end of the line before it.
format_shader() {
    sed 's/\[\[unroll\]\] for/unroll_for____/; s/\[\[dont_unroll\]\] for/dont_unroll_for____/' "$1" |
        "$format" --assume-filename=shaders/shader.cpp |
        sed 's/dont_unroll_for____/[[dont_unroll]] for/; s/unroll_for____/[[unroll]] for/'
}

shaders=() others=()
while IFS= read -r file; do
    if is_shader "$file"; then shaders+=("$file"); else others+=("$file"); fi
done < <(if [ $# -gt 0 ]; then printf '%s\n' "$@"; else sources; fi)

faults=
formatted=$(mktemp)
trap 'rm -f "$formatted"' EXIT
for file in "${shaders[@]}"; do
    format_shader "$file" > "$formatted"
    cmp -s "$file" "$formatted" && continue
    if [ -n "$check" ]; then faults+=$file$'\n'; else cat "$formatted" > "$file"; fi
done
if [ ${#others[@]} -gt 0 ]; then
    if [ -n "$check" ]; then
        faults+=$(printf '%s\0' "${others[@]}" | xargs -0 -n 40 -P "$(nproc)" "$format" --dry-run -Werror 2>&1 |
            sed -n 's/^\(.*\):[0-9]*:[0-9]*: error: .*/\1/p' | sort -u || true)
    else
        printf '%s\0' "${others[@]}" | xargs -0 -n 40 -P "$(nproc)" "$format" -i
    fi
fi
[ -n "$check" ] || exit 0
[ -z "$faults" ] || { printf '%s: not formatted; scripts/format.sh does it\n' $faults; exit 1; }
echo "all sources are formatted"
