#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# deps.sh TOOLCHAIN.cmake SOURCES PREFIX: Dragoman's dependencies as static libraries, from the archives that sources.sh
# brings. Needs icu-devtools, tcl, patch and the headers of nlohmann-json, CLI11, stb and doctest on this machine.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
toolchain=$(readlink -f "$1") sources=$(readlink -f "$2") prefix=$(readlink -m "$3")
work=$prefix/work
mkdir -p "$work" "$prefix"/{include,lib/cmake}
export PREFIX=$prefix

unpack() { # PACKAGE
    [ -d "$work/$1" ] && return
    mkdir "$work/$1"
    tar -x -C "$work/$1" --strip-components=1 -f "$sources/$1"_*.orig.tar.*[z2]
    # With Debian's patches, which mend what became known later, but for those that leave out static libraries.
    local debian patch
    debian=$(compgen -G "$sources/$1_*.debian.tar.*z" || true)
    [ -n "$debian" ] || return 0
    tar -x -C "$work/$1" -f "$debian"
    { grep -vE '^ *(#|$)|static' "$work/$1/debian/patches/series" 2> /dev/null || true; } | while read -r patch _; do
        patch -d "$work/$1" -p1 -s --no-backup-if-mismatch -i "debian/patches/$patch"
    done
}
make() { # NAME FOLDER ARGUMENTS...; TARGET: other than install
    local name=$1 folder=$2 log=$work/$1.log
    shift 2
    [ -e "$work/$name.done" ] && return
    local start=$SECONDS
    local launcher=()
    if command -v ccache > /dev/null; then launcher=(-DCMAKE_{C,CXX}_COMPILER_LAUNCHER=ccache); fi
    if ! { cmake -S "$folder" -B "$work/build-$name" -G Ninja -DCMAKE_TOOLCHAIN_FILE="$toolchain" \
               -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_INSTALL_LIBDIR=lib \
               -DBUILD_SHARED_LIBS=OFF -DCMAKE_POSITION_INDEPENDENT_CODE=ON -DCMAKE_POLICY_VERSION_MINIMUM=3.5 \
               "${launcher[@]}" "$@" &&
           cmake --build "$work/build-$name" --target "${TARGET:-install}"; } > "$log" 2>&1; then
        grep -E -m 20 'error|FAILED' "$log" || tail -30 "$log"
        exit 1
    fi
    touch "$work/$name.done"
    echo "$name: $((SECONDS - start)) s"
}

for package in zlib libzip fmtlib yaml-cpp sentencepiece icu cld2 expat md4c libzstd sqlite3; do unpack "$package"; done

mkdir -p "$work/zlib/win32"
touch "$work/zlib/win32/zlib1.rc"  # Debian leaves it out; its absence stops CMake, though nothing here uses it
# Without the macro it declares that macOS lacks fdopen, as it did before 2001.
TARGET=zlibstatic make zlib "$work/zlib" -DCMAKE_C_FLAGS=-Dfdopen=fdopen
cp -p "$work/zlib/zlib.h" "$work/build-zlib/zconf.h" "$prefix/include" 2>/dev/null ||
    cp -p "$work/zlib/zlib.h" "$work/zlib/zconf.h" "$prefix/include"
cp -p "$work"/build-zlib/libz*.a "$prefix/lib/libz.a"
make libzip "$work/libzip" -DENABLE_{COMMONCRYPTO,GNUTLS,MBEDTLS,OPENSSL,WINDOWS_CRYPTO,BZIP2,LZMA,ZSTD}=OFF \
    -DBUILD_{TOOLS,REGRESS,EXAMPLES,DOC}=OFF
make fmt "$work/fmtlib" -DFMT_TEST=OFF -DFMT_DOC=OFF
make yaml-cpp "$work/yaml-cpp" -DYAML_CPP_BUILD_{TESTS,TOOLS,CONTRIB}=OFF
# Debian builds it without CMake, whose file defines this as nothing, which its patches do not expect.
sed -i 's/#cmakedefine XML_DTD$/#cmakedefine XML_DTD 1/' "$work/expat/expat/expat_config.h.cmake"
make expat "$work/expat/expat" -DEXPAT_BUILD_{TOOLS,EXAMPLES,TESTS,DOCS}=OFF -DEXPAT_SHARED_LIBS=OFF
make md4c "$work/md4c"
make zstd "$work/libzstd/build/cmake" -DZSTD_BUILD_{PROGRAMS,SHARED,TESTS}=OFF -DZSTD_MULTITHREAD_SUPPORT=OFF
TARGET=sentencepiece-static make sentencepiece "$work/sentencepiece" -DSPM_ENABLE_SHARED=OFF -DSPM_ENABLE_TCMALLOC=OFF
cp -p "$work/build-sentencepiece/src/libsentencepiece.a" "$prefix/lib"
cp -p "$work/sentencepiece/src/sentencepiece_processor.h" "$prefix/include"
if [ ! -e "$work/icu.done" ]; then "$here/icu_data.sh" "$work/icu/source/data/in/icudt72l.dat" "$work/icu-data"; fi
make icu "$here/deps" -DPART=icu -DSOURCE="$work/icu/source" -DDATA="$work/icu-data/data.c"
make cld2 "$here/deps" -DPART=cld2 -DSOURCE="$work/cld2"
if [ ! -e "$work/sqlite3-made/sqlite3.c" ]; then  # its sources in one file, made by scripts in Tcl
    mkdir -p "$work/sqlite3-made"
    (cd "$work/sqlite3-made" && ../sqlite3/configure && command make sqlite3.c) > "$work/sqlite3-made.log" 2>&1
fi
make sqlite3 "$here/deps" -DPART=sqlite3 -DSOURCE="$work/sqlite3-made"

# Headers alone: those of this machine.
for folder in CLI nlohmann stb doctest; do
    if [ -e /usr/include/$folder ]; then cp -rp /usr/include/$folder "$prefix/include/"; fi
done
for package in nlohmann_json CLI11 doctest; do
    for folder in /usr/share/cmake/$package /usr/lib/cmake/$package /usr/lib/*/cmake/$package; do
        if [ -d "$folder" ]; then cp -rp "$folder" "$prefix/lib/cmake/"; fi
    done
done
sed -i "s#set(_IMPORT_PREFIX \"/usr\")#set(_IMPORT_PREFIX \"$prefix\")#" "$prefix"/lib/cmake/*/*.cmake
