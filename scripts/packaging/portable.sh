#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# portable.sh: $WORK/portable/prefix, an installation for x86-64 that needs nothing but glibc 2.28 or a later one: Zig's
# compiler links against that one wherever it runs, and the dependencies and the C++ library go inside.
set -euo pipefail
. scripts/packaging/tools.sh
python_tools ziglang
folder=$WORK/portable glibc=2.28
export ZIG=${ZIG:-$WORK/python/bin/python -m ziglang} JOBS=$CMAKE_BUILD_PARALLEL_LEVEL
CFLAGS="-ffunction-sections -fdata-sections" CXXFLAGS="-ffunction-sections -fdata-sections" OPTIMISE=-Os \
    scripts/cross/zig.sh x86_64-linux-gnu.$glibc "$folder" -DDRAGOMAN_SMALL=ON -DDRAGOMAN_INSTALL_STATIC=OFF
rm -rf "$folder/prefix"
cmake --install "$folder/build" --prefix "$folder/prefix" --strip > /dev/null

# Said by the compiler, checked in what it wrote.
for file in "$folder"/prefix/lib/*.so "$folder/prefix/bin/dragoman"; do
    newest=$(objdump -T "$file" | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -n 1)
    needed=$(objdump -p "$file" | awk '$1 == "NEEDED" { printf "%s ", $2 }')
    echo "$(basename "$file"): $(stat -Lc %s "$file") bytes, $newest; $needed"
    printf 'GLIBC_%s\n' "$glibc" "${newest#GLIBC_}" | sort -VC -r || { echo "newer than GLIBC_$glibc" >&2; exit 1; }
    if grep -qE 'lib(stdc|c\+\+|gcc_s|icu|z\.|zip|fmt|sentencepiece)' <<< "$needed"; then
        echo "expected nothing but glibc" >&2
        exit 1
    fi
done
