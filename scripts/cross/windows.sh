#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# windows.sh FOLDER: builds Dragoman for Windows x86-64 in FOLDER with MinGW, dependencies included, runs test programs
# under Wine, compares the tool with the one of this machine, and writes bench/results/DATE-windows.md.
#   apt-get install g++-mingw-w64-x86-64-posix wine64 xvfb mesa-vulkan-drivers icu-devtools tcl patch
# NATIVE: the tool of this machine to compare with (default: build/release/bin/dragoman). TESTS: other test programs.
# PAGE: where the results go. JOBS: compilers at once. REMARK: a sentence for the page.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
work=$(readlink -m "${1:?a folder to work in}")
native=$(readlink -f "${NATIVE:-build/release/bin/dragoman}")
here=scripts/cross
read -ra tests <<< "${TESTS:-base files spec formats text families tm markup documents samples capi}"
jobs=${JOBS:-$(nproc)}
mkdir -p "$work"

steps=()
processor() { # seconds of what ended, in hundredths
    local stat
    read -ra stat < /proc/$$/stat
    echo $((stat[15] + stat[16]))
}
step() { # NAME COMMAND...
    local name=$1 start=$SECONDS used
    used=$(processor)
    shift
    "$@"
    steps+=(--step "$name" $((SECONDS - start)) $((($(processor) - used) / 100)))
    echo "== ${steps[*]: -3}"
}
sources() { compgen -G "$work/sources/icu_*.orig.tar.*" > /dev/null || $here/sources.sh "$work/sources"; }
configure() {
    cmake -S . -B "$work/build" -G Ninja -DCMAKE_TOOLCHAIN_FILE=$here/mingw.cmake -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG" -DDRAGOMAN_BUILD_TESTS=ON -DDRAGOMAN_BUILD_BENCH=OFF > "$work/configure.log"
}
build() { cmake --build "$work/build" -j "$jobs" --target "$@" > "$work/build.log" 2>&1 ||
          { grep -E -m 20 'error|FAILED|undefined' "$work/build.log"; exit 1; }; }
samples() { basename -a samples/*/ | grep -vE '^(android|pytorch|support)$' | sed 's/^/sample_/'; }

export PREFIX=$work/deps WINEPREFIX=$work/wine CCACHE_STATSLOG=$work/ccache.log
step "sources of dependencies" sources
step "dependencies" $here/deps.sh $here/mingw.cmake "$work/sources" "$work/deps"
step "configure" configure
step "library, tool and samples" build dragoman_cli dragoman_documents_shared dragoman_static $(samples)
step "test programs" build "${tests[@]/#/test_}"
x86_64-w64-mingw32-gcc-posix -municode -O1 -Wall -Wextra -static -o "$work/windows_console.exe" $here/windows_console.c

if [ -z "${DISPLAY:-}" ]; then  # one for all that runs
    exec 3< <(Xvfb -displayfd 1 -screen 0 640x480x8 2> /dev/null)
    xvfb=$!
    trap 'kill $xvfb' EXIT
    read -r -u 3 display
    export DISPLAY=:$display
fi
step "first start of Wine" $here/wine.sh wineboot
python3 $here/windows_check.py --build "$work/build" --native "$native" --wine $here/wine.sh --tests "${tests[@]}" \
    --console "$work/windows_console.exe" --logs "$work/logs" \
    --page "${PAGE:-bench/results/$(date +%F)-windows.md}" --remark "${REMARK:-}" \
    --compilations "$CCACHE_STATSLOG" "${steps[@]}"
