#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# zig.sh TARGET FOLDER [ARGUMENT...]: builds Dragoman's libraries and tool, dependencies included, for TARGET in FOLDER with Zig's
# compiler (PyPI: ziglang): aarch64-macos, x86_64-macos, x86_64-linux-musl, aarch64-linux-musl, or x86_64-linux-gnu.2.28,
# which runs with any glibc from that one on. ARGUMENT: of CMake.
#   apt-get install icu-devtools tcl
# ZIG: the compiler (default: python3 -m ziglang). SOURCES: a folder of sources.sh to share. JOBS: compilers at once.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
[ $# -ge 2 ] || { sed -n '3,7s/^# *//p' "$0" >&2; exit 2; }
target=$1 work=$(readlink -m "$2")
sources=${SOURCES:-$work/sources}
mkdir -p "$work/tools"
tool() { # NAME SUBCOMMAND...
    printf '#!/bin/sh\nexec %s "$@"\n' "${ZIG:-python3 -m ziglang} ${*:2}" > "$work/tools/$1"
    chmod +x "$work/tools/$1"
}
tool C cc -target "$target"
tool CXX c++ -target "$target"
tool ar ar
tool ranlib ranlib

ls "$sources"/icu_*.orig.tar.* > /dev/null 2>&1 || scripts/cross/sources.sh "$sources"
export ZIG_TARGET=$target ZIG_TOOLS=$work/tools PREFIX=$work/deps
scripts/cross/deps.sh scripts/cross/zig.cmake "$sources" "$work/deps"
started=$SECONDS
cmake -S . -B "$work/build" -G Ninja -DCMAKE_TOOLCHAIN_FILE="$PWD/scripts/cross/zig.cmake" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_{C,CXX}_FLAGS_RELEASE="${OPTIMISE:--O2} -DNDEBUG" -DDRAGOMAN_BUILD_TESTS=OFF -DDRAGOMAN_BUILD_BENCH=OFF -DDRAGOMAN_MODELS=OFF -DDRAGOMAN_SERVE=OFF \
    -DDRAGOMAN_BUILD_SAMPLES=OFF "${@:3}" > "$work/configure.log"
cmake --build "$work/build" -j "${JOBS:-$(nproc)}" --target dragoman_cli dragoman_documents_shared
echo "built for $target in $((SECONDS - started)) s"
