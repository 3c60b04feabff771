#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# windows.sh FOLDER: builds Dragoman for Windows x86-64 in FOLDER with MinGW, dependencies included, runs the suite's
# folders that need no other system's calls under Wine, compares translations with the build for this machine, and
# writes bench/results/windows.tsv.
#   apt-get install g++-mingw-w64-x86-64-posix wine64 xvfb xauth mesa-vulkan-drivers icu-devtools tcl
# NATIVE: a build folder of this machine to compare with (default: build/release). JOBS: compilers at once.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
work=$(readlink -m "${1:?a folder to work in}")
native=$(readlink -f "${NATIVE:-build/release}")
here=scripts/cross
folders=(base files spec formats families text markup documents)
mkdir -p "$work"

ls "$work"/sources/icu_*.orig.tar.* > /dev/null 2>&1 || $here/sources.sh "$work/sources"
$here/deps.sh $here/mingw.cmake "$work/sources" "$work/deps"
export PREFIX=$work/deps WINEPREFIX=$work/wine
started=$SECONDS
cmake -S . -B "$work/build" -G Ninja -DCMAKE_TOOLCHAIN_FILE=$here/mingw.cmake -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG" -DDRAGOMAN_BUILD_TESTS=ON -DDRAGOMAN_BUILD_BENCH=OFF > "$work/configure.log"
cmake --build "$work/build" -j "${JOBS:-$(nproc)}" --target dragoman_cli dragoman_documents_shared sample_translate_file \
    sample_subtitles sample_attention "${folders[@]/#/test_}"
built=$((SECONDS - started))
exec python3 $here/windows_check.py --build "$work/build" --native "$native" --wine $here/wine.sh \
    --folders "${folders[@]}" --build-seconds $built --table bench/results/windows.tsv
