#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# package.sh [--make | --try] [NAME...]: makes packages into build/packages, and tries each in a fresh root: installs it,
# translates a sentence with the model that comes with it, on the CPU where there is no GPU, and removes it. Writes
# bench/results/<date>-packages.md.
#
#   deb     Debian packages, for the Debian that this machine has
#   tar     an archive that runs where it is unpacked, with any glibc from 2.28 on
#   wheel   a wheel for Python, manylinux
#   node    a package for Node with the addon built
#   conan   Conan's recipe: exported and inspected
#   image   a container's image, from Containerfile and the Debian packages
#
# Without a NAME: all of them. --make tries nothing, --try makes nothing. Needs root's rights for the roots, and:
#   apt-get install debootstrap debhelper lintian zip python3-venv icu-devtools tcl patch npm
# JOBS: compilers at once. ROOTS: a folder for the roots (default: build/packages/roots).
set -euo pipefail
cd "$(dirname "$(dirname "$(readlink -f "$0")")")"
known=(deb tar wheel node conan image)
make=yes try=yes names=()
for argument in "$@"; do
    case $argument in
    -h|--help) sed -n '3,/^set/s/^# \{0,1\}//p' "$0"; exit ;;
    --make) try= ;;
    --try) make= ;;
    *) [[ " ${known[*]} " == *" $argument "* ]] || { echo "package.sh: expected ${known[*]}, got $argument" >&2; exit 2; }
       names+=("$argument") ;;
    esac
done
[ ${#names[@]} -gt 0 ] || names=("${known[@]}")

export WORK=$PWD/build/packages ROOTS=${ROOTS:-$PWD/build/packages/roots}
VERSION=$(sed -n 's/^project(dragoman VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
export VERSION CMAKE_BUILD_PARALLEL_LEVEL=${JOBS:-$(nproc)}
mkdir -p "$WORK/rows" "$ROOTS"
. scripts/packaging/roots.sh

# A row of the table: what is there to install, what came of it, how busy the machine was.
note() { # NAME SUITE SECONDS SAID
    local sizes
    sizes=$(cd "$WORK/$1" && stat -c '%n %s' * | awk '{ printf "%s%s %.2f MB", (NR > 1 ? ", " : ""), $1, $2 / 1e6 }')
    printf '| %s | %s | %s | %s | %s | %s |\n' "$1" "$sizes" "$2" "$3" "$(cut -d ' ' -f 2 /proc/loadavg)" "$4" \
        > "$WORK/rows/$1-$2"
}

try_in() { # NAME SUITE
    local root=$ROOTS/$1-$2 started said seconds expected
    fresh_root "$2" "$root"
    mkdir "$root/packages"
    cp -r "$WORK/$1"/* scripts/packaging/"$1"/try.sh samples/hello/hello.c "$root/packages/"
    started=$(date +%s%N)
    in_root "$root" sh -eu /packages/try.sh install > "$WORK/$1-$2.log" 2>&1 || { tail -20 "$WORK/$1-$2.log" >&2; return 1; }
    said=$(in_root "$root" sh -eu /packages/try.sh translate 2>> "$WORK/$1-$2.log") || { tail -20 "$WORK/$1-$2.log" >&2; return 1; }
    seconds=$(awk -v ns=$(($(date +%s%N) - started)) 'BEGIN { printf "%.0f", ns / 1e9 }')
    expected=$(sed -n "s/^# said in $2: //p" scripts/packaging/"$1"/try.sh)
    [[ $said == *${expected:-station}* ]] ||
        { echo "package.sh: $1 in $2: expected ${expected:-station}, got '$said'" >&2; return 1; }
    in_root "$root" sh -eu /packages/try.sh remove >> "$WORK/$1-$2.log" 2>&1 || { tail -20 "$WORK/$1-$2.log" >&2; return 1; }
    rm -rf --one-file-system "$root"
    note "$1" "$2" "$seconds" "$said"
    echo "== $1 in $2: $seconds s, $said"
}

for name in "${names[@]}"; do
    if [ -n "$make" ]; then
        echo "== making $name"
        rm -rf "${WORK:?}/$name" "$WORK/rows/$name"-*
        mkdir "$WORK/$name"
        scripts/packaging/"$name"/make.sh "$WORK/$name"
    fi
    if [ -n "$try" ] && [ -e scripts/packaging/"$name"/try.sh ]; then
        for suite in $(sed -n 's/^# roots: //p' scripts/packaging/"$name"/try.sh); do try_in "$name" "$suite"; done
    fi
done
if [ -n "$try" ]; then
    scripts/packaging/table.sh > "bench/results/$(date +%F)-packages.md"
fi
