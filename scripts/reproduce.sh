#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# reproduce.sh [--against BUILD] [--keep] [CMAKE ARGUMENT...]: builds the library and the tool in two folders whose names have
# different lengths, without ccache, with another umask, clock zone and locale in the second, and compares every byte:
# libdragoman*.so, libdragoman*.a, the tool, the model's files. --against: a build that is there (of this checkout, with the
# same compiler and arguments) takes the place of the first one. --keep: the folders stay.
# JOBS: compilers at once (1). Writes build/reproduce/result.tsv; exit code 1: something differs, and is named with the first
# place, and with what diffoscope says where that is installed.
set -euo pipefail

cd "$(dirname "$(dirname "$(readlink -f "$0")")")"
root=$PWD work=$PWD/build/reproduce against= keep= arguments=()
while [ $# -gt 0 ]; do
    case $1 in
    -h|--help) sed -n '3,/^set/s/^# \{0,1\}//p' "$0"; exit ;;
    --against) against=$(readlink -f "$2"); shift ;;
    --keep) keep=yes ;;
    *) arguments+=("$1") ;;
    esac
    shift
done
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2> /dev/null || echo 0)}
targets=(dragoman dragoman_static dragoman_documents_shared dragoman_models_shared dragoman_cli)
rm -rf "$work"
mkdir -p "$work"

build() { # FOLDER
    mkdir -p "$1"
    git ls-files -z -- . ':!bench/results' | tar -c --null -T - | tar -x -C "$1"
    [ ! -d "$root/vulkan-sdk" ] || ln -s "$(readlink -f "$root/vulkan-sdk")" "$1/vulkan-sdk"
    # Only what is installed; CCACHE_EXECUTABLE as a program that is not there turns it off.
    (cd "$1" && cmake --preset release -DCCACHE_EXECUTABLE=OFF -DDRAGOMAN_BUILD_TESTS=OFF -DDRAGOMAN_BUILD_SAMPLES=OFF \
        -DDRAGOMAN_BUILD_BENCH=OFF "${arguments[@]}" > configure.log 2>&1 || { tail -20 configure.log >&2; exit 1; }
     nice ninja -C build/release -j "${JOBS:-1}" "${targets[@]}" > build.log 2>&1 || { tail -20 build.log >&2; exit 1; })
}

first=$work/a/build/release
if [ -n "$against" ]; then first=$against; else echo "== first build"; build "$work/a"; fi
echo "== second build, in a longer folder"
(umask 027; export TZ=Pacific/Kiritimati LC_ALL=C.UTF-8 HOME="$work"; build "$work/a-longer-name/of the second" )
second="$work/a-longer-name/of the second/build/release"

status=0
printf 'file\tbytes\tresult\n' > "$work/result.tsv"
while read -r file; do
    if cmp -s "$first/$file" "$second/$file"; then
        said=same
    else
        said="differs: $(cmp "$first/$file" "$second/$file" 2>&1 | sed 's/.*differ: //' || true)"
        status=1
        if command -v diffoscope > /dev/null; then diffoscope --text "$work/${file##*/}.diff" "$first/$file" "$second/$file" || true; fi
    fi
    printf '%s\t%s\t%s\n' "$file" "$(stat -Lc %s "$second/$file")" "$said" >> "$work/result.tsv"
done < <(cd "$second" && find -L capi bin -maxdepth 1 -type f \( -name 'libdragoman*.so' -o -name 'libdragoman*.a' -o -name dragoman \) | sort)
cat "$work/result.tsv"
[ "$(wc -l < "$work/result.tsv")" -gt 4 ] || { echo "reproduce.sh: expected at least four files to compare" >&2; exit 2; }
[ -n "$keep" ] || rm -rf "$work/a" "$work/a-longer-name"
exit $status
