#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# android.sh FOLDER [ABI...]: builds Dragoman for Android in FOLDER/ABI with the NDK: the dependencies that the Gradle
# project in samples/android wants (there FOLDER is build/android), and library and tool for adb shell.
#   apt-get install icu-devtools tcl zstd glslang-tools spirv-tools
# ANDROID_NDK_HOME: the NDK, 27 or newer. ABI: arm64-v8a and x86_64 if none is named. SOURCES: a folder of sources.sh to
# share. JOBS: compilers at once.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
[ $# -ge 1 ] || { sed -n '3,7s/^# *//p' "$0" >&2; exit 2; }
work=$(readlink -m "$1")
shift
abis=("$@")
[ $# -gt 0 ] || abis=(arm64-v8a x86_64)
sources=${SOURCES:-$work/sources}
toolchain=$PWD/scripts/cross/android.cmake
: "${ANDROID_NDK_HOME:?expected the folder of an NDK}"

ls "$sources"/icu_*.orig.tar.* > /dev/null 2>&1 || scripts/cross/sources.sh "$sources"
for abi in "${abis[@]}"; do
    export ANDROID_ABI=$abi PREFIX=$work/$abi/deps
    scripts/cross/deps.sh "$toolchain" "$sources" "$PREFIX"
    started=$SECONDS
    cmake -S . -B "$work/$abi/build" -G Ninja -DCMAKE_TOOLCHAIN_FILE="$toolchain" -DCMAKE_BUILD_TYPE=Release \
        -DDRAGOMAN_BUILD_TESTS=OFF -DDRAGOMAN_BUILD_BENCH=OFF -DDRAGOMAN_BUILD_SAMPLES=OFF > "$work/$abi/configure.log"
    cmake --build "$work/$abi/build" -j "${JOBS:-$(nproc)}" --target dragoman dragoman_cli
    echo "built for $abi in $((SECONDS - started)) s"
done
